"""A snapshot that says other than its log is found, whatever is wrong with it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from small_snapshots import compacted, meta_of, rows_of, staged

from lineage_tt import Store
from lineage_tt.maintenance.check_snapshot import contradictions
from lineage_tt.model.messages import NodeChange
from lineage_tt.read.snapshots.commit import commit, place_files
from lineage_tt.read.snapshots.snapshot import NAME, Snapshot
from lineage_tt.testing import ManualClock, task_change

Rows = dict[str, list[tuple[Any, ...]]]


@pytest.fixture
def store(tmp_path: Path) -> Store:
    """An edge that is believed and corrected, and a fact."""
    made = Store.create(tmp_path, clock=ManualClock(90))
    made.append([task_change("t", "online", 10, [("n:a#x", "n:b#y")])])
    made.append([task_change("t", "update", 10, [("n:a#x", "n:c#y")], event_id="fix")])
    made.append([NodeChange("f", "fact", "n:a", "set", 10, fact_key="k", facts=[("n:a", "k", "v")])])
    return made


def test_a_snapshot_of_its_log_contradicts_nothing(store: Store, tmp_path: Path) -> None:
    """What came after it is not looked at; without one there is nothing to say."""
    assert contradictions(tmp_path) == ([], 0)
    compacted(store, tmp_path)
    store.append([task_change("u", "online", 10, [("n:a#x", "n:d#y")])])

    assert contradictions(tmp_path) == ([], 3)


def without(direction: str) -> Callable[[Rows], Rows]:
    """The rows but the last one of a partition."""
    return lambda rows: {**rows, direction: rows[direction][:-1]}


def reopened(rows: Rows) -> Rows:
    """The rows with a rectangle that was closed open again."""
    return {**rows, "target": [(*row[:-1], None) for row in rows["target"]]}


def twice(rows: Rows) -> Rows:
    """The rows with a name under two numbers."""
    return {**rows, "nodes": [*rows["nodes"], (len(rows["nodes"]), rows["nodes"][0][1])]}


@pytest.mark.parametrize(
    ("change", "words"),
    [(without("source"), "rectangles by source: 1 that the log has are missing"), (reopened, "rectangles by target"),
     (without("facts"), "facts: 1"), (without("versions"), "versions: 1"), (twice, "nodes: the numbers")],
    ids=["rectangle", "open", "fact", "version", "name"],
)  # fmt: skip
def test_a_row_that_is_otherwise_is_counted(
    store: Store, tmp_path: Path, change: Callable[[Rows], Rows], words: str
) -> None:
    """By what it is about."""
    files = place_files(tmp_path / NAME, staged(tmp_path / "staged", change(rows_of(store))), 1, 3)
    commit(tmp_path, None, files, meta_of(store), full=True)
    found, version = contradictions(tmp_path)

    assert version == 3
    assert any(words in each for each in found), found


@pytest.mark.parametrize(
    ("said", "words"), [({"version": 9}, "the log ends at 3"), ({"checksum": "00" * 32}, "is not that of this log")]
)
def test_a_snapshot_of_another_log_is_found(store: Store, tmp_path: Path, said: dict[str, Any], words: str) -> None:
    """By its version, or by the checksum of its last row."""
    base = compacted(store, tmp_path)
    commit(tmp_path, base, [], meta_of(store) | said, full=False)
    (found,), _ = contradictions(tmp_path)

    assert words in found


def test_a_damaged_snapshot_is_reported_as_such(store: Store, tmp_path: Path) -> None:
    """It is damage of the snapshot, not of the check."""
    made: Snapshot = compacted(store, tmp_path)
    (tmp_path / NAME / made.named("nodes")[0]).unlink()
    (found,), version = contradictions(tmp_path)

    assert ("missing" in found, version) == (True, 0)
