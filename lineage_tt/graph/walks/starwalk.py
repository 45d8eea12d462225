"""The walk over a state with star nodes: as in ``walking``, and with star edges joined to each column. Compiled.

At a column ``X#c`` the walk also processes the rows at ``X#*``: a row to ``Y#*`` leads to ``Y#c``, any other row to its
own target. At ``X#*`` itself it processes the rows at every column of X. A column that no edge named gets a number
after those of the state's nodes (``unnamed``); it has no rows of its own. A row is processed once for each column to
which it is joined, so there may be more edges than rows: if these, or unnamed columns, do not fit, the walk reports
this and is repeated with more room.

``walking`` alone walks states without star nodes.
"""

from __future__ import annotations

from typing import Any, Final

from lineage_tt.graph.arrays.compiled import jit
from lineage_tt.graph.arrays.names import Bytes, Ints, Longs
from lineage_tt.graph.arrays.stars import is_left_out, node_of_pair, slot_of_pair
from lineage_tt.graph.arrays.walking import expand, holds_late, rank_of

#: the counters of such a walk: nodes in the queue, edges noted, nodes that pass, edges joined, unnamed nodes, no room
STAR_TELLS: Final = 6


@jit
def unnamed_of(
    dataset: int, name: int, base: int, pairs: Ints, table: Ints, passes: Bytes, mask: Bytes, tell: Longs
) -> Any:
    """Return the number of an unnamed column, new if needed; -1 without room."""
    slot = slot_of_pair(dataset, name, table)
    while table[slot]:
        at = table[slot] - 1
        if pairs[at, 0] == dataset and pairs[at, 1] == name:
            return base + at
        slot = (slot + 1) & (len(table) - 1)
    at = tell[4]
    if at == len(pairs):
        return -1
    pairs[at, 0], pairs[at, 1] = dataset, name
    passes[at] = mask[dataset] if len(mask) > 1 else 1
    table[slot] = at + 1
    tell[4] = at + 1
    return base + at


@jit
def enter_unnamed(pairs: Ints, count: int, table: Ints) -> None:
    """Enter the first columns into an empty table."""
    for at in range(count):
        slot = slot_of_pair(pairs[at, 0], pairs[at, 1], table)
        while table[slot]:
            slot = (slot + 1) & (len(table) - 1)
        table[slot] = at + 1


@jit
def makes_itself(
    node: int, task: int, rank: int, valid_at: int, version: int, rows: Ints, rec: Ints, heads: Ints, tail: Ints,
    times: Longs, tails: int, hidden: Bytes, payloads: Ints,
) -> Any:  # fmt: skip
    """Return whether a task has a DIRECT edge of its own, in force, into a column; ``rows`` are by target."""
    shown = len(hidden) == 1
    for at in range(rec[node, 1], rec[node + 1, 1]):
        closed = rows[at, 4] if rows[at, 4] >= 0 else ~rows[at, 4]
        if rows[at, 1] <= rank and rank < rows[at, 2] and rows[at, 3] <= version and version < closed:
            payload = rows[at, 5]
            if not payload & 1 and payloads[payload >> 1, 0] == task and (shown or not hidden[payload >> 1]):
                return True
    if tails:
        at = heads[node, 1] - 1
        while at >= 0:
            if at < tails and holds_late(at, valid_at, valid_at, version, tail, times):
                payload = tail[at, 4]
                if not payload & 1 and payloads[payload >> 1, 0] == task and (shown or not hidden[payload >> 1]):
                    return True
            at = tail[at, 6] - 1
    return False


@jit
def join_row(
    ref: int, near: int, far: int, payload: int, name: int, down: bool, direct: bool, collect: bool, use: int,
    step: int, rank: int, valid_at: int, version: int, into: Ints, rec: Ints, heads: Ints, tail: Ints, times: Longs,
    tails: int, hidden: Bytes, mask: Bytes, mark: Ints, epoch: int, queue: Ints, edges: Ints, tell: Longs, nodes: int,
    star: Ints, column: Ints, table: Ints, payloads: Ints, base: int, pairs: Ints, unnamed: Ints, passes: Bytes,
    left: Ints, left_table: Ints,
) -> None:  # fmt: skip
    """Process a row of the star node for one column, ``near``, whose name is ``name``."""
    if direct and payload & 1:
        return
    if len(hidden) > 1 and hidden[payload >> 1]:
        return
    if len(left) and is_left_out(payloads[payload >> 1, 2], name, left, left_table):
        return
    sink = -1 if down or near >= base else near  # the column that the row makes, where it may have sources of its own
    if star[far] == far:
        dataset = rec[far, 2]
        far = node_of_pair(dataset, name, nodes, rec, column, table)
        if down:
            sink = far
        if far < 0:
            far = unnamed_of(dataset, name, base, pairs, unnamed, passes, mask, tell)
            if far < 0:
                tell[5] = 1
                return
    if sink >= 0 and makes_itself(
        sink,
        payloads[payload >> 1, 0],
        rank,
        valid_at,
        version,
        into,
        rec,
        heads,
        tail,
        times,
        tails,
        hidden,
        payloads,
    ):
        return
    good = use == 0 or (mask[far] if far < base else passes[far - base]) != 0
    old = mark[far]
    fresh = old >> 2 != epoch
    if fresh or not old & 1:
        if use == 1 and not good:
            return
        mark[far] = epoch << 2 | 1 | (0 if fresh else old & 2)
        queue[tell[0]] = far
        tell[0] += 1
        if good:
            tell[2] += 1
    if collect:
        at = tell[1]
        if tell[3] >= len(edges) - len(into) - tails:  # each row itself needs a position too
            tell[5] = 1
            return
        edges[at, 0], edges[at, 1], edges[at, 2], edges[at, 3] = ref, near, step, far
        tell[1] = at + 1
        tell[3] += 1


@jit
def join_rows(
    at_star: int, near: int, name: int, down: bool, direct: bool, collect: bool, use: int, step: int, rank: int,
    valid_at: int, version: int, rows: Ints, into: Ints, rec: Ints, heads: Ints, tail: Ints, times: Longs, tails: int,
    hidden: Bytes, mask: Bytes, mark: Ints, epoch: int, queue: Ints, edges: Ints, tell: Longs, nodes: int, star: Ints,
    column: Ints, table: Ints, payloads: Ints, base: int, pairs: Ints, unnamed: Ints, passes: Bytes,
    left: Ints, left_table: Ints,
) -> None:  # fmt: skip
    """Process the rows in force at a star node for one column of its dataset."""
    side = 0 if down else 1
    first, end = rec[at_star, side], rec[at_star + 1, side]
    at = first
    while at < end and rows[at, 4] >= 0 and rows[at, 2] > rank:
        if rows[at, 1] <= rank and rows[at, 3] <= version and version < rows[at, 4]:
            join_row(
                at, near, rows[at, 0], rows[at, 5], name, down, direct, collect, use, step, rank, valid_at, version,
                into, rec, heads, tail, times, tails, hidden, mask, mark, epoch, queue, edges, tell, nodes, star,
                column, table, payloads, base, pairs, unnamed, passes, left, left_table)  # fmt: skip
        at += 1
    at = end - 1
    while at >= first and ~rows[at, 4] > version:
        if rows[at, 1] <= rank and rank < rows[at, 2] and rows[at, 3] <= version:
            join_row(
                at, near, rows[at, 0], rows[at, 5], name, down, direct, collect, use, step, rank, valid_at, version,
                into, rec, heads, tail, times, tails, hidden, mask, mark, epoch, queue, edges, tell, nodes, star,
                column, table, payloads, base, pairs, unnamed, passes, left, left_table)  # fmt: skip
        at -= 1
    if tails:
        at = heads[at_star, side] - 1
        while at >= 0:
            if at < tails and holds_late(at, valid_at, valid_at, version, tail, times):
                join_row(
                    ~at, near, tail[at, 1 - side], tail[at, 4], name, down, direct, collect, use, step, rank, valid_at,
                    version, into, rec, heads, tail, times, tails, hidden, mask, mark, epoch, queue, edges, tell, nodes,
                    star, column, table, payloads, base, pairs, unnamed, passes, left, left_table)  # fmt: skip
            at = tail[at, 5 + side] - 1


@jit
def next_near(near: int, node: int, down: bool, first: bool, base: int, rec: Ints, is_star: bool) -> Any:
    """Return the node whose rows come after those of ``near`` when the walk is at ``node``, -1 at the end."""
    if node >= base:
        return -1
    whole = rec[node, 2]
    if is_star:  # itself, upstream the whole dataset, then all other columns
        if near == node and not down:
            return whole
        following = rec[whole, 3] if near in (node, whole) else rec[near, 3]
        return rec[node, 3] if following == node else following
    if near != node:
        return rec[near, 3] if whole == node else -1
    if whole != node:
        return -1 if down else whole
    return rec[node, 3] if down or first else -1


@jit
def walk_stars(
    starts: Ints, down: bool, valid_at: int, version: int, depth: int, direct: bool, collect: bool, use: int,
    enough: int, rows: Ints, into: Ints, rec: Ints, instants: Longs, heads: Ints, tail: Ints, times: Longs,
    tails: int, hidden: Bytes, mask: Bytes, mark: Ints, epoch: int, queue: Ints, steps: Ints, edges: Ints,
    tell: Longs, nodes: int, star: Ints, column: Ints, table: Ints, payloads: Ints, base: int, pairs: Ints,
    unnamed: Ints, passes: Bytes, left: Ints, left_table: Ints,
) -> Any:  # fmt: skip
    """Walk at column level; return how many of the queue's nodes are the start. ``tell[5]`` is set without room."""
    rank = rank_of(valid_at, instants)
    reached, noted, passed, touched = 0, 0, 0, 0
    for start in starts:
        if mark[start] >> 2 != epoch:
            mark[start] = epoch << 2 | 1
            queue[reached] = start
            steps[reached] = 0
            reached += 1
    start_count = reached
    begin, end, step = 0, start_count, 0
    while begin < end and step < depth and not tell[5]:
        step += 1
        for place in range(begin, end):
            node = queue[place]
            if node >= base:
                whole, name = pairs[node - base, 0], pairs[node - base, 1]
                is_star, near = False, -1 if down else whole
            else:
                whole, name = rec[node, 2], column[node]
                is_star, near = star[node] == node, node
            while near >= 0:
                before = noted
                reached, noted, passed, touched = expand(
                    near, down, rank, valid_at, version, 0, direct, collect, use, step, rows, rec, heads, tail,
                    times, tails, hidden, mask, mark, epoch, queue, edges, reached, noted, passed, touched)  # fmt: skip
                for at in range(before, noted):
                    edges[at, 3] = -1
                near = next_near(near, node, down, step == 1, base, rec, is_star)
            if node != whole and not is_star and star[whole] >= 0 and star[whole] < nodes:
                tell[0], tell[1], tell[2] = reached, noted, passed
                join_rows(
                    star[whole], node, name, down, direct, collect, use, step, rank, valid_at, version, rows, into,
                    rec, heads, tail, times, tails, hidden, mask, mark, epoch, queue, edges, tell, nodes, star,
                    column, table, payloads, base, pairs, unnamed, passes, left, left_table)  # fmt: skip
                reached, noted, passed = tell[0], tell[1], tell[2]
                if tell[5]:
                    break
        for at in range(end, reached):
            steps[at] = step
        begin, end = end, reached
        if enough >= 0 and passed >= enough:
            enough = -1
            depth = min(depth, step + 1)
    tell[0], tell[1], tell[2] = reached, noted, passed
    return start_count
