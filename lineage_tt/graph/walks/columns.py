"""The edges in force at a point as columns, in one pass over the rows: what questions about all of them start from."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from lineage_tt.graph.arrays.compiled import jit
from lineage_tt.graph.arrays.names import Bytes, Ints, Longs
from lineage_tt.graph.arrays.state import State
from lineage_tt.graph.arrays.walking import holds_late, rank_of


class Columns(NamedTuple):
    """Edges as columns of numbers: those of one source side by side; ``version`` put the rectangle in place."""

    source: Ints
    target: Ints
    task: Ints
    kind: Ints
    expression: Ints
    valid_from: Longs
    valid_to: Longs
    version: Ints


def columns_in_force(state: State, payloads: Ints, valid_at: int, version: int) -> Columns:
    """Return the edges in force; ``payloads`` are (task, kind, expression) by their number."""
    room = state.rows  # memory that is not written to is not taken
    source, target, task, kind, expression, versions = (np.empty(room, np.int32) for _ in range(6))
    since, until = np.empty(room, np.int64), np.empty(room, np.int64)
    count = take_in_force(
        valid_at, version, state.out, state.record, state.instants, state.tail, state.times, state.tails,
        state.hidden, state.supposed, state.nodes, payloads, source, target, task, kind, expression, since, until,
        versions,
    )  # fmt: skip
    return Columns(
        source[:count], target[:count], task[:count], kind[:count], expression[:count], since[:count], until[:count],
        versions[:count],
    )  # fmt: skip


@jit
def take_in_force(
    valid_at: int, version: int, rows: Ints, rec: Ints, instants: Longs, tail: Ints, times: Longs, tails: int,
    hidden: Bytes, supposed: int, nodes: int, payloads: Ints, source: Ints, target: Ints, task: Ints, kind: Ints,
    expression: Ints, valid_from: Longs, valid_to: Longs, versions: Ints,
) -> Any:  # fmt: skip
    """Write the columns of every row in force, by source; return how many there are. The order is of ``in_force``."""
    rank = rank_of(valid_at, instants)
    hiding = len(hidden) > 1
    result = 0
    for node in range(nodes):
        first, end = rec[node, 0], rec[node + 1, 0]
        at, late = first, end - 1
        while True:
            if at <= late and rank < rows[at, 2] and rows[at, 4] >= 0:
                place, closed = at, rows[at, 4]
                at += 1
            elif late >= at and version < ~rows[late, 4]:
                place, closed = late, ~rows[late, 4]
                late -= 1
            else:
                break
            if rows[place, 1] > rank or rank >= rows[place, 2] or rows[place, 3] > version or version >= closed:
                continue
            payload = rows[place, 5] >> 1
            if hiding and hidden[payload]:
                continue
            source[result], target[result] = node, rows[place, 0]
            task[result], kind[result] = payloads[payload, 0], payloads[payload, 1]
            expression[result] = payloads[payload, 2]
            until = rows[place, 2]
            valid_from[result] = instants[rows[place, 1]]
            valid_to[result] = 9223372036854775807 if until == 2147483647 else instants[until]
            versions[result] = rows[place, 3] + (1 if hiding and payload >= supposed else 0)
            result += 1
    for place in range(tails):
        payload = tail[place, 4] >> 1
        if holds_late(place, valid_at, valid_at, version, tail, times) and not (hiding and hidden[payload]):
            source[result], target[result] = tail[place, 0], tail[place, 1]
            task[result], kind[result] = payloads[payload, 0], payloads[payload, 1]
            expression[result] = payloads[payload, 2]
            valid_from[result], valid_to[result] = times[place, 0], times[place, 1]
            versions[result] = tail[place, 2] + (1 if hiding and payload >= supposed else 0)
            result += 1
    return result
