"""Keeps the graph current: opened rows are appended and linked, closed rows are closed in place, while readers read.

Data is written before anything points at it: rows before the heads of their lists, and both before the state that
counts them. A reader's version is before every change made here, so the reader does not see any of them.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import numpy.typing as npt

from lineage_tt.graph.arrays.compiled import jit
from lineage_tt.graph.arrays.dictionary import Dictionary
from lineage_tt.graph.arrays.loading import unpaired
from lineage_tt.graph.arrays.names import Ints, Longs
from lineage_tt.graph.arrays.pairing import Changes, rectangles
from lineage_tt.graph.arrays.rows import FOREVER, NEVER, Rectangles
from lineage_tt.graph.arrays.state import TAIL_WIDTH, State, chain, link_members
from lineage_tt.graph.arrays.walking import rank_of

#: a tail that is longer than this, and than this fraction of all rows, becomes part of a new base
MAX_TAIL: Final = 1 << 16
TAIL_SHARE: Final = 32


@jit
def close_base(rows: Ints, first: int, end: int, far: int, payload: int, since: int, until: int, version: int) -> Any:
    """Close the believed row of a node with exactly these values; return its position, -1 if there is none."""
    for at in range(first, end):
        if rows[at, 4] < 0:
            return -1
        if (
            rows[at, 0] == far
            and rows[at, 5] == payload
            and rows[at, 1] == since
            and rows[at, 2] == until
            and rows[at, 4] == 2147483647
            and rows[at, 3] < version
        ):
            rows[at, 4] = version
            return at
    return -1


@jit
def close(
    source: Ints, target: Ints, payload: Ints, since: Longs, until: Longs, version: Ints, record: Ints, out: Ints,
    into: Ints, instants: Longs, heads: Ints, tail: Ints, times: Longs, closings: Ints,
) -> Any:  # fmt: skip
    """Close rows of base and tail, and note each in ``closings``; return the index of the first not found, or -1."""
    for i in range(len(source)):
        a, b = source[i], target[i]
        low = rank_of(since[i], instants)
        high = 2147483647 if until[i] == 9223372036854775807 else rank_of(until[i], instants)
        row = -1
        if (
            low >= 0
            and instants[low] == since[i]
            and (high == 2147483647 or (high >= 0 and instants[high] == until[i]))
        ):
            row = close_base(out, record[a, 0], record[a + 1, 0], b, payload[i], low, high, version[i])
        if row >= 0:
            close_base(into, record[b, 1], record[b + 1, 1], a, payload[i], low, high, version[i])
            closings[i, 0] = row
        else:
            at = heads[a, 0] - 1
            while at >= 0:
                same = tail[at, 1] == b and tail[at, 4] == payload[i] and tail[at, 3] == 2147483647
                same = same and tail[at, 2] < version[i]
                if same and times[at, 0] == since[i] and times[at, 1] == until[i]:
                    break
                at = tail[at, 5] - 1
            if at < 0:
                return i
            tail[at, 3] = version[i]
            closings[i, 0] = ~at
        closings[i, 1] = version[i]
    return -1


def advance(state: State, changes: Changes, version: int, names: Dictionary) -> State:
    """Return the state at ``version``, with these changes applied; all are of later versions than the state's."""
    state = with_nodes(state, names)
    opened, left = rectangles(changes)
    state = with_rows(state, opened)
    if len(left):
        state, wrong = closed_in_place(state, changes.take(left))
        if wrong is not None:
            raise unpaired(wrong)
    return state._replace(version=version)


def closed_in_place(state: State, changes: Changes) -> tuple[State, int | None]:
    """Close, in order, the rows that these changes remove; also return the version of a change that finds no row."""
    count = len(changes.sign)
    closings = _room(state.closings, state.closed, count)
    _, source, target, payload, since, until, versions = changes
    noted = closings[state.closed : state.closed + count]
    wrong = close(
        source, target, payload, since, until, versions, state.record, state.out, state.into, state.instants,
        state.heads, state.tail, state.times, noted,
    )  # fmt: skip
    closed = state._replace(closings=closings, closed=state.closed + count)
    return closed, int(versions[wrong]) if wrong >= 0 else None


def with_nodes(state: State, names: Dictionary) -> State:
    """Return the state with records for the nodes that were added to the dictionary."""
    nodes = len(names.nodes)
    if nodes == state.nodes:
        return state._replace(stars=names.stars.now(names))  # new expressions may leave columns out
    record, heads = state.record, state.heads
    if nodes + 1 > len(record):
        room = nodes + nodes // 8 + 1024
        grown = np.empty((room + 1, 4), np.int32)
        grown[: len(record)] = record
        grown[len(record) :] = (len(state.out), len(state.into), -1, -1)
        record = grown
        heads = np.zeros((room, 2), np.int32)
        heads[: len(state.heads)] = state.heads
    link_members(record, names, state.nodes)
    return state._replace(record=record, heads=heads, nodes=nodes, stars=names.stars.now(names))


def with_rows(state: State, fresh: Rectangles) -> State:
    """Return the state with these rows in its tail."""
    count = len(fresh.source)
    if not count:
        return state
    first, end = state.tails, state.tails + count
    tail, times = _room(state.tail, first, count), _room(state.times, first, count)
    places = np.arange(first + 1, end + 1, dtype=np.int32)
    links_out, heads_out = chain(fresh.source, places, state.heads[:, 0])
    links_into, heads_into = chain(fresh.target, places, state.heads[:, 1])
    columns = (fresh.source, fresh.target, fresh.opened, fresh.closed, fresh.payload, links_out, links_into)
    for column, values in enumerate(columns):
        tail[first:end, column] = values
    times[first:end, 0], times[first:end, 1] = fresh.valid_from, fresh.valid_to
    state.heads[heads_out[0], 0] = heads_out[1]
    state.heads[heads_into[0], 1] = heads_into[1]
    return state._replace(tail=tail, times=times, tails=end)


def too_long(state: State, max_tail: int = MAX_TAIL) -> bool:
    """Return whether the tail should become part of a new base."""
    return state.tails > max(max_tail, state.rows // TAIL_SHARE)


def _room(array: npt.NDArray[Any], used: int, more: int) -> npt.NDArray[Any]:
    """Return the array, or a larger copy, with room for ``more`` entries."""
    if used + more <= len(array):
        return array
    grown = np.zeros((max(1024, 2 * len(array), used + more), array.shape[1]), array.dtype)
    grown[:used] = array[:used]
    return grown


assert FOREVER > NEVER and TAIL_WIDTH == 7  # noqa: PT018  what the compiled functions have as numbers


def extended_times(times: Longs, count: int, more: Longs) -> Longs:
    """Return the system times with more after the first ``count``; arrays that readers hold do not change."""
    if count + len(more) > len(times):
        grown = np.empty(max(count + len(more), count + count // 8 + 1024), np.int64)
        grown[:count] = times[:count]
        times = grown
    times[count : count + len(more)] = more
    return times
