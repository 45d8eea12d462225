"""Faults of sqlglot that are worked around: each is still there, and its patch repairs it."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import sqlglot
from needs import lacking

ROOT = Path(__file__).resolve().parents[3]
FOLDER = ROOT / "docs" / "contributing" / "sqlglot"
PATCHES = sorted(FOLDER.glob("*.patch"))
FIELDS = ("Subject", "Version", "Dialect", "Text", "Expected", "Actual", "Worked around")
#: Run with sqlglot in pure Python: prints for each text what it gives, and how many subqueries were copied.
OUTCOMES = """
import json, sys
import sqlglot
from sqlglot import exp
copied = []
plain = exp.Expression.__deepcopy__
exp.Expression.__deepcopy__ = lambda node, memo: copied.append(type(node).__name__) or plain(node, memo)
for case in json.load(sys.stdin):
    copied.clear()
    try:
        tree = sqlglot.parse_one(case["Text"], read=case["Dialect"])
    except sqlglot.ParseError as error:
        print(json.dumps([error.errors[0]["description"].rstrip("."), 0]))
    else:
        subqueries = copied.count("Subquery")
        print(json.dumps([tree.sql(case["Dialect"]), subqueries]))
"""


def fault(path: Path) -> dict[str, str]:
    """Return the fields at the head of a patch."""
    head = path.read_text(encoding="utf-8").partition("\ndiff --git ")[0]
    return dict(re.findall(rf"^({'|'.join(FIELDS)}): (.+)$", head, flags=re.MULTILINE))


FAULTS = {path.stem: fault(path) for path in PATCHES}


def pure_sqlglot(folder: Path) -> Path:
    """Return a folder with the installed sqlglot in pure Python."""
    installed = Path(sqlglot.__file__).parent
    shutil.copytree(installed, folder / "sqlglot", ignore=shutil.ignore_patterns("*.so", "*.pyd", "__pycache__"))
    return folder


def outcomes(folder: Path) -> dict[str, str]:
    """Return what the sqlglot of a folder gives for each text: a text, an error, or how much it copied."""
    run = subprocess.run(
        [sys.executable, "-c", OUTCOMES],
        input=json.dumps(list(FAULTS.values())),
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "PYTHONPATH": str(folder)},
    )
    given: list[list[Any]] = [json.loads(line) for line in run.stdout.splitlines()]
    return {
        name: f"{copies} subqueries copied" if "copied" in case["Expected"] else words
        for (name, case), (words, copies) in zip(FAULTS.items(), given, strict=True)
    }


@pytest.fixture(scope="module")
def pure(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The installed sqlglot, without its compiled part."""
    return pure_sqlglot(tmp_path_factory.mktemp("sqlglot"))


def test_each_patch_states_its_fault() -> None:
    """Every patch has all fields, for the installed version, and is in the list; it names files that work around it."""
    listed = (FOLDER / "README.md").read_text(encoding="utf-8")

    assert len(PATCHES) >= 5
    for path in PATCHES:
        said = FAULTS[path.stem]
        *_, file = said["Worked around"].split()

        assert tuple(sorted(said)) == tuple(sorted(FIELDS)), path.name
        assert said["Version"].rsplit(".", 1)[0] == sqlglot.__version__.rsplit(".", 1)[0], path.name
        assert f"| [{path.stem}]({path.name}) | {said['Subject']} |" in listed
        assert (ROOT / "ingest" / "sql" / "parser" / file).exists(), path.name


def test_each_fault_is_still_there(pure: Path) -> None:
    """Where sqlglot now gives what is expected, patch and work-around can go."""
    assert outcomes(pure) == {name: case["Actual"] for name, case in FAULTS.items()}


@pytest.mark.long
def test_the_patches_apply_together_and_repair_each_fault(tmp_path: Path, pure: Path) -> None:
    """sqlglot with all patches gives what is expected of each text."""
    if shutil.which("git") is None:
        lacking("git is not installed")
    patched = tmp_path / "patched"
    shutil.copytree(pure, patched, ignore=shutil.ignore_patterns("__pycache__"))
    subprocess.run(
        ["git", "apply", *map(str, PATCHES)], cwd=patched, check=True, env={**os.environ, "GIT_DIR": os.devnull}
    )

    assert outcomes(patched) == {name: case["Expected"] for name, case in FAULTS.items()}
