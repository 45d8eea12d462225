"""The browser's libraries are those of the manifest, with their licences, and need no build and no other origin."""

from __future__ import annotations

import hashlib
import json
import re
import zipfile
from pathlib import Path
from typing import Any

import pytest
from hatchling.builders.wheel import WheelBuilder

from lineage_tt import ui

FOLDER = Path(ui.__file__).parent
VENDOR = FOLDER / "vendor"


def listed() -> list[dict[str, Any]]:
    """The manifest."""
    result: list[dict[str, Any]] = json.loads((VENDOR / "manifest.json").read_text(encoding="utf-8"))["files"]
    return result


def test_every_file_has_the_hash_of_the_manifest() -> None:
    """Nothing in the folder was edited, and nothing is there that the manifest does not name."""
    hashes = {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in VENDOR.iterdir()}
    del hashes["manifest.json"]

    assert hashes == {each["file"]: each["sha256"] for each in listed()}


def test_every_package_has_its_licence() -> None:
    """Each package's licence lies beside it, and is one that we may ship."""
    packages = {each["package"] for each in listed() if "licence" in each}

    assert packages == {each["package"] for each in listed() if each["file"].startswith("LICENSE.")}
    assert {each["licence"] for each in listed() if "licence" in each} <= {"MIT", "Apache-2.0"}


@pytest.mark.parametrize("path", sorted(FOLDER.rglob("*.js")), ids=lambda path: path.relative_to(FOLDER).as_posix())
def test_modules_import_each_other_by_relative_path(path: Path) -> None:
    """A browser finds every import beside the file that asks for it: no bundler, no import map, no other origin."""
    text = path.read_text(encoding="utf-8")
    named = r"""(?:^|[;}\n])\s*(?:import|export)\b[^"'`;()=]*["']([^"']+)["']|\bimport\(\s*["']([^"']+)["']"""
    asked = [one or other for one, other in re.findall(named, text)]

    assert [name for name in asked if not (path.parent / name).is_file() or not name.startswith(".")] == []
    assert "sourceMappingURL" not in text
    assert asked or "import" not in text


@pytest.mark.long
def test_the_wheel_holds_the_pages(tmp_path: Path) -> None:
    """What the service serves is in what people install."""
    root = FOLDER.parents[1]
    built = next(iter(WheelBuilder(str(root)).build(directory=str(tmp_path), versions=["standard"])))
    with zipfile.ZipFile(built) as wheel:
        names = set(wheel.namelist())

    served = {path for path in FOLDER.rglob("*") if path.is_file() and "__pycache__" not in path.parts}
    assert {f"lineage_tt/ui/{path.relative_to(FOLDER).as_posix()}" for path in served} - names == set()
