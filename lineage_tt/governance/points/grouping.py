"""Places by the number that is at each: a counting sort, in two passes over the numbers."""

from __future__ import annotations

import numpy as np

from lineage_tt.graph.arrays.compiled import jit
from lineage_tt.graph.arrays.names import Ints, Longs


def grouped(numbers: Ints, count: int) -> tuple[Longs, Ints]:
    """Return where the places of each of ``count`` numbers start, and all places, in order of numbers and places."""
    starts = np.zeros(count + 1, np.int64)
    order = np.empty(len(numbers), np.int32)
    _group(numbers, starts, order)
    return starts, order


@jit
def _group(numbers: Ints, starts: Longs, order: Ints) -> None:
    """Count, add up, and place; at the end each start is where it was after adding up, moved back by one number."""
    for at in range(len(numbers)):
        starts[numbers[at] + 1] += 1
    for number in range(1, len(starts)):
        starts[number] += starts[number - 1]
    for at in range(len(numbers)):
        place = starts[numbers[at]]
        starts[numbers[at]] = place + 1
        order[place] = at
    for number in range(len(starts) - 1, 0, -1):
        starts[number] = starts[number - 1]
    starts[0] = 0
