"""What people state of nodes and edges that nothing else names."""

from __future__ import annotations

from pathlib import Path

import pytest

from lineage_tt import Store
from lineage_tt.curation.unnamed import is_edgeless, no_effect, nothing_names
from lineage_tt.testing import ManualClock, task_change


@pytest.fixture
def store(tmp_path: Path) -> Store:
    """A store with one edge, its clock at 50."""
    made = Store.create(tmp_path, clock=ManualClock(50))
    made.append([task_change("t", "online", 10, [("n:orders#x", "n:b#y")])])
    return made


def test_what_nothing_names_is_said_with_the_nearest_names(store: Store, tmp_path: Path) -> None:
    """A statement about it is kept; an empty store names nothing yet."""
    assert list(nothing_names(store, ["n:orders", "task:t"])) == []
    assert list(nothing_names(store, ["n:order", "task:u"])) == [
        "nothing names n:order so far; did you mean n:orders?", "no message of task u has come so far",
    ]  # fmt: skip
    assert list(nothing_names(Store.create(tmp_path / "empty"), ["n:a"])) == []


def test_a_rejection_without_an_edge_waits_for_one(store: Store) -> None:
    """Between columns or their datasets."""
    assert not is_edgeless(store, "n:orders", "n:b#y")
    assert is_edgeless(store, "n:b", "n:orders")
    assert list(no_effect(store, "n:orders#x", "n:b")) == []
    assert list(no_effect(store, "n:b", "n:orders")) == [
        "no edge goes from n:b to n:orders so far: the rejection waits for one"
    ]
    assert list(no_effect(store, "n:none", "n:orders")) == ["nothing names n:none so far"]
