"""What people state of nodes and edges that nothing else names."""

from __future__ import annotations

from pathlib import Path

import pytest

from lineage_tt import Store
from lineage_tt.curation.statements import annotate
from lineage_tt.curation.unnamed import is_edgeless, no_effect, no_fact_has, nothing_names
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


def test_the_task_that_was_probably_meant_is_named(store: Store) -> None:
    """Of those that are much alike, the most alike."""
    store.append([task_change(name, "online", 10, []) for name in ("load_orders", "load_orders_eu", "other")])

    assert list(nothing_names(store, ["task:load_order"])) == [
        "no message of task load_order has come so far; did you mean load_orders?"
    ]
    assert list(nothing_names(store, ["task:zzz"])) == ["no message of task zzz has come so far"]


def test_a_key_that_no_fact_ever_had(store: Store, tmp_path: Path) -> None:
    """A key that has no fact now is known all the same; an empty store knows none yet."""
    annotate(store, "n:orders", "label", ["pii"], at=10)
    annotate(store, "n:orders", "label", [], at=20)

    assert list(no_fact_has(store, "label")) == []
    assert list(no_fact_has(store, "lable")) == ["no fact ever had the key lable; did you mean label?"]
    assert list(no_fact_has(store, "zzz")) == ["no fact ever had the key zzz"]
    assert list(no_fact_has(Store.create(tmp_path / "empty"), "zzz")) == []
