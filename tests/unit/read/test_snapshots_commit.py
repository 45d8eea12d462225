"""Committing a compaction: one commit, after the one that was read, and nothing of it visible before."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest
from small_snapshots import compacted, meta_of, rows_of, staged

from lineage_tt import Store
from lineage_tt.model.errors import ConflictError, UnavailableError
from lineage_tt.read.snapshots.commit import Staged, clear, commit, discard, place_files
from lineage_tt.read.snapshots.snapshot import FILE, NAME, Snapshot
from lineage_tt.testing import ManualClock, task_change


@pytest.fixture
def store(tmp_path: Path) -> Store:
    """A store with one edge."""
    store = Store.create(tmp_path, clock=ManualClock(9))
    store.append([task_change("t", "online", 5, [("n:a#x", "n:b#y")])])
    return store


def test_a_file_is_named_for_what_it_holds(tmp_path: Path) -> None:
    """Its partition, its versions, its place in the order and the digest of its bytes."""
    for name in ("one", "two"):
        (tmp_path / name).write_bytes(name.encode())
    made = place_files(tmp_path / NAME, [Staged("nodes", tmp_path / name, 3) for name in ("one", "two")], 4, 9)
    stated = [FILE.fullmatch(file.name) for file in made]

    assert [found.groups()[:4] if found else None for found in stated] == [
        ("nodes", f"{4:020d}", f"{9:020d}", f"{number:05d}") for number in (0, 1)
    ]
    assert [found.group(5) if found else None for found in stated] == [
        hashlib.sha256(name).hexdigest() for name in (b"one", b"two")
    ]
    assert [(file.size, file.rows, (tmp_path / NAME / file.name).exists()) for file in made] == [(3, 3, True)] * 2
    assert not (tmp_path / "one").exists()


def test_a_file_that_is_not_there_is_reported(tmp_path: Path) -> None:
    """As an error of the product."""
    with pytest.raises(UnavailableError, match="write the snapshot"):
        place_files(tmp_path / NAME, [Staged("nodes", tmp_path / "none", 0)], 1, 1)


def test_placed_files_are_not_in_force_until_they_are_committed(store: Store, tmp_path: Path) -> None:
    """A process that is killed in between leaves files that no commit names."""
    files = place_files(tmp_path / NAME, staged(tmp_path / "staged", rows_of(store)), 1, 1)
    assert Snapshot.open(tmp_path) is None
    made = commit(tmp_path, None, files, meta_of(store), full=True)
    opened = Snapshot.open(tmp_path)

    assert opened is not None
    assert (opened.names, opened.version, opened.delta_version) == (made.names, 1, 1)
    assert opened.rows("source") == 1


def test_of_two_compactions_the_second_fails(store: Store, tmp_path: Path) -> None:
    """Both read the same snapshot; the files of the second can be discarded."""
    base = compacted(store, tmp_path)
    one, two = (place_files(tmp_path / NAME, staged(tmp_path / "staged", rows_of(store)), 1, 1) for _ in "ab")
    first = commit(tmp_path, base, one, meta_of(store), full=True)
    with pytest.raises(ConflictError, match="another compaction committed first"):
        commit(tmp_path, base, two, meta_of(store), full=True)
    discard(tmp_path / NAME, two)
    opened = Snapshot.open(tmp_path)

    assert opened is not None
    assert opened.names == first.names
    assert not any((tmp_path / NAME / file.name).exists() for file in two)


def test_a_level_is_beside_the_others_and_a_full_one_in_their_place(store: Store, tmp_path: Path) -> None:
    """Rows of both levels are counted together."""
    base = compacted(store, tmp_path)
    store.append([task_change("u", "online", 5, [("n:a#x", "n:c#z")])])
    more = {**rows_of(store), **{name: [] for name in ("nodes", "tasks", "labels", "versions", "facts")}}
    files = place_files(tmp_path / NAME, staged(tmp_path / "staged", more), 2, 2)
    level = commit(tmp_path, base, files, meta_of(store), full=False)

    assert level.levels == [(1, 1), (2, 2)]
    assert set(base.names) < set(level.names)
    assert level.rows("source") == 3
    full = compacted(store, tmp_path)
    assert full.levels == [(1, 2)]
    assert full.rows("source") == 2


def test_a_level_needs_the_files_that_it_read(store: Store, tmp_path: Path) -> None:
    """A snapshot that says it has others than those in force is not built upon."""
    base = compacted(store, tmp_path)
    other = Snapshot(base.place, base.delta_version, base.meta, base.names[1:])

    with pytest.raises(ConflictError):
        commit(tmp_path, other, [], meta_of(store), full=False)


def test_a_cleared_snapshot_is_none(store: Store, tmp_path: Path) -> None:
    """Clearing what is not there does nothing; a compaction that had read it fails."""
    clear(tmp_path)
    base = compacted(store, tmp_path)
    clear(tmp_path)

    assert Snapshot.open(tmp_path) is None
    with pytest.raises(ConflictError):
        commit(tmp_path, base, [], meta_of(store), full=True)
