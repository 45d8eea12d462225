"""Counts edge crossings between neighbouring layers in O(m log n) time: Barth, Jünger and Mutzel (2002)."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from lineage_tt.graph.arrays.compiled import jit, jit_with_arrays
from lineage_tt.graph.arrays.names import Floats, Ints, Longs
from lineage_tt.graph.layout.chains import Chains


class Sides(NamedTuple):
    """The segments at each node, ahead of it and before it, in the order in which they leave and enter it.

    ``ahead[ahead_first[i]:ahead_first[i + 1]]`` are the segments that leave node i; ``slot[k]`` is the place of segment
    k among those that enter its target; segments that enter at the same point have the same place.
    """

    ahead_first: Ints
    ahead: Ints
    before_first: Ints
    before: Ints
    slot: Ints


def sides(chains: Chains) -> Sides:
    """Return the segments at each node."""
    count = len(chains.layer)
    ahead = np.lexsort((chains.target, chains.leaves, chains.source)).astype(np.int32)
    before = np.lexsort((chains.source, chains.enters, chains.target)).astype(np.int32)
    ahead_first = np.searchsorted(chains.source[ahead], np.arange(count + 1)).astype(np.int32)
    before_first = np.searchsorted(chains.target[before], np.arange(count + 1)).astype(np.int32)
    slot = _slots(chains.target, chains.enters, before_first, before)
    return Sides(ahead_first, ahead, before_first, before, slot)


@jit_with_arrays
def _slots(target: Ints, enters: Floats, before_first: Ints, before: Ints) -> Ints:
    slot = np.empty(len(before), np.int32)
    for k in range(len(before)):
        e = before[k]
        if k > before_first[target[e]] and enters[before[k - 1]] == enters[e]:
            slot[e] = slot[before[k - 1]]
        else:
            slot[e] = k - before_first[target[e]]
    return slot


@jit
def crossings(
    layer_first: Ints, ordered: Ints, at: int, target: Ints, leaves: Floats, weight: Ints,
    ahead_first: Ints, ahead: Ints, before_first: Ints, slot: Ints, base: Ints, tree: Longs,
) -> int:  # fmt: skip
    """Return the weight of the crossings between layer ``at`` and the next; ``base`` and ``tree`` are scratch.

    Two segments that leave or enter at the same point do not cross.
    """
    size = 0
    for k in range(layer_first[at + 1], layer_first[at + 2]):
        node = ordered[k]
        base[node] = size
        size += before_first[node + 1] - before_first[node]
    for k in range(size + 1):
        tree[k] = 0
    total, inserted = 0, 0
    for k in range(layer_first[at], layer_first[at + 1]):
        node = ordered[k]
        first, end = ahead_first[node], ahead_first[node + 1]
        while first < end:
            last = first
            while last < end and leaves[ahead[last]] == leaves[ahead[first]]:
                last += 1
            for j in range(first, last):
                e = ahead[j]
                not_crossed = 0
                spot = base[target[e]] + slot[e] + 1
                while spot > 0:
                    not_crossed += tree[spot]
                    spot -= spot & -spot
                total += weight[e] * (inserted - not_crossed)
            for j in range(first, last):
                e = ahead[j]
                spot = base[target[e]] + slot[e] + 1
                while spot <= size:
                    tree[spot] += weight[e]
                    spot += spot & -spot
                inserted += weight[e]
            first = last
    return total
