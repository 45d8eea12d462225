"""The edges in force at a point as columns, made in one pass over the rows, for questions about all edges."""

from __future__ import annotations

from bisect import bisect
from functools import cached_property
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from lineage_tt.graph.arrays.compiled import both, jit
from lineage_tt.graph.arrays.names import Bytes, Ints, Longs
from lineage_tt.graph.arrays.state import State
from lineage_tt.graph.arrays.walking import holds_late, rank_of

_NO_PLACES: Final[Ints] = np.empty(0, np.int32)


class Columns:
    """The edges in force at a point as columns of numbers; ``payloads`` are (task, kind, expression) by their number.

    Only their ends are read immediately: finding the edges in force is a pass over all rows, and other columns are
    written only if they are used.
    """

    def __init__(self, state: State, payloads: Ints, valid_at: int, version: int) -> None:
        self._state, self._payloads, self._point = state, payloads, (valid_at, version)
        starts = np.empty(state.nodes + 1, np.int32)
        self.target: Ints = np.empty(state.rows + 1, np.int32)  # each row is written first, and kept if it is in force
        self._based, count = self._take(self.target, starts, _NO_PLACES)
        self.target = self.target[:count]
        #: where each node's edges begin, and the end of the last; None if the tail has edges, which come last
        self.starts: Ints | None = starts if self._based == count else None
        self._starts = starts

    def _take(self, target: Ints, starts: Ints, place: Ints) -> tuple[int, int]:
        """Write the edges in force, the rows of either half of the nodes at a time."""
        state = self._state
        half = bisect(range(state.nodes), len(state.out) // 2, key=lambda node: state.record[node, 0])
        row = int(state.record[half, 0])

        def take(first: int, end: int, begin: int) -> int:
            return int(take_in_force(
                *self._point, state.out, state.record, state.instants, state.hidden, first, end,
                target[begin:], starts, place[begin:],
            ))  # fmt: skip

        low, high = both(lambda: take(0, half, 0), lambda: take(half, state.nodes, row), state.nodes)
        based = low + high
        for column in (target, place) if len(place) else (target,):
            column[low:based] = column[row : row + high].copy()
        starts[half : state.nodes] += low
        starts[state.nodes] = based
        late = take_late(
            *self._point, state.tail, state.times, state.tails, state.hidden, target[based:], place[based:]
        )  # fmt: skip
        return based, based + int(late)

    def __len__(self) -> int:
        return len(self.target)

    @cached_property
    def source(self) -> Ints:
        """Where each edge comes from."""
        based: Ints = np.repeat(np.arange(self._state.nodes, dtype=np.int32), np.diff(self._starts))
        return based if self.starts is not None else np.concatenate([based, self._state.tail[self._late, 0]])

    @cached_property
    def kind(self) -> Ints:
        """The kind of each edge, as the dictionary numbers them."""
        kinds: Ints = np.empty(len(self), np.int32)
        look_up(self._payload, self._payloads, 1, kinds)
        return kinds

    @cached_property
    def task(self) -> Ints:
        """The task of each edge."""
        tasks: Ints = np.empty(len(self), np.int32)
        look_up(self._payload, self._payloads, 0, tasks)
        return tasks

    @cached_property
    def expression(self) -> Ints:
        """The expression of each edge."""
        expressions: Ints = np.empty(len(self), np.int32)
        look_up(self._payload, self._payloads, 2, expressions)
        return expressions

    @property
    def valid_from(self) -> Longs:
        """When each edge came into force (UTC microseconds)."""
        return self._times[0]

    @property
    def valid_to(self) -> Longs:
        """When each edge ends; the greatest number where it has no end."""
        return self._times[1]

    @cached_property
    def version(self) -> Ints:
        """The version that added each edge; a hypothetical edge has the next version."""
        state = self._state
        versions: Ints = np.concatenate([state.out[self._base, 3], state.tail[self._late, 2]])
        return versions + (self._payload >= state.supposed) if len(state.hidden) > 1 else versions

    @cached_property
    def by_star(self) -> npt.NDArray[np.bool_]:
        """False for every edge: star edges are as stored."""
        return np.zeros(len(self), np.bool_)

    @cached_property
    def _place(self) -> Ints:
        """The row of each edge; found in a second pass, since code that only follows edges does not need it."""
        target, place = np.empty((2, self._state.rows + 1), np.int32)
        self._take(target, np.empty(len(self._starts), np.int32), place)
        return place[: len(self)]

    @property
    def _base(self) -> Ints:
        return self._place[: self._based]

    @property
    def _late(self) -> Ints:
        return self._place[self._based :]

    @cached_property
    def _payload(self) -> Ints:
        state = self._state
        payloads: Ints = np.concatenate([state.out[self._base, 5], state.tail[self._late, 4]]) >> 1
        return payloads

    @cached_property
    def _times(self) -> tuple[Longs, Longs]:
        state, at = self._state, self._base
        instants = np.append(state.instants, np.iinfo(np.int64).max)
        since, until = instants[state.out[at, 1]], instants[np.minimum(state.out[at, 2], len(instants) - 1)]
        late = state.times[self._late]
        return np.concatenate([since, late[:, 0]]), np.concatenate([until, late[:, 1]])


@jit
def look_up(payload: Ints, payloads: Ints, column: int, out: Ints) -> None:
    """Write one of the numbers of each payload."""
    for at in range(len(payload)):
        out[at] = payloads[payload[at], column]


@jit
def take_in_force(
    valid_at: int, version: int, rows: Ints, rec: Ints, instants: Longs, hidden: Bytes, first: int, end: int,
    target: Ints, starts: Ints, place: Ints,
) -> Any:  # fmt: skip
    """Write the target of every row in force of some nodes, by source, and where each source's begin.

    The row itself is also written, if there is room. Returns how many there are. A row is written before it is known
    whether it counts, which is faster than a branch.
    """
    rank = rank_of(valid_at, instants)
    hiding, placing = len(hidden) > 1, len(place) > 0
    result = 0
    for node in range(first, end):
        starts[node] = result
        at, late = rec[node, 0], rec[node + 1, 0] - 1
        while at <= late and rank < rows[at, 2] and rows[at, 4] >= 0:
            target[result] = rows[at, 0]
            if placing:
                place[result] = at
            counts = (rows[at, 1] <= rank) & (rows[at, 3] <= version) & (version < rows[at, 4])
            if hiding:
                counts &= hidden[rows[at, 5] >> 1] == 0
            result += counts
            at += 1
        while late >= at and version < ~rows[late, 4]:
            target[result] = rows[late, 0]
            if placing:
                place[result] = late
            counts = (rows[late, 1] <= rank) & (rank < rows[late, 2]) & (rows[late, 3] <= version)
            if hiding:
                counts &= hidden[rows[late, 5] >> 1] == 0
            result += counts
            late -= 1
    return result


@jit
def take_late(
    valid_at: int, version: int, tail: Ints, times: Longs, tails: int, hidden: Bytes, target: Ints, place: Ints
) -> Any:  # fmt: skip
    """Write the target of every row of the tail in force, and the row if there is room; return how many there are."""
    hiding, placing = len(hidden) > 1, len(place) > 0
    result = 0
    for late in range(tails):
        if holds_late(late, valid_at, valid_at, version, tail, times) and not (hiding and hidden[tail[late, 4] >> 1]):
            target[result] = tail[late, 1]
            if placing:
                place[result] = late
            result += 1
    return result
