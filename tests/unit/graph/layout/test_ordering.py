"""The order of the nodes in each layer: few crossings, and the same every time."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from lineage_tt.graph.layout.chains import Chains, cut
from lineage_tt.graph.layout.crossings import sides
from lineage_tt.graph.layout.ordering import ordered


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


def test_a_layer_has_its_own_nodes_and_no_others() -> None:
    """In an order without a crossing where there is one."""
    layer = np.array([0, 0, 1, 1], np.int32)
    source, target, half = np.array([0, 1], np.int32), np.array([3, 2], np.int32), np.full(2, 0.5)
    chains = cut(layer, source, target, half, half, np.ones(2, np.int32))
    first, nodes = ordered(chains, sides(chains))

    assert first.tolist() == [0, 2, 4]
    assert [sorted(nodes[first[i] : first[i + 1]].tolist()) for i in (0, 1)] == [[0, 1], [2, 3]]
    assert crossings_of(chains, first, nodes) == 0
