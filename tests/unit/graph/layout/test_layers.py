"""Layers of a drawn graph: few edges turned around, no edge inside a layer."""

from __future__ import annotations

import numpy as np
import pytest

from lineage_tt.graph.layout.layers import acyclic_order, adjacency, longest_path


def arrays(*edges: tuple[int, int]) -> tuple[np.ndarray, np.ndarray]:
    """Sources and targets of edges."""
    found = np.array(edges, np.int32).reshape(-1, 2)
    return found[:, 0].copy(), found[:, 1].copy()


def order(nodes: int, *edges: tuple[int, int], weights: tuple[int, ...] = ()) -> list[int]:
    """The place of each node."""
    weight = np.array(weights or (1,) * len(edges), np.int32)
    return list(acyclic_order(nodes, *arrays(*edges), weight).tolist())


@pytest.mark.long
def test_edges_are_found_at_their_nodes_in_their_order() -> None:
    """A node without edges has none."""
    first, edges = adjacency(3, *arrays((2, 0), (0, 1), (2, 1)))

    assert first.tolist() == [0, 1, 1, 3]
    assert edges.tolist() == [1, 0, 2]


@pytest.mark.long
@pytest.mark.parametrize("edges", [((0, 1), (1, 2), (0, 2)), ((2, 1), (1, 0)), ((3, 0), (3, 1), (0, 2), (1, 2))])
def test_an_acyclic_graph_keeps_every_edge_ahead(edges: tuple[tuple[int, int], ...]) -> None:
    """Nothing is turned around where nothing must be; each place is taken once."""
    places = order(4, *edges)

    assert sorted(places) == [0, 1, 2, 3]
    assert all(places[source] < places[target] for source, target in edges)


def test_of_a_cycle_the_lightest_edge_is_turned_around() -> None:
    """The edge that stands for one of many is drawn backwards, not the one that stands for five."""
    edges = ((0, 1), (1, 2), (2, 0))
    places = order(3, *edges, weights=(5, 5, 1))

    assert [edge for edge in edges if places[edge[0]] > places[edge[1]]] == [(2, 0)]


def test_a_node_is_one_layer_after_the_last_that_leads_to_it() -> None:
    """The long way counts."""
    source, target = arrays((0, 1), (1, 2), (0, 2))
    place = np.arange(3, dtype=np.int32)

    assert longest_path(3, source, target, place).tolist() == [0, 1, 2]


def test_a_source_moves_up_to_its_reader() -> None:
    """Node 3 feeds node 2 alone: it is just before it, not in the first layer."""
    source, target = arrays((0, 1), (1, 2), (3, 2))
    place = np.array([0, 1, 3, 2], np.int32)

    assert longest_path(4, source, target, place).tolist() == [0, 1, 2, 1]


def test_a_graph_without_edges_is_one_layer() -> None:
    """All nodes are in the first; no nodes are fine."""
    source, target = arrays()

    assert longest_path(2, source, target, np.arange(2, dtype=np.int32)).tolist() == [0, 0]
    assert order(0) == []
