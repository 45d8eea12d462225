"""The layered layout: acyclic layers, few crossings, boxes apart, and the same places every time."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lineage_tt.graph.layout.layered import LAYER_GAP, Boxes, layered
from lineage_tt.graph.layout.layers import acyclic_order, longest_path

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


@given(boxes())
def test_the_same_graph_has_the_same_layout(given: Boxes) -> None:
    """Nothing depends on chance, or on what was laid out before."""
    one: tuple[Any, ...] = layered(given)
    two: tuple[Any, ...] = layered(given)

    assert all(np.array_equal(a, b) for a, b in zip(one, two, strict=True))


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


def test_nothing_is_a_picture_too() -> None:
    """A graph without boxes has a layout without size."""
    placed = layered(Boxes(np.zeros(0), np.zeros(0), np.zeros((0, 2), np.int32), np.zeros((0, 2))))

    assert (placed.width, placed.height, len(placed.points)) == (0.0, 0.0, 0)
