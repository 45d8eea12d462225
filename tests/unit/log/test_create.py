"""A log's first commit, and who keeps a log at a place."""

from __future__ import annotations

import shutil
import threading
from pathlib import Path

import pytest

from lineage_tt.log.commits import HEAD_NAME, commit_path, listed_commits, read_commit
from lineage_tt.log.create import create_log, keeper_of
from lineage_tt.log.stores.local import DiskKeeper
from lineage_tt.log.stores.objects import ObjectKeeper
from lineage_tt.model.errors import CorruptError, UnavailableError
from lineage_tt.storage.location import place


def test_the_first_commit_holds_no_version(tmp_path: Path) -> None:
    """Folders above the log are made, and the table only takes appends."""
    create_log(tmp_path / "a" / "log")
    first = read_commit(tmp_path / "a" / "log", 0)

    assert (first.meta["first_version"], first.meta["last_version"], first.meta["system_time"]) == (0, 0, 0)
    assert first.added == ()
    assert b'"delta.appendOnly":"true"' in commit_path(tmp_path / "a" / "log", 0).read_bytes()


def test_a_log_that_is_there_stays_as_it_is(tmp_path: Path) -> None:
    """Byte for byte."""
    create_log(tmp_path)
    before = commit_path(tmp_path, 0).read_bytes()
    create_log(tmp_path)

    assert commit_path(tmp_path, 0).read_bytes() == before


def test_of_several_at_once_one_creates_it(tmp_path: Path) -> None:
    """The others find it, and none fails."""
    failed: list[BaseException] = []

    def create() -> None:
        try:
            create_log(tmp_path)
        except BaseException as error:
            failed.append(error)

    threads = [threading.Thread(target=create) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)

    assert failed == []
    assert listed_commits(tmp_path) == [0]


def test_nothing_is_created_over_what_is_left_of_a_log(tmp_path: Path) -> None:
    """A head file without commits is a log that lost all of them."""
    create_log(tmp_path)
    (tmp_path / HEAD_NAME).write_bytes(b"{}")
    shutil.rmtree(tmp_path / "_delta_log")

    with pytest.raises(CorruptError, match="are missing"):
        create_log(tmp_path)


def test_a_place_that_cannot_be_a_folder_is_reported(tmp_path: Path) -> None:
    """A file lies where the log is to be."""
    (tmp_path / "file").write_bytes(b"")

    with pytest.raises(UnavailableError, match="cannot create a store"):
        create_log(tmp_path / "file" / "log")


def test_a_place_decides_who_keeps_it(tmp_path: Path) -> None:
    """No connection is made for that."""
    assert isinstance(keeper_of(tmp_path), DiskKeeper)
    assert isinstance(keeper_of(place("s3://bucket/log", {"region": "x", "skip_signature": "true"})), ObjectKeeper)
