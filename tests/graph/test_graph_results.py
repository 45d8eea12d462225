"""What a walk holds: plain objects, one line that says what it is."""

from __future__ import annotations

import json

from graph_story import DAYS

from lineage_tt.graph import Graph
from lineage_tt.graph.answers.results import Walk

REVENUE = "bi:board/1#revenue"


def test_json_is_plain(graph: Graph) -> None:
    """Every value is one that JSON has, instants are ISO 8601, the basis is beside it."""
    document = json.loads(json.dumps(graph.as_of(DAYS[0]).upstream(REVENUE, limit=1).to_json()))

    assert document["basis"]["valid_at"] == DAYS[0]
    assert document["truncated"] is True
    assert document["nodes"] == [{"node": "hive:dw.orders#amount", "direction": "up", "steps": 1}]
    assert document["edges"][0]["valid_from"] == DAYS[0]
    assert document["edges"][0]["valid_to"] is None


def test_reprs_say_what_it_is(graph: Graph) -> None:
    """Graph, view, walk, reached: one line each."""
    view = graph.as_of(DAYS[0])

    assert repr(graph) == "<Graph at version 3: 7 rectangles, 12 nodes>"
    assert repr(view.upstream(REVENUE)) == "<Walk up from bi:board/1#revenue: 3 nodes>"
    assert repr(view.reach(REVENUE, direction="up")) == "<Reached 3 nodes in 2 steps>"
    assert "2024-01-01" in repr(view)


def test_a_walk_is_its_steps_in_order(graph: Graph) -> None:
    """By direction and number of steps; both sides of a node make one walk."""
    walk = graph.as_of(DAYS[0]).lineage("hive:dw.orders#amount")

    assert isinstance(walk, Walk)
    assert list(walk) == list(walk.steps) == sorted(walk.steps)
    assert len(walk) == 3
    assert [(step.direction, step.steps) for step in walk] == [("down", 1), ("up", 1), ("up", 1)]
    assert walk.pairs == {(step.edge.source, step.edge.target) for step in walk}
    assert walk.lineage.steps == walk.steps
