"""The walk: breadth first, testing row by row whether it is in force at (valid time, version). Compiled.

It continues as ``asof`` defines in SQL. Downstream of a node are the rows out of it and, if it is a whole dataset,
those out of its columns. Upstream are the rows into it and into its dataset as a whole; for a dataset from which the
walk starts, also those into its columns. At table level every node is a dataset and covers its columns.

A walk waits for memory: a node's record, its rows and the marks of their far ends are scattered. So each is prefetched
some positions ahead in the queue. The counters (nodes in the queue, edges noted, nodes that pass the mask, rows
touched) are passed from call to call as numbers, which the compiler keeps in registers, and written into ``tell`` once,
at the end. The indexes that every node needs are unsigned, since numba checks signed ones for counting from the end.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from lineage_tt.graph.arrays.compiled import fetching, inlined, jit
from lineage_tt.graph.arrays.names import Bytes, Ints, Longs

#: how many counters a walk keeps
TELLS: Final = 4
#: how many positions ahead in the queue a node's record, its rows, and the mark of its first row's far end are fetched
RECORDS_AHEAD, ROWS_AHEAD, MARKS_AHEAD = 20, 12, 6
#: places in a node's record: where its rows begin by source and by target, its dataset, the next node of its dataset
OUT, INTO, DATASET, LINK = range(4)
#: a link's place by direction, and what a mask is for
NO_MASK, PRUNE, HIDE = range(3)
fetch = fetching()
u32 = np.uint32


@inlined
def meet(
    ref: int, near: int, far: int, payload: int, level: int, direct: bool, collect: bool, use: int, step: int,
    rec: Ints, hidden: Bytes, mask: Bytes, mark: Ints, epoch: int, queue: Ints, edges: Ints,
    reached: int, noted: int, passed: int,
) -> Any:  # fmt: skip
    """Process a row in force: a new far end is added to the queue; with ``collect`` the row itself is noted."""
    if not (direct and payload & 1) and not (len(hidden) > 1 and hidden[payload >> 1]):
        if level == 1:
            far = rec[far, 2]
        there = u32(far)
        old = mark[there]
        fresh = old >> 2 != epoch
        taken = True
        if fresh or not old & 1:
            if use == 1 and not mask[far]:
                taken = False
            else:
                mark[there] = epoch << 2 | 1 | (0 if fresh else old & 2)
                queue[u32(reached)] = far
                reached += 1
                if use == 0 or mask[far]:
                    passed += 1
        if collect and taken:
            edges[noted, 0] = ref
            edges[noted, 1] = near
            edges[noted, 2] = step
            noted += 1
    return reached, noted, passed


@inlined
def holds_late(at: int, first: int, last: int, version: int, tail: Ints, times: Longs) -> Any:
    """Whether a row of the tail is in force somewhere from one valid time to another (both counted)."""
    return times[at, 0] <= last and first < times[at, 1] and tail[at, 2] <= version and version < tail[at, 3]


@inlined
def expand(
    node: int, down: bool, rank: int, valid_at: int, version: int, level: int, direct: bool, collect: bool, use: int,
    step: int, rows: Ints, rec: Ints, heads: Ints, tail: Ints, times: Longs, tails: int, hidden: Bytes, mask: Bytes,
    mark: Ints, epoch: int, queue: Ints, edges: Ints, reached: int, noted: int, passed: int, touched: int,
) -> Any:  # fmt: skip
    """Process the rows in force at one node, once per walk; return the counters."""
    side = u32(0 if down else 1)
    here = u32(node)
    first, end = rec[here, side], rec[here + u32(1), side]
    if first < end or tails:
        old = mark[here]
        fresh = old >> 2 != epoch
        if fresh or not old & 2:
            mark[here] = epoch << 2 | 2 if fresh else old | 2
            at = first
            while at < end:  # those believed when the base was built, the latest end first
                if rows[at, 4] < 0 or rows[at, 2] <= rank:
                    break
                if rows[at, 1] <= rank and rows[at, 3] <= version and version < rows[at, 4]:
                    reached, noted, passed = meet(
                        at, node, rows[at, 0], rows[at, 5], level, direct, collect, use, step, rec, hidden, mask, mark,
                        epoch, queue, edges, reached, noted, passed)  # fmt: skip
                at += 1
            touched += at - first
            at = end - 1
            while at >= first:  # those closed by then, the latest closing first
                if ~rows[at, 4] <= version:  # below zero, so never greater, for the rows of the first run
                    break
                if rows[at, 1] <= rank and rank < rows[at, 2] and rows[at, 3] <= version:
                    reached, noted, passed = meet(
                        at, node, rows[at, 0], rows[at, 5], level, direct, collect, use, step, rec, hidden, mask, mark,
                        epoch, queue, edges, reached, noted, passed)  # fmt: skip
                at -= 1
            touched += end - 1 - at
            if tails:
                at = heads[node, side] - 1
                while at >= 0:
                    if at < tails and holds_late(at, valid_at, valid_at, version, tail, times):
                        reached, noted, passed = meet(
                            ~at, node, tail[at, 1 - side], tail[at, 4], level, direct, collect, use, step, rec, hidden,
                            mask, mark, epoch, queue, edges, reached, noted, passed)  # fmt: skip
                    touched += 1
                    at = tail[at, 5 + side] - 1
    return reached, noted, passed, touched


@jit
def rank_of(valid_at: int, instants: Longs) -> Any:
    """Return the rank of the last instant that is not after a valid time, -1 before the first."""
    low, high = 0, len(instants)
    while low < high:
        middle = (low + high) >> 1
        if instants[middle] <= valid_at:
            low = middle + 1
        else:
            high = middle
    return low - 1


@inlined
def fetch_ahead(at: int, reached: int, side: int, queue: Ints, rows: Ints, rec: Ints, mark: Ints) -> None:
    """Prefetch from memory what the next positions of the queue will read."""
    ahead = at + RECORDS_AHEAD
    if ahead < reached:
        fetch(rec, queue[u32(ahead)])
    ahead = at + ROWS_AHEAD
    if ahead < reached:
        node = u32(queue[u32(ahead)])
        low, high = rec[node, side], rec[node + u32(1), side]
        if low < high:
            fetch(rows, low)
            fetch(rows, high - 1)
    ahead = at + MARKS_AHEAD
    if ahead < reached:
        node = u32(queue[u32(ahead)])
        low, high = rec[node, side], rec[node + u32(1), side]
        if low < high:
            fetch(mark, rows[low, 0])


@jit
def walk(
    starts: Ints, down: bool, valid_at: int, version: int, depth: int, level: int, direct: bool, collect: bool,
    use: int, enough: int, rows: Ints, rec: Ints, instants: Longs, heads: Ints, tail: Ints, times: Longs, tails: int,
    hidden: Bytes, mask: Bytes, mark: Ints, epoch: int, queue: Ints, steps: Ints, edges: Ints, tell: Longs,
) -> Any:  # fmt: skip
    """Walk; return how many nodes of the queue are start nodes. After ``enough`` nodes, one more level is read."""
    rank = rank_of(valid_at, instants)
    reached, noted, passed, touched = 0, 0, 0, 0
    for start in starts:
        node = rec[start, 2] if level == 1 else start
        if mark[node] >> 2 != epoch:
            mark[node] = epoch << 2 | 1
            queue[reached] = node
            steps[reached] = 0
            reached += 1
    result = reached
    begin, end, step = 0, result, 0
    side = 0 if down else 1
    while begin < end and step < depth:
        step += 1
        for at in range(begin, end):
            fetch_ahead(at, reached, side, queue, rows, rec, mark)
            node = queue[u32(at)]
            whole = rec[u32(node), 2]
            near = node
            while near >= 0:  # the node itself, then what it represents: a single call, so that it is inlined
                reached, noted, passed, touched = expand(
                    near, down, rank, valid_at, version, level, direct, collect, use, step, rows, rec, heads, tail,
                    times, tails, hidden, mask, mark, epoch, queue, edges, reached, noted, passed, touched)  # fmt: skip
                if near != node:
                    near = rec[near, 3] if whole == node else -1
                elif whole != node:
                    near = -1 if down else whole
                else:
                    near = rec[node, 3] if down or level == 1 or step == 1 else -1
        for at in range(end, reached):
            steps[at] = step
        begin, end = end, reached
        if enough >= 0 and passed >= enough:
            enough = -1
            depth = min(depth, step + 1)
    tell[0], tell[1], tell[2], tell[3] = reached, noted, passed, touched
    return result


@jit
def walk_many(
    one: Ints, starts: Ints, valid_ats: Longs, versions: Longs, first: int, ends: Longs, out: Ints, epoch: int,
    down: bool, depth: int, level: int, direct: bool, use: int, rows: Ints, rec: Ints, instants: Longs, heads: Ints,
    tail: Ints, times: Longs, tails: int, hidden: Bytes, mask: Bytes, mark: Ints, queue: Ints, steps: Ints,
    edges: Ints, tell: Longs,
) -> Any:  # fmt: skip
    """Walk from every start at every point, beginning with number ``first``; return where ``out`` ran out of room."""
    total = len(starts) * len(valid_ats)
    used = 0
    for i in range(first, total):
        one[0] = starts[i // len(valid_ats)]
        j = i % len(valid_ats)
        skip = walk(one, down, valid_ats[j], versions[j], depth, level, direct, False, use, -1, rows, rec, instants,
                     heads, tail, times, tails, hidden, mask, mark, epoch + i - first, queue, steps, edges,
                     tell)  # fmt: skip
        reached = tell[0] - skip
        if used + reached > len(out):
            return i
        for k in range(reached):
            out[used + k, 0] = queue[skip + k]
            out[used + k, 1] = steps[skip + k]
        used += reached
        ends[i - first] = used
    return total


@jit
def decode(
    edges: Ints, down: bool, rows: Ints, instants: Longs, tail: Ints, times: Longs, out: Ints, valid: Longs
) -> None:
    """Write for each edge noted by a walk: source, target, payload, version; and its valid interval."""
    for i in range(len(edges)):
        ref = edges[i, 0]
        if ref >= 0:
            far, payload, opened = rows[ref, 0], rows[ref, 5], rows[ref, 3]
            valid[i, 0] = instants[rows[ref, 1]]
            until = rows[ref, 2]
            valid[i, 1] = 9223372036854775807 if until == 2147483647 else instants[until]
        else:
            far, payload, opened = tail[~ref, 1 if down else 0], tail[~ref, 4], tail[~ref, 2]
            valid[i, 0], valid[i, 1] = times[~ref, 0], times[~ref, 1]
        out[i, 0] = edges[i, 1] if down else far
        out[i, 1] = far if down else edges[i, 1]
        out[i, 2] = payload
        out[i, 3] = opened


@jit
def in_force(
    valid_at: int, version: int, rows: Ints, rec: Ints, instants: Longs, tail: Ints, times: Longs, tails: int,
    hidden: Bytes, nodes: int, edges: Ints,
) -> Any:  # fmt: skip
    """Note every row in force, by source; return how many there are.

    As in a walk, the first run of a node's rows (see ``rows``) is read from its front up to the first row that ends too
    early, the second from its back up to the first row closed too early: as of now, no history is read.
    """
    rank = rank_of(valid_at, instants)
    hiding = len(hidden) > 1
    result = 0
    for node in range(nodes):
        first, end = rec[node, 0], rec[node + 1, 0]
        at = first
        while at < end and rank < rows[at, 2] and rows[at, 4] >= 0:
            inside = rows[at, 1] <= rank and rows[at, 3] <= version and version < rows[at, 4]
            if inside and not (hiding and hidden[rows[at, 5] >> 1]):
                edges[result, 0], edges[result, 1], edges[result, 2] = at, node, 0
                result += 1
            at += 1
        at = end - 1
        while at >= first and version < ~rows[at, 4]:
            inside = rows[at, 1] <= rank and rank < rows[at, 2] and rows[at, 3] <= version
            if inside and not (hiding and hidden[rows[at, 5] >> 1]):
                edges[result, 0], edges[result, 1], edges[result, 2] = at, node, 0
                result += 1
            at -= 1
    for at in range(tails):
        inside = holds_late(at, valid_at, valid_at, version, tail, times)
        if inside and not (len(hidden) > 1 and hidden[tail[at, 4] >> 1]):
            edges[result, 0], edges[result, 1], edges[result, 2] = ~at, tail[at, 0], 0
            result += 1
    return result
