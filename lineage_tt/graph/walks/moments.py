"""When edges at datasets begin and end, from the arrays of the graph."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

import numpy as np

from lineage_tt.graph.arrays.dictionary import Dictionary
from lineage_tt.graph.arrays.names import Ints, Longs
from lineage_tt.graph.arrays.rows import CLOSED, FOREVER, FROM, OPENED, TO
from lineage_tt.graph.arrays.state import State

#: The columns of a row of the tail.
_SOURCE, _TARGET, _OPENED, _CLOSED = range(4)
_OUT: Final = 0
_INTO: Final = 1


def moments(state: State, names: Dictionary, datasets: Collection[str], version: int) -> dict[str, list[int]]:
    """Return, by dataset, the valid times at which edges at it or its columns begin or end, in order.

    Times are UTC microseconds; edges are those known at ``version``. Times at which one edge ends and an equal one
    begins may be included.
    """
    numbers = {number: name for name in datasets if (number := names.nodes.find(name)) >= 0}
    owners = names.datasets_from(0)[: state.nodes]
    chosen = np.zeros(len(names.nodes), np.bool_)
    chosen[list(numbers)] = True
    members = np.flatnonzero(chosen[owners])
    parts = [
        _of_rows(state, members, owners, rows, side, version) for rows, side in ((state.out, _OUT), (state.into, _INTO))
    ]
    parts += [_of_tail(state, owners, chosen, end, version) for end in (_SOURCE, _TARGET)]
    datasets_of, times = (np.concatenate(column) for column in zip(*parts, strict=True))
    result: dict[str, list[int]] = {name: [] for name in datasets}
    order = np.lexsort((times, datasets_of))
    datasets_of, times = datasets_of[order], times[order]
    fresh = np.ones(len(order), np.bool_)
    fresh[1:] = (datasets_of[1:] != datasets_of[:-1]) | (times[1:] != times[:-1])
    for number, time in zip(datasets_of[fresh].tolist(), times[fresh].tolist(), strict=True):
        result[numbers[number]].append(time)
    return result


def _of_rows(state: State, members: Longs, owners: Ints, rows: Ints, side: int, version: int) -> tuple[Ints, Longs]:
    """Return the dataset and the time of each begin and end in the base rows of some nodes, in one direction."""
    first, counts = state.record[members, side], np.diff(state.record[:, side])[members]
    places = np.repeat(first - np.concatenate([[0], np.cumsum(counts)[:-1]]), counts) + np.arange(counts.sum())
    in_force, at = rows[places], np.repeat(owners[members], counts)
    closed = np.where(in_force[:, CLOSED] < 0, ~in_force[:, CLOSED], in_force[:, CLOSED])
    known = (in_force[:, OPENED] <= version) & (version < closed)
    in_force, at = in_force[known], at[known]
    ends = in_force[:, TO] < len(state.instants)
    times = np.concatenate([state.instants[in_force[:, FROM]], state.instants[in_force[ends, TO]]])
    return np.concatenate([at, at[ends]]), times


def _of_tail(state: State, owners: Ints, chosen: np.ndarray, end: int, version: int) -> tuple[Ints, Longs]:
    """Return the same of the rows of the tail, by one of their ends."""
    tail, times = state.tail[: state.tails], state.times[: state.tails]
    at = owners[tail[:, end]]
    known = (tail[:, _OPENED] <= version) & (version < tail[:, _CLOSED]) & chosen[at]
    at, times = at[known], times[known]
    ends = times[:, 1] != FOREVER
    return np.concatenate([at, at[ends]]), np.concatenate([times[:, 0], times[ends, 1]])
