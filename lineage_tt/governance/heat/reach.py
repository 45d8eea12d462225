"""How many columns, tables, tasks and people each of some nodes reaches: up to 64 walks at once, one bit for each.

A sweep visits all edges and passes each node's bits on; sweeps repeat until nothing changes. Walks continue like those
of ``lineage``: an edge into a column continues with the edges out of that column, an edge into a whole dataset with the
edges out of any of its columns.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from lineage_tt.graph.arrays.compiled import jit
from lineage_tt.graph.arrays.rows import grouped

Bits = npt.NDArray[np.unsignedinteger[Any]]
Numbers = npt.NDArray[np.signedinteger[Any]]
AT_ONCE: Final = 64


class Members(NamedTuple):
    """Groups and their members: ``place[i]`` (of an edge or a node) belongs to ``group[i]``; ``group`` is sorted."""

    group: Numbers
    place: Numbers

    @classmethod
    def of(cls, group: Numbers, place: Numbers | None = None) -> Members:
        """Return members ordered by group; without ``place``, member i has the place i."""
        _, order = grouped(group.astype(np.int32), int(group.max()) + 1 if len(group) else 0)
        return cls(group[order], order if place is None else place[order])


class Reach(NamedTuple):
    """How many distinct columns, tables, tasks and people a node depends on or feeds."""

    columns: int
    tables: int
    tasks: int
    people: int


class Ways:
    """The edges over which references lead, and what is at their ends.

    ``tables`` are members by node, ``tasks`` by edge; ``people`` by node (its dataset's owners) and, after the nodes,
    by edge (its task's owners): place ``nodes + edge``. They are computed at first use.
    """

    def __init__(
        self, source: Numbers, target: Numbers, dataset: Numbers, task: Numbers, columns: Numbers,
        people: Callable[[Ways], Members],
    ) -> None:  # fmt: skip
        self.source, self.target, self.dataset, self.task = source, target, dataset, task
        self.columns = Members(columns, columns)
        self._people = people

    @cached_property
    def tables(self) -> Members:
        """The nodes of each dataset."""
        return Members.of(self.dataset)

    @cached_property
    def tasks(self) -> Members:
        """The edges of each task."""
        return Members.of(self.task)

    @cached_property
    def people(self) -> Members:
        """What each person owns."""
        return self._people(self)


@jit
def sweep(source: Numbers, target: Numbers, dataset: Numbers, bits: Bits) -> Any:
    """Pass bits on over each edge in turn; return whether any node gained a bit."""
    moved = False
    for at in range(len(source)):
        near, far = source[at], target[at]
        walks = bits[near] | bits[dataset[near]]
        if walks & ~bits[far]:
            bits[far] |= walks
            moved = True
    return moved


@jit
def hand_on(
    source: Numbers, target: Numbers, dataset: Numbers, bits: Bits, inside: Bits, over: Bits, came: Bits
) -> None:  # fmt: skip
    """Write which walks use each edge, and which reach each node over an edge.

    ``inside`` has, by dataset, the walks that start in it: a step inside that dataset is not a reference.
    """
    for at in range(len(source)):
        near, far = source[at], target[at]
        here = dataset[near]
        walks = bits[near] | bits[here]
        came[far] |= walks & ~inside[dataset[far]]
        over[at] = walks & ~inside[here] if dataset[far] == here else walks


@jit
def count_bits(group: Numbers, place: Numbers, bits: Bits, own: Numbers, counts: Numbers) -> None:
    """Add one to each walk's count for each group of which it reaches a member.

    ``own`` is each walk's own group, which does not count; -1: no own group.
    """
    at = 0
    while at < len(group):
        which, walks = group[at], np.uint64(bits[place[at]])
        at += 1
        while at < len(group) and group[at] == which:
            walks |= bits[place[at]]
            at += 1
        walk = 0
        while walks:
            if walks & np.uint64(1) and own[walk] != which:
                counts[walk] += 1
            walks >>= np.uint64(1)
            walk += 1


def reached(ways: Ways, starts: Sequence[Numbers], own: Numbers, *, far: bool) -> Iterator[Reach]:
    """Yield what is after each start, which is a group of nodes; with ``far`` at any distance, else one step away.

    ``own`` is each start's dataset: it does not count as a table that refers to itself, nor do its columns.
    """
    for first in range(0, len(starts), AT_ONCE):
        yield from _batch(ways, starts[first : first + AT_ONCE], own[first : first + AT_ONCE], far)


def _batch(ways: Ways, starts: Sequence[Numbers], own: Numbers, far: bool) -> Iterator[Reach]:
    nodes, edges = len(ways.dataset), len(ways.source)
    # narrow words keep the bits of all nodes in the processor's cache
    kind: type[np.unsignedinteger[Any]] = np.uint32 if len(starts) <= 32 else np.uint64
    bits = np.zeros(nodes, kind)
    for i, members in enumerate(starts):
        bits[members] |= kind(1 << i)
    while far and sweep(ways.source, ways.target, ways.dataset, bits):
        pass
    both, inside = np.zeros(nodes + edges, kind), np.zeros(nodes, kind)
    over, came = both[nodes:], both[:nodes]
    for i, which in enumerate(own.tolist()):
        inside[which] |= kind(1 << i)
    hand_on(ways.source, ways.target, ways.dataset, bits, inside, over, came)
    nobody = np.full(len(starts), -1, np.int64)
    counts = np.zeros((4, len(starts)), np.int64)
    count_bits(*ways.columns, came, nobody, counts[0])
    count_bits(*ways.tables, came, nobody, counts[1])
    count_bits(*ways.tasks, over, nobody, counts[2])
    count_bits(*ways.people, both, nobody, counts[3])
    for column in counts.T.tolist():
        yield Reach(*column)
