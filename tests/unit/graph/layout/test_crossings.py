"""How many edges cross between neighbouring layers."""

from __future__ import annotations

import numpy as np
import pytest

from lineage_tt.graph.layout.chains import cut
from lineage_tt.graph.layout.crossings import crossings, sides


def counted(pairs: list[tuple[int, int]], leaves: list[float], weights: list[int]) -> int:
    """The weight of the crossings between two layers of three nodes, in the order of their numbers."""
    layer = np.array([0, 0, 0, 1, 1, 1], np.int32)
    source, target = (np.array([pair[side] for pair in pairs], np.int32) for side in (0, 1))
    half = np.full(len(pairs), 0.5)
    chains = cut(layer, source, target, np.array(leaves), half, np.array(weights, np.int32))
    found = sides(chains)
    first, nodes = np.array([0, 3, 6], np.int32), np.arange(6, dtype=np.int32)
    return int(
        crossings(
            first,
            nodes,
            0,
            chains.target,
            chains.leaves,
            chains.weight,
            found.ahead_first,
            found.ahead,
            found.before_first,
            found.slot,
            np.zeros(6, np.int32),
            np.zeros(len(pairs) + 2, np.int64),
        )
    )


@pytest.mark.parametrize(
    ("pairs", "leaves", "weights", "crossed"),
    [([(0, 3), (1, 4)], [0.5, 0.5], [1, 1], 0), ([(0, 4), (1, 3)], [0.5, 0.5], [1, 1], 1),
     ([(0, 4), (1, 3)], [0.5, 0.5], [2, 3], 6), ([(0, 3), (0, 4)], [0.2, 0.8], [1, 1], 0),
     ([(0, 3), (0, 4)], [0.8, 0.2], [1, 1], 1), ([(0, 4), (0, 3)], [0.5, 0.5], [1, 1], 0),
     ([(0, 3), (1, 3)], [0.5, 0.5], [1, 1], 0), ([(0, 5), (1, 4), (2, 3)], [0.5] * 3, [1] * 3, 3)],
)  # fmt: skip
def test_two_edges_cross_whose_ends_are_the_other_way_round(
    pairs: list[tuple[int, int]], leaves: list[float], weights: list[int], crossed: int
) -> None:
    """Not those that leave or enter at the same point; each counts as often as what it sums up."""
    assert counted(pairs, leaves, weights) == crossed


def test_segments_that_enter_at_one_point_share_a_slot() -> None:
    """Others have one of their own, in their order."""
    layer = np.array([0, 0, 0, 1], np.int32)
    source, target = np.array([0, 1, 2], np.int32), np.full(3, 3, np.int32)
    chains = cut(layer, source, target, np.full(3, 0.5), np.array([0.5, 0.5, 0.9]), np.ones(3, np.int32))
    found = sides(chains)

    assert found.slot.tolist() == [0, 0, 2]
    assert found.before_first.tolist() == [0, 0, 0, 0, 3]
    assert found.ahead.tolist() == [0, 1, 2]
