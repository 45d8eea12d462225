"""How a log is kept on a local disk: commits by a link, replies that are lost, the head file, errors in words."""

from __future__ import annotations

import errno
import os
from pathlib import Path
from typing import Any

import pytest
from deltalake.exceptions import CommitFailedError
from filled import fill, message

from lineage_tt import Store
from lineage_tt.log.commits import HEAD_NAME, commit_path, read_commit, read_head
from lineage_tt.log.stores.local import DiskKeeper, overtaken, plain, unavailable
from lineage_tt.maintenance.check import check
from lineage_tt.model.errors import ConflictError, CorruptError, UnavailableError
from lineage_tt.storage import failpoints
from lineage_tt.testing import ManualClock

WRITER = "a" * 32


class LosesReplies:
    """A Delta table whose next commit lands and is reported as failed."""

    def __init__(self, table: object) -> None:
        self._table = table
        self.lost = 0

    def __getattr__(self, name: str) -> object:
        return getattr(self._table, name)

    def create_write_transaction(self, *args: object, **options: object) -> None:
        """Commit, then fail."""
        self._table.create_write_transaction(*args, **options)  # type: ignore[attr-defined]
        if not self.lost:
            self.lost = 1
            raise CommitFailedError("connection reset by peer")


def no_links(*names: Any) -> None:
    """What ``os.link`` says where the file system has no hard links."""
    raise OSError(errno.EPERM, "Operation not permitted")


@pytest.mark.parametrize("said", [errno.EEXIST, errno.EIO])
def test_a_lost_reply_is_not_a_conflict(folder: Path, monkeypatch: pytest.MonkeyPatch, said: int) -> None:
    """A commit that landed though its reply was lost is a success: no second copy, no false conflict (C08)."""
    store = Store.open(folder, clock=ManualClock())
    lost: list[int] = []
    link = os.link

    def reply_lost(*names: Any) -> None:
        link(*names)
        if not lost:
            lost.append(said)
            raise OSError(said, "the reply was lost")

    monkeypatch.setattr(os, "link", reply_lost)
    assert store.append([message(5)])[0].version == 6
    assert lost == [said]
    assert store.append([message(6)])[0].version == 7
    assert [entry.version for entry in store.log()] == [1, 2, 3, 4, 5, 6, 7]
    assert check(folder) == []


def test_where_there_are_no_links_deltalake_commits(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """On a file system without hard links appends go through deltalake, and a writer that comes second is informed."""
    monkeypatch.setattr(os, "link", no_links)
    one, other = Store.open(folder, clock=ManualClock()), Store.open(folder, clock=ManualClock())
    assert one.append([message(5)])[0].version == 6
    assert other.append([message(6)])[0].version == 7
    assert one.append([message(7)])[0].version == 8
    assert [entry.version for entry in Store.open(folder).log()] == list(range(1, 9))
    assert check(folder) == []
    assert not list((folder / "log" / "_delta_log").glob("*#*"))


def test_a_lost_reply_of_deltalakes_is_not_a_conflict(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same where deltalake commits."""
    monkeypatch.setattr(os, "link", no_links)
    store = Store.open(folder, clock=ManualClock())
    table = LosesReplies(store.writer.log._table)
    store.writer.log._opened = table

    assert store.append([message(5)])[0].version == 6
    assert table.lost == 1
    assert store.append([message(6)])[0].version == 7
    assert [entry.version for entry in store.log()] == [1, 2, 3, 4, 5, 6, 7]
    assert check(folder) == []


def test_a_full_disk_leaves_nothing(folder: Path) -> None:
    """Where the disk is full nothing is written; when it is not, the same process continues (C11)."""
    store = Store.open(folder, clock=ManualClock())
    with failpoints.armed("p3:before:enospc"), pytest.raises(UnavailableError, match="No space"):
        store.append([message(5)])

    assert store.version == 5
    assert store.append([message(5)])[0].version == 6


def test_a_commit_is_there_whole_or_another_writers(folder: Path) -> None:
    """The second of two finds the name taken: its data files go, and nothing of its commit is left."""
    keeper, data = DiskKeeper(folder / "log"), folder / "log" / "mine.parquet"
    data.write_bytes(b"x")
    theirs = commit_path(folder / "log", 5).read_bytes()
    with pytest.raises(ConflictError):
        keeper.put_file(b"mine", 5, WRITER, [data])

    assert commit_path(folder / "log", 5).read_bytes() == theirs
    assert not data.exists()
    assert keeper.put_file(b"mine", 6, WRITER, [])
    assert commit_path(folder / "log", 6).read_bytes() == b"mine"
    assert not list((folder / "log" / "_delta_log").glob("*#*"))


def test_a_commit_that_failed_otherwise_takes_its_files_away(folder: Path) -> None:
    """Unless it names this writer: then it landed, and only its reply was lost."""
    keeper, data = DiskKeeper(folder / "log"), folder / "log" / "mine.parquet"

    def fails() -> None:
        raise OSError(errno.EIO, "broken")

    def lands() -> None:
        commit_path(folder / "log", 6).write_bytes(WRITER.encode())
        raise OSError(errno.EIO, "broken")

    data.write_bytes(b"x")
    with pytest.raises(UnavailableError, match=r"cannot append: .*broken"):
        keeper.put(fails, 6, WRITER, [data])
    assert not data.exists()
    data.write_bytes(b"x")
    keeper.put(lands, 6, WRITER, [data])
    assert data.exists()


def test_news_are_the_commits_that_follow(folder: Path) -> None:
    """None where nothing came; a gap is damage, and nothing after it is believed."""
    keeper = DiskKeeper(folder / "log")
    last = read_commit(folder / "log", 5)
    assert keeper.news(last, None) == []
    fill(folder, 8)
    assert [commit.delta_version for commit in keeper.news(last, None)] == [6, 7, 8]
    commit_path(folder / "log", 6).unlink()

    with pytest.raises(CorruptError, match="commit 6 of the log is missing"):
        keeper.news(last, None)


def test_a_head_that_nobody_moved_is_not_read_twice(folder: Path) -> None:
    """One that another process wrote is; this one's own is known."""
    keeper, other = DiskKeeper(folder / "log"), DiskKeeper(folder / "log")
    head = keeper.newest_head(None, 5)
    assert head is not None
    assert head == read_head(folder / "log")
    assert keeper.newest_head(head, 5) is head
    other.write_head(head)
    seen = keeper.newest_head(head, 5)

    assert seen == head
    assert seen is not head
    assert keeper.newest_head(seen, 5) is seen
    (folder / "log" / HEAD_NAME).unlink()
    assert keeper.newest_head(seen, 5) is None


def test_one_writer_at_a_time_makes_a_checkpoint(folder: Path) -> None:
    """The other is informed, and goes without; after it the right is free."""
    one, other = DiskKeeper(folder / "log"), DiskKeeper(folder / "log")
    with one.turn(1), one.checkpointing() as first, other.checkpointing() as second:
        assert (first, second) == (True, False)
    with other.checkpointing() as again:
        assert again


def test_a_first_commit_that_another_process_made_is_no_failure(folder: Path, tmp_path: Path) -> None:
    """Where there is none it is one, with words."""

    def fails() -> None:
        raise CommitFailedError("version 0 exists")

    DiskKeeper(folder / "log").make(fails, WRITER)
    with pytest.raises(UnavailableError, match="cannot create a store"):
        DiskKeeper(tmp_path / "none").make(fails, WRITER)


def test_errors_come_in_one_plain_line() -> None:
    """deltalake's are coloured and span several; who came second may try at once."""
    assert plain(RuntimeError("\x1b[31mno\x1b[0m\n  \u21b3 such\tfile")) == "no such file"
    assert unavailable("append", OSError(28, "No space left")).message == "cannot append: [Errno 28] No space left"
    assert "retry" in (overtaken().hint or "")
