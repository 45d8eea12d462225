"""Removal of files that nothing needs any more."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from filled import message

from lineage_tt import Store
from lineage_tt.log.log import OLDEST_PENDING
from lineage_tt.log.rewriting.vacuum import GRACE, SHORTEST, STAGING, vacuum
from lineage_tt.maintenance.check import check
from lineage_tt.model.errors import UnavailableError

HOUR = 3600


def test_what_a_killed_writer_left_of_a_commit_goes_after_the_grace(folder: Path) -> None:
    """A commit's file that was never linked is not a commit, and vacuum removes it; a younger one may still be."""
    old, young = (folder / "log" / "_delta_log" / f"{6:020d}.json#{number}" for number in (1, 2))
    for file in (old, young):
        file.write_bytes(b"{")
    os.utime(old, (0, 0))
    vacuum(folder / "log")

    assert not old.exists()
    assert young.exists()
    assert Store.open(folder).append([message(6)])[0].version == 6
    assert [found.kind for found in check(folder)] == ["garbage"]


def test_no_grace_is_shorter_than_a_commit_may_take() -> None:
    """A file that is written and not committed yet is younger than that."""
    assert SHORTEST * HOUR >= 2 * OLDEST_PENDING
    assert GRACE > SHORTEST


def test_a_dry_run_names_and_keeps(folder: Path) -> None:
    """What it names is what the run after it removes."""
    stray = folder / "log" / "stray.parquet"
    stray.write_bytes(b"x")
    os.utime(stray, (0, 0))
    found = vacuum(folder / "log", 0, dry_run=True)
    assert stray.exists()

    assert (found.files, found.names) == (1, ("stray.parquet",))
    assert vacuum(folder / "log", 0) == found
    assert not stray.exists()
    assert Store.open(folder).version == 5


@pytest.mark.parametrize(("age", "is_there"), [(2 * HOUR, False), (0, True)])
def test_what_a_killed_compaction_staged_goes_after_the_grace(folder: Path, age: int, is_there: bool) -> None:
    """A younger folder may be one that a compaction still fills."""
    staged = folder / "log" / f"{STAGING}1"
    staged.mkdir()
    (staged / "part.parquet").write_bytes(b"x")
    now = staged.stat().st_mtime
    os.utime(staged, (now - age, now - age))
    vacuum(folder / "log", 1)

    assert staged.exists() is is_there


def test_there_is_no_table(tmp_path: Path) -> None:
    """The error is the product's own, with words."""
    with pytest.raises(UnavailableError, match="list the files"):
        vacuum(tmp_path)
