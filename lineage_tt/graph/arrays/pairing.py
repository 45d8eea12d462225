"""Signed changes become rectangles: each minus closes the rectangle that an earlier plus added."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from lineage_tt.graph.arrays.compiled import jit
from lineage_tt.graph.arrays.names import Ints, Longs
from lineage_tt.graph.arrays.rows import NEVER, Rectangles


class Changes(NamedTuple):
    """Signed changes as columns, in version order."""

    sign: npt.NDArray[np.int8]
    source: Ints
    target: Ints
    payload: Ints
    valid_from: Longs
    valid_to: Longs
    version: Ints

    def take(self, at: Ints) -> Changes:
        """Return the changes at these positions."""
        return Changes(
            self.sign[at], self.source[at], self.target[at], self.payload[at], self.valid_from[at], self.valid_to[at],
            self.version[at],
        )  # fmt: skip


@jit
def pair(
    sign: npt.NDArray[np.int8], source: Ints, target: Ints, payload: Ints, since: Longs, until: Longs, version: Ints,
    table: Ints, place: Ints, closed: Ints, left: Ints,
) -> Any:  # fmt: skip
    """Give each plus the version of its minus; return (the number of plus, the number of minus without a plus).

    ``place`` gets the position of each plus among the changes, ``left`` that of each minus without a plus.
    """
    last = len(table) - 1
    opened, alone = 0, 0
    for i in range(len(sign)):
        mixed = np.uint64(source[i]) * np.uint64(0x9E3779B97F4A7C15) ^ np.uint64(since[i])
        mixed = mixed * np.uint64(0xC2B2AE3D27D4EB4F) ^ np.uint64(target[i])
        mixed = mixed * np.uint64(0x165667B19E3779F9) ^ np.uint64(until[i])
        mixed = mixed * np.uint64(0x9E3779B97F4A7C15) ^ np.uint64(payload[i])
        mixed = mixed * np.uint64(0xC2B2AE3D27D4EB4F)
        slot = np.int64((mixed >> np.uint64(30)) & np.uint64(last))
        known = -1
        while True:
            known = table[slot] - 1
            if known < 0:
                break
            j = place[known]
            same = source[j] == source[i] and target[j] == target[i] and payload[j] == payload[i]
            if same and since[j] == since[i] and until[j] == until[i]:
                break
            slot = (slot + 1) & last
        if sign[i] > 0:
            place[opened] = i
            closed[opened] = 2147483647
            opened += 1
            table[slot] = opened
        elif known >= 0 and closed[known] == 2147483647:
            closed[known] = version[i]
        else:
            left[alone] = i
            alone += 1
    return opened, alone


def rectangles(changes: Changes) -> tuple[Rectangles, Ints]:
    """Return the rectangles that changes open, and the positions of the changes that close an older rectangle."""
    size = len(changes.sign)
    table = np.zeros(max(16, 1 << (2 * int(np.count_nonzero(changes.sign > 0))).bit_length()), np.int32)
    place, closed, left = np.empty(size, np.int32), np.empty(size, np.int32), np.empty(size, np.int32)
    opened, alone = pair(*changes, table, place, closed, left)
    _, source, target, payload, since, until, version = changes.take(place[:opened])
    return Rectangles(source, target, payload, since, until, version, closed[:opened].copy()), left[:alone]


def never(count: int) -> Ints:
    """Return an array of closing versions that are all ``NEVER``."""
    return np.full(count, NEVER, np.int32)
