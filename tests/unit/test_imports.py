"""Which module may import which: the arrows of the architecture, walked with ast."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import lineage_tt

ROOT = Path(lineage_tt.__file__).parents[1]

#: From the bottom up: a module imports only what stands on a line before its own.
LAYERS = """
errors clock failpoints durable
tomlfiles system
storage_options
storage_objects storage_cache
storage
times edges names credentials
timeline facts completeness processes filelock
messages answers retention completeness_words completeness_rules
lastnet gaps
shapes gap_rows asof_completeness
format testing asof_lineage
catalog feed systemtimes asof
spill items
arrow tasks events
rows stars again remembered histories planning
admission
parts
lineages
plan
batch
commits session
snapshot asof_snapshot
hops
storage_settle write_queue
commit_file keeping
keeping_objects snapshot_commit
founding
log
clockguard
history tail rewriting vacuum
latest rebase
reading check_snapshot check_files
check
dismissals
writer view
superseded
overtime
store
points stats relay
client
"""
#: Imported in one place, and never by ``import lineage_tt``.
HEAVY = {
    "pyspark": ("lineage_tt/spark", "ingest/spark"),
    "kafka": "lineage_tt/kafka",
    "fastapi": "lineage_tt/api",
    "sqlglot": "ingest/sql",
    "obstore": "lineage_tt/storage_objects.py",
    "numba": "lineage_tt/graph/compiled.py",
    "polars": "lineage_tt/graph/export.py",
    "networkx": "lineage_tt/graph/export.py",
}
#: Where the store's command line joins store and ingest.
JOINS_BOTH = "lineage_tt/cli"


def modules() -> list[Path]:
    """All modules of both packages."""
    return sorted([*(ROOT / "lineage_tt").rglob("*.py"), *(ROOT / "ingest").rglob("*.py")])


def place(path: Path) -> str:
    """A module's path from the root, with slashes."""
    return path.relative_to(ROOT).as_posix()


def imported(path: Path) -> Iterator[tuple[str, bool]]:
    """Yield the full names that a module imports, and whether only for its type checker."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for_types = {
        id(inner)
        for node in ast.walk(tree)
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"
        for inner in ast.walk(node)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((alias.name, id(node) in for_types) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import"
            yield node.module or "", id(node) in for_types
            yield from ((f"{node.module}.{alias.name}", id(node) in for_types) for alias in node.names)


def ranks() -> dict[str, int]:
    """Each core module's layer."""
    return {word: rank for rank, line in enumerate(LAYERS.strip().splitlines()) for word in line.split()}


def test_every_core_module_has_its_layer() -> None:
    """A new module of the core is put into the picture above."""
    core = {path.stem for path in (ROOT / "lineage_tt").glob("*.py")} - {"__init__"}

    assert core == set(ranks())


@pytest.mark.parametrize("path", sorted((ROOT / "lineage_tt").glob("*.py")), ids=lambda path: path.stem)
def test_arrows_point_one_way(path: Path) -> None:
    """times ← edges ← timeline ← format ← log ← store: a module imports only what lies below it."""
    if path.stem == "__init__":
        return
    for name, for_types in imported(path):
        parts = name.split(".")
        if parts[0] != "lineage_tt" or len(parts) < 2 or parts[1] not in ranks() or parts[1] == path.stem:
            continue
        assert for_types or ranks()[parts[1]] < ranks()[path.stem], f"{path.stem} imports {parts[1]}"


def test_the_store_does_not_know_ingest() -> None:
    """``ingest`` uses the store's names; of the store only the command line, which joins both, uses ``ingest``."""
    wrong = [
        place(path)
        for path in modules()
        if place(path).startswith("lineage_tt/") and not place(path).startswith(JOINS_BOTH)
        for name, _ in imported(path)
        if name.split(".")[0] == "ingest"
    ]

    assert wrong == []


def test_the_core_does_not_know_its_command_line() -> None:
    """Nothing but the command line imports the command line, typer or rich."""
    wrong = [
        (place(path), name)
        for path in modules()
        if not place(path).startswith(JOINS_BOTH)
        for name, _ in imported(path)
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
        for name, _ in imported(path)
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


@pytest.mark.parametrize("path", modules(), ids=place)
def test_no_file_is_longer_than_400_lines(path: Path) -> None:
    """A file over 400 lines is a design question."""
    assert len(path.read_text(encoding="utf-8").splitlines()) <= 400


@pytest.mark.parametrize("path", modules(), ids=place)
def test_time_and_chance_enter_in_one_place(path: Path) -> None:
    """The time of day and random names come from ``clock``; what measures durations uses the monotonic clock."""
    if place(path) in ("lineage_tt/clock.py", "lineage_tt/failpoints.py"):
        return
    text = path.read_text(encoding="utf-8")
    for word in ("time.time(", "time.time_ns(", "datetime.now(", "uuid4(", "utcnow("):
        assert word not in text, word
    assert "random" not in {name.split(".")[0] for name, _ in imported(path)}
