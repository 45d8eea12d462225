"""How lineage continues from an edge over an interval of valid time, for subscriptions that watch a closure.

An edge is upstream of a node if lineage leads from the edge, edge by edge, to an edge that enters the node; downstream
if lineage leads to it from an edge that leaves the node. So one short walk from a changed edge answers for all watchers
at once, instead of a thousand walks, one for each.

How lineage continues is defined by ``asof`` in SQL: after an edge come those out of its target and, if that is a whole
dataset, out of its columns; before it come those into its source and into its source's dataset as a whole.

Over a state with star nodes the result is only approximate: a column continues with the star edges of its dataset, and
a star node with the edges of every column, whatever their names. Whether a walk from a watched node really joins them
is determined by that walk (``steps_from``).
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np

from lineage_tt.graph.arrays.compiled import jit
from lineage_tt.graph.arrays.names import Ints, Longs
from lineage_tt.graph.arrays.state import NOTHING_HIDDEN, State, edge_texts
from lineage_tt.graph.arrays.walking import holds_late, rank_of
from lineage_tt.graph.walks.joining import StarWalk, walk_through_stars
from lineage_tt.graph.walks.meeting import stored_ends
from lineage_tt.graph.walks.ports import WalkedGraph
from lineage_tt.graph.walks.unnamed import Unnamed
from lineage_tt.model.edges import dataset_of, is_star

ENDLESS: Final = 2**31 - 1


class Reach(NamedTuple):
    """Nodes that edges lead on to (or come from), by number, each with its least number of edges; the start is at 0.

    ``instants`` are the valid times inside the interval at which an edge on the way begins or ends: between two of them
    the answer is the same.
    """

    ids: Ints
    steps: Ints
    instants: list[int]
    #: whether a star edge or a star node was on the way: then walks must determine the answer
    by_star: bool = False


@jit
def note_into(
    dataset: int, low: int, high: int, first_rank: int, last_rank: int, version: int, into: Ints, rec: Ints,
    instants: Longs, heads: Ints, tail: Ints, times: Longs, tails: int, seen: Longs, noted: int,
) -> Any:  # fmt: skip
    """Note when edges into the columns of a dataset begin and end: they determine which columns a star edge makes."""
    node = rec[dataset, 3]
    while node >= 0:
        for at in range(rec[node, 1], rec[node + 1, 1]):
            closed = rows_closed(into, at)
            if into[at, 1] <= last_rank and into[at, 2] > first_rank and into[at, 3] <= version and version < closed:
                if into[at, 1] > first_rank and noted < len(seen):
                    seen[noted] = instants[into[at, 1]]
                    noted += 1
                if into[at, 2] <= last_rank and noted < len(seen):
                    seen[noted] = instants[into[at, 2]]
                    noted += 1
        if tails:
            at = heads[node, 1] - 1
            while at >= 0:
                if at < tails and holds_late(at, low, high - 1, version, tail, times):
                    if times[at, 0] > low and noted < len(seen):
                        seen[noted] = times[at, 0]
                        noted += 1
                    if times[at, 1] < high and noted < len(seen):
                        seen[noted] = times[at, 1]
                        noted += 1
                at = tail[at, 6] - 1
        node = rec[node, 3]
    return noted


@jit
def rows_closed(rows: Ints, at: int) -> Any:
    """Return the version that closed a row."""
    return rows[at, 4] if rows[at, 4] >= 0 else ~rows[at, 4]


@jit
def next_of(near: int, node: int, down: bool, rec: Ints, star: Ints, nodes: int) -> Any:
    """Return the node whose rows come after those of ``near`` when a chain is at ``node``, -1 at the end."""
    whole = rec[node, 2]
    at_star = star[whole] if len(star) else -1
    if at_star >= nodes:
        at_star = -1
    if node == whole:  # down, a whole dataset continues with its columns
        return (rec[node, 3] if near == node else rec[near, 3]) if down else -1
    if node == at_star:  # itself, upstream the whole dataset, then all other columns
        if near == node and not down:
            return whole
        following = rec[whole, 3] if near in (node, whole) else rec[near, 3]
        return rec[node, 3] if following == node else following
    if near == node and not down:  # a column comes from its dataset as a whole, too
        return whole
    return at_star if near != at_star else -1


@jit
def chain(
    start: int, down: bool, low: int, high: int, version: int, depth: int, direct: bool, rows: Ints, rec: Ints,
    instants: Longs, heads: Ints, tail: Ints, times: Longs, tails: int, mark: Ints, epoch: int, queue: Ints,
    steps: Ints, seen: Longs, tell: Longs, into: Ints, star: Ints, nodes: int,
) -> None:  # fmt: skip
    """Walk over the rows in force at any time in [low, high); ``tell``: nodes, instants noted, whether by star."""
    first_rank, last_rank = rank_of(low, instants), rank_of(high - 1, instants)
    side = 0 if down else 1
    mark[start] = epoch << 2
    queue[0], steps[0] = start, 0
    count, noted = 1, 0
    place, by_star = 0, 0
    while place < count and steps[place] < depth:
        node = queue[place]
        whole = rec[node, 2]
        if len(star) and star[whole] >= 0 and star[whole] < nodes and node != whole:
            by_star = 1
            noted = note_into(whole, low, high, first_rank, last_rank, version, into, rec, instants, heads, tail, times,
                              tails, seen, noted)  # fmt: skip
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
            near = next_of(near, node, down, rec, star, nodes)
        place += 1
    tell[0], tell[1], tell[2] = count, noted, by_star


def reach(
    graph: WalkedGraph, state: State, number: int, *, down: bool, stretch: tuple[int, int], version: int, depth: int,
    direct_only: bool,
) -> Reach:  # fmt: skip
    """Return where lineage leads from an edge whose target is a node (``down``), or from where it reaches its source.

    ``stretch`` is [from, to) in UTC microseconds; edges in force at any time in it, as known at ``version``, are
    followed.
    """
    room = 1024
    with graph.scratches.one(state) as scratch:
        while True:
            seen = np.empty(room, np.int64)
            chain(
                number, down, stretch[0], stretch[1], version, depth, direct_only, state.out if down else state.into,
                state.record, state.instants, state.heads, state.tail, state.times, state.tails, scratch.mark,
                scratch.next_walks(), scratch.queue, scratch.steps, seen, scratch.tell, state.into, state.stars.star,
                state.nodes,
            )  # fmt: skip
            count, noted, by_star = (int(value) for value in scratch.tell[:3])
            if noted < room:
                break
            room *= 8
        nodes_and_steps = scratch.queue[:count].copy(), scratch.steps[:count].copy()
    ends = state.stars.star[nodes_and_steps[0]] if state.stars.total else nodes_and_steps[0][:0]
    starred = bool(by_star) or bool(((ends >= 0) & (ends < state.nodes)).any())
    return Reach(*nodes_and_steps, np.unique(seen[:noted]).tolist() if noted else [], starred)


def own_instants(state: State, dataset: int, stretch: tuple[int, int], version: int) -> list[int]:
    """Return the valid times inside an interval at which an edge into a column of a dataset begins or ends."""
    ranks = rank_of(stretch[0], state.instants), rank_of(stretch[1] - 1, state.instants)
    room = 1024
    while True:
        seen = np.empty(room, np.int64)
        noted = note_into(
            dataset, *stretch, *ranks, version, state.into, state.record, state.instants, state.heads, state.tail,
            state.times, state.tails, seen, 0,
        )  # fmt: skip
        if noted < room:
            result: list[int] = np.unique(seen[:noted]).tolist()
            return result
        room *= 8


def starts_of(graph: WalkedGraph, state: State, node: str, down: bool, unnamed: Unnamed) -> Ints:
    """Return where to start a walk from a node that may not be named yet: a watched node may appear later."""
    number = unnamed.number(node)
    whole = graph.names.nodes.find(dataset_of(node))
    if number >= 0:
        return np.array([number], np.int32)
    if whole < 0 or whole >= state.nodes or whole == graph.names.nodes.find(node):
        return np.zeros(0, np.int32)
    if not is_star(node):
        return np.array([unnamed.add(whole, node.partition("#")[2])], np.int32)
    if not down:
        return np.array([whole], np.int32)
    owners = graph.names.datasets_from(0)[: state.nodes]
    inside = owners == whole
    inside[whole] = False
    return np.flatnonzero(inside).astype(np.int32)


def steps_from(
    graph: WalkedGraph, state: State, node: str, *, down: bool, at: int, version: int, direct_only: bool
) -> tuple[dict[tuple[str, str, str, str, str, str], int], dict[str, int]]:
    """Return what a walk from a node meets at a valid time: each stored edge, and each node it reaches, with steps.

    Star edges are as stored; the nodes do not include the start of the walk.
    """
    unnamed = Unnamed(graph.names, state)
    starts = starts_of(graph, state, node, down, unnamed)
    if not len(starts):
        return {}, {}
    star_walk = StarWalk(down, at, version, ENDLESS, direct_only, 0, NOTHING_HIDDEN)
    ids, steps, noted = walk_through_stars(graph, state, starts, star_walk, unnamed)
    edges: dict[tuple[str, str, str, str, str, str], int] = {}
    stored = stored_ends(state, noted, down, unnamed)
    texts = zip(*edge_texts(stored, graph.names, unnamed), strict=True)
    for (task, *edge), step in zip(texts, noted[:, 2].tolist(), strict=True):
        key = (task, edge[0], edge[1], edge[2], edge[3], edge[4])
        edges[key] = min(step, edges.get(key, step))
    return edges, dict(zip(unnamed.take(ids).to_pylist(), steps.tolist(), strict=True))
