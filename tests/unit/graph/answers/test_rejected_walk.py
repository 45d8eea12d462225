"""Walks whose rows were put together without what people reject."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from lineage_tt import Store
from lineage_tt.graph import Graph
from lineage_tt.graph.answers.pages import Page
from lineage_tt.graph.answers.rejected_walk import WalkWithout
from lineage_tt.model.edges import alias_edges
from lineage_tt.testing import ManualClock, task_change


@pytest.fixture(scope="module")
def graph(tmp_path_factory: pytest.TempPathFactory) -> Graph:
    """a#x → b#x → c#x → d#x, and a#x → z#x directly and over b#x."""
    store = Store.create(tmp_path_factory.mktemp("store") / "s", clock=ManualClock(90))
    edges = [("n:a#x", "n:b#x"), ("n:b#x", "n:c#x"), ("n:c#x", "n:d#x"), ("n:a#x", "n:z#x"), ("n:b#x", "n:z#x")]
    store.append([task_change("t", "online", 10, edges)])
    return store.graph()


def _without(
    graph: Graph, pairs: list[tuple[str, str]], hidden: frozenset[str] = frozenset(), **asked: Any
) -> WalkWithout:
    """The walk from a#x with only the edges between some nodes, four left out."""
    rows = [row for row in graph.as_of(50).lineage("n:a#x").rows if row[3:5] in pairs]
    return WalkWithout(graph.as_of(50).lineage("n:a#x", **asked), rows, 4, hidden)


TWO = [("n:a#x", "n:b#x"), ("n:b#x", "n:c#x")]


def test_it_answers_from_its_rows_alone(graph: Graph) -> None:
    """Whatever the walk that it is made like had found, and was asked for, before."""
    like = graph.as_of(50).lineage("n:a#x")
    assert (len(like), len(like.nodes), len(like.pairs), like.truncated) == (5, 4, 5, False)
    assert like.completeness.rejected == 0

    found = WalkWithout(like, [row for row in like.rows if row[3:5] in TWO], 4)

    assert [step.edge[1:3] for step in found] == TWO
    assert found.pairs == {*TWO}
    assert found.nodes == {"n:b#x": 1, "n:c#x": 2}
    assert found.node_steps == [(1, "down", "n:b#x"), (2, "down", "n:c#x")]
    assert (found.start, found.basis, found.direction) == (like.start, like.basis, "both")


def test_it_says_how_many_edges_were_left_out(graph: Graph) -> None:
    """In its completeness, and so in its JSON; an answer without rows does, too."""
    assert _without(graph, TWO).completeness.rejected == 4
    nothing = _without(graph, [])
    assert (nothing.rows, nothing.nodes, nothing.completeness.rejected) == ([], {}, 4)


def test_a_page_has_the_edges_that_lead_to_its_nodes(graph: Graph) -> None:
    """Each node and each edge is on one page; the cursor leads to the next one."""
    pairs = [*TWO, ("n:a#x", "n:z#x"), ("n:b#x", "n:z#x")]
    first = _without(graph, pairs, limit=2)

    assert first.node_steps == [(1, "down", "n:b#x"), (1, "down", "n:z#x")]
    assert first.pairs == {("n:a#x", "n:b#x"), ("n:a#x", "n:z#x"), ("n:b#x", "n:z#x")}
    assert first.truncated
    assert first.cursor is not None
    second = _without(graph, pairs, limit=2, cursor=first.cursor)
    assert second.node_steps == [(2, "down", "n:c#x")]
    assert second.pairs == {("n:b#x", "n:c#x")}
    assert (second.truncated, second.cursor) == (False, None)


def test_hidden_nodes_are_walked_over_and_not_shown(graph: Graph) -> None:
    """Neither they nor the edges at them; what is reached over them keeps its steps."""
    found = _without(graph, [*TWO, ("n:c#x", "n:d#x")], frozenset({"n:b#x"}))

    assert found.nodes == {"n:c#x": 2, "n:d#x": 3}
    assert found.pairs == {("n:c#x", "n:d#x")}


def test_an_edge_back_to_the_start_is_on_the_first_page(tmp_path: Path) -> None:
    """The start is not a node of the answer; its two sides have places of their own, down before up at equal steps."""
    store = Store.create(tmp_path / "s", clock=ManualClock(90))
    store.append([task_change("t", "online", 10, [("n:a#x", "n:b#x"), ("n:b#x", "n:a#x"), ("n:c#x", "n:a#x")])])
    like = store.graph().as_of(50).lineage("n:a#x")

    found = WalkWithout(like, like.rows, 1)

    assert [node for _, _, node in found.node_steps] == ["n:b#x", "n:b#x", "n:c#x"]
    assert [way for _, way, _ in found.node_steps] == ["down", "up", "up"]
    shown = {}
    for first in range(3):
        found._page = Page(first, first + 1, "")
        shown[first] = sorted((row[0], *row[3:5]) for row in found.unordered_rows())
    assert shown == {
        0: [("down", "n:a#x", "n:b#x"), ("down", "n:b#x", "n:a#x"), ("up", "n:a#x", "n:b#x")],
        1: [("up", "n:b#x", "n:a#x")],
        2: [("up", "n:c#x", "n:a#x")],
    }


def test_ways_back_over_an_alias_are_left_out_here_too(tmp_path: Path) -> None:
    """The rows come step by step, with those that lead back among them."""
    store = Store.create(tmp_path / "s", clock=ManualClock(90))
    store.append(
        [task_change("alias", "online", 10, [edge for edge in alias_edges("n:a", "n:b") if "#" not in edge[0]])]
    )
    like = store.graph().as_of(50).lineage("n:a", direction="down")
    (there,) = like.rows
    back = ("down", 2, there[2], "n:b", "n:a", *there[5:])

    assert WalkWithout(like, [there, back], 0).rows == [there]
