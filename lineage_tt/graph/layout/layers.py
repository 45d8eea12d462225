"""Layers: which edges of a cycle to turn around, and the layer of each node."""

from __future__ import annotations

import numpy as np

from lineage_tt.graph.arrays.compiled import jit_with_arrays
from lineage_tt.graph.arrays.names import Ints


@jit_with_arrays
def adjacency(nodes: int, near: Ints, far: Ints) -> tuple[Ints, Ints]:
    """Return (first, edges): the edges whose ``near`` end is node i are ``edges[first[i]:first[i + 1]]``, in order."""
    first = np.zeros(nodes + 1, np.int32)
    for e in range(len(near)):
        first[near[e] + 1] += 1
    for i in range(nodes):
        first[i + 1] += first[i]
    edges = np.empty(len(far), np.int32)
    free = first[:-1].copy()
    for e in range(len(near)):
        edges[free[near[e]]] = e
        free[near[e]] += 1
    return first, edges


@jit_with_arrays
def acyclic_order(nodes: int, source: Ints, target: Ints, weight: Ints) -> Ints:
    """Return a place for each node such that the edges that lead to an earlier place have little weight.

    The heuristic of Eades, Lin and Smyth (1993): sinks go last, sources first, and if neither is left, the node whose
    outgoing edges outweigh its incoming ones by most is next. Ties are settled by the node's number.
    """
    out_first, out_edges = adjacency(nodes, source, target)
    in_first, in_edges = adjacency(nodes, target, source)
    outgoing, incoming = np.zeros(nodes, np.int64), np.zeros(nodes, np.int64)
    for e in range(len(source)):
        outgoing[source[e]] += weight[e]
        incoming[target[e]] += weight[e]
    place = np.full(nodes, -1, np.int32)
    # nodes without edges in one direction, as two stacks; a node may be on both
    waiting = np.empty((2, 2 * nodes + 1), np.int32)
    height = np.zeros(2, np.int64)
    for i in range(nodes - 1, -1, -1):
        if outgoing[i] == 0:
            waiting[0, height[0]] = i
            height[0] += 1
        elif incoming[i] == 0:
            waiting[1, height[1]] = i
            height[1] += 1
    first, last = 0, nodes - 1
    while first <= last:
        chosen = -1
        side = 0
        while height[side] > 0 and chosen < 0:
            height[side] -= 1
            if place[waiting[side, height[side]]] < 0:
                chosen = waiting[side, height[side]]
        if chosen < 0:
            side = 1
            while height[side] > 0 and chosen < 0:
                height[side] -= 1
                if place[waiting[side, height[side]]] < 0:
                    chosen = waiting[side, height[side]]
        if chosen < 0:
            best = np.int64(0)
            for i in range(nodes):
                if place[i] < 0 and (chosen < 0 or outgoing[i] - incoming[i] > best):
                    chosen = i
                    best = outgoing[i] - incoming[i]
        if side == 0:
            place[chosen] = last
            last -= 1
        else:
            place[chosen] = first
            first += 1
        for k in range(out_first[chosen], out_first[chosen + 1]):
            other = target[out_edges[k]]
            if place[other] < 0:
                incoming[other] -= weight[out_edges[k]]
                if incoming[other] == 0:
                    waiting[1, height[1]] = other
                    height[1] += 1
        for k in range(in_first[chosen], in_first[chosen + 1]):
            other = source[in_edges[k]]
            if place[other] < 0:
                outgoing[other] -= weight[in_edges[k]]
                if outgoing[other] == 0:
                    waiting[0, height[0]] = other
                    height[0] += 1
    return place


@jit_with_arrays
def longest_path(nodes: int, source: Ints, target: Ints, place: Ints) -> Ints:
    """Return the layer of each node of an acyclic graph: one after the last layer of its predecessors.

    ``place`` is a topological order. A node with more edges ahead of it than before it then moves to just before its
    first successor: longest paths alone would leave every source in the first layer, far from its readers.
    """
    out_first, out_edges = adjacency(nodes, source, target)
    in_first, _ = adjacency(nodes, target, source)
    ordered = np.empty(nodes, np.int32)
    for i in range(nodes):
        ordered[place[i]] = i
    layer = np.zeros(nodes, np.int32)
    for k in range(nodes):
        i = ordered[k]
        for at in range(out_first[i], out_first[i + 1]):
            other = target[out_edges[at]]
            layer[other] = max(layer[other], layer[i] + 1)
    for k in range(nodes - 1, -1, -1):
        i = ordered[k]
        ahead, before = out_first[i + 1] - out_first[i], in_first[i + 1] - in_first[i]
        if ahead > before:
            nearest = layer[target[out_edges[out_first[i]]]]
            for at in range(out_first[i], out_first[i + 1]):
                nearest = min(nearest, layer[target[out_edges[at]]])
            layer[i] = nearest - 1
    return layer
