"""Long edges as chains: a bend in each layer that they pass, shared by all long edges of one node."""

from __future__ import annotations

import numpy as np

from lineage_tt.graph.layout.chains import cut


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


def test_short_edges_stay_as_they_are() -> None:
    """Parallel ones become one, at the mean of where they leave and enter, weighted."""
    layer = np.array([0, 1], np.int32)
    source, target = np.zeros(2, np.int32), np.ones(2, np.int32)
    chains = cut(layer, source, target, np.array([0.0, 0.4]), np.array([0.2, 0.6]), np.array([1, 3], np.int32))

    assert (chains.nodes, len(chains.layer), len(chains.bends)) == (2, 2, 0)
    assert (chains.weight.tolist(), chains.leaves.round(3).tolist(), chains.enters.round(3).tolist()) == (
        [4],
        [0.3],
        [0.5],
    )


def test_an_edge_knows_its_bends_from_the_lower_layer_to_the_higher() -> None:
    """One for each layer that it passes."""
    layer = np.array([0, 4, 1], np.int32)
    half = np.full(2, 0.5)
    chains = cut(layer, np.array([0, 0], np.int32), np.array([1, 2], np.int32), half, half, np.ones(2, np.int32))
    bends = chains.bends[chains.bend_first[0] : chains.bend_first[1]]

    assert chains.layer[bends].tolist() == [1, 2, 3]
    assert chains.bend_first.tolist() == [0, 3, 3]
