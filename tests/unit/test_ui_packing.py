"""The pages' modules packed for a wheel: small enough, whole, and refused where the packing does not read them."""

from __future__ import annotations

import gzip
import re
import sys
from pathlib import Path

import pytest
from needs import lacking

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts"))
from ui_lib.packing import ENTRY, packed, read, write  # noqa: E402

SOURCE = ROOT / "lineage_tt" / "ui"


def test_javascript_is_small(tmp_path: Path) -> None:
    """Libraries and pages of lineage are at most 60 kB as they are sent, gzipped; what governance adds is at most 8."""
    try:
        import minify  # noqa: F401
        import zopfli  # noqa: F401
    except ImportError:
        lacking("tdewolff-minify or zopfli is not installed")
    write(SOURCE, tmp_path)
    sizes = {path.name: path.stat().st_size for path in tmp_path.rglob("*.js.gz")}

    assert sum(size for name, size in sizes.items() if name != "govern.js.gz") <= 60_000, sizes
    assert sizes["govern.js.gz"] <= 8_000
    for path in tmp_path.rglob("*.js"):
        assert gzip.decompress(path.with_name(f"{path.name}.gz").read_bytes()) == path.read_bytes()


def test_every_module_is_in_one_pack() -> None:
    """What is in the folder is served once: nothing is lost, nothing is there twice."""
    packs = packed(SOURCE)
    names = [path.relative_to(SOURCE).as_posix() for path in SOURCE.rglob("*.js")]
    bodies = {name: read(name, (SOURCE / name).read_text(encoding="utf-8")).body.strip() for name in names}
    times = {name: sum(pack.count(body) for pack in packs.values()) for name, body in bodies.items()}

    assert ENTRY in packs
    assert {name: count for name, count in times.items() if count != 1} == {}


def test_packs_import_only_packs() -> None:
    """A pack names no module that is not served."""
    packs = packed(SOURCE)
    named = {
        name for text in packs.values() for name in re.findall(r'^import\{[^}]*\}from"/ui/([^"]+)"', text, re.MULTILINE)
    }

    assert named <= set(packs)


@pytest.mark.parametrize(
    "text", ['import * as a from "./b.js";', 'export * from "./b.js";', "export let a = 1;", 'import "./b.js";']
)
def test_a_form_that_is_not_read_is_refused(text: str) -> None:
    """No module is packed without what it asks for."""
    with pytest.raises(ValueError, match="not read"):
        read("app/a.js", f"const x = 1;\n{text}\n")


def test_modules_that_import_each_other_are_refused(tmp_path: Path) -> None:
    """A circle has no order in which its modules could run."""
    (tmp_path / "app").mkdir()
    (tmp_path / "app" / "main.js").write_text('import { b } from "./b.js";\nexport const a = b;\n', encoding="utf-8")
    (tmp_path / "app" / "b.js").write_text('import { a } from "./main.js";\nexport const b = a;\n', encoding="utf-8")

    with pytest.raises(ValueError, match="import each other"):
        packed(tmp_path)
