"""The rows of two points side by side: everything that exists at either, by number if both come from one store."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from lineage_tt.governance.heat.pagerank import Numbers, Ranks
from lineage_tt.governance.heat.scores import Scores


class Pair:
    """The rows of two points; ``every`` holds the number of each row that exists at either."""

    def __init__(self, first: Scores, second: Scores) -> None:
        self._sides = first, second
        common = min(first.graph.stored, second.graph.stored)
        beyond = max(first.graph.nodes, second.graph.nodes)
        more: dict[str, int] = {}
        keys = []
        for side in self._sides:
            own = side.nodes.copy()
            far = np.flatnonzero(own >= common)  # a number of this point alone: the name tells which node it is
            own[far] = [more.setdefault(name, beyond + len(more)) for name in side.names(far)]
            keys.append(own)
        there = np.zeros(beyond + len(more), np.bool_)
        for each in keys:
            there[each] = True
        self.every: Numbers = np.flatnonzero(there)
        self._places = [_places(self.every, each, len(there)) for each in keys]

    def rank(self, side: int) -> Ranks:
        """Return the rank of each row at a side, 0 where the row does not exist."""
        at = self._places[side]
        result: Ranks = np.zeros(len(self.every))
        result[at >= 0] = self._sides[side].rank[at[at >= 0]]
        return result

    def row(self, side: int, at: int) -> tuple[Scores, int]:
        """Return the scores of a side, and the place of a row there, -1 where the row does not exist."""
        return self._sides[side], int(self._places[side][at])

    def names(self, rows: Numbers | Sequence[int]) -> list[str]:
        """Return the names of rows."""
        rows = np.asarray(rows, np.int64)
        result = np.empty(len(rows), object)
        for side, places in zip(self._sides, self._places, strict=True):
            there = places[rows] >= 0
            result[there] = side.names(places[rows][there])
        return list(result)


def _places(every: Numbers, keys: Numbers, numbers: int) -> Numbers:
    """Return the place of each number of ``every`` among some keys below ``numbers``, -1 where it is none of them."""
    result = np.full(numbers, -1, np.int32)
    result[keys] = np.arange(len(keys), dtype=np.int32)
    return result[every]
