"""The nodes that subscriptions watch in one direction."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from lineage_tt import Store
from lineage_tt.graph import Graph
from lineage_tt.graph.walks.chains import ENDLESS, reach
from lineage_tt.subscriptions.closures.watched import WatchedNodes
from lineage_tt.testing import ManualClock, task_change


@pytest.mark.parametrize(
    ("down", "watched", "node", "hits"),
    [(True, "n:a#x", "n:a#x", True), (True, "n:a", "n:a#x", True), (True, "n:a#*", "n:a#x", True),
     (True, "n:a#x", "n:a", True), (False, "n:a#x", "n:a", False), (False, "n:a#x", "n:a#*", True),
     (True, "n:a#x", "n:a#y", False), (True, "n:b#x", "n:a#x", False)],
)  # fmt: skip
def test_a_watched_node_stands_beside_its_dataset_and_star(down: bool, watched: str, node: str, hits: bool) -> None:
    """An edge into a whole dataset enters each of its columns."""
    nodes = WatchedNodes(down)
    nodes.add(7, [watched], 2)

    assert [(watch.subscription, watch.most) for watch in nodes.of(node)] == ([(7, 2)] if hits else [])
    assert nodes.depth == 2


def test_a_walk_hits_what_is_watched_on_its_way(tmp_path: Path) -> None:
    """With its steps; nodes that come later are looked at, too."""
    store = Store.create(tmp_path, clock=ManualClock(1_000_000))
    store.append([task_change("t", "online", 10, [("n:a#x", "n:b#x"), ("n:b#x", "n:c#x")])])
    graph = Graph.load(store)
    nodes = WatchedNodes(True)
    nodes.add(1, ["n:c", "n:d#x"], None)

    def hits() -> list[tuple[str, int]]:
        number = graph.names.nodes.find("n:a#x")
        found = reach(graph, graph.state, number, down=True, stretch=(10, 11), version=graph.version, depth=ENDLESS,
                      direct_only=False)  # fmt: skip
        assert isinstance(found.ids, np.ndarray)
        return sorted({(watch.node, steps) for watch, steps in nodes.hits(found, graph)})

    assert hits() == [("n:c", 2)]
    store.append([task_change("u", "online", 10, [("n:c#x", "n:d#x")])])
    graph.refresh()
    assert hits() == [("n:c", 2), ("n:d#x", 3)]
    assert nodes.depth == ENDLESS
