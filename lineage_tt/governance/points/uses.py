"""When datasets were read and fed up to a point, from all rectangles of the graph that were believed there."""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from lineage_tt.graph import Graph
from lineage_tt.graph.arrays.compiled import jit
from lineage_tt.graph.arrays.names import Ints, Longs
from lineage_tt.graph.arrays.walking import rank_of
from lineage_tt.model.answers import Basis
from lineage_tt.model.edges import ALIAS, REJECTED

#: A dataset, whether it was read (else fed), and when that was last and first up to the point (UTC microseconds).
Use = tuple[str, bool, int, int]
_MARKS: Final = (ALIAS, REJECTED)
_NEVER: Final = -(2**63)


@jit
def note_uses(
    valid_at: int, version: int, rows: Ints, rec: Ints, instants: Longs, tail: Ints, times: Longs, tails: int,
    nodes: int, counts: npt.NDArray[np.bool_], dataset: Ints, last: Longs, first: Longs,
) -> None:  # fmt: skip
    """Write, by dataset, when it was last and first read (row 0 of ``last`` and ``first``) and fed (row 1)."""
    rank = rank_of(valid_at, instants)
    for node in range(nodes):
        for at in range(rec[node, 0], rec[node + 1, 0]):
            closed = rows[at, 4] if rows[at, 4] >= 0 else ~rows[at, 4]
            one, other = dataset[node], dataset[rows[at, 0]]
            known = rows[at, 1] <= rank and rows[at, 3] <= version and version < closed
            if known and one != other and counts[rows[at, 5] >> 1]:
                since, until = instants[rows[at, 1]], valid_at
                if rows[at, 2] < len(instants):
                    until = min(valid_at, instants[rows[at, 2]])
                last[0, one], first[0, one] = max(last[0, one], until), min(first[0, one], since)
                last[1, other], first[1, other] = max(last[1, other], until), min(first[1, other], since)
    for at in range(tails):
        one, other = dataset[tail[at, 0]], dataset[tail[at, 1]]
        known = times[at, 0] <= valid_at and tail[at, 2] <= version and version < tail[at, 3]
        if known and one != other and counts[tail[at, 4] >> 1]:
            since, until = times[at, 0], min(valid_at, times[at, 1])
            last[0, one], first[0, one] = max(last[0, one], until), min(first[0, one], since)
            last[1, other], first[1, other] = max(last[1, other], until), min(first[1, other], since)


def uses(graph: Graph, basis: Basis) -> list[Use]:
    """Return when each dataset was read and fed up to a valid time, as known at a version; an edge in force counts now.

    Edges within a dataset, names of one thing and rejections do not count.
    """
    state, names = graph.view(basis).state, graph.names
    kinds = np.array([subtype not in _MARKS for _, subtype in names.kind_words] + [False])
    dataset = names.datasets_from(0)
    last = np.full((2, len(dataset)), _NEVER)
    first = np.full((2, len(dataset)), 2**63 - 1)
    note_uses(
        basis.valid_at, basis.version, state.out, state.record, state.instants, state.tail, state.times, state.tails,
        state.nodes, kinds[names.payloads[:, 1]], dataset, last, first,
    )  # fmt: skip
    result: list[Use] = []
    for side, is_read in enumerate((True, False)):
        numbers = np.flatnonzero(last[side] != _NEVER).tolist()
        listed = zip(names.nodes.texts(numbers), numbers, strict=True)
        result += [(text, is_read, int(last[side, number]), int(first[side, number])) for text, number in listed]
    return result
