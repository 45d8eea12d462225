"""Star nodes by number: which node represents the unknown columns of a dataset, and what its columns are called.

A star edge leads from ``X#*`` to ``Y#*``: a walk at ``X#c`` continues to ``Y#c``. Only for datasets with a star node,
the index has each column's name as a number, and the node for a dataset and a name. A graph without star nodes has an
empty index.
"""

from __future__ import annotations

from typing import Any, NamedTuple, Protocol

import numpy as np
import pyarrow.compute as pc

from lineage_tt.graph.arrays.compiled import jit
from lineage_tt.graph.arrays.names import Ints, Names
from lineage_tt.model.edges import EXCEPT, left_out


class Stars(NamedTuple):
    """The index as a state holds it. Entries for nodes beyond those of the state must not be read."""

    total: int
    #: by node: the star node of its dataset, -1 for none; a star node has its own number
    star: Ints
    #: by node: the number of its column's name, where its dataset has a star node
    column: Ints
    #: from (dataset, column's name) to node + 1
    table: Ints
    #: (expression, column's name) of the columns that star edges leave out, and from these to place + 1
    left: Ints
    left_table: Ints

    def nodes_below(self, nodes: int) -> Ints:
        """Return the star nodes among the first ``nodes`` nodes."""
        star = self.star[:nodes]
        return np.flatnonzero(star == np.arange(len(star), dtype=np.int32)).astype(np.int32)


NO_STARS = Stars(
    0, np.zeros(0, np.int32), np.zeros(0, np.int32), np.zeros(1, np.int32), np.zeros((0, 2), np.int32),
    np.zeros(1, np.int32),
)  # fmt: skip


def no_stars(nodes: int) -> Stars:
    """Return the index of a state without star nodes, for a walk that begins at a column that no message named."""
    none = np.full(nodes, -1, np.int32)
    return NO_STARS._replace(star=none, column=none)


@jit
def slot_of_pair(dataset: int, column: int, table: Ints) -> Any:
    """Return where the search for a pair begins in a table."""
    mixed = np.uint64(dataset) * np.uint64(0x9E3779B97F4A7C15) ^ np.uint64(column) * np.uint64(0xC2B2AE3D27D4EB4F)
    mixed = mixed * np.uint64(0x165667B19E3779F9)
    return np.int64((mixed >> np.uint64(31)) & np.uint64(len(table) - 1))


@jit
def enter_pairs(members: Ints, owners: Ints, column: Ints, table: Ints) -> None:
    """Enter nodes into the table, which is at most half full."""
    for member in members:
        slot = slot_of_pair(owners[member], column[member], table)
        while table[slot]:
            slot = (slot + 1) & (len(table) - 1)
        table[slot] = member + 1


@jit
def is_left_out(expression: int, name: int, left: Ints, table: Ints) -> Any:
    """Whether a star edge with this expression leaves out columns of this name."""
    slot = slot_of_pair(expression, name, table)
    while table[slot]:
        at = table[slot] - 1
        if left[at, 0] == expression and left[at, 1] == name:
            return True
        slot = (slot + 1) & (len(table) - 1)
    return False


@jit
def enter_left_out(left: Ints, table: Ints) -> None:
    """Enter all pairs into an empty table."""
    for at in range(len(left)):
        slot = slot_of_pair(left[at, 0], left[at, 1], table)
        while table[slot]:
            slot = (slot + 1) & (len(table) - 1)
        table[slot] = at + 1


@jit
def node_of_pair(dataset: int, name: int, nodes: int, rec: Ints, column: Ints, table: Ints) -> Any:
    """Return the node of a dataset's column, -1 if it is not among the first ``nodes`` nodes."""
    slot = slot_of_pair(dataset, name, table)
    while table[slot]:
        node = table[slot] - 1
        if node < nodes and rec[node, 2] == dataset and column[node] == name:
            return node
        slot = (slot + 1) & (len(table) - 1)
    return -1


class Named(Protocol):
    """A dictionary, as far as the index of star nodes reads it."""

    nodes: Names
    expressions: Names

    def datasets_from(self, first: int) -> Ints:
        """Return the number of the dataset of each node, from a node on."""


class StarIndex:
    """The index over all nodes of a dictionary. It only grows, into new arrays, so that readers keep theirs."""

    def __init__(self) -> None:
        self.words = Names()
        self._nodes = 0
        self._indexed = 0
        self._expressions = 0
        self._now = NO_STARS

    def now(self, names: Named) -> Stars:
        """Return the index over all nodes that the dictionary currently has."""
        first, nodes = self._nodes, len(names.nodes)
        if nodes > first:
            fresh = names.nodes.stars_from(first, names.datasets_from(0))
            if len(fresh) or self._now.total:
                self._take_in(names, fresh, first, nodes)
            self._nodes = nodes
        if self._now.total and len(names.expressions) > self._expressions:
            self._leave_out(names)
        return self._now

    def _leave_out(self, names: Named) -> None:
        """Add the columns that new expressions leave out."""
        first, self._expressions = self._expressions, len(names.expressions)
        fresh = names.expressions.arrow()[first:]
        numbers = np.flatnonzero(pc.starts_with(fresh, EXCEPT).to_numpy(zero_copy_only=False))
        pairs = [
            (first + number, int(word))
            for number in numbers.tolist()
            for word in self.words.add(left_out(fresh[number].as_py()))
        ]
        if pairs:
            left = np.concatenate([self._now.left, np.array(pairs, np.int32)])
            table = np.zeros(1 << (2 * len(left)).bit_length(), np.int32)
            enter_left_out(left, table)
            self._now = self._now._replace(left=left, left_table=table)

    def _take_in(self, names: Named, fresh: Ints, first: int, nodes: int) -> None:
        owners = names.datasets_from(0)[:nodes]
        star, column = (_grown(array, nodes) for array in (self._now.star, self._now.column))
        inside = star[owners[first:nodes]] >= 0
        members = np.flatnonzero(inside) + first
        if len(fresh):  # the columns of these datasets may have existed long before
            wide = np.zeros(nodes, bool)
            wide[owners[fresh]] = True
            members = np.union1d(members, np.flatnonzero(wide[owners]))
            star_at = owners[fresh]
        members = members[owners[members] != members].astype(np.int32)
        if len(fresh):
            members = members[~np.isin(members, fresh)]
        column[members] = self.words.intern(names.nodes.columns_of(members, owners[members]))
        table = self._now.table
        if 2 * (self._indexed + len(members)) >= len(table):
            table = np.zeros(1 << (4 * (self._indexed + len(members)) + 16).bit_length(), np.int32)
            enter_pairs(np.flatnonzero(column >= 0).astype(np.int32), owners, column, table)
        else:
            enter_pairs(members, owners, column, table)
        if len(fresh):
            star[star_at] = fresh
            star[fresh] = fresh
        star[members] = star[owners[members]]
        self._indexed += len(members)
        self._now = self._now._replace(total=self._now.total + len(fresh), star=star, column=column, table=table)

    def copy(self) -> StarIndex:
        """Return an index of the same nodes that can grow independently."""
        other = StarIndex()
        other.words, other._nodes, other._indexed = self.words.copy(), self._nodes, self._indexed
        other._expressions = self._expressions
        total, *arrays = self._now
        other._now = Stars(total, *(array.copy() for array in arrays))
        return other


def _grown(array: Ints, nodes: int) -> Ints:
    """Return the array with -1 for the nodes that it did not know, with room for more."""
    if nodes <= len(array):
        return array
    grown = np.full(nodes + nodes // 8 + 1024, -1, np.int32)
    grown[: len(array)] = array
    return grown
