"""Files that outlive a power cut: whole or not at all, their names forced to disk after their bytes."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

import pytest

from lineage_tt.storage import durable


def test_a_new_file_is_never_written_over(tmp_path: Path) -> None:
    """Two writers of one name: the second is refused and the first one's bytes stay."""
    durable.write_new(tmp_path / "a", b"first")

    with pytest.raises(FileExistsError):
        durable.write_new(tmp_path / "a", b"second")
    assert (tmp_path / "a").read_bytes() == b"first"


def test_a_write_that_fails_leaves_no_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A disk that is full at the fsync: no half file that a reader could take for a whole one."""

    def full(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space"):
        durable.write_new(tmp_path / "a", b"data")

    assert list(tmp_path.iterdir()) == []


def test_a_replacement_that_fails_keeps_the_old_bytes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A reader sees the old bytes or the new ones; what a killed process left under the same number does no harm."""
    durable.replace(tmp_path / "a", b"old")
    (tmp_path / f"a.{os.getpid()}.tmp").write_bytes(b"left by another")
    durable.replace(tmp_path / "a", b"new")
    assert (tmp_path / "a").read_bytes() == b"new"

    def fails(descriptor: int) -> None:
        raise OSError(5, "Input/output error")

    monkeypatch.setattr(os, "fsync", fails)
    with pytest.raises(OSError, match="Input/output"):
        durable.replace(tmp_path / "a", b"newest")

    assert (tmp_path / "a").read_bytes() == b"new"
    assert [path.name for path in tmp_path.iterdir()] == ["a"]


def test_each_new_folder_is_forced_to_disk_from_above(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The folder that holds the name, each time; folders that are there stay as they are."""
    synced: list[Path] = []
    monkeypatch.setattr(durable, "sync", synced.append)
    durable.make_folder(tmp_path / "a" / "b")
    durable.make_folder(tmp_path / "a" / "b")

    assert synced == [tmp_path, tmp_path / "a"]


def test_a_file_in_the_place_of_a_folder_is_an_error(tmp_path: Path) -> None:
    """Nothing is removed to make room."""
    (tmp_path / "a").write_bytes(b"data")

    with pytest.raises(FileExistsError):
        durable.make_folder(tmp_path / "a")
    assert (tmp_path / "a").read_bytes() == b"data"


def test_the_digest_is_that_of_the_bytes(tmp_path: Path) -> None:
    """A megabyte and a bit, read in pieces."""
    data = os.urandom(1_048_577)
    (tmp_path / "a").write_bytes(data)

    assert durable.sha256_file(tmp_path / "a") == hashlib.sha256(data).hexdigest()


@pytest.mark.parametrize("count", [0, 1, 2, 9])
def test_items_looked_at_together_come_in_order(count: int) -> None:
    """Each beside what was found."""
    items = list(range(count))

    assert list(durable.side_by_side(lambda item: item * item, items)) == [(item, item * item) for item in items]


def test_the_first_error_among_them_ends_it() -> None:
    """What came before it in order was given."""

    def look(item: int) -> int:
        if item == 2:
            raise durable.DigestError("item 2")
        return item

    found = durable.side_by_side(look, [0, 1, 2, 3])

    assert [next(found), next(found)] == [(0, 0), (1, 1)]
    with pytest.raises(durable.DigestError, match="item 2"):
        next(found)
