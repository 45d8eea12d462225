"""The questions that a graph answers from its arrays: points, differences, names."""

from __future__ import annotations

import pytest
from graph_story import DAYS, NIGHTLY

from lineage_tt import Store
from lineage_tt.graph import Graph
from lineage_tt.graph.queries import GraphQueries
from lineage_tt.model.errors import InvalidRequestError, UnknownNodeError, VersionNotReachedError
from lineage_tt.testing import task_change


def test_a_basis_is_that_of_the_store_at_the_version_that_the_graph_holds(store: Store, graph: Graph) -> None:
    """By version or by system time; before the first commit nothing was known, after the last one the last is."""
    assert isinstance(graph, GraphQueries)
    assert graph.basis(DAYS[1]) == store.basis(DAYS[1])
    assert [graph.basis(DAYS[1], version=version).version for version in range(4)] == [0, 1, 2, 3]
    assert graph.basis(DAYS[1], "2001-01-01T00:00:00Z").version == 0
    assert graph.basis(DAYS[1], "2999-01-01T00:00:00Z").version == 3
    store.append([task_change("more", "online", DAYS[2], [("d:a#x", "d:b#x")])])
    assert graph.basis(DAYS[1]).version == 3


def test_a_basis_that_is_none_is_refused(graph: Graph) -> None:
    """A version that is not there, and two ways of saying what was known."""
    for version in (-1, 4):
        with pytest.raises(VersionNotReachedError, match="the graph is at version 3"):
            graph.basis(version=version)
    with pytest.raises(InvalidRequestError, match="not both"):
        graph.basis(DAYS[0], DAYS[0], 2)
    with pytest.raises(VersionNotReachedError, match="refresh the graph"):
        graph.view(graph.basis(DAYS[0])._replace(version=9))


def test_a_difference_is_what_holds_at_one_of_two_points(graph: Graph) -> None:
    """The edit of February took the amount from elsewhere; the other way round it is the same turned over."""
    first, second = graph.basis(DAYS[0]), graph.basis(DAYS[1])
    found, back = graph.diff(first, second), graph.diff(second, first)

    assert [edge[1] for edge in found.removed] == ["hive:ods.orders#amount"]
    assert [edge[1] for edge in found.added] == ["kafka:prod/payments#value"]
    assert (back.removed, back.added) == (found.added, found.removed)
    assert graph.diff(first, first)[2:4] == ((), ())


def test_a_difference_of_a_node_has_the_edges_that_touch_it(store: Store) -> None:
    """Itself, its columns where it is a dataset, and the star edges of its dataset where it is a column."""
    star = [("hive:ods.wide#*", "hive:dw.wide#*", "DIRECT", "IDENTITY", "* EXCEPT (secret)")]
    store.append([task_change("wide", "online", DAYS[1], star)])
    graph = store.graph()
    points = graph.basis(DAYS[0]), graph.basis(DAYS[1])

    def touching(node: str) -> set[str]:
        found = graph.diff(*points, node)
        return {edge[2] for edge in (*found.removed, *found.added)}

    assert touching("hive:dw.orders#amount") == touching("hive:dw.orders") == {"hive:dw.orders#amount"}
    assert touching("kafka:prod/payments") == {"hive:dw.orders#amount"}
    assert touching("hive:dw.wide#anything") == {"hive:dw.wide#*"}
    assert touching("hive:dw.wide#secret") == set()
    assert touching("bi:board/1#orders") == set()


def test_a_node_that_was_never_named_is_unknown_and_the_nearest_is_offered(graph: Graph) -> None:
    """A dataset is known by its columns."""
    graph.check_nodes(["hive:dw.orders", "hive:dw.orders#id"])
    assert graph.knows("hive:ods.orders")
    assert not graph.knows("hive:ods.order")
    for node in ("hive:ods.order", "hive:dw.orders#idd"):
        with pytest.raises(UnknownNodeError, match=r"did you mean hive:(ods|dw)\.orders"):
            graph.check_nodes(["hive:dw.orders", node])
        with pytest.raises(UnknownNodeError):
            graph.diff(graph.basis(DAYS[0]), graph.basis(DAYS[1]), node)


def test_names_of_nodes_and_tasks_lie_in_order_of_their_numbers(graph: Graph) -> None:
    """Datasets are nodes, too."""
    nodes = graph.node_names().to_pylist()

    assert len(nodes) == len(set(nodes)) == 12
    assert {edge[0] for edge in NIGHTLY} | {"hive:ods.orders", "bi:board/1"} <= set(nodes)
    assert set(graph.task_names().to_pylist()) == {"nightly", "report"}


def test_two_views_of_a_state_without_star_nodes_share_their_nodes(graph: Graph) -> None:
    """Nothing of an answer is kept in them; after a refresh there are others."""
    held = graph.unnamed(graph.state)

    assert graph.unnamed(graph.state) is held
    assert not graph.rejects
    assert graph.version == graph.state.version == 3
