"""Rows: a rectangle as 24 bytes, once under its source and once under its target.

A row is (far end, valid from, valid to, opened, closed, payload). Valid times are ranks among the instants that any row
of the base names, opened and closed are versions, ``NEVER`` means no end; the payload is the number of
(task, type and subtype, expression), doubled, with 1 added where the type is INDIRECT.

The rows of a node are in two runs. The first has the rows still believed when they were built, latest valid end first.
The second has the closed rows, in order of closing, with ``closed`` written as its complement (below zero). A walk
reads the first run from its front and stops at the first row that ends too early; it reads the second run from its back
and stops at the first row that was closed too early. So as of now it meets no history at all, however long that is. A
row of the first run that is closed later stays where it is, and is tested like any other row.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from lineage_tt.graph.arrays.compiled import both, jit, jit_with_arrays
from lineage_tt.graph.arrays.names import Ints, Longs

NEVER: Final = 2**31 - 1
FOREVER: Final = 2**63 - 1
#: the positions of the fields in a row
FAR, FROM, TO, OPENED, CLOSED, PAYLOAD = range(6)
WIDTH: Final = 6
#: The bits of a key that hold the second number of a pair.
FAR_END: Final = 0xFFFFFFFF


class Rectangles(NamedTuple):
    """Rectangles as columns: node numbers, payload, valid times in microseconds, versions."""

    source: Ints
    target: Ints
    payload: Ints
    valid_from: Longs
    valid_to: Longs
    opened: Ints
    closed: Ints


@jit
def count_ends(ends: Ints, starts: Longs) -> None:
    """Count rows by node into ``starts``, shifted by one, and add them up: this gives where each node's rows begin."""
    for i in range(len(ends)):
        starts[ends[i] + 1] += 1
    for node in range(len(starts) - 1):
        starts[node + 1] += starts[node]


@jit
def scatter(
    near: Ints, far: Ints, since: Ints, until: Ints, opened: Ints, closed: Ints, payload: Ints, places: Longs, out: Ints
) -> None:
    """Write each rectangle as a row among those of its near end; ``places`` are advanced."""
    for i in range(len(near)):
        at = places[near[i]]
        places[near[i]] = at + 1
        out[at, 0] = far[i]
        out[at, 1] = since[i]
        out[at, 2] = until[i]
        out[at, 3] = opened[i]
        out[at, 4] = closed[i] if closed[i] == 2147483647 else ~closed[i]
        out[at, 5] = payload[i]


@jit
def write_keys(out: Ints, keys: Longs) -> None:
    """Write the sort keys of a node's rows: believed rows by valid end, latest first; then closed rows by closing."""
    for at in range(len(out)):
        if out[at, 4] >= 0:
            keys[at] = 2147483647 - np.int64(out[at, 2])
        else:
            keys[at] = (np.int64(1) << 32) + np.int64(~out[at, 4])


@jit_with_arrays
def order_rows(starts: Longs, keys: Longs, out: Ints) -> None:
    """Sort the rows of each node by their keys: few by insertion, many through a sorted list of their positions."""
    moving = np.empty(6, np.int32)
    for node in range(len(starts) - 1):
        first, end = starts[node], starts[node + 1]
        if end - first > 48:
            order = np.argsort(keys[first:end], kind="mergesort")
            unordered = out[first:end].copy()
            for i in range(end - first):
                for k in range(6):
                    out[first + i, k] = unordered[order[i], k]
            continue
        for i in range(first + 1, end):
            key = keys[i]
            if keys[i - 1] <= key:
                continue
            for k in range(6):
                moving[k] = out[i, k]
            at = i
            while at > first and keys[at - 1] > key:
                for k in range(6):
                    out[at, k] = out[at - 1, k]
                keys[at] = keys[at - 1]
                at -= 1
            for k in range(6):
                out[at, k] = moving[k]
            keys[at] = key


@jit
def place_of(time: int, table: Longs) -> Any:
    """Return the slot of an instant in a hash table, or the free slot for it."""
    mixed = np.uint64(time) * np.uint64(0x9E3779B97F4A7C15)
    slot = np.int64((mixed >> np.uint64(20)) & np.uint64(len(table) - 1))
    while table[slot] != time and table[slot] != 9223372036854775807:
        slot = (slot + 1) & (len(table) - 1)
    return slot


@jit
def collect(times: Longs, table: Longs, count: int) -> Any:
    """Enter instants into a hash table; return how many it holds, -1 when it is half full."""
    for i in range(len(times)):
        if times[i] != 9223372036854775807:
            slot = place_of(times[i], table)
            if table[slot] != times[i]:
                if 2 * (count + 1) > len(table):
                    return -1
                table[slot] = times[i]
                count += 1
    return count


@jit
def number(instants: Longs, table: Longs, ranks: Ints) -> None:
    """Write each instant's rank next to it in the table."""
    for i in range(len(instants)):
        ranks[place_of(instants[i], table)] = i


@jit
def ranks_of(times: Longs, table: Longs, ranks: Ints, out: Ints) -> None:
    """Write the rank of each time among the instants; ``NEVER`` for no end."""
    for i in range(len(times)):
        if times[i] == 9223372036854775807:
            out[i] = 2147483647
        else:
            out[i] = ranks[place_of(times[i], table)]


def ranked(base: Rectangles) -> tuple[Longs, Ints, Ints]:
    """Return the distinct valid times of all rectangles, in order, and the ranks of each rectangle's two times.

    It uses a hash table: there are eight times more rectangles than instants, and sorting took longer than the rest.
    """
    slots = 1 << 12
    while True:
        table = np.full(slots, FOREVER, np.int64)
        count = collect(base.valid_from, table, 0)
        if count >= 0 and collect(base.valid_to, table, count) >= 0:
            break
        slots *= 8
    instants = np.sort(table[table != FOREVER])
    ranks = np.empty(slots, np.int32)
    number(instants, table, ranks)
    since, until = np.empty(len(base.source), np.int32), np.empty(len(base.source), np.int32)
    both(
        lambda: ranks_of(base.valid_from, table, ranks, since), lambda: ranks_of(base.valid_to, table, ranks, until),
        len(base.source),
    )  # fmt: skip
    return instants, since, until


def sorted_rows(
    near: Ints, far: Ints, since: Ints, until: Ints, base: Rectangles, nodes: int
) -> tuple[npt.NDArray[np.int32], Longs]:
    """Return the rows sorted by their near end, and where each node's rows begin."""
    starts = np.zeros(nodes + 1, np.int64)
    count_ends(near, starts)
    out = np.empty((len(near), WIDTH), np.int32)
    scatter(near, far, since, until, base.opened, base.closed, base.payload, starts[:-1].copy(), out)
    keys = np.empty(len(out), np.int64)
    write_keys(out, keys)
    order_rows(starts, keys, out)
    return out, starts


class Adjacency(NamedTuple):
    """Edges by node: those at node ``n`` are ``order[starts[n] : starts[n + 1]]``, numbers of edges in order."""

    starts: Longs
    order: Ints

    def at(self, node: int) -> Ints:
        """Return the edges at a node."""
        return self.order[self.starts[node] : self.starts[node + 1]]

    @property
    def filled(self) -> npt.NDArray[np.bool_]:
        """By node, whether it has any edge."""
        result: npt.NDArray[np.bool_] = self.starts[1:] > self.starts[:-1]
        return result


def adjacency(ends: Ints, nodes: int) -> Adjacency:
    """Return the positions in ``ends``, grouped by node."""
    return Adjacency(*grouped(np.ascontiguousarray(ends, np.int32), nodes))


def keys_of(near: npt.NDArray[Any], far: npt.NDArray[Any]) -> Longs:
    """Return pairs of numbers as keys, in the order of the pairs: ``near << 32 | far``."""
    keys: Longs = near.astype(np.int64) << 32 | far.astype(np.int64)
    return keys


def ends_of(keys: Longs) -> tuple[Ints, Ints]:
    """Return the pairs of keys."""
    return (keys >> 32).astype(np.int32), (keys & FAR_END).astype(np.int32)


def columns_of(dataset: Ints) -> Adjacency:
    """Return the columns of each dataset; ``dataset`` has the number of each node's dataset (itself for a dataset)."""
    columns = np.flatnonzero(dataset != np.arange(len(dataset), dtype=np.int32)).astype(np.int32)
    by_dataset = adjacency(dataset[columns], len(dataset))
    return Adjacency(by_dataset.starts, columns[by_dataset.order])


def grouped(numbers: Ints, count: int) -> tuple[Longs, Ints]:
    """Return where the positions of each of ``count`` numbers start, and all positions, ordered by number."""
    starts = np.zeros(count + 1, np.int64)
    order = np.empty(len(numbers), np.int32)
    group_places(numbers, starts, order)
    return starts, order


@jit
def group_places(numbers: Ints, starts: Longs, order: Ints) -> None:
    """Count, add up, and place; at the end each start is where it was after adding up, moved back by one number."""
    for at in range(len(numbers)):
        starts[numbers[at] + 1] += 1
    for number in range(1, len(starts)):
        starts[number] += starts[number - 1]
    for at in range(len(numbers)):
        place = starts[numbers[at]]
        starts[numbers[at]] = place + 1
        order[place] = at
    for number in range(len(starts) - 1, 0, -1):
        starts[number] = starts[number - 1]
    starts[0] = 0
