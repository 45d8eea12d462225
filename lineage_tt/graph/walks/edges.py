"""The result of a walk as numbers: the nodes reached, and the edges on the way."""

from __future__ import annotations

from typing import Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from lineage_tt.graph.arrays.names import Ints, Longs
from lineage_tt.graph.arrays.state import State
from lineage_tt.graph.arrays.walking import decode


class Part(NamedTuple):
    """The result of a walk in one direction: nodes with their steps, and for each edge (position, near end, step).

    Over a state with star nodes an edge has a fourth number: the far end if it was joined to a column, else -1.
    """

    direction: Literal["down", "up"]
    ids: Ints
    steps: Ints
    edges: Ints


class Edges(NamedTuple):
    """Edges as numbers: (source, target, payload, version), valid times, and at table level the merged subtype."""

    numbers: Ints
    valid: Longs
    subtypes: tuple[str, ...] | None = None
    #: whether each is a star edge joined to a column, None where none is
    by_star: npt.NDArray[np.bool_] | None = None

    def take(self, mask: npt.NDArray[np.bool_]) -> Edges:
        """Return the edges that a mask keeps."""
        subtypes = self.subtypes
        if subtypes is not None:
            subtypes = tuple(np.array(subtypes, object)[mask])
        by_star = None if self.by_star is None else self.by_star[mask]
        return Edges(self.numbers[mask], self.valid[mask], subtypes, by_star)


def decoded(state: State, noted: Ints, down: bool) -> Edges:
    """Return the edges that a walk noted, with the versions that added their rectangles."""
    numbers, valid = np.empty((len(noted), 4), np.int32), np.empty((len(noted), 2), np.int64)
    rows = state.out if down else state.into
    decode(noted, down, rows, state.instants, state.tail, state.times, numbers, valid)
    if len(state.hidden) > 1:
        numbers[numbers[:, 2] >> 1 >= state.supposed, 3] += 1  # as if the next version had added them
    if noted.shape[1] == 3:
        return Edges(numbers, valid)
    by_star = noted[:, 3] >= 0
    numbers[by_star, 1 if down else 0] = noted[by_star, 3]
    return Edges(numbers, valid, None, by_star)
