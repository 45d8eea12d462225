"""Long edges as chains: a bend in each layer that an edge passes, shared by all long edges that leave one node."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from lineage_tt.graph.arrays.compiled import jit_with_arrays
from lineage_tt.graph.arrays.names import Floats, Ints
from lineage_tt.graph.arrays.rows import keys_of


class Chains(NamedTuple):
    """A graph whose edges lead from one layer to the next.

    Nodes beyond the first ``nodes`` are bends. Segment k leads from ``source[k]`` to ``target[k]``, leaves and enters
    at these fractions of their heights, and represents ``weight[k]`` edges. Edge e passes the bends
    ``bends[bend_first[e]:bend_first[e + 1]]``, from the lower layer to the higher.
    """

    nodes: int
    layer: Ints
    source: Ints
    target: Ints
    leaves: Floats
    enters: Floats
    weight: Ints
    bend_first: Ints
    bends: Ints


def cut(layer: Ints, source: Ints, target: Ints, leaves: Floats, enters: Floats, weight: Ints) -> Chains:
    """Return the graph with every edge cut at the layers that it passes.

    All long edges that leave one node share its bends, so that they run as one line until they branch.
    """
    span = layer[target] - layer[source]
    bend_first = np.zeros(len(source) + 1, np.int32)
    np.cumsum(span - 1, out=bend_first[1:])
    reach = np.zeros(len(layer), np.int32)
    np.maximum.at(reach, source, span - 1)
    first_bend = np.zeros(len(layer) + 1, np.int32)
    np.cumsum(reach, out=first_bend[1:])
    first_bend += len(layer)
    owners = np.repeat(np.arange(len(layer), dtype=np.int32), reach)
    bend_layers = np.arange(len(owners), dtype=np.int32) + len(layer) - first_bend[owners] + layer[owners] + 1
    bends = _bends(source, first_bend, bend_first)
    segments = _segments(source, target, leaves, enters, weight, bend_first, bends)
    ends, fractions = segments
    # segments between the same two nodes are merged, at the mean of their fractions
    _, at, group = np.unique(keys_of(ends[:, 0], ends[:, 1]), return_index=True, return_inverse=True)
    total = np.bincount(group, weights=ends[:, 2])
    mean = [np.bincount(group, weights=fractions[:, side] * ends[:, 2]) / total for side in (0, 1)]
    return Chains(
        len(layer), np.concatenate([layer, bend_layers.astype(np.int32)]), ends[at, 0], ends[at, 1], mean[0], mean[1],
        total.astype(np.int32), bend_first, bends,
    )  # fmt: skip


@jit_with_arrays
def _bends(source: Ints, first_bend: Ints, bend_first: Ints) -> Ints:
    bends = np.empty(bend_first[-1], np.int32)
    for e in range(len(source)):
        for k in range(bend_first[e], bend_first[e + 1]):
            bends[k] = first_bend[source[e]] + k - bend_first[e]
    return bends


@jit_with_arrays
def _segments(
    source: Ints, target: Ints, leaves: Floats, enters: Floats, weight: Ints, bend_first: Ints, bends: Ints
) -> tuple[Ints, Floats]:
    """Return (source, target, weight) of all segments, and the fractions at which they leave and enter."""
    ends = np.empty((len(source) + len(bends), 3), np.int32)
    fractions = np.empty((len(source) + len(bends), 2), np.float64)
    n = 0
    for e in range(len(source)):
        near, leaving = source[e], leaves[e]
        for k in range(bend_first[e], bend_first[e + 1]):
            ends[n, 0], ends[n, 1], ends[n, 2] = near, bends[k], weight[e]
            fractions[n, 0], fractions[n, 1] = leaving, 0.5
            near, leaving = bends[k], 0.5
            n += 1
        ends[n, 0], ends[n, 1], ends[n, 2] = near, target[e], weight[e]
        fractions[n, 0], fractions[n, 1] = leaving, enters[e]
        n += 1
    return ends, fractions
