"""The fixpoint, compiled: labels are bits that spread over carrying edges in rounds, so each takes its shortest path.

A dataset's labels are also on all its columns. A round only visits what the round before gained, so the work is
proportional to the labels that spread, not to the graph. A word of bits is only as wide as the labels need, so what
each edge reads stays in the processor's cache.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from lineage_tt.graph.arrays.compiled import MANY_NODES, both, fetching, jit
from lineage_tt.graph.arrays.names import Ints, Longs

fetch = fetching()
u32 = np.uint32
#: How far ahead in the queue a node's data is prefetched from memory.
STARTS_AHEAD: Final = 16
EDGES_AHEAD: Final = 8
EVERY_OTHER: Final = 0x5555555555555555
#: Bits by node, in words of 8, 32 or 64.
Words = npt.NDArray[np.unsignedinteger[Any]]
Flags = npt.NDArray[np.uint8]


def word_type(bits: int) -> type[np.unsignedinteger[Any]]:
    """Return the type of words for ``bits`` labels: more than 64 take several words."""
    return np.uint8 if bits <= 8 else np.uint32 if bits <= 32 else np.uint64


class Carried(NamedTuple):
    """The edges that carry labels, by their near ends: ``far`` and ``passes`` are in the order of ``starts``."""

    starts: Ints
    far: Ints
    #: the bits that each edge lets through; empty if all edges let all bits through
    passes: Words


@jit
def in_order(near: Ints) -> Any:
    """Return whether edges are ordered by their near ends."""
    ordered = True
    for at in range(1, len(near)):
        ordered &= near[at] >= near[at - 1]
    return ordered


@jit
def count_kept(near: Ints, mask: npt.NDArray[np.bool_], starts: Ints) -> None:
    """Write where the kept edges of each node begin; ``starts`` has one place more than there are nodes."""
    for at in range(len(near)):
        starts[near[at] + 1] += mask[at]
    for node in range(len(starts) - 1):
        starts[node + 1] += starts[node]


@jit
def fill_kept(
    near: Ints, far: Ints, mask: npt.NDArray[np.bool_], places: Ints, ends: Ints, order: Ints
) -> None:  # fmt: skip
    """Write the far ends and the numbers of the kept edges, by their near ends; this advances ``places``."""
    for at in range(len(near)):
        if mask[at]:
            place = places[near[at]]
            places[near[at]] = place + 1
            ends[place] = far[at]
            order[place] = at


@jit
def begin(
    stated: Words, allowed: Words, whole: Flags, member_starts: Longs, members: Ints, fresh: Words, missing: Words,
    queue: Ints,
) -> Any:  # fmt: skip
    """Write what each node has at first, including its dataset's labels, and what else it may get.

    The nodes that have any bits are queued; returns how many there are.
    """
    for node in range(len(stated)):
        fresh[node] = stated[node]
        missing[node] = allowed[node] & ~stated[node]
    count = 0
    for node in range(len(stated)):
        if stated[node]:
            queue[count] = node
            count += 1
            if whole[node]:
                for member in range(member_starts[node], member_starts[node + 1]):
                    column = members[member]
                    more = stated[node] & missing[column]
                    missing[column] ^= more
                    if more and not fresh[column]:
                        queue[count] = column
                        count += 1
                    fresh[column] |= more
    return count


@jit
def spread(
    depth: int, starts: Ints, far: Ints, passes: Words, missing: Words, whole: Flags, member_starts: Longs,
    members: Ints, fresh: Words, later: Words, queue: Ints, following: Ints, count: int,
) -> Any:  # fmt: skip
    """Spread what the first ``count`` nodes of the queue have as ``fresh``; return the rounds that it took.

    ``missing`` are the bits that each node may have but does not have, so an edge reads only one word of its far end.
    ``whole`` flags the datasets that have columns. ``queue`` and ``following`` have one place more than there are
    nodes: the place after the last is always written, but only counted if the node is new. Places are unsigned, so the
    compiler need not handle negative indexes. Where ``later`` is ``fresh`` itself, a node that waits in the queue also
    passes on what it gains meanwhile, which is faster; bits then do not arrive in the order of steps, so no depth may
    be set.
    """
    step = 0
    blocks = len(passes) > 0
    while count and step < depth:
        step += 1
        reached = 0
        for place in range(count):
            if place + STARTS_AHEAD < count:
                fetch(starts, queue[u32(place + STARTS_AHEAD)])
            if place + EDGES_AHEAD < count:
                fetch(far, starts[u32(queue[u32(place + EDGES_AHEAD)])])
            node = u32(queue[u32(place)])
            bits = fresh[node]
            fresh[node] = 0
            for at in range(starts[node], starts[node + u32(1)]):
                there = u32(far[u32(at)])
                gain = bits & missing[there]
                if blocks:
                    gain &= passes[u32(at)]
                if gain:
                    missing[there] ^= gain
                    had = later[there]
                    later[there] = had | gain
                    following[u32(reached)] = there
                    reached += had == 0
                    if whole[there]:
                        for member in range(member_starts[there], member_starts[there + u32(1)]):
                            column = u32(members[u32(member)])
                            more = gain & missing[column]
                            missing[column] ^= more
                            had = later[column]
                            later[column] = had | more
                            following[u32(reached)] = column
                            reached += (more != 0) & (had == 0)
        queue, following = following, queue
        fresh, later = later, fresh
        count = reached
    return step


@jit
def end(stated: Words, allowed: Words, missing: Words, have: Words) -> None:
    """Write what each node has in the end: what is stated for it, and all that it may have and does not miss."""
    for node in range(len(stated)):
        have[node] = stated[node] | (allowed[node] & ~missing[node])


def carried(near: Ints, far: Ints, mask: npt.NDArray[np.bool_], nodes: int, passes: Words | None = None) -> Carried:
    """Return the kept edges, ordered by their near ends; without ``passes`` all edges let all bits through."""
    starts = np.zeros(nodes + 1, np.int32)
    count_kept(near, mask, starts)
    count = int(starts[-1])
    if count == len(near) and in_order(near):
        return in_place(starts, far, passes)
    ends, edge = np.empty(count, np.int32), np.empty(count, np.int32)
    fill_kept(near, far, mask, starts[:-1].copy(), ends, edge)
    return in_place(starts, ends, None if passes is None else passes[edge])


def in_place(starts: Ints, far: Ints, passes: Words | None = None) -> Carried:
    """Return edges that are ordered by their near ends; without ``passes`` all edges let all bits through."""
    return Carried(starts, far, np.empty(0, np.uint64) if passes is None else passes)


def fixpoint(
    edges: Carried, allowed: Words, whole: Flags, member_starts: Longs, members: Ints, stated: Words, depth: int | None
) -> Words:  # fmt: skip
    """Return what each node has: what is stated for it, and what reaches it. All words have one type.

    Labels do not depend on each other, so in a large graph half of the bits spread in a second thread: the time goes to
    waiting for memory, which two cores can do at once.
    """
    rest = (edges, allowed, whole, member_starts, members)
    if len(stated) < MANY_NODES:
        return _fixpoint(*rest, stated, depth)
    some = stated.dtype.type(EVERY_OTHER & int(np.iinfo(stated.dtype).max))
    halves = stated & some, stated & ~some
    if not (halves[0].any() and halves[1].any()):
        return _fixpoint(*rest, stated, depth)
    have, more = both(
        lambda: _fixpoint(*rest, halves[0], depth), lambda: _fixpoint(*rest, halves[1], depth), len(stated)
    )  # fmt: skip
    have |= more
    return have


def _fixpoint(
    edges: Carried, allowed: Words, whole: Flags, member_starts: Longs, members: Ints, stated: Words, depth: int | None
) -> Words:  # fmt: skip
    nodes = len(stated)
    fresh, missing = np.empty_like(stated), np.empty_like(stated)
    later = fresh if depth is None else np.zeros_like(stated)
    queue, following = np.empty(nodes + 1, np.int32), np.empty(nodes + 1, np.int32)
    count = begin(stated, allowed, whole, member_starts, members, fresh, missing, queue)
    passes: Words = edges.passes.astype(stated.dtype, copy=False)
    spread(
        2**31 - 1 if depth is None else depth, edges.starts, edges.far, passes, missing, whole, member_starts, members,
        fresh, later, queue, following, count,
    )  # fmt: skip
    end(stated, allowed, missing, fresh)
    return fresh
