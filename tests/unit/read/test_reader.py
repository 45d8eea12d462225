"""The session that answers: over the files of the log's version, a snapshot where there is one, files that moved."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from purges import merge
from small_snapshots import compacted, meta_of

from lineage_tt import Store
from lineage_tt.log.log import Log
from lineage_tt.model.errors import CorruptError, InvalidRequestError
from lineage_tt.read.reader import Reader
from lineage_tt.read.snapshots.commit import commit
from lineage_tt.read.snapshots.snapshot import NAME
from lineage_tt.testing import ManualClock, task_change

COUNT = "SELECT count(*) FROM log"
NODES = "SELECT node FROM nodes ORDER BY node"


def append(store: Store, number: int) -> None:
    """Append a message of one edge."""
    store.append([task_change(f"t{number}", "online", 10, [(f"n:a#c{number}", "n:b#y")])])


@pytest.fixture
def store(tmp_path: Path) -> Store:
    """A store of two versions."""
    made = Store.create(tmp_path, clock=ManualClock(90))
    append(made, 1)
    append(made, 2)
    return made


def test_an_answer_is_read_from_the_version_that_the_log_is_at(store: Store, tmp_path: Path) -> None:
    """Another process's commits are seen once the log was refreshed."""
    log = Log.open(tmp_path / "log")
    reader = Reader(log)
    assert reader.fetch(COUNT, {}) == [(2,)]
    append(store, 3)
    assert reader.fetch(COUNT, {}) == [(2,)]
    log.refresh()

    assert reader.fetch(COUNT, {}) == [(3,)]
    assert reader.scan(COUNT, {}) == [(3,)]
    assert [name for (name,) in reader.fetch(NODES, {})] == ["n:a", "n:a#c1", "n:a#c2", "n:a#c3", "n:b", "n:b#y"]


def test_a_users_query_has_all_macros(store: Store) -> None:
    """A wrong one is the user's mistake."""
    reader = Reader(store.opened_log)

    assert reader.ask("SELECT task_id FROM edges_as_of(now()) ORDER BY 1", {}) == [("t1",), ("t2",)]
    assert reader.run("SELECT 1 AS one") == (["one"], [(1,)])
    with pytest.raises(InvalidRequestError):
        reader.ask("SELEC 1", {})
    assert (reader.snapshot, reader.horizon) == (None, None)


def test_a_snapshot_is_used_as_far_as_it_reaches(store: Store, tmp_path: Path) -> None:
    """With what came after it; the script that is printed gives the same to anybody."""
    compacted(store, tmp_path)
    append(store, 3)
    reader = Reader(Log.open(tmp_path / "log"))

    assert reader.snapshot is not None
    assert reader.snapshot.version == 2
    assert reader.scan(COUNT, {}) == [(3,)]
    assert len(reader.ask("FROM edges_as_of(now())", {})) == 3
    assert reader.with_hops(lambda hops: hops.knows(["n:a#c1"])) == {"n:a#c1"}
    assert "snapshot_nodes" in reader.setup_sql()


def test_a_log_that_is_read_at_an_earlier_commit_has_no_later_snapshot(store: Store, tmp_path: Path) -> None:
    """Its answers must not know more than its basis."""
    log = Log.open(tmp_path / "log")
    append(store, 3)
    compacted(store, tmp_path)

    assert Reader(log).snapshot is None
    assert Reader(log).fetch(COUNT, {}) == [(2,)]


def test_the_snapshot_of_another_log_is_found(store: Store, tmp_path: Path) -> None:
    """By the checksum of its last row."""
    made = compacted(store, tmp_path)
    commit(tmp_path, made, [], meta_of(store) | {"checksum": "00" * 32}, full=False)

    with pytest.raises(CorruptError, match="is not one of this log"):
        Reader(Log.open(tmp_path / "log")).connection()


def test_sessions_over_files_that_are_gone_are_not_asked_again(store: Store, tmp_path: Path) -> None:
    """Others moved the log on to the files in their place, which hold no later version."""
    log = Log.open(tmp_path / "log")
    reader = Reader(log)

    def asked() -> list[object]:
        hops = reader.with_hops(lambda hops: hops.knows(["n:a#c1"]))
        return [reader.fetch(COUNT, {}), reader.ask(COUNT, {}), reader.run(COUNT), reader.scan(COUNT, {}), hops]

    before = asked()
    merge(store, tmp_path)
    log.refresh()

    assert asked() == before


def test_a_users_query_is_run_over_the_files_in_the_place_of_those_that_are_gone(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One that names a file of its own that is not there is the user's mistake: no file of the store is looked for."""
    reader = Reader(Log.open(tmp_path / "log"))
    before = reader.run(COUNT)
    merge(store, tmp_path)

    assert reader.run(COUNT) == before
    monkeypatch.setattr(Reader, "moved", lambda _: pytest.fail("looked for the store's files"))
    with pytest.raises(InvalidRequestError, match="the query failed"):
        reader.run("FROM 'nowhere.parquet'")


def test_a_snapshot_whose_files_are_gone_gives_way_to_the_one_in_its_place(store: Store, tmp_path: Path) -> None:
    """The log's own files are all there; a reader that is open since before answers as before."""
    old = compacted(store, tmp_path)
    reader = Reader(Log.open(tmp_path / "log"))
    before = reader.fetch(NODES, {})
    shutil.rmtree(tmp_path / "staged")
    new = compacted(store, tmp_path)
    for name in set(old.names) - set(new.names):
        (old.place / name).unlink()

    assert reader.moved()
    assert reader.fetch(NODES, {}) == before
    assert reader.snapshot is not None
    assert reader.snapshot.names == new.names


def test_files_that_were_replaced_are_read_from_those_in_their_place(store: Store, tmp_path: Path) -> None:
    """A reader that is open since before answers as before; where nothing took their place it is damage."""
    log = Log.open(tmp_path / "log")
    reader = Reader(log)
    merge(store, tmp_path)

    assert reader.fetch(COUNT, {}) == [(2,)]
    assert not reader.moved()
    for path in log.files():
        path.unlink()
    fresh = Reader(log)
    log.verified.clear()
    with pytest.raises(CorruptError):
        fresh.fetch(COUNT, {})


def test_coverages_are_read_once_a_version(store: Store, tmp_path: Path) -> None:
    """The same object is given until the log moves on."""
    reader = Reader(store.opened_log)
    first = reader.coverages()
    assert reader.coverages() is first
    append(store, 3)

    assert reader.coverages() is not first
    assert (tmp_path / NAME).exists() is False
