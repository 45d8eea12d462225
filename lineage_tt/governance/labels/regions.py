"""Labels updated after changes, compiled: the work is proportional to the affected nodes, not to the graph.

Removed labels are taken from every node that they may have reached; labels that nodes still get from elsewhere are
restored; new labels spread. Edges are those of a point; changes since then are sorted keys ``near << 32 | far``.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np

from lineage_tt.governance.labels.spreading import Flags, Words
from lineage_tt.graph.arrays.compiled import inlined, jit
from lineage_tt.graph.arrays.names import Ints, Longs
from lineage_tt.graph.arrays.rows import FAR_END
from lineage_tt.graph.arrays.walking import rank_of

#: The changes of the edges at a node.
GONE: Final = 1
COME: Final = 2


class Paths(NamedTuple):
    """The edges at each node in one direction: those of a point that are not ``gone``, and those that have ``come``.

    Forward, a dataset leads to its columns, which are ``columns`` by ``column_starts``; backward, a column leads to its
    dataset in ``owner``. Arrays that a direction does not use are empty. ``changed`` flags the nodes with edges that
    are gone or have come.
    """

    starts: Ints
    far: Ints
    column_starts: Longs
    columns: Ints
    owner: Ints
    gone: Longs
    come: Longs
    changed: Flags


class Word(NamedTuple):
    """One word of the bits of each node: what it has, what may reach it, and what is stated for it."""

    have: Words
    allowed: Words
    stated: Words


class Region(NamedTuple):
    """The nodes that one change of labels affects, and what they had before it."""

    waiting: Ints
    scratch: Ints
    #: by node: bits to remove from it, and bits that were removed
    pending: Words
    taken: Words
    #: by node: whether it waits, whether it was met, and what it had before
    waits: Flags
    met: Flags
    had: Words
    nodes: Ints

    @classmethod
    def over(cls, word: Word, paths: tuple[Paths, Paths]) -> Region:
        """Return the arrays for a change; pages that are not touched take no memory."""
        count, kind = len(word.have), word.have.dtype
        most = max(len(each.far) + len(each.columns) + len(each.come) for each in paths)
        return cls(
            np.empty(count + 1, np.int32), np.empty(most + 1, np.int32), np.zeros(count, kind), np.zeros(count, kind),
            np.zeros(count, np.uint8), np.zeros(count, np.uint8), np.empty(count, kind), np.empty(count + 1, np.int32),
        )  # fmt: skip


@jit
def write_ends(
    node: int, starts: Ints, far: Ints, column_starts: Longs, columns: Ints, owner: Ints, gone: Longs, come: Longs,
    changed: Flags, out: Ints,
) -> Any:  # fmt: skip
    """Write the far ends of the edges at a node; return their number."""
    count = 0
    near = node << 32
    if node < len(starts) - 1:
        for at in range(starts[node], starts[node + 1]):
            if changed[node] & GONE:
                key = near | far[at]
                place = rank_of(key, gone)
                if place >= 0 and gone[place] == key:
                    continue
            out[count] = far[at]
            count += 1
        if len(columns):
            for at in range(column_starts[node], column_starts[node + 1]):
                out[count] = columns[at]
                count += 1
        if len(owner) and owner[node] != node:
            out[count] = owner[node]
            count += 1
    if changed[node] & COME:
        place = rank_of(near - 1, come) + 1
        while place < len(come) and come[place] >> 32 == node:
            out[count] = come[place] & FAR_END
            count += 1
            place += 1
    return count


@jit
def count_edges(
    near: Ints, far: Ints, out_starts: Ints, out_far: Ints, in_starts: Ints, in_far: Ints, counts: Longs
) -> None:  # fmt: skip
    """Write how many edges of a point lie between pairs of nodes, searching the shorter of the two lists of edges."""
    nodes = len(out_starts) - 1
    for at in range(len(near)):
        one, other = near[at], far[at]
        counts[at] = 0
        if one < nodes and other < nodes:
            if out_starts[one + 1] - out_starts[one] <= in_starts[other + 1] - in_starts[other]:
                for place in range(out_starts[one], out_starts[one + 1]):
                    counts[at] += out_far[place] == other
            else:
                for place in range(in_starts[other], in_starts[other + 1]):
                    counts[at] += in_far[place] == one


@inlined
def note(node: int, have: Words, met: Flags, had: Words, nodes: Ints, noted: int) -> Any:
    """Record once what a node has before it changes; return how many nodes were met."""
    if not met[node]:
        met[node] = 1
        had[node] = have[node]
        nodes[noted] = node
        noted += 1
    return noted


@inlined
def wait(node: int, waiting: Ints, waits: Flags, count: int) -> Any:
    """Queue a node once to pass on what it has; return how many nodes wait."""
    if not waits[node]:
        waits[node] = 1
        waiting[count] = node
        count += 1
    return count


@inlined
def hand_over(
    bits: int, there: int, have: Words, allowed: Words, waiting: Ints, waits: Flags, met: Flags, had: Words,
    nodes: Ints, noted: int, count: int,
) -> Any:  # fmt: skip
    """Give bits to a node; return how many nodes were met and how many wait."""
    gain = bits & ~have[there] & allowed[there]
    if gain:
        noted = note(there, have, met, had, nodes, noted)
        have[there] |= gain
        count = wait(there, waiting, waits, count)
    return noted, count


@jit
def begin_loss(near: Ints, far: Ints, have: Words, pending: Words, waiting: Ints, count: int) -> Any:
    """Queue far ends to lose what near ends have; return how many nodes wait."""
    for at in range(len(near)):
        bits = have[near[at]]
        if bits:
            if not pending[far[at]]:
                waiting[count] = far[at]
                count += 1
            pending[far[at]] |= bits
    return count


@jit
def take_away(
    count: int,
    starts: Ints, far: Ints, column_starts: Longs, columns: Ints, owner: Ints, gone: Longs, come: Longs,
    changed: Flags, have: Words, allowed: Words, stated: Words,
    waiting: Ints, scratch: Ints, pending: Words, taken: Words, waits: Flags, met: Flags, had: Words, nodes: Ints,
) -> Any:  # fmt: skip
    """Remove the pending bits of the first ``count`` waiting nodes wherever they may have spread; return the nodes."""
    noted = 0
    while count:
        count -= 1
        node = waiting[count]
        bits = pending[node] & have[node] & ~taken[node] & ~stated[node]
        pending[node] = 0
        if bits:
            noted = note(node, have, met, had, nodes, noted)
            taken[node] |= bits
            ends = write_ends(node, starts, far, column_starts, columns, owner, gone, come, changed, scratch)
            for at in range(ends):
                there = scratch[at]
                if not pending[there]:
                    waiting[count] = there
                    count += 1
                pending[there] |= bits
    for at in range(noted):
        have[nodes[at]] &= ~taken[nodes[at]]
    return noted


@jit
def put_back(
    noted: int, count: int,
    starts: Ints, far: Ints, column_starts: Longs, columns: Ints, owner: Ints, gone: Longs, come: Longs,
    changed: Flags, have: Words, allowed: Words, stated: Words,
    waiting: Ints, scratch: Ints, pending: Words, taken: Words, waits: Flags, met: Flags, had: Words, nodes: Ints,
) -> Any:  # fmt: skip
    """Restore what the first ``noted`` nodes still get from elsewhere; return how many nodes wait to pass it on."""
    for place in range(noted):
        node = nodes[place]
        back = taken[node] & allowed[node]
        if back:
            bits = back ^ back
            ends = write_ends(node, starts, far, column_starts, columns, owner, gone, come, changed, scratch)
            for at in range(ends):
                bits |= have[scratch[at]]
            back &= bits
        if back:
            have[node] |= back
            count = wait(node, waiting, waits, count)
    return count


@jit
def hand_on(
    near: Ints, far: Ints, have: Words, allowed: Words, waiting: Ints, waits: Flags, met: Flags, had: Words,
    nodes: Ints, noted: int, count: int,
) -> Any:  # fmt: skip
    """Give far ends what near ends have; return how many nodes were met and how many wait."""
    for at in range(len(near)):
        noted, count = hand_over(
            have[near[at]], far[at], have, allowed, waiting, waits, met, had, nodes, noted, count
        )  # fmt: skip
    return noted, count


@jit
def spread_on(
    noted: int, count: int,
    starts: Ints, far: Ints, column_starts: Longs, columns: Ints, owner: Ints, gone: Longs, come: Longs,
    changed: Flags, have: Words, allowed: Words, stated: Words,
    waiting: Ints, scratch: Ints, pending: Words, taken: Words, waits: Flags, met: Flags, had: Words, nodes: Ints,
) -> Any:  # fmt: skip
    """Spread what the first ``count`` waiting nodes have; return how many nodes were met."""
    while count:
        count -= 1
        node = waiting[count]
        waits[node] = 0
        bits = have[node]
        ends = write_ends(node, starts, far, column_starts, columns, owner, gone, come, changed, scratch)
        for at in range(ends):
            noted, count = hand_over(
                bits, scratch[at], have, allowed, waiting, waits, met, had, nodes, noted, count
            )  # fmt: skip
    return noted
