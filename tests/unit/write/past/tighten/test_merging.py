"""Edges that become equal under a policy: their timelines are placed again."""

from __future__ import annotations

from pathlib import Path

from literals import ENDS, MASK

from lineage_tt import Store
from lineage_tt.log.log import Log
from lineage_tt.write.past.tighten import merging


def test_edges_that_become_one_are_placed_again(literal_store: Store) -> None:
    """What one message took away and put in place then is not a change any more."""
    log = literal_store.opened_log
    items = merging.items_of(log, MASK)
    assert merging.merged_subjects(log, items, MASK) == ["given"]
    placed = merging.placed_again(log, ["given"], items)

    assert placed == {2: [(1, *ENDS, "x + ?", 10, None)], 3: []}


def test_nothing_is_merged_in_an_empty_log(tmp_path: Path) -> None:
    """No file is there to be read."""
    log = Log.create(tmp_path)

    assert merging.merged_subjects(log, merging.items_of(log, MASK), MASK) == []
