"""The order of the nodes in each layer: sweeps by medians and means, then swaps of neighbours, the best one kept."""

from __future__ import annotations

from typing import Final

import numpy as np

from lineage_tt.graph.arrays.compiled import jit, jit_with_arrays
from lineage_tt.graph.arrays.names import Floats, Ints, Longs
from lineage_tt.graph.layout.chains import Chains
from lineage_tt.graph.layout.crossings import Sides, crossings

#: Sweeps forward and backward from each initial order; they end sooner if ``PATIENCE`` of them bring no improvement.
SWEEPS: Final = 24
PATIENCE: Final = 6
#: Passes of swaps over all layers.
SWAPS: Final = 12


def ordered(chains: Chains, at: Sides) -> tuple[Ints, Ints]:
    """Return (first, nodes): the nodes of layer i in their order are ``nodes[first[i]:first[i + 1]]``."""
    layers = int(chains.layer.max(initial=-1)) + 1
    first = np.zeros(layers + 1, np.int32)
    np.cumsum(np.bincount(chains.layer, minlength=layers), out=first[1:])
    best: Ints | None = None
    fewest = -1
    for start in _first_orders(chains, at):
        nodes = start[np.argsort(chains.layer[start], kind="stable")].astype(np.int32)
        count = _improve(
            first, nodes, chains.source, chains.target, chains.leaves, chains.enters, chains.weight, *at,
            SWEEPS, PATIENCE, SWAPS,
        )  # fmt: skip
        if best is None or count < fewest:
            best, fewest = nodes, count
        if fewest == 0:
            break
    return first, best if best is not None else np.empty(0, np.int32)


def _first_orders(chains: Chains, at: Sides) -> list[Ints]:
    """Return the initial orders: as given, and as a depth-first walk meets the nodes, from either end."""
    count = len(chains.layer)
    unchanged = np.arange(count, dtype=np.int32)
    ahead = _in_depth(unchanged[np.argsort(chains.layer, kind="stable")], at.ahead_first, at.ahead, chains.target)
    back = _in_depth(unchanged[np.argsort(-chains.layer, kind="stable")], at.before_first, at.before, chains.source)
    return [unchanged, ahead, back]


@jit_with_arrays
def _in_depth(roots: Ints, first: Ints, edges: Ints, far: Ints) -> Ints:
    """Return all nodes in depth-first order."""
    count = len(roots)
    met, result = np.zeros(count, np.uint8), np.empty(count, np.int32)
    stack = np.empty(len(edges) + count + 1, np.int32)
    n = 0
    for k in range(count):
        stack[0], height = roots[k], 1
        while height > 0:
            height -= 1
            node = stack[height]
            if met[node]:
                continue
            met[node] = 1
            result[n] = node
            n += 1
            for j in range(first[node + 1] - 1, first[node] - 1, -1):
                if not met[far[edges[j]]]:
                    stack[height] = far[edges[j]]
                    height += 1
    return result


@jit
def _total(
    layer_first: Ints, nodes: Ints, target: Ints, leaves: Floats, weight: Ints, ahead_first: Ints, ahead: Ints,
    before_first: Ints, slot: Ints, base: Ints, tree: Longs,
) -> int:  # fmt: skip
    total = 0
    for at in range(len(layer_first) - 2):
        total += crossings(
            layer_first, nodes, at, target, leaves, weight, ahead_first, ahead, before_first, slot, base, tree
        )
    return total


@jit_with_arrays
def _improve(
    layer_first: Ints, nodes: Ints, source: Ints, target: Ints, leaves: Floats, enters: Floats, weight: Ints,
    ahead_first: Ints, ahead: Ints, before_first: Ints, before: Ints, slot: Ints,
    sweeps: int, patience: int, swaps: int,
) -> int:  # fmt: skip
    """Order ``nodes`` in place; return the weight of the crossings that are left."""
    count, layers = len(nodes), len(layer_first) - 1
    base, tree = np.empty(count, np.int32), np.zeros(len(source) + 2, np.int64)
    place = np.empty(count, np.float64)
    for at in range(layers):
        for k in range(layer_first[at], layer_first[at + 1]):
            place[nodes[k]] = k - layer_first[at]
    best = nodes.copy()
    fewest = _total(layer_first, nodes, target, leaves, weight, ahead_first, ahead, before_first, slot, base, tree)
    waited = 0
    for sweep in range(sweeps):
        if fewest == 0 or waited == patience:
            break
        median, biased = sweep // 2 % 2 == 0, sweep % 2 == 1
        for at in range(1, layers):
            _arrange(layer_first, nodes, place, at, before_first, before, source, leaves, weight, median, biased)
        for at in range(layers - 2, -1, -1):
            _arrange(layer_first, nodes, place, at, ahead_first, ahead, target, enters, weight, median, biased)
        total = _total(layer_first, nodes, target, leaves, weight, ahead_first, ahead, before_first, slot, base, tree)
        waited += 1
        if total < fewest:
            fewest, waited = total, 0
            best[:] = nodes
    nodes[:] = best
    for at in range(layers):
        for k in range(layer_first[at], layer_first[at + 1]):
            place[nodes[k]] = k - layer_first[at]
    for _ in range(swaps):
        gained = 0
        for at in range(layers):
            gained += _swap(
                layer_first, nodes, place, at, source, target, leaves, enters, weight,
                ahead_first, ahead, before_first, before,
            )  # fmt: skip
        fewest -= gained
        if gained == 0:
            break
    return fewest


@jit
def _sort(keys: Floats, order: Ints, other: Ints, count: int) -> None:
    """Sort the first numbers of ``order`` by their keys, stably; ``other`` is scratch.

    numba's own sorts give the same result but take four seconds to compile, half of the wait for the first picture.
    """
    size = 1
    while size < count:
        for low in range(0, count, 2 * size):
            middle, high = min(low + size, count), min(low + 2 * size, count)
            i, j = low, middle
            for k in range(low, high):
                if i < middle and (j >= high or keys[order[i]] <= keys[order[j]]):
                    other[k] = order[i]
                    i += 1
                else:
                    other[k] = order[j]
                    j += 1
        for k in range(count):
            order[k] = other[k]
        size *= 2


@jit_with_arrays
def _arrange(
    layer_first: Ints, nodes: Ints, place: Floats, at: int, first: Ints, edges: Ints, far: Ints, fraction: Floats,
    weight: Ints, median: bool, biased: bool,
) -> None:  # fmt: skip
    """Sort a layer by the places of its neighbours in the fixed layer; nodes without neighbours keep their places."""
    begin, end = layer_first[at], layer_first[at + 1]
    centre = np.empty(end - begin, np.float64)
    movable = np.empty(end - begin, np.int32)
    largest = 0
    for k in range(begin, end):
        largest = max(largest, first[nodes[k] + 1] - first[nodes[k]])
    keys = np.empty(largest, np.float64)
    order, other = np.empty(max(largest, end - begin), np.int32), np.empty(max(largest, end - begin), np.int32)
    n = 0
    for step in range(end - begin):
        k = end - 1 - step if biased else begin + step
        node = nodes[k]
        low, high = first[node], first[node + 1]
        if low == high:
            continue
        if median:
            for j in range(low, high):
                keys[j - low] = place[far[edges[j]]] + fraction[edges[j]]
                order[j - low] = j - low
            _sort(keys, order, other, high - low)
            upper, lower = (high - low) // 2, (high - low - 1) // 2
            centre[n] = (keys[order[lower]] + keys[order[upper]]) / 2
        else:
            total, heavy = 0.0, 0.0
            for j in range(low, high):
                total += weight[edges[j]] * (place[far[edges[j]]] + fraction[edges[j]])
                heavy += weight[edges[j]]
            centre[n] = total / heavy
        movable[n] = node
        n += 1
    for i in range(n):
        order[i] = i
    _sort(centre, order, other, n)
    n = 0
    for k in range(begin, end):
        if first[nodes[k]] != first[nodes[k] + 1]:
            nodes[k] = -1
    for k in range(begin, end):
        if nodes[k] < 0:
            nodes[k] = movable[order[n]]
            n += 1
        place[nodes[k]] = k - begin


@jit_with_arrays
def _swap(
    layer_first: Ints, nodes: Ints, place: Floats, at: int, source: Ints, target: Ints, leaves: Floats, enters: Floats,
    weight: Ints, ahead_first: Ints, ahead: Ints, before_first: Ints, before: Ints,
) -> int:  # fmt: skip
    """Swap adjacent nodes of a layer if that removes crossings; return the weight of the removed crossings."""
    begin, end = layer_first[at], layer_first[at + 1]
    gained, changed = 0, True
    if end - begin < 2:
        return 0
    sizes = np.zeros(end - begin + 1, np.int32)
    for k in range(begin, end):
        node = nodes[k]
        sizes[k - begin + 1] = sizes[k - begin] + ahead_first[node + 1] - ahead_first[node]
        sizes[k - begin + 1] += before_first[node + 1] - before_first[node]
    keys, weights = np.empty(sizes[-1], np.float64), np.empty(sizes[-1], np.int64)
    sorted_keys, sorted_weights = np.empty_like(keys), np.empty_like(weights)
    order, other = np.empty(sizes[-1], np.int32), np.empty(sizes[-1], np.int32)
    middle, of = np.empty(end - begin, np.int32), np.empty(end - begin, np.int32)
    for k in range(begin, end):
        node, i = nodes[k], k - begin
        of[i] = i
        n = sizes[i]
        for j in range(before_first[node], before_first[node + 1]):
            keys[n] = place[source[before[j]]] + leaves[before[j]]
            weights[n] = weight[before[j]]
            n += 1
        middle[i] = n
        for j in range(ahead_first[node], ahead_first[node + 1]):
            keys[n] = place[target[ahead[j]]] + enters[ahead[j]]
            weights[n] = weight[ahead[j]]
            n += 1
        for side in range(2):
            low, high = (middle[i], sizes[i + 1]) if side else (sizes[i], middle[i])
            for j in range(low, high):
                order[j - low] = j
            _sort(keys, order, other, high - low)
            for j in range(low, high):
                sorted_keys[j], sorted_weights[j] = keys[order[j - low]], weights[order[j - low]]
    keys, weights = sorted_keys, sorted_weights
    while changed:
        changed = False
        for i in range(end - begin - 1):
            a, b = of[i], of[i + 1]
            now = _crossed(keys, weights, sizes[a], middle[a], sizes[b], middle[b])
            now += _crossed(keys, weights, middle[a], sizes[a + 1], middle[b], sizes[b + 1])
            then = _crossed(keys, weights, sizes[b], middle[b], sizes[a], middle[a])
            then += _crossed(keys, weights, middle[b], sizes[b + 1], middle[a], sizes[a + 1])
            if then < now:
                gained += now - then
                of[i], of[i + 1] = b, a
                changed = True
    moved = nodes[begin:end].copy()
    for i in range(end - begin):
        nodes[begin + i] = moved[of[i]]
        place[nodes[begin + i]] = i
    return gained


@jit
def _crossed(keys: Floats, weights: Longs, first: int, first_end: int, second: int, second_end: int) -> int:
    """Return the weight of crossings on one side of two adjacent nodes, with the first above the second."""
    total, passed, j = 0, 0, second
    for i in range(first, first_end):
        while j < second_end and keys[j] < keys[i]:
            passed += weights[j]
            j += 1
        total += weights[i] * passed
    return total
