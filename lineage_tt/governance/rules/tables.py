"""The graph of tables: which task makes which dataset of which, folded from the columns of a point.

Another name of a dataset is no table of its own making: aliases are left out. What people add by hand counts as made by
its statement.
"""

from __future__ import annotations

from collections import defaultdict
from fnmatch import fnmatchcase
from functools import cached_property
from typing import Final

import numpy as np
import numpy.typing as npt

from lineage_tt.governance.ports import PointGraph
from lineage_tt.graph.arrays.names import Ints
from lineage_tt.model.edges import dataset_of
from lineage_tt.model.facts import COLUMN, DESCRIPTION, OWNER, check_name

#: Under this key a fact says what kind of a thing a dataset is: ``view``, ``table``.
KIND: Final = "kind"


class Tables:
    """Tables as numbers of nodes; an edge is (source, target, task), each once.

    ``more`` are edges of tables (a row each) beside those of the point: those that were folded elsewhere.
    """

    def __init__(self, point: PointGraph, more: npt.NDArray[np.int32] | None = None) -> None:
        self.point = point
        kept = ~point.alias
        triples = np.stack(
            [point.dataset[point.source[kept]], point.dataset[point.target[kept]], point.task[kept]], axis=1
        ).astype(np.int64)
        if more is not None:
            triples = np.concatenate([triples, more.astype(np.int64)])
        key = (triples[:, 0] * point.nodes + triples[:, 1]) if len(triples) else np.zeros(0, np.int64)
        order = np.lexsort((triples[:, 2], key))
        triples, key = triples[order], key[order]
        fresh = np.ones(len(key), np.bool_)
        fresh[1:] = (key[1:] != key[:-1]) | (triples[1:, 2] != triples[:-1, 2])
        triples = triples[fresh]
        self.source, self.target, self.task = (triples[:, at].astype(np.int32) for at in range(3))

    @cached_property
    def name(self) -> dict[int, str]:
        """The name of each table."""
        numbers = np.union1d(self.source, self.target)
        return dict(zip(numbers.tolist(), self.point.node_texts(numbers), strict=True))

    @cached_property
    def number(self) -> dict[str, int]:
        """The number of each table."""
        return {name: number for number, name in self.name.items()}

    @cached_property
    def task_name(self) -> dict[int, str]:
        """The id of each task that makes a table."""
        numbers = np.unique(self.task)
        return dict(zip(numbers.tolist(), self.point.task_texts(numbers), strict=True))

    @cached_property
    def pairs(self) -> npt.NDArray[np.int32]:
        """(source, target) of two different tables, each once, in order."""
        differ = self.source != self.target
        found = np.unique(np.stack([self.source[differ], self.target[differ]], axis=1), axis=0)
        return found.reshape(-1, 2)

    @cached_property
    def parents(self) -> dict[int, list[int]]:
        """The tables that each is made of, itself left out."""
        return self._grouped(1, 0)

    @cached_property
    def children(self) -> dict[int, list[int]]:
        """The tables made of each, itself left out."""
        return self._grouped(0, 1)

    def _grouped(self, by: int, what: int) -> dict[int, list[int]]:
        found: dict[int, list[int]] = defaultdict(list)
        for row in self.pairs.tolist():
            found[row[by]].append(row[what])
        return dict(found)

    @cached_property
    def written(self) -> set[int]:
        """The tables that any task makes."""
        return set(self.target.tolist())

    @cached_property
    def read(self) -> set[int]:
        """The tables that others are made of."""
        return set(self.pairs[:, 0].tolist())

    @cached_property
    def sources(self) -> list[int]:
        """The tables that are read and that no task makes, by name."""
        return sorted(self.read - self.written, key=self.name.__getitem__)

    @cached_property
    def writers(self) -> dict[int, list[str]]:
        """The tasks that make each table, in order of ids."""
        return self._tasks_of(self.target)

    @cached_property
    def readers(self) -> dict[int, list[str]]:
        """The tasks that read each table."""
        return self._tasks_of(self.source)

    def _tasks_of(self, ends: Ints) -> dict[int, list[str]]:
        found: dict[int, set[str]] = defaultdict(set)
        for table, task in zip(ends.tolist(), self.task.tolist(), strict=True):
            found[table].add(self.task_name[task])
        return {table: sorted(tasks) for table, tasks in found.items()}

    @cached_property
    def tasks_between(self) -> dict[tuple[int, int], list[str]]:
        """The tasks that make one table of another."""
        found: dict[tuple[int, int], list[str]] = defaultdict(list)
        for source, target, task in zip(
            self.source.tolist(), self.target.tolist(), self.task.tolist(), strict=True
        ):  # fmt: skip
            found[source, target].append(self.task_name[task])
        return found

    def names(self, numbers: list[int]) -> tuple[str, ...]:
        """Return the names of tables, in order."""
        return tuple(sorted(self.name[number] for number in numbers))

    # --- facts ------------------------------------------------------------------------------------------------

    @cached_property
    def owners(self) -> dict[str, tuple[str, ...]]:
        """The owners of each node."""
        found: dict[str, set[str]] = defaultdict(set)
        for fact in self.point.facts(OWNER):
            found[fact.node].add(fact.value)
        return {node: tuple(sorted(owners)) for node, owners in found.items()}

    @cached_property
    def described(self) -> set[str]:
        """The nodes that have a description."""
        return {fact.node for fact in self.point.facts(DESCRIPTION)}

    @cached_property
    def declared(self) -> set[str]:
        """The datasets whose columns a dataset message declares."""
        return {fact.subject for fact in self.point.facts(COLUMN) if fact.kind == "dataset"}

    @cached_property
    def views(self) -> set[str]:
        """The datasets that a fact calls a view."""
        return {fact.node for fact in self.point.facts(KIND) if fact.value.lower() == "view"}

    def is_view(self, number: int, patterns: tuple[str, ...]) -> bool:
        """Say whether a table is a view: as a fact says, or by a pattern."""
        return self.name[number] in self.views or any(fnmatchcase(self.name[number], each) for each in patterns)

    @cached_property
    def tested(self) -> set[str]:
        """The datasets on which, or on whose columns, a check reported."""
        return {dataset_of(fact.node) for fact in self.point.facts() if check_name(fact.key) is not None}
