"""Walks over a state with star nodes, called from Python, and repeated with more room if the room was too small."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from lineage_tt.graph.arrays.names import Bytes, Ints
from lineage_tt.graph.arrays.stars import no_stars
from lineage_tt.graph.arrays.state import State
from lineage_tt.graph.walks.ports import WalkedGraph
from lineage_tt.graph.walks.scratch import StarScratch
from lineage_tt.graph.walks.starwalk import enter_unnamed, walk_stars
from lineage_tt.graph.walks.unnamed import Unnamed


class StarWalk(NamedTuple):
    """A walk at column level in one direction; ``use`` and ``mask`` are those of a filter."""

    down: bool
    valid_at: int
    version: int
    depth: int
    direct_only: bool
    use: int
    mask: Bytes
    enough: int = -1
    collect: bool = True


def walk_through_stars(
    graph: WalkedGraph, state: State, starts: Ints, walk: StarWalk, unnamed: Unnamed
) -> tuple[Ints, Ints, Ints]:
    """Return the nodes reached, their steps, and the edges noted: (place, near end, step, far end or -1).

    The far end is given if the edge was joined to a column. Columns that no edge named are added to ``unnamed``.
    """
    scratch = graph.scratches.take_stars(state)
    while True:
        room = max(scratch.unnamed, len(unnamed))
        pairs, passes = np.zeros((room, 2), np.int32), np.ones(room, np.uint8)
        pairs[: len(unnamed)], passes[: len(unnamed)] = unnamed.pairs, unnamed.passes
        if room > scratch.unnamed:
            scratch = StarScratch(state, room, scratch.joined)
        first = _run(graph, state, starts, walk, scratch, unnamed, pairs, passes)
        tell = scratch.tell
        if not tell[5]:
            break
        scratch = StarScratch(state, 4 * scratch.unnamed, 4 * scratch.joined)
    end = tell[0]
    result = (
        scratch.queue[first:end].copy(),
        scratch.steps[first:end].copy(),
        scratch.edges[: tell[1]].copy(),
    )
    unnamed.pairs, unnamed.passes = pairs[: tell[4]].copy(), passes[: tell[4]].copy()
    graph.scratches.give_back_stars(scratch)
    return result


def _run(
    graph: WalkedGraph, state: State, starts: Ints, walk: StarWalk, scratch: StarScratch, unnamed: Unnamed, pairs: Ints,
    passes: Bytes,
) -> int:  # fmt: skip
    table = np.zeros(max(16, 1 << (2 * len(pairs)).bit_length()), np.int32)
    enter_unnamed(pairs, len(unnamed), table)
    scratch.tell[:] = 0
    scratch.tell[4] = len(unnamed)
    stars = state.stars if state.stars.total else no_stars(state.nodes)
    rows = state.out if walk.down else state.into
    result: int = walk_stars(
        starts, walk.down, walk.valid_at, walk.version, walk.depth, walk.direct_only, walk.collect, walk.use,
        walk.enough, rows, state.into, state.record, state.instants, state.heads, state.tail, state.times, state.tails,
        state.hidden, walk.mask, scratch.mark, scratch.next_walk(), scratch.queue, scratch.steps, scratch.edges,
        scratch.tell, state.nodes, stars.star, stars.column, stars.table, graph.names.all_payloads, unnamed.base, pairs,
        table, passes, stars.left, stars.left_table,
    )  # fmt: skip
    return result
