"""How a log is kept in an object store: settled commits, the head file that several writers move."""

from __future__ import annotations

from pathlib import Path

import pytest
from deltalake.exceptions import CommitFailedError
from memory_objects import memory_place

from lineage_tt.log.commit_file import append_bytes, meta_of
from lineage_tt.log.commits import HEAD_NAME, KEY, Head, data_file_name, parse_head
from lineage_tt.log.stores import objects
from lineage_tt.log.stores.objects import ObjectKeeper
from lineage_tt.log.stores.settle import FOLDER
from lineage_tt.model.errors import ConflictError, CorruptError, UnavailableError
from lineage_tt.storage.objects import ObjectPath


def bytes_of(writer: str, previous: str = "") -> bytes:
    """A commit file of one version."""
    name = data_file_name(1, 1, b"", "a" * 32)
    meta = meta_of(1, previous, 1, 1, 1, bytes(32), [name], {}, writer)
    return append_bytes(name, 1, "{}", meta, {f"{KEY}.log": 1}, 0)


def commit_at(log: ObjectPath, delta_version: int) -> ObjectPath:
    """Where a commit file lies."""
    return log / "_delta_log" / f"{delta_version:020d}.json"


def test_a_commit_is_put_read_back_and_no_longer_announced() -> None:
    """Whoever opens the log after it waits for nobody."""
    log = memory_place()
    keeper, place = ObjectKeeper(log), commit_at(log, 1)

    def put() -> None:
        place.write_if(bytes_of("me"), None)

    keeper.put(put, 1, "me", [])

    assert place.read_bytes() == bytes_of("me")
    assert list((log / FOLDER).below()) == []


def test_a_lost_reply_is_a_success() -> None:
    """The commit is there, and names this writer; what it leaves announced of itself does not stop it."""
    log = memory_place(settle_seconds="0")

    def put() -> None:
        commit_at(log, 1).write_bytes(bytes_of("me"))
        raise OSError("connection reset by peer")

    target = log / "data"
    target.write_bytes(b"x")
    ObjectKeeper(log).put(put, 1, "me", [target])

    assert target.exists()


def test_whoever_comes_second_takes_its_files_away() -> None:
    """But not where its own put may still take effect: then they may be in force."""
    for error, is_there in ((CommitFailedError("version 1 exists"), False), (OSError("reset"), True)):
        log = memory_place(settle_seconds="0")
        commit_at(log, 1).write_bytes(bytes_of("other"))
        target = log / "data"
        target.write_bytes(b"x")

        def put(error: Exception = error) -> None:
            raise error

        with pytest.raises(ConflictError):
            ObjectKeeper(log).put(put, 1, "me", [target])
        assert target.exists() is is_there


def test_a_put_that_leaves_no_trace_is_made_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """The server was away; after some times it is an error, and one that reports success is not fit."""
    monkeypatch.setattr("lineage_tt.log.stores.objects.time.sleep", lambda seconds: None)
    log, tries = memory_place(), []

    def put() -> None:
        tries.append(1)
        if len(tries) == objects.MAX_PUTS:
            commit_at(log, 1).write_bytes(bytes_of("me"))

    ObjectKeeper(log).put(put, 1, "me", [])
    assert len(tries) == objects.MAX_PUTS
    with pytest.raises(UnavailableError, match="reported success, but does not have it"):
        ObjectKeeper(memory_place()).put(lambda: None, 1, "me", [])


def test_a_data_file_is_read_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its name states the digest of its bytes; others are not what was written."""
    monkeypatch.setenv("LINEAGE_TT_CACHE", str(tmp_path))
    log = memory_place()
    keeper = ObjectKeeper(log)
    good = log / data_file_name(1, 1, b"data", "a" * 32)
    keeper.write(good, b"data")

    assert good.read_bytes() == b"data"
    with pytest.raises(UnavailableError, match="does not return what was written"):
        keeper.write(log / data_file_name(2, 2, b"other", "a" * 32), b"data")


def test_the_head_moves_forward_alone() -> None:
    """Of two writers the one that is further on wins; checkpoints that either noted stay."""
    log = memory_place()
    one, two = ObjectKeeper(log), ObjectKeeper(log)
    assert one.write_head(Head(1, "a")) == Head(1, "a")
    assert two.write_head(Head(3, "c", checkpoints={"x": "1"})).delta_version == 3
    kept = one.write_head(Head(2, "b", checkpoints={"y": "2"}))

    assert (kept.delta_version, kept.checkpoints) == (3, {"x": "1", "y": "2"})
    assert parse_head((log / HEAD_NAME).read_bytes()) == kept


def test_a_head_that_was_removed_is_written_again() -> None:
    """As the first one was."""
    log = memory_place()
    keeper = ObjectKeeper(log)
    keeper.write_head(Head(1, "a"))
    (log / HEAD_NAME).unlink()

    assert keeper.write_head(Head(2, "b")) == Head(2, "b")


def test_a_head_is_read_again_where_another_may_have_moved_it() -> None:
    """Right before the commit that is acknowledged now, nobody can have."""
    log = memory_place()
    keeper = ObjectKeeper(log)
    keeper.write_head(Head(5, "e"))
    known = Head(2, "b")

    assert keeper.newest_head(known, 3) is known
    assert keeper.newest_head(known, 5) == Head(5, "e")
    assert keeper.newest_head(None, 5) is None


def test_a_first_commit_that_was_lost_is_an_error() -> None:
    """One that another process made is none."""
    log = memory_place()
    with pytest.raises(UnavailableError, match="cannot create a store"):
        ObjectKeeper(log).make(lambda: None, "me")
    commit_at(log, 0).write_bytes(bytes_of("other"))

    ObjectKeeper(log).make(lambda: None, "me")


def test_a_missing_commit_is_damage() -> None:
    """Later ones are there: nothing after the gap is believed."""
    log = memory_place()
    for version in (0, 2):
        commit_at(log, version).write_bytes(bytes_of("me"))

    with pytest.raises(CorruptError, match=r"missing|begins"):
        ObjectKeeper(log).read_tail(None)


def test_a_turn_inside_a_turn_is_the_same_one() -> None:
    """Writers of a bucket do not queue: nobody offers, and nobody waits."""
    keeper = ObjectKeeper(memory_place())
    with keeper.turn(1), keeper.turn(1), keeper.drafting(), keeper.acknowledging():
        assert (keeper.offers(), keeper.is_contended, keeper.put_file(b"", 1, "me", [])) == ([], False, False)
    with keeper.checkpointing() as is_mine:
        assert is_mine
