"""Damage beside the log in force: check names it, whichever file has it."""

from __future__ import annotations

import shutil
import sqlite3
from pathlib import Path

import pyarrow as pa
import pytest

from lineage_tt import Store
from lineage_tt.log.arrow import from_table, parquet_bytes
from lineage_tt.log.rewriting import rewrite
from lineage_tt.maintenance.check import check
from lineage_tt.maintenance.check_files import deliveries, replaced_files, snapshot_commits
from lineage_tt.read.snapshots.commit import Staged, commit, place_files
from lineage_tt.storage import durable
from lineage_tt.subscriptions.outbox import Outbox
from lineage_tt.testing import task_change


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A store of four versions."""
    store = Store.create(tmp_path / "s")
    for number in range(4):
        store.append([task_change(f"t{number}", "online", 1, [("n:a", "n:b")])])
    return tmp_path / "s"


def flip(path: Path, at: float = 0.5) -> None:
    """Change one byte."""
    data = bytearray(path.read_bytes())
    data[int(len(data) * at)] ^= 1
    path.write_bytes(data)


def damaged(folder: Path) -> list[str]:
    """The paths that check calls damaged."""
    return [finding.path for finding in check(folder) if finding.kind == "damage"]


def test_a_replaced_file_that_is_still_there_is_looked_at(folder: Path, tmp_path: Path) -> None:
    """Cut or altered it is named; taken away it is nothing."""
    import pyarrow.parquet as pq

    store = Store.open(folder)
    log = store.opened_log
    (run,) = rewrite.runs(log)
    rows = [row for name in run.names for row in from_table(pq.read_table(folder / "log" / name))]
    (tmp_path / "one.parquet").write_bytes(parquet_bytes(rows))
    rewrite.replace(log, [(run, tmp_path / "one.parquet")])
    assert damaged(folder) == []

    flip(folder / "log" / run.names[1])
    assert damaged(folder) == [run.names[1]]
    assert len(Store.open(folder).as_of(1).edges()) == 4
    (folder / "log" / run.names[1]).unlink()
    assert damaged(folder) == []


def snapshots(folder: Path, tmp_path: Path, count: int) -> list[Path]:
    """Commit so many snapshots that hold nothing; return their commit files."""
    base = None
    for number in range(count):
        staged = tmp_path / f"{number}.parquet"
        pa.parquet.write_table(pa.table({"name": [f"n{number}"]}), staged)
        placed = place_files(folder / "snapshot", [Staged("tasks", staged, 1)], 1, number + 1)
        meta = {"version": number + 1, "system_time": 1, "checksum": bytes(32).hex(), "horizon": None}
        base = commit(folder, base, placed, meta, full=True)
    return sorted((folder / "snapshot" / "_delta_log").glob("*.json"))


def of_commits(folder: Path) -> list[str]:
    """The snapshot's commit files, and its head, that check calls damaged."""
    return [path for path in damaged(folder) if path.startswith("snapshot/")]


@pytest.mark.long
def test_every_commit_of_the_snapshot_is_looked_at(folder: Path, tmp_path: Path) -> None:
    """A byte anywhere in any of them, one that is missing, the last one lost, its head altered."""
    import pyarrow.parquet as _  # noqa: F401

    files = snapshots(folder, tmp_path, 3)
    assert len(files) == 4
    assert of_commits(folder) == []
    kept = tmp_path / "kept"
    shutil.copytree(folder / "snapshot", kept)

    def again() -> None:
        shutil.rmtree(folder / "snapshot")
        shutil.copytree(kept, folder / "snapshot")

    for file in files:
        for at in (0.1, 0.3, 0.5, 0.7, 0.9):
            flip(file, at)
            assert of_commits(folder), f"{file.name} at {at}"
            again()
        file.unlink()
        assert of_commits(folder) != []
        again()
    flip(folder / "snapshot" / "_head.json")
    assert of_commits(folder) != []


def test_a_snapshot_of_an_earlier_release_is_sound(folder: Path, tmp_path: Path) -> None:
    """It has no head, and its commits do not name the one before."""
    snapshots(folder, tmp_path, 2)
    (folder / "snapshot" / "_head.json").unlink()
    assert of_commits(folder) == []


def test_the_cursors_of_deliveries_are_looked_at(folder: Path) -> None:
    """A file that is not a database, one that is torn, a cursor beyond the store, an event that is not its own."""
    path = folder / "deliveries.sqlite"
    event = {"subscription": "s", "data": {"version": 2}}
    with Outbox(path) as outbox:
        outbox.move("s", 3)
        outbox.give_up("s", 2, event, "no")
    assert damaged(folder) == []

    with Outbox(path) as outbox:
        outbox.move("s", 99)
    assert damaged(folder) == ["deliveries.sqlite"]
    with Outbox(path) as outbox:
        outbox.move("s", 3)
    database = sqlite3.connect(path)
    database.execute("UPDATE undelivered SET version = 3")
    database.commit()
    database.close()
    assert damaged(folder) == ["deliveries.sqlite"]
    path.write_bytes(path.read_bytes()[:5000])
    assert damaged(folder) != []
    path.write_bytes(b"no database at all" * 300)
    assert damaged(folder) == ["deliveries.sqlite"]


def test_new_names_are_forced_to_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each new folder in the one above it, the head's name after it was put in place."""
    synced: list[Path] = []
    real = durable.sync

    def sync(path: Path) -> None:
        synced.append(path)
        real(path)

    monkeypatch.setattr(durable, "sync", sync)
    store = Store.create(tmp_path / "a" / "b" / "s")
    assert [tmp_path, tmp_path / "a", tmp_path / "a" / "b", tmp_path / "a" / "b" / "s"] == synced[:4]
    synced.clear()
    store.append([task_change("t", "online", 1, [("n:a", "n:b")])])
    log = Path(str(store.log_path))
    assert synced[-1] == log  # after the head file got its name
    assert synced.index(log) < synced.index(log / "_delta_log")


def test_what_is_not_there_is_not_damaged(folder: Path) -> None:
    """A store without a snapshot, without deliveries, and whose replaced files are gone."""
    assert list(deliveries(folder, 4)) == []
    assert list(snapshot_commits(folder)) == []
    assert list(replaced_files(folder / "log", [])) == []


@pytest.mark.parametrize(("version", "is_sound"), [(0, True), (4, True), (5, False), (-1, False), ("x", False)])
def test_a_cursor_is_at_a_version_of_its_store(folder: Path, version: object, is_sound: bool) -> None:
    """One beyond its end would pass over versions to come."""
    database = sqlite3.connect(folder / "deliveries.sqlite", isolation_level=None)
    database.execute("CREATE TABLE cursors (subscription, version)")
    database.execute("CREATE TABLE undelivered (subscription, version, event)")
    database.execute("INSERT INTO cursors VALUES ('s', ?)", (version,))
    database.close()

    assert (list(deliveries(folder, 4)) == []) is is_sound
