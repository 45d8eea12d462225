"""From a question about one point to a walk: what is asked, from where, and what is reached."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from lineage_tt import Store
from lineage_tt.graph import Graph
from lineage_tt.graph.asof.point_walks import PointWalks
from lineage_tt.model.answers import Basis
from lineage_tt.model.completeness.gaps import UNTRACED_READ
from lineage_tt.model.errors import InvalidRequestError, UnknownNodeError
from lineage_tt.model.facts import Field
from lineage_tt.model.messages import Lineage, NodeChange, Problem, TaskChange
from lineage_tt.testing import ManualClock, task_change


@pytest.fixture(scope="module")
def graph(tmp_path_factory: pytest.TempPathFactory) -> Graph:
    """a#x → b#y → c#z, a#x filters b; a#w is declared; a script only touches t, u is not named before version 5."""
    store = Store.create(tmp_path_factory.mktemp("store") / "s", clock=ManualClock(90))
    unread = Lineage(
        (), "opaque", [Problem("syntax", "why"), Problem(UNTRACED_READ, "it is read", "n:r")], [("n:t", ())]
    )
    store.append(
        [
            task_change("one", "online", 10, [("n:a#x", "n:b#y"), ("n:a#x", "n:b", "INDIRECT", "FILTER")]),
            task_change("two", "online", 20, [("n:b#y", "n:c#z")]),
            NodeChange("d", "dataset", "n:a", "define", 10, fields=[Field("x"), Field("w")]),
            TaskChange("s", "script", "online", 10, lineage=unread),
        ]
    )
    return store.graph()


def walks(graph: Graph, at: int = 50, version: int = 4) -> PointWalks:
    """The walks as of a point."""
    basis = Basis(at, version, 0)
    return PointWalks(graph, graph.state_at(basis), basis)


def reached(
    graph: Graph, *nodes: str, at: int = 50, version: int = 4, down: bool = True, **asked: Any
) -> dict[str, int]:
    """The nodes that a walk reaches, with their steps."""
    asks = walks(graph, at, version)
    request = asks.request(asked.get("depth"), asked.get("level", "column"), asked.get("direct_only", False), None)
    unnamed, numbers = asks.begin(asks.start(nodes, asked.get("level", "column")))
    found, steps, _ = asks.run(numbers, down, request, True, 2**31 - 1, unnamed)
    return dict(zip(graph.names.nodes.texts(found.tolist()), steps.tolist(), strict=True))


def test_a_walk_reaches_what_is_in_force_at_its_point(graph: Graph) -> None:
    """With steps, either way, as deep as is asked, over values alone, and at the level of tables."""
    assert reached(graph, "n:a#x") == {"n:b#y": 1, "n:b": 1, "n:c#z": 2}
    assert reached(graph, "n:a#x", at=19) == {"n:b#y": 1, "n:b": 1}
    assert reached(graph, "n:a#x", version=1) == {"n:b#y": 1, "n:b": 1}
    assert reached(graph, "n:a#x", depth=1, direct_only=True) == {"n:b#y": 1}
    assert reached(graph, "n:a#x", depth=0) == {}
    assert reached(graph, "n:c#z", down=False, direct_only=True) == {"n:b#y": 1, "n:a#x": 2}
    assert reached(graph, "n:a#x", level="table") == {"n:b": 1, "n:c": 2}


def test_depth_and_level_are_checked(graph: Graph) -> None:
    """None is to the end, and a depth beyond what a step can count is, too."""
    asks = walks(graph)

    for depth, level, words in ((-1, "column", "depth is -1"), (None, "task", "no level 'task'")):
        wrong: Any = level
        with pytest.raises(InvalidRequestError, match=words):
            asks.request(depth, wrong, False, None)
    assert asks.request(None, "table", True, None)[:3] == (2**31 - 1, True, True)
    assert asks.request(2**40, "column", False, None) == asks.request(None, "column", False, None)
    assert asks.request(0, "column", False, None).depth == 0


def test_a_walk_starts_at_each_node_once(graph: Graph) -> None:
    """In the order in which they are given; at the level of tables at their datasets; from nothing there is none."""
    asks = walks(graph)

    assert asks.start(["n:b#y", "n:a#x", "n:b#y"], "column") == ("n:b#y", "n:a#x")
    assert asks.start(["n:b#y", "n:a#x", "n:b#z"], "table") == ("n:b", "n:a")
    with pytest.raises(InvalidRequestError, match="at least one node"):
        asks.start([], "column")


def test_a_node_that_nobody_named_is_an_error_and_one_that_is_known_has_no_number(graph: Graph) -> None:
    """A declared column, and a dataset that only a script touches, are known; of several the others keep theirs."""
    asks = walks(graph)

    with pytest.raises(UnknownNodeError, match="n:q"):
        asks.begin(("n:a#x", "n:q"))
    assert [asks.numbered((node,))[1].tolist() for node in ("n:t", "n:r", "n:r#q")] == [[-1]] * 3
    assert asks.begin(("n:t", "n:a#x"))[1].tolist() == [graph.names.nodes.find("n:a#x")]
    unnamed, numbers = asks.numbered(("n:a#w",))
    assert numbers.tolist()[0] >= unnamed.base


def test_a_view_that_is_older_than_a_node_takes_the_newest_arrays(tmp_path: Path) -> None:
    """The node is known, and nothing leads to it at the view's own version."""
    store = Store.create(tmp_path / "s", clock=ManualClock(90))
    store.append([task_change("one", "online", 10, [("n:a#x", "n:b#y")])])
    graph = store.graph()
    asks = walks(graph, 50, 1)
    store.append([task_change("late", "online", 10, [("n:b#y", "n:late#u")])])
    graph.refresh()

    assert asks.numbered(("n:late#u",))[1].tolist() == [graph.names.nodes.find("n:late#u")]
    assert asks.state is graph.state_at(Basis(50, 2, 0))
    assert reached(graph, "n:b#y", version=1) == {}
    assert reached(graph, "n:b#y", version=2) == {"n:late#u": 1}
