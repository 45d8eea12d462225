"""The edges in force at one of two points, and not at the other."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from lineage_tt.graph.arrays.changing import difference, net
from lineage_tt.graph.arrays.state import State


def changed_edges(state: State, first: tuple[int, int], second: tuple[int, int]) -> npt.NDArray[np.int32]:
    """Return (sign, source, target, payload) of the edges in force at one point only, each (valid time, version)."""
    orders = state.changes.orders(state.out, state.instants, state.base_version)
    room = 4096
    while True:
        refs, signs = np.empty(room, np.int32), np.empty(room, np.uint8)
        count = difference(
            *first, *second, state.out, state.instants, *orders, state.tail, state.times, state.tails, state.closings,
            state.closed, refs, signs,
        )  # fmt: skip
        if count >= 0:
            break
        room *= 8
    out = np.empty((count, 4), np.int32)
    table = np.zeros(max(16, 1 << (2 * count).bit_length()), np.int32)
    size = net(refs[:count], signs[:count], state.out, state.record, state.nodes, state.tail, table, out)
    return out[:size]
