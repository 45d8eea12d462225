"""Coordinates along a layer: Brandes and Köpf (2001). Each node gets the mean of the middle two of four alignments.

Here layers are side by side and nodes one above the other, so the coordinate computed is ``y``. The compaction works on
a graph of blocks, like dagre's, which does not have the faults named in the authors' erratum (2020).
"""

from __future__ import annotations

from typing import Final

import numpy as np

from lineage_tt.graph.arrays.compiled import jit_with_arrays
from lineage_tt.graph.arrays.names import Bytes, Floats, Ints
from lineage_tt.graph.layout.chains import Chains

#: The space between two boxes of a layer, and the space if one of the two is a bend.
GAP: Final = 18.0
BEND_GAP: Final = 10.0


def centres(chains: Chains, first: Ints, nodes: Ints, heights: Floats) -> Floats:
    """Return the middle of each node along its layer; ``nodes`` are those of all layers, in order."""
    count = len(chains.layer)
    place = np.empty(count, np.int32)
    place[nodes] = np.arange(len(nodes), dtype=np.int32) - first[chains.layer[nodes]]
    before = _neighbours(chains.target, chains.source, place, count)
    ahead = _neighbours(chains.source, chains.target, place, count)
    crossed = _conflicts(first, nodes, place, *before, chains.nodes)
    alignments = np.empty((4, count), np.float64)
    for i in range(4):
        upward, mirrored = i // 2 == 1, i % 2 == 1
        alignments[i] = _aligned(
            first, nodes, place, *(ahead if upward else before), heights, chains.nodes, crossed, upward, mirrored,
            GAP, BEND_GAP,
        )  # fmt: skip
    half = heights / 2
    widths = (alignments + half).max(axis=1) - (alignments - half).min(axis=1)
    narrow = int(np.argmin(widths))
    low, high = (alignments[narrow] - half).min(), (alignments[narrow] + half).max()
    for i in range(4):
        alignments[i] += low - (alignments[i] - half).min() if i % 2 == 0 else high - (alignments[i] + half).max()
    alignments.sort(axis=0)
    y: Floats = (alignments[1] + alignments[2]) / 2
    y -= (y - half).min()
    return y


def _neighbours(near: Ints, far: Ints, place: Ints, count: int) -> tuple[Ints, Ints, Ints]:
    """Return (first, nodes, segments): the neighbours of each node on one side, ordered by place in their layer."""
    order = np.lexsort((place[far], near)).astype(np.int32)
    return np.searchsorted(near[order], np.arange(count + 1)).astype(np.int32), far[order].astype(np.int32), order


@jit_with_arrays
def _conflicts(
    first: Ints, nodes: Ints, place: Ints, near_first: Ints, near: Ints, edges: Ints, boxes: int
) -> Bytes:  # fmt: skip
    """Mark the segments that cross a segment between two bends, which must stay straight."""
    crossed = np.zeros(len(near), np.uint8)
    for at in range(1, len(first) - 1):
        low, scanned = 0, first[at]
        width = first[at] - first[at - 1]
        for k in range(first[at], first[at + 1]):
            inner = -1
            node = nodes[k]
            if node >= boxes:
                for j in range(near_first[node], near_first[node + 1]):
                    if near[j] >= boxes:
                        inner = place[near[j]]
            if inner < 0 and k != first[at + 1] - 1:
                continue
            high = inner if inner >= 0 else width
            while scanned <= k:
                other = nodes[scanned]
                for j in range(near_first[other], near_first[other + 1]):
                    straight = other >= boxes and near[j] >= boxes
                    if not straight and (place[near[j]] < low or place[near[j]] > high):
                        crossed[edges[j]] = 1
                scanned += 1
            low = high
    return crossed


@jit_with_arrays
def _aligned(
    first: Ints, nodes: Ints, place: Ints, near_first: Ints, near: Ints, edges: Ints, heights: Floats, boxes: int,
    crossed: Bytes, upward: bool, mirrored: bool, gap: float, bend_gap: float,
) -> Floats:  # fmt: skip
    """Return the centres for one of the four alignments: to the layer before or ahead, from the top or the bottom."""
    count, layers = len(nodes), len(first) - 1
    root, align = np.arange(count).astype(np.int32), np.arange(count).astype(np.int32)
    for step in range(layers):
        at = layers - 1 - step if upward else step
        size = first[at + 1] - first[at]
        reached = -1
        for k in range(size):
            node = nodes[first[at + 1] - 1 - k] if mirrored else nodes[first[at] + k]
            low, degree = near_first[node], near_first[node + 1] - near_first[node]
            if degree == 0:
                continue
            fixed = at + 1 if upward else at - 1
            last = first[fixed + 1] - first[fixed] - 1
            for half in range((degree - 1) // 2, degree // 2 + 1):
                j = low + (degree - 1 - half if mirrored else half)
                other = near[j]
                spot = last - place[other] if mirrored else place[other]
                if align[node] == node and reached < spot and not crossed[edges[j]]:
                    align[other] = node
                    root[node] = root[other]
                    align[node] = root[node]
                    reached = spot
    # blocks, with the least distance between one and the next
    source, target = np.empty(count, np.int32), np.empty(count, np.int32)
    apart = np.empty(count, np.float64)
    n = 0
    for at in range(layers):
        for k in range(1, first[at + 1] - first[at]):
            a = nodes[first[at + 1] - k] if mirrored else nodes[first[at] + k - 1]
            b = nodes[first[at + 1] - 1 - k] if mirrored else nodes[first[at] + k]
            space = bend_gap if a >= boxes or b >= boxes else gap
            source[n], target[n] = root[a], root[b]
            apart[n] = (heights[a] + heights[b]) / 2 + space
            n += 1
    middle = _compacted(count, root, source[:n], target[:n], apart[:n])
    y = np.empty(count, np.float64)
    for i in range(count):
        y[i] = -middle[root[i]] if mirrored else middle[root[i]]
    return y


@jit_with_arrays
def _compacted(count: int, root: Ints, source: Ints, target: Ints, apart: Floats) -> Floats:
    """Return a place for each block: as near to the first as distances allow, then as near to the next block."""
    first, open_edges = np.zeros(count + 1, np.int32), np.zeros(count, np.int32)
    for e in range(len(source)):
        first[source[e] + 1] += 1
        open_edges[target[e]] += 1
    for i in range(count):
        first[i + 1] += first[i]
    edges, free = np.empty(len(source), np.int32), first[:-1].copy()
    for e in range(len(source)):
        edges[free[source[e]]] = e
        free[source[e]] += 1
    order, n = np.empty(count, np.int32), 0
    for i in range(count):
        if root[i] == i and open_edges[i] == 0:
            order[n] = i
            n += 1
    middle = np.zeros(count, np.float64)
    done = 0
    while done < n:
        block = order[done]
        done += 1
        for k in range(first[block], first[block + 1]):
            e = edges[k]
            middle[target[e]] = max(middle[target[e]], middle[block] + apart[e])
            open_edges[target[e]] -= 1
            if open_edges[target[e]] == 0:
                order[n] = target[e]
                n += 1
    for k in range(n - 1, -1, -1):
        block = order[k]
        if first[block] != first[block + 1]:
            room = np.inf
            for j in range(first[block], first[block + 1]):
                room = min(room, middle[target[edges[j]]] - apart[edges[j]])
            middle[block] = max(middle[block], room)
    return middle
