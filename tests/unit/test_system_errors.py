"""Whatever the system does to the files of a store, the Python API raises the product's errors and no others."""

from __future__ import annotations

import errno
import shutil
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from ingest.pipeline import Ingester
from lineage_tt import LineageError, Store
from lineage_tt.cli import failures
from lineage_tt.cli.app import run
from lineage_tt.client import Replica
from lineage_tt.log.rewriting.vacuum import vacuum
from lineage_tt.maintenance.check import check
from lineage_tt.model.errors import CorruptError, UnavailableError
from lineage_tt.model.os_errors import system_errors
from lineage_tt.testing import task_change

Call = Callable[[Path], Any]
#: Those that write come last: each is made on what the ones before it left.
CALLS: dict[str, Call] = {
    "open": Store.open,
    "id": lambda path: Store.open(path).id,
    "edges": lambda path: Store.open(path).as_of(1).edges(),
    "log": lambda path: Store.open(path).log(),
    "changes": lambda path: list(Store.open(path).changes()),
    "tail": lambda path: Store.open(path).tail(0).read(),
    "graph": lambda path: Store.open(path).graph(),
    "files": lambda path: Store.open(path).opened_log.sizes(),
    "set-up": lambda path: Store.open(path).setup_sql(),
    "sql": lambda path: Store.open(path).sql("SELECT count(*) FROM log"),
    "check": check,
    "vacuum": lambda path: vacuum(path / "log", 48, dry_run=True),
    "append": lambda path: Store.open(path).append([task_change("t", "online", 1, [("n:a", "n:b")])]),
    "create": Store.create,
}


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with a checkpoint and a commit after it."""
    folder = tmp_path_factory.mktemp("template") / "s"
    store = Store.create(folder)
    for number in range(34):
        store.append([task_change(f"t{number}", "online", 1, [("n:a", "n:b")])])
    return folder


def places(template: Path) -> Iterator[Path]:
    """The store's folder, its folders, and of each kind of file the first and the last few."""
    yield Path()
    seen: Counter[tuple[Path, str, bool]] = Counter()
    for path in sorted(template.rglob("*")):
        kind = path.parent, path.suffix, "checkpoint" in path.name
        seen[kind] += 1
        if seen[kind] in (1, 33, 34):
            yield path.relative_to(template)


def remove(path: Path) -> None:
    """Take a file or a folder away."""
    shutil.rmtree(path) if path.is_dir() and not path.is_symlink() else path.unlink(missing_ok=True)


def to_folder(path: Path) -> None:
    """Put a folder in the place of a file, a file in the place of a folder."""
    was_folder = path.is_dir()
    remove(path)
    path.write_bytes(b"x") if was_folder else path.mkdir()


def to_loop(path: Path) -> None:
    """Put a link that leads to itself."""
    remove(path)
    path.symlink_to(path.name)


@pytest.mark.long
@pytest.mark.parametrize("change", [remove, to_folder, to_loop])
def test_only_the_products_errors_come_out(template: Path, tmp_path: Path, change: Callable[[Path], None]) -> None:
    """Each call on a store of which one file, or folder, is gone, or is of another kind."""
    wrong = []
    for place in places(template):
        folder = tmp_path / "copy"
        shutil.copytree(template, folder)
        change(folder / place)
        for name, call in CALLS.items():
            try:
                call(folder)
            except LineageError:
                pass
            except Exception as error:
                wrong.append(f"{name} at {place}: {error!r}")
        remove(folder)

    assert wrong == []


def test_what_is_read_or_written_beside_a_store(tmp_path: Path) -> None:
    """A file of messages that is a folder or is gone, a replica that is not a database."""
    (tmp_path / "folder").mkdir()
    (tmp_path / "text").write_text("not a database " * 100)
    store = Store.create(tmp_path / "s")
    with Ingester(store) as ingester:
        for name in ("folder", "gone"):
            with pytest.raises(LineageError):
                ingester.ingest_file(str(tmp_path / name))
    for name in ("folder", "text", "gone/replica"):
        with pytest.raises(LineageError, match="replica"):
            Replica(tmp_path / name)


@pytest.mark.parametrize(
    ("error", "kind", "words"),
    [
        (FileNotFoundError(errno.ENOENT, "No such file", "x"), CorruptError, r"cannot look: No such file \(x\)"),
        (PermissionError(errno.EACCES, "Permission denied", "x"), UnavailableError, "Permission denied"),
        (OSError(errno.ENOSPC, "No space left"), UnavailableError, "free space"),
        (OSError(errno.ENOMEM, "Cannot allocate memory"), UnavailableError, "out of memory"),
        (OSError("no number"), UnavailableError, "no number"),
        (MemoryError(), UnavailableError, "out of memory"),
        (UnavailableError("as it is"), UnavailableError, "^as it is$"),
    ],
)
def test_errors_of_the_system_in_the_products_words(error: Exception, kind: type[LineageError], words: str) -> None:
    """What was tried, what the system said, and what to do."""
    with pytest.raises(kind, match=words), system_errors("look"):
        raise error


def test_a_command_out_of_memory_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Words and a hint, no traceback."""
    Store.create(tmp_path / "s")

    def fail(*_: Any, **__: Any) -> Any:
        raise MemoryError

    monkeypatch.setattr("lineage_tt.read.view.View.tasks", fail)
    assert run(["--store", str(tmp_path / "s"), "tasks"]) == failures.NO_ANSWER
    said = capsys.readouterr().err
    assert "out of memory" in said
    assert "Traceback" not in said


def test_a_query_out_of_memory_says_so(tmp_path: Path) -> None:
    """DuckDB's own limit, too, which is not damage of the store."""
    store = Store.create(tmp_path / "s")
    store.append([task_change("t", "online", 1, [("n:a", "n:b")])])
    store.connection().execute("SET memory_limit = '10MB'; SET temp_directory = ''")
    with pytest.raises(UnavailableError, match="out of memory"):
        store.sql("SELECT list(i ORDER BY i) FROM range(50_000_000) t(i)")
