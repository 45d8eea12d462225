"""The layered layout: acyclic layers, few crossings, boxes apart, and the same places every time."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lineage_tt.graph.layout.chains import Chains, cut
from lineage_tt.graph.layout.crossings import sides
from lineage_tt.graph.layout.layered import LAYER_GAP, Boxes, layered
from lineage_tt.graph.layout.layers import acyclic_order, longest_path
from lineage_tt.graph.layout.ordering import ordered

SETTINGS = {"min_size": 0, "max_size": 40}


@st.composite
def boxes(draw: st.DrawFn) -> Boxes:
    """Draw a graph with cycles, loops, parallel edges and boxes of several sizes."""
    count = draw(st.integers(1, 14))
    node = st.integers(0, count - 1)
    ends = draw(st.lists(st.tuples(node, node), **SETTINGS))  # type: ignore[arg-type]
    heights = np.array(draw(st.lists(st.sampled_from([38.0, 58.0, 238.0]), min_size=count, max_size=count)))
    widths = np.array(draw(st.lists(st.sampled_from([110.0, 320.0]), min_size=count, max_size=count)))
    shares = draw(st.lists(st.tuples(*[st.sampled_from([0.1, 0.5, 0.9])] * 2), min_size=len(ends), max_size=len(ends)))
    pairs = np.array(ends, np.int32).reshape(-1, 2)
    ports = np.array(shares, np.float64).reshape(-1, 2) * heights[pairs].reshape(-1, 2)
    return Boxes(widths, heights, pairs, ports)


@pytest.mark.long
@settings(deadline=None, print_blob=True)
@given(boxes())
def test_boxes_of_a_layer_do_not_overlap_and_layers_are_apart(given: Boxes) -> None:
    """Boxes of one layer stand one above the other with a gap; those of the next begin after the widest of them."""
    placed = layered(given)

    for a, b in itertools.combinations(range(len(given.widths)), 2):
        if placed.layer[a] == placed.layer[b]:
            upper, lower = (a, b) if placed.y[a] < placed.y[b] else (b, a)
            assert placed.y[upper] + given.heights[upper] + 17.9 <= placed.y[lower]
        else:
            left, right = (a, b) if placed.layer[a] < placed.layer[b] else (b, a)
            assert placed.x[left] + given.widths[left] + LAYER_GAP <= placed.x[right]
    assert (placed.x >= 0).all()
    assert (placed.x + given.widths <= placed.width).all()
    assert (placed.y >= 0).all()
    assert (placed.y + given.heights <= placed.height + 1e-6).all()


@pytest.mark.long
@settings(deadline=None, print_blob=True)
@given(boxes())
def test_lines_lead_from_port_to_port(given: Boxes) -> None:
    """A line begins and ends at its ports, from left to right but where it is marked as running back."""
    placed = layered(given)

    for e, (source, target) in enumerate(given.ends):
        points = placed.points[placed.point_first[e] : placed.point_first[e + 1]]
        assert points[0, 1] == pytest.approx(placed.y[source] + given.ports[e, 0])
        assert points[-1, 1] == pytest.approx(placed.y[target] + given.ports[e, 1])
        steps = np.diff(points[:, 0])
        if source == target:
            assert placed.back[e]
            assert len(points) == 2
        elif placed.back[e]:
            assert placed.layer[source] > placed.layer[target]
            assert (steps < 0).all()
        else:
            assert placed.layer[source] < placed.layer[target]
            assert (steps > 0).all()


@pytest.mark.long
@settings(deadline=None, print_blob=True)
@given(boxes())
def test_lines_pass_no_box(given: Boxes) -> None:
    """Where a line crosses a layer in between, it runs beside the boxes of that layer."""
    placed = layered(given)

    for e, (source, target) in enumerate(given.ends):
        points = placed.points[placed.point_first[e] : placed.point_first[e + 1]]
        for box in set(range(len(given.widths))) - {int(source), int(target)}:
            within = (points[:, 0] >= placed.x[box]) & (points[:, 0] <= placed.x[box] + given.widths[box])
            inside = (points[:, 1] > placed.y[box]) & (points[:, 1] < placed.y[box] + given.heights[box])
            assert not (within & inside).any()


@settings(deadline=None, print_blob=True)
@given(boxes())
def test_the_same_graph_has_the_same_layout(given: Boxes) -> None:
    """Nothing depends on chance, or on what was laid out before."""
    one: tuple[Any, ...] = layered(given)
    two: tuple[Any, ...] = layered(given)

    assert all(np.array_equal(a, b) for a, b in zip(one, two, strict=True))


@settings(deadline=None, print_blob=True)
@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)).filter(lambda pair: pair[0] != pair[1])))
def test_only_cycles_have_edges_turned(pairs: list[tuple[int, int]]) -> None:
    """In a graph without a cycle no edge is turned; every layer is one after that of some node before, or first."""
    ends = sorted({(min(pair), max(pair)) for pair in pairs})
    source, target = (np.array([pair[side] for pair in ends], np.int32) for side in (0, 1))
    place = acyclic_order(10, source, target, np.ones(len(ends), np.int32))
    layer = longest_path(10, source, target, place)

    assert sorted(place) == list(range(10))
    assert (place[source] < place[target]).all()
    assert (layer[source] < layer[target]).all()


def crossings_of(chains: Chains, first: np.ndarray, nodes: np.ndarray) -> int:
    """Count the crossings one pair of segments after the other."""
    place = np.empty(len(nodes))
    for i in range(len(first) - 1):
        place[nodes[first[i] : first[i + 1]]] = np.arange(first[i + 1] - first[i])
    total = 0
    for a, b in itertools.combinations(range(len(chains.source)), 2):
        if chains.layer[chains.source[a]] != chains.layer[chains.source[b]]:
            continue
        start = place[chains.source[a]] + chains.leaves[a] - place[chains.source[b]] - chains.leaves[b]
        end = place[chains.target[a]] + chains.enters[a] - place[chains.target[b]] - chains.enters[b]
        total += int(chains.weight[a] * chains.weight[b]) if start * end < 0 else 0
    return total


@pytest.mark.long
@pytest.mark.parametrize("seed", range(5))
def test_small_graphs_come_near_to_the_fewest_crossings(seed: int) -> None:
    """Two layers of five: all orders of both are tried, and the layout's crossings are at most one more."""
    chance = np.random.default_rng(seed)
    pairs = sorted({(int(a), 5 + int(b)) for a, b in chance.integers(0, 5, (9, 2))})
    source, target = (np.array([pair[side] for pair in pairs], np.int32) for side in (0, 1))
    layer = np.array([0] * 5 + [1] * 5, np.int32)
    half = np.full(len(pairs), 0.5)
    chains = cut(layer, source, target, half, half, np.ones(len(pairs), np.int32))
    first, nodes = ordered(chains, sides(chains))
    fewest = min(
        crossings_of(chains, first, np.array([*upper, *lower]))
        for upper in itertools.permutations(range(5))
        for lower in itertools.permutations(range(5, 10))
    )

    assert crossings_of(chains, first, nodes) <= fewest + 1, f"seed {seed}"


def test_long_edges_of_one_box_share_their_way() -> None:
    """A box that feeds two boxes beyond the next layer has one bend there, and each line its own end."""
    layer = np.array([0, 1, 2, 2], np.int32)
    source, target = np.array([0, 0, 0, 1], np.int32), np.array([1, 2, 3, 2], np.int32)
    half = np.full(4, 0.5)
    chains = cut(layer, source, target, half, half, np.array([1, 2, 3, 1], np.int32))

    assert len(chains.layer) == 5
    assert chains.layer[4] == 1
    segments = set(zip(chains.source.tolist(), chains.target.tolist(), chains.weight.tolist(), strict=True))
    assert segments == {(0, 1, 1), (0, 4, 5), (4, 2, 2), (4, 3, 3), (1, 2, 1)}


def test_nothing_is_a_picture_too() -> None:
    """A graph without boxes has a layout without size."""
    placed = layered(Boxes(np.zeros(0), np.zeros(0), np.zeros((0, 2), np.int32), np.zeros((0, 2))))

    assert (placed.width, placed.height, len(placed.points)) == (0.0, 0.0, 0)
