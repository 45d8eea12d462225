"""Who watches a change where people reject edges."""

from __future__ import annotations

from pathlib import Path

import pytest

from lineage_tt import Store
from lineage_tt.graph import Graph
from lineage_tt.subscriptions.closures.rejecting import Looked, WithoutRejected
from lineage_tt.subscriptions.closures.watched import Watch
from lineage_tt.testing import ManualClock, task_change

AB, BC = ("n:a#x", "n:b#x"), ("n:b#x", "n:c#x")
KIND = ("DIRECT", "IDENTITY", "")


def test_a_rejection_and_a_fact_are_no_edges_of_a_walk() -> None:
    """They are looked for at the nodes that they are about."""
    plain = Looked("t", AB, ("DIRECT", "IDENTITY", ""), (0, 1), 1)

    assert plain.is_edge
    assert not plain._replace(kind=("DIRECT", "REJECTED", "")).is_edge
    assert not plain._replace(task="", kind=()).is_edge


@pytest.mark.parametrize(
    ("rejected", "most", "watching"), [(None, 2, {7}), (None, 1, set()), (BC, 2, set()), (("n:q#x", "n:c#x"), 2, {7})]
)
def test_a_way_over_a_rejected_edge_is_none(
    tmp_path: Path, rejected: tuple[str, str] | None, most: int, watching: set[int]
) -> None:
    """Nor is one that is longer than what is watched."""
    store = Store.create(tmp_path, clock=ManualClock(1_000_000))
    store.append([task_change("t", "online", 10, [AB]), task_change("u", "online", 10, [BC])])
    if rejected is not None:
        store.append([task_change("edge:1", "online", 10, [(*rejected, "DIRECT", "REJECTED")])])
    looked = Looked("t", AB, KIND, (10, 11), store.version)
    without = WithoutRejected(Graph.load(store))
    watches = [Watch(7, most, "n:c#x")]

    for _ in range(2):
        assert without.watching(watches, looked, [], True, False, lambda node, ends: 99) == watching
        without.forget()
