"""The layout of a graph whose nodes are boxes with ports: layers from left to right, few crossings, straight lines."""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from lineage_tt.graph.arrays.names import Floats, Ints
from lineage_tt.graph.arrays.rows import keys_of
from lineage_tt.graph.layout.chains import cut
from lineage_tt.graph.layout.crossings import sides
from lineage_tt.graph.layout.layers import acyclic_order, longest_path
from lineage_tt.graph.layout.ordering import ordered
from lineage_tt.graph.layout.placing import centres

#: The space between two layers, where lines turn.
LAYER_GAP: Final = 88.0
#: The height of a bend between boxes.
BEND: Final = 4.0


class Boxes(NamedTuple):
    """The input: boxes by size, and edges between points on their sides, in pixels.

    Edge e leads from ``ends[e, 0]`` to ``ends[e, 1]`` (shape (m, 2)); ``ports[e]`` says how far below the top of each
    box it leaves and enters (shape (m, 2)).
    """

    widths: Floats
    heights: Floats
    ends: Ints
    ports: Floats


class Layout(NamedTuple):
    """Where boxes and lines are, in pixels from the top left corner.

    ``x`` and ``y`` are the top left corners of boxes, ``layer`` their layers from the left. Edge e runs through the
    points ``points[point_first[e]:point_first[e + 1]]`` (x, y), the first at its source and the last at its target;
    ``back[e]`` says that it runs from right to left, as one edge of each cycle must, or back to its own box.
    """

    width: float
    height: float
    x: Floats
    y: Floats
    layer: Ints
    point_first: Ints
    points: Floats
    back: Ints


def layered(boxes: Boxes) -> Layout:
    """Return the layout of a graph. The same boxes and edges in the same order give the same layout."""
    count, (source, target) = len(boxes.widths), boxes.ends.T.astype(np.int32)
    own = source == target
    # one edge for each pair of boxes, at the mean of its ports
    heights = np.maximum(boxes.heights, 1.0)
    fractions = np.clip(boxes.ports / heights[boxes.ends], 0.0, 0.999) if len(source) else boxes.ports
    _, at, pair = np.unique(keys_of(source, target), return_index=True, return_inverse=True)
    weight = np.bincount(pair, minlength=len(at)).astype(np.int32)
    leaves, enters = (np.bincount(pair, weights=f, minlength=len(at)) / np.maximum(weight, 1) for f in fractions.T)
    drawn = ~own[at]
    near, far, weight, leaves, enters = (each[drawn] for each in (source[at], target[at], weight, leaves, enters))
    place = acyclic_order(count, near, far, weight)
    turned = place[near] > place[far]
    near, far = np.where(turned, far, near), np.where(turned, near, far)
    leaves, enters = np.where(turned, enters, leaves), np.where(turned, leaves, enters)
    layer = longest_path(count, near, far, place)
    layer -= layer.min(initial=0)
    chains = cut(layer, near, far, leaves, enters, weight)
    tall = np.full(len(chains.layer), BEND)
    tall[:count] = boxes.heights
    first, nodes = ordered(chains, sides(chains))
    middle = centres(chains, first, nodes, tall) if len(nodes) else np.zeros(0)
    lefts, widths = _columns(chains.layer, count, boxes.widths)
    x, y = lefts[layer], middle[:count] - boxes.heights / 2
    edge_of_pair = np.full(len(at), -1, np.int32)
    edge_of_pair[np.flatnonzero(drawn)] = np.arange(int(drawn.sum()))
    back = own | (layer[source] > layer[target])
    point_first, points = _lines(
        boxes, x, y, edge_of_pair[pair], back, chains.bend_first, chains.bends, lefts, widths, chains.layer, middle
    )
    width = float((lefts + widths).max(initial=0.0))
    high = float(max((y + boxes.heights).max(initial=0.0), points[:, 1].max(initial=0.0)))
    return Layout(width, high, x, y, layer, point_first, points, back.astype(np.int32))


def _columns(layer: Ints, count: int, widths: Floats) -> tuple[Floats, Floats]:
    """Return the left edge and the width of each layer."""
    wide = np.zeros(int(layer.max(initial=-1)) + 1)
    np.maximum.at(wide, layer[:count], widths)
    lefts = np.zeros(len(wide))
    lefts[1:] = np.cumsum(wide[:-1] + LAYER_GAP)
    return lefts, wide


def _lines(
    boxes: Boxes, x: Floats, y: Floats, edges: Ints, back: Ints, bend_first: Ints, bends: Ints, lefts: Floats,
    widths: Floats, layer: Ints, middle: Floats,
) -> tuple[Ints, Floats]:  # fmt: skip
    """Return the points of every edge: its ends, and both sides of each layer that it passes."""
    (source, target), count = boxes.ends.T, len(boxes.ends)
    passed = np.where(edges >= 0, bend_first[edges + 1] - bend_first[edges], 0) if count else np.zeros(0, np.int64)
    point_first = np.zeros(count + 1, np.int32)
    np.cumsum(2 + 2 * passed, out=point_first[1:])
    points = np.empty((int(point_first[-1]), 2))
    own = source == target
    points[point_first[:-1], 0] = x[source] + np.where(back & ~own, 0.0, boxes.widths[source])
    points[point_first[:-1], 1] = y[source] + boxes.ports[:, 0]
    points[point_first[1:] - 1, 0] = x[target] + np.where(back, boxes.widths[target], 0.0)
    points[point_first[1:] - 1, 1] = y[target] + boxes.ports[:, 1]
    for e in np.flatnonzero(passed):
        through = bends[bend_first[edges[e]] : bend_first[edges[e] + 1]]
        left, right = lefts[layer[through]], lefts[layer[through]] + widths[layer[through]]
        line = np.column_stack([left, middle[through], right, middle[through]]).reshape(-1, 2)
        points[point_first[e] + 1 : point_first[e + 1] - 1] = line[::-1] if back[e] else line
    return point_first, points
