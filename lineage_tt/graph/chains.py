"""What lineage goes on to from an edge, over a stretch of valid time: for whoever watches a closure.

An edge is upstream of a node when lineage goes on from the edge, edge by edge, to one that enters the node; downstream
when it comes from one that leaves the node. So one short walk from a changed edge answers for every watcher at once,
where a walk for each would take a thousand.

How lineage goes on is what ``asof`` says in SQL: behind an edge come those out of its target and, where that is a whole
dataset, out of its columns; before it come those into its source and into its source's dataset as a whole.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from lineage_tt.graph.compiled import jit
from lineage_tt.graph.names import Ints, Longs
from lineage_tt.graph.walking import holds_late, rank_of

if TYPE_CHECKING:
    from lineage_tt.graph.graph import Graph
    from lineage_tt.graph.state import State

ENDLESS: Final = 2**31 - 1


class Reach(NamedTuple):
    """Nodes that edges lead on to (or come from), by number, each with its least number of edges; the start is at 0.

    ``instants`` are the valid times inside the stretch at which an edge seen on the way begins or ends: between two of
    them the answer is the same.
    """

    ids: Ints
    steps: Ints
    instants: list[int]


@jit
def chain(
    start: int, down: bool, low: int, high: int, version: int, depth: int, direct: bool, rows: Ints, rec: Ints,
    instants: Longs, heads: Ints, tail: Ints, times: Longs, tails: int, mark: Ints, epoch: int, queue: Ints,
    steps: Ints, seen: Longs, tell: Longs,
) -> None:  # fmt: skip
    """Walk over the rows in force somewhere in [low, high); ``tell``: nodes in the queue, instants noted."""
    first_rank, last_rank = rank_of(low, instants), rank_of(high - 1, instants)
    side = 0 if down else 1
    mark[start] = epoch << 2
    queue[0], steps[0] = start, 0
    count, noted = 1, 0
    place = 0
    while place < count and steps[place] < depth:
        node = queue[place]
        step = steps[place] + 1
        near = node
        while near >= 0:
            for at in range(rec[near, side], rec[near + 1, side]):
                closed = rows[at, 4] if rows[at, 4] >= 0 else ~rows[at, 4]
                if (
                    rows[at, 1] <= last_rank
                    and rows[at, 2] > first_rank
                    and rows[at, 3] <= version
                    and version < closed
                    and not (direct and rows[at, 5] & 1)
                ):
                    if rows[at, 1] > first_rank and noted < len(seen):
                        seen[noted] = instants[rows[at, 1]]
                        noted += 1
                    if rows[at, 2] <= last_rank and noted < len(seen):
                        seen[noted] = instants[rows[at, 2]]
                        noted += 1
                    far = rows[at, 0]
                    if mark[far] >> 2 != epoch:
                        mark[far] = epoch << 2
                        queue[count], steps[count] = far, step
                        count += 1
            if tails:
                at = heads[near, side] - 1
                while at >= 0:
                    inside = at < tails and holds_late(at, low, high - 1, version, tail, times)
                    if inside and not (direct and tail[at, 4] & 1):
                        if times[at, 0] > low and noted < len(seen):
                            seen[noted] = times[at, 0]
                            noted += 1
                        if times[at, 1] < high and noted < len(seen):
                            seen[noted] = times[at, 1]
                            noted += 1
                        far = tail[at, 1 - side]
                        if mark[far] >> 2 != epoch:
                            mark[far] = epoch << 2
                            queue[count], steps[count] = far, step
                            count += 1
                    at = tail[at, 5 + side] - 1
            if near != node:
                near = rec[near, 3] if down else -1
            elif rec[node, 2] == node:
                near = rec[node, 3] if down else -1  # a whole dataset goes on with its columns
            else:
                near = -1 if down else rec[node, 2]  # a column comes from its dataset as a whole, too
        place += 1
    tell[0], tell[1] = count, noted


def reach(
    graph: Graph, state: State, number: int, *, down: bool, stretch: tuple[int, int], version: int, depth: int,
    direct_only: bool,
) -> Reach:  # fmt: skip
    """Return what lineage goes on to behind an edge whose target is a node (``down``), or before one whose source is.

    ``stretch`` is [from, to) in UTC microseconds; edges in force anywhere in it, as known at ``version``, are followed.
    """
    room = 1024
    with graph.scratches.one(state) as scratch:
        while True:
            seen = np.empty(room, np.int64)
            chain(
                number, down, stretch[0], stretch[1], version, depth, direct_only, state.out if down else state.into,
                state.record, state.instants, state.heads, state.tail, state.times, state.tails, scratch.mark,
                scratch.next_walks(), scratch.queue, scratch.steps, seen, scratch.tell,
            )  # fmt: skip
            count, noted = int(scratch.tell[0]), int(scratch.tell[1])
            if noted < room:
                break
            room *= 8
        found = scratch.queue[:count].copy(), scratch.steps[:count].copy()
    return Reach(*found, np.unique(seen[:noted]).tolist() if noted else [])
