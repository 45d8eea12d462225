"""The fixpoint, compiled: labels are bits, and go over carrying edges in rounds, so that each comes the shortest way.

A dataset's labels are on all its columns at once. A round looks at what the round before gained, so that the work is
that of the labels that spread, not of the graph.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from lineage_tt.graph.arrays.compiled import jit
from lineage_tt.graph.arrays.names import Ints, Longs
from lineage_tt.graph.arrays.rows import count_ends

Words = npt.NDArray[np.uint64]


class Carried(NamedTuple):
    """The edges that carry labels, by where they come from: ``far`` and ``passes`` lie in order of ``starts``."""

    starts: Longs
    far: Ints
    #: bits that each lets through; of length 1 where all let all through
    passes: Words
    edge: Ints


@jit
def fill_order(near: Ints, places: Longs, order: Ints) -> None:
    """Write the numbers of edges in order of their near ends; ``places``, where each node's begin, are moved on."""
    for at in range(len(near)):
        place = places[near[at]]
        places[near[at]] = place + 1
        order[place] = at


@jit
def spread(
    depth: int, starts: Longs, far: Ints, passes: Words, allowed: Words, member_starts: Longs, members: Ints,
    have: Words, fresh: Words, later: Words, queue: Ints, following: Ints, count: int,
) -> Any:  # fmt: skip
    """Spread what the first ``count`` nodes of the queue have as ``fresh``; return the rounds that it took."""
    step = 0
    one = len(passes) == 1
    while count and step < depth:
        step += 1
        found = 0
        for place in range(count):
            node = queue[place]
            bits = fresh[node]
            fresh[node] = np.uint64(0)
            for at in range(starts[node], starts[node + 1]):
                there = far[at]
                gain = bits & allowed[there] & ~have[there]
                if not one:
                    gain &= passes[at]
                if gain:
                    have[there] |= gain
                    if not later[there]:
                        following[found] = there
                        found += 1
                    later[there] |= gain
                    for member in range(member_starts[there], member_starts[there + 1]):
                        column = members[member]
                        more = gain & allowed[column] & ~have[column]
                        if more:
                            have[column] |= more
                            if not later[column]:
                                following[found] = column
                                found += 1
                            later[column] |= more
        for place in range(found):
            node = following[place]
            queue[place] = node
            fresh[node] = later[node]
            later[node] = np.uint64(0)
        count = found
    return step


def carried(near: Ints, far: Ints, kept: npt.NDArray[Any], nodes: int, passes: Words | None = None) -> Carried:
    """Return the edges at some places by their near ends."""
    ends = np.ascontiguousarray(near[kept])
    starts, order = np.zeros(nodes + 1, np.int64), np.empty(len(kept), np.int32)
    count_ends(ends, starts)
    fill_order(ends, starts[:-1].copy(), order)
    edge = kept.astype(np.int32)[order]
    through = np.full(1, 2**64 - 1, np.uint64) if passes is None else passes[edge]
    return Carried(starts, np.ascontiguousarray(far[edge]), through, edge)


def fixpoint(
    edges: Carried, allowed: Words, member_starts: Longs, members: Ints, stated: Words, depth: int | None
) -> Words:
    """Return what each node has: what is stated of it, and what comes to it."""
    nodes = len(stated)
    have, fresh, later = stated.copy(), np.zeros(nodes, np.uint64), np.zeros(nodes, np.uint64)
    begin = np.flatnonzero(stated)
    for dataset in begin.tolist():  # a dataset's labels are stated of its columns
        columns = members[member_starts[dataset] : member_starts[dataset + 1]]
        have[columns] |= stated[dataset] & allowed[columns]
    begin = np.flatnonzero(have).astype(np.int32)
    fresh[begin] = have[begin]
    queue, following = np.empty(nodes, np.int32), np.empty(nodes, np.int32)
    queue[: len(begin)] = begin
    spread(
        2**31 - 1 if depth is None else depth, edges.starts, edges.far, edges.passes, allowed, member_starts, members,
        have, fresh, later, queue, following, len(begin),
    )  # fmt: skip
    return have
