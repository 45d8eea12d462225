"""Coordinates along a layer: boxes apart, lines straight, and one block in the middle of its neighbours."""

from __future__ import annotations

import numpy as np
import pytest

from lineage_tt.graph.arrays.names import Floats
from lineage_tt.graph.layout.chains import cut
from lineage_tt.graph.layout.placing import BEND_GAP, GAP, centres


def placed(layers: list[list[int]], edges: list[tuple[int, int]], heights: dict[int, float] | None = None) -> Floats:
    """The middles of boxes (and bends) of layers in their order; heights are 10 where none is given."""
    boxes = sum(map(len, layers))
    layer = np.zeros(boxes, np.int32)
    for at, nodes in enumerate(layers):
        layer[nodes] = at
    ends = np.array(edges, np.int32).reshape(-1, 2)
    half = np.full(len(edges), 0.5)
    chains = cut(layer, ends[:, 0].copy(), ends[:, 1].copy(), half, half, np.ones(len(edges), np.int32))
    full = [
        [*nodes, *(n for n in range(boxes, len(chains.layer)) if chains.layer[n] == at)]
        for at, nodes in enumerate(layers)
    ]
    first = np.cumsum([0, *map(len, full)]).astype(np.int32)
    tall = np.array([(heights or {}).get(node, 10.0) if node < boxes else 4.0 for node in range(len(chains.layer))])
    return centres(chains, first, np.array([node for nodes in full for node in nodes], np.int32), tall)


def test_a_chain_of_boxes_of_one_height_is_a_straight_line_from_the_top() -> None:
    """The picture begins at 0, so the middle is at half a height."""
    assert placed([[0], [1], [2]], [(0, 1), (1, 2)]).tolist() == [5.0, 5.0, 5.0]


def test_the_tallest_box_of_a_line_begins_at_the_top() -> None:
    """Middles are alike, not tops."""
    assert placed([[0], [1]], [(0, 1)], {1: 50.0}).tolist() == [25.0, 25.0]


def test_boxes_of_a_layer_are_as_close_as_they_may_be() -> None:
    """Without edges: heights and gaps alone decide."""
    assert placed([[0, 1, 2]], [], {1: 30.0}).tolist() == [5.0, 5.0 + 20.0 + GAP, 5.0 + 40.0 + 2 * GAP]


def test_a_box_stands_in_the_middle_of_the_two_that_it_feeds_or_reads() -> None:
    """Both ways."""
    for layers, edges in (([[0], [1, 2]], [(0, 1), (0, 2)]), ([[1, 2], [0]], [(1, 0), (2, 0)])):
        middle, upper, lower = placed(layers, edges).tolist()
        assert (upper, lower) == (5.0, 15.0 + GAP)
        assert middle == pytest.approx((upper + lower) / 2)


def test_a_line_past_a_box_is_straight_between_its_bends() -> None:
    """Over two layers, beside a box in each: the bends are on one height, and apart from the boxes."""
    found = placed([[0], [1], [2], [3]], [(0, 1), (1, 2), (2, 3), (0, 3)])
    boxes, bends = found[:4], found[4:]

    assert len(bends) == 2
    assert bends[0] == pytest.approx(bends[1])
    assert abs(bends[0] - boxes[1]) >= 7.0 + BEND_GAP - 1e-9


def test_turned_upside_down_the_picture_is_its_mirror() -> None:
    """The order of every layer reversed: the same distances from the other side."""
    layers, edges = [[0, 1, 2], [3, 4]], [(0, 3), (1, 3), (2, 4), (1, 4)]
    one, other = placed(layers, edges), placed([nodes[::-1] for nodes in layers], edges)

    assert (one.max() + one.min() - other).tolist() == pytest.approx(one.tolist())
