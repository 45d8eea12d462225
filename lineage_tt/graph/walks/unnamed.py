"""Columns that a walk reaches by star and that no edge ever named: they get numbers that are valid in one answer.

Their numbers come after the room for a state's nodes. They are not added to the dictionary, since questions must not
make it grow.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np
import pyarrow as pa

from lineage_tt.graph.arrays.names import Bytes, Ints
from lineage_tt.model.edges import dataset_of, is_column, star_of

if TYPE_CHECKING:
    from lineage_tt.graph.arrays.dictionary import Dictionary
    from lineage_tt.graph.arrays.state import State

#: Names of columns that are not in the dictionary are numbered from here.
_UNKNOWN: Final = 1 << 30
#: Replaced, never written to: a walk over a graph without star nodes makes no array.
_NO_PAIRS: Final[Ints] = np.zeros((0, 2), np.int32)
_NO_PASSES: Final[Bytes] = np.zeros(0, np.uint8)


class Unnamed:
    """The nodes of one answer: those of a state, and those that no edge named."""

    def __init__(self, names: Dictionary, state: State) -> None:
        self._names = names
        self._state = state
        self._words: list[str] = []
        self.base = len(state.record)
        #: dataset and column's name of each, by number
        self.pairs: Ints = _NO_PAIRS
        #: whether a filter lets each pass
        self.passes: Bytes = _NO_PASSES

    def __len__(self) -> int:
        return len(self.pairs)

    def holds_any(self, numbers: Ints) -> bool:
        """Return whether any of these nodes is one that no edge named."""
        return bool(len(numbers)) and int(numbers.max()) >= self.base

    def number(self, node: str) -> int:
        """Return the number of a node, -1 for an unknown node whose dataset has no star node."""
        names, state = self._names, self._state
        number = names.nodes.find(node)
        if 0 <= number < state.nodes or not knows_star(names, state, node):
            return number if number < state.nodes else -1
        return self.add(names.nodes.find(dataset_of(node)), node.partition("#")[2])

    def add(self, dataset: int, word: str) -> int:
        """Return the number of a dataset's column that no edge named."""
        names = self._names
        column = names.stars.words.find(word)
        if column < 0:
            if word not in self._words:
                self._words.append(word)
            column = _UNKNOWN + self._words.index(word)
        known = np.flatnonzero((self.pairs == (dataset, column)).all(axis=1))
        if len(known):
            return self.base + int(known[0])
        self.pairs = np.concatenate([self.pairs, np.array([[dataset, column]], np.int32)])
        self.passes = np.append(self.passes, np.uint8(1))
        return self.base + len(self.pairs) - 1

    def texts(self, numbers: list[int]) -> list[str]:
        """Return the names of nodes."""
        if not len(self.pairs):
            return self._names.nodes.texts(numbers)
        plain = self._names.nodes.texts([number for number in numbers if number < self.base])
        named, following = iter(plain), self._texts()
        return [next(named) if number < self.base else following[number - self.base] for number in numbers]

    def take(self, numbers: Ints) -> pa.Array:
        """Return the names of nodes as an Arrow array."""
        if not len(self.pairs) or not len(numbers) or int(numbers.max()) < self.base:
            return self._names.nodes.take(numbers)
        return pa.array(self.texts(numbers.tolist()), pa.large_string())

    def owners(self) -> Ints:
        """Return the dataset's number of every node, by number."""
        owners = self._names.datasets_from(0)[: self._state.nodes]
        if not len(self.pairs):
            return owners
        room = np.zeros(self.base - len(owners), np.int32)
        return np.concatenate([owners, room, self.pairs[:, 0]])

    def passing(self, mask: Bytes) -> Bytes:
        """Return a filter's mask, which has room for the state's nodes, followed by the mask of the nodes here."""
        return np.concatenate([mask, self.passes]) if len(self.pairs) else mask

    def star_of(self, numbers: Ints) -> Ints:
        """Return the star node of each node's dataset, -1 for none."""
        stars = self._state.stars
        if not stars.total:
            return np.full(len(numbers), -1, np.int32)
        star_nodes: Ints = stars.star[self.owners()[numbers]]
        return np.where(star_nodes < self._state.nodes, star_nodes, np.int32(-1))

    def _texts(self) -> list[str]:
        datasets = self._names.nodes.texts(self.pairs[:, 0].tolist())
        columns = self.pairs[:, 1]
        words = iter(self._names.stars.words.texts(columns[columns < _UNKNOWN].tolist()))
        named = (next(words) if at < _UNKNOWN else self._words[at - _UNKNOWN] for at in columns.tolist())
        return [f"{dataset}#{column}" for dataset, column in zip(datasets, named, strict=True)]


def knows_star(names: Dictionary, state: State, node: str) -> bool:
    """Return whether a node is a column of a dataset with a star node."""
    return bool(state.stars.total) and is_column(node) and 0 <= names.nodes.find(star_of(node)) < state.nodes
