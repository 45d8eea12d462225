"""Which module may import which: the arrows of the architecture, walked with ast."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

import lineage_tt

ROOT = Path(lineage_tt.__file__).parents[1]

#: From the bottom up: an entry of ``lineage_tt`` imports only entries on lines before its own.
LAYERS = """
timeline
model
storage levels
log
read
write testing
events
feed
kafka
graph
governance
store
client maintenance impact subscriptions spark curation assets
export
ui
api
cli
"""
#: The same for ``ingest``.
INGEST_LAYERS = """
sql messages
workers
resolve
batches
replay reconcile kafka dbt
pipeline
events
spark
"""
#: Imports against the order, each with the reason. At most five.
EXCEPTIONS: dict[tuple[str, str], str] = {}
#: Folders whose files are of one kind may hold up to 25 entries; all others up to 12.
OF_ONE_KIND = (
    "lineage_tt/cli/commands",
    "lineage_tt/api/routes",
    "ingest/sql/statements",
    "ingest/sql/dialects/families",
)
#: Beside the core at the top of ``lineage_tt``: what people use it through, and what runs elsewhere.
BESIDE = {
    "assets", "curation", "graph", "governance", "levels", "export", "impact", "subscriptions", "kafka", "spark", "api",
    "cli", "sample", "schemas", "ui",
}  # fmt: skip
#: Imported in one place, and never by ``import lineage_tt``.
HEAVY: dict[str, str | tuple[str, ...]] = {
    "pyspark": ("lineage_tt/spark", "ingest/spark"),
    "kafka": "lineage_tt/kafka",
    "fastapi": "lineage_tt/api",
    "sqlglot": "ingest/sql",
    "obstore": "lineage_tt/storage/objects.py",
    "numba": "lineage_tt/graph/arrays/compiled.py",
    "polars": "lineage_tt/graph/answers/export.py",
    "networkx": "lineage_tt/graph/answers/export.py",
}
#: Where the store's command line joins store and ingest.
JOINS_BOTH = "lineage_tt/cli"


def modules() -> list[Path]:
    """All modules of both packages."""
    return sorted([*(ROOT / "lineage_tt").rglob("*.py"), *(ROOT / "ingest").rglob("*.py")])


def place(path: Path) -> str:
    """A module's path from the root, with slashes."""
    return path.relative_to(ROOT).as_posix()


@cache
def imported(path: Path) -> tuple[str, ...]:
    """Return the full names that a module imports: anywhere in it, for its type checker alone, too."""
    return tuple(_imported(path))


def _imported(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import"
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def ranks(layers: str) -> dict[str, int]:
    """Each entry's layer."""
    return {word: rank for rank, line in enumerate(layers.strip().splitlines()) for word in line.split()}


def name_of(path: Path) -> str:
    """A module's dotted name; a package's is that of its folder."""
    return place(path).removesuffix(".py").removesuffix("/__init__").replace("/", ".")


@cache
def arrows() -> frozenset[tuple[str, str]]:
    """Return (module, module that it imports) of all imports: functions' own and those for type checkers, too."""
    known = {name_of(path) for path in modules()}
    result = set()
    for path in modules():
        for name in imported(path):
            while name and name not in known:
                name = name.rpartition(".")[0]
            if name and name != name_of(path):
                result.add((name_of(path), name))
    return frozenset(result)


def plain_arrows() -> frozenset[tuple[str, str]]:
    """Return all imports but the named exceptions."""
    return arrows() - set(EXCEPTIONS)


@pytest.mark.parametrize(("package", "layers"), [("lineage_tt", LAYERS), ("ingest", INGEST_LAYERS)])
def test_arrows_point_one_way(package: str, layers: str) -> None:
    """Every entry has its layer, and imports only entries of lower ones."""
    rank = ranks(layers)
    entries = {path.stem if path.is_file() else path.name for path in (ROOT / package).iterdir()}
    entries -= {"__init__", "__pycache__", "py", "sample", "schemas"}
    wrong = [
        (importer, name)
        for importer, name in sorted(plain_arrows())
        if importer.split(".")[0] == name.split(".")[0] == package and "." in importer and "." in name
        for one, other in [(importer.split(".")[1], name.split(".")[1])]
        if one != other and other not in ("sample", "schemas") and rank[other] >= rank[one]
    ]

    assert entries - {"py.typed"} == set(rank)
    assert wrong == []


def test_no_folder_has_a_circle_of_entries() -> None:
    """In every folder, files and packages import each other in one direction."""
    siblings: dict[str, dict[str, set[str]]] = {}
    for importer, name in sorted(plain_arrows()):
        one, other = importer.split("."), name.split(".")
        shared = next((at for at, (x, y) in enumerate(zip(one, other, strict=False)) if x != y), None)
        if shared:
            siblings.setdefault(".".join(one[:shared]), {}).setdefault(one[shared], set()).add(other[shared])
    circles = {}
    for folder, graph in siblings.items():
        try:
            TopologicalSorter(graph).prepare()
        except CycleError as found:
            circles[folder] = found.args[1]

    assert circles == {}


def test_no_circle_of_files() -> None:
    """No file imports itself by way of others."""
    graph: dict[str, set[str]] = {}
    for importer, name in plain_arrows():
        graph.setdefault(importer, set()).add(name)
    try:
        TopologicalSorter(graph).prepare()
        circle = []
    except CycleError as error:
        circle = error.args[1]

    assert circle == []


def test_exceptions_are_few_and_real() -> None:
    """An exception that nobody needs any more goes."""
    assert len(EXCEPTIONS) <= 5
    assert set(EXCEPTIONS) <= arrows()


def test_folders_are_small() -> None:
    """At most 12 entries of code in a folder; 25 where the files are of one kind."""
    entries: dict[str, set[str]] = {}
    for path in modules():
        parts = place(path).split("/")
        for depth in range(1, len(parts)):
            if parts[depth] != "__init__.py":
                entries.setdefault("/".join(parts[:depth]), set()).add(parts[depth].removesuffix(".py"))
    entries["lineage_tt"] -= BESIDE
    crowded = {
        folder: len(held) for folder, held in entries.items() if len(held) > (25 if folder in OF_ONE_KIND else 12)
    }

    assert crowded == {}


def test_every_package_says_what_lives_there() -> None:
    """The first lines of a package are its house rules."""
    packages = [path for path in modules() if path.stem == "__init__"]

    assert len(packages) > 20
    assert [
        place(path) for path in packages if not ast.get_docstring(ast.parse(path.read_text(encoding="utf-8")))
    ] == []


def test_the_store_does_not_know_ingest() -> None:
    """``ingest`` uses the store's names; of the store only the command line, which joins both, uses ``ingest``."""
    wrong = [
        place(path)
        for path in modules()
        if place(path).startswith("lineage_tt/") and not place(path).startswith(JOINS_BOTH)
        for name in imported(path)
        if name.split(".")[0] == "ingest"
    ]

    assert wrong == []


def test_the_core_does_not_know_its_command_line() -> None:
    """Nothing but the command line imports the command line, typer or rich."""
    wrong = [
        (place(path), name)
        for path in modules()
        if not place(path).startswith(JOINS_BOTH)
        for name in imported(path)
        if name.startswith("lineage_tt.cli") or name.split(".")[0] in ("typer", "rich")
    ]

    assert wrong == []


@pytest.mark.parametrize("heavy", HEAVY)
def test_heavy_packages_are_imported_in_one_place(heavy: str) -> None:
    """pyspark, kafka, fastapi and sqlglot each have one package that imports them."""
    wrong = [
        place(path)
        for path in modules()
        if not place(path).startswith(HEAVY[heavy])
        for name in imported(path)
        if name.split(".")[0] == heavy
    ]

    assert wrong == []


def test_importing_the_store_loads_none_of_them() -> None:
    """``import lineage_tt`` is light: no Java bridge, no broker client, no web framework, no parser."""
    program = f"import lineage_tt, lineage_tt.store, sys; print(sorted({set(HEAVY)} & set(sys.modules)))"
    ran = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, timeout=60, check=True
    )

    assert ran.stdout == "[]\n"


def test_a_reader_loads_no_pyarrow(tmp_path: Path) -> None:
    """Opening a store and asking it needs no pyarrow: a cold command pays a tenth of a second for it."""
    lineage_tt.Store.create(tmp_path)
    program = (
        "import sys; from lineage_tt import Store; "
        f"Store.open({str(tmp_path)!r}).as_of().edges(); print('pyarrow' in sys.modules)"
    )
    ran = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, timeout=60, check=True
    )

    assert ran.stdout == "False\n"


def test_no_file_is_longer_than_300_lines() -> None:
    """A file over 300 lines holds more than one idea: split it along them."""
    lengths = {place(path): len(path.read_text(encoding="utf-8").splitlines()) for path in modules()}

    assert {name: lines for name, lines in lengths.items() if lines > 300} == {}


def test_time_and_chance_enter_in_one_place() -> None:
    """The time of day and random names come from ``clock``; what measures durations uses the monotonic clock."""
    allowed = ("lineage_tt/model/clock.py", "lineage_tt/storage/failpoints.py")
    others = [path for path in modules() if place(path) not in allowed]
    words = ("time.time(", "time.time_ns(", "datetime.now(", "uuid4(", "utcnow(")
    wrong = [(place(path), word) for path in others for word in words if word in path.read_text(encoding="utf-8")]
    wrong += [(place(path), name) for path in others for name in imported(path) if name.split(".")[0] == "random"]

    assert wrong == []
