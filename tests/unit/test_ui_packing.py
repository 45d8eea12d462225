"""The pages' modules packed for a wheel: small enough, whole, and refused where the packing does not read them."""

from __future__ import annotations

import gzip
import re
import sys
import zlib
from pathlib import Path

import pytest
from needs import lacking

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts"))
from ui_lib.packing import ENTRY, packed, read, write  # noqa: E402

SOURCE = ROOT / "lineage_tt" / "ui"


def made(folder: Path, **modules: str) -> str:
    """Pack modules by their names; ``main`` is the entry, ``_`` is a slash."""
    for name, text in modules.items():
        path = folder / f"{name.replace('_', '/')}.js" if "_" in name else folder / "app" / f"{name}.js"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return packed(folder)


@pytest.mark.long
def test_javascript_is_small(tmp_path: Path) -> None:
    """All libraries and pages are at most 60 kB as they are sent, gzipped; a wheel grows by at most half a megabyte."""
    try:
        import minify  # noqa: F401
        import zopfli  # noqa: F401
    except ImportError:
        lacking("tdewolff-minify or zopfli is not installed")
    write(SOURCE, tmp_path)
    (sent,) = tmp_path.rglob("*.js.gz")

    assert sent == tmp_path / f"{ENTRY}.gz"
    assert sent.stat().st_size <= 60_000
    assert gzip.decompress(sent.read_bytes()) == (tmp_path / ENTRY).read_bytes()
    files = [path for folder in (SOURCE, tmp_path) for path in folder.rglob("*") if path.suffix != ".pyc"]
    grown = sum(len(zlib.compress(path.read_bytes(), 6)) for path in files if path.is_file())
    assert grown <= 500_000  # what a wheel grows by: modules and pack


def test_every_module_is_in_the_pack() -> None:
    """What is in the folder is served once: nothing is lost, nothing is there twice."""
    pack = packed(SOURCE)
    names = [path.relative_to(SOURCE).as_posix() for path in SOURCE.rglob("*.js")]
    bodies = {name: read(name, (SOURCE / name).read_text(encoding="utf-8")).body.strip() for name in names}
    times = {name: pack.count(re.sub(r"=> import\(.*", "", body)) for name, body in bodies.items() if name != ENTRY}

    assert len(times) > 50
    assert {name: count for name, count in times.items() if count != 1} == {}
    assert re.findall(r"^(?:import|export)\b.*", pack, re.MULTILINE) == []


def test_a_page_runs_when_it_is_first_shown(tmp_path: Path) -> None:
    """Its own modules are in its function; what two pages import is beside, under the names that importers use."""
    load = 'export const PAGES = { a: () => import("./pages/a.js"), b: () => import("./pages/b.js") };\n'
    takes = 'import { both } from "../both.js";\nimport { alone } from "../alone.js";\n'
    pack = made(
        tmp_path, main=load, both="export const both = 1;\n", alone="export const alone = 2;\n",
        app_pages_a=f"{takes}export const Page = both + alone;\n",
        app_pages_b='import { both as one } from "../both.js";\nexport const Page = one;\n',
    )  # fmt: skip
    first, second = pack.split("let p")[:2]

    assert first.index("const both = 1;") < first.index("=async()=>{") < first.index("const alone = 2;")
    assert "const one=both;" in second
    assert re.search(r"a: \(\) => \(p(m\d+) \?\?= f\1\(\)\)", pack)


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


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("const held = 2;\n", "declare 'held', and share a scope"),
        ("const open = 2;\n", "which is a browser's name"),
        ("const { x } = { x: 1 };\n", "names are not read"),
    ],
)
def test_a_name_that_would_hide_another_is_refused(tmp_path: Path, text: str, message: str) -> None:
    """Modules that give up their scopes declare different names, none of them the browser's."""
    with pytest.raises(ValueError, match=message):
        made(tmp_path, main=f'import {{ held }} from "./b.js";\n{text}', b="export const held = 1;\n")


def test_libraries_keep_their_names(tmp_path: Path) -> None:
    """A library may declare what others declare: it is a function that gives what is imported of it."""
    library = "var held=1,open=2;export{held as kept,open as left};"
    pack = made(tmp_path, main='import { kept } from "../vendor/l.js";\nconst held = kept;\n', vendor_l=library)

    assert "const m1=(()=>{\nvar held=1,open=2;\nreturn {kept:held}})();" in pack
    assert "const {kept}=m1;" in pack
