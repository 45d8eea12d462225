"""The graph of tables: which task makes which dataset from which, derived from the columns of a point.

Aliases are left out: another name of a dataset is not a table made from it. An edge that people add by hand counts as
made by its statement.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from fnmatch import fnmatchcase
from functools import cached_property
from typing import Final, TypeVar

import numpy as np
import numpy.typing as npt

from lineage_tt.governance.points.folding import fold, folded
from lineage_tt.governance.ports import PointGraph
from lineage_tt.graph.arrays.names import Ints
from lineage_tt.model.edges import dataset_of
from lineage_tt.model.facts import COLUMN, DESCRIPTION, OWNER, check_name

Value = TypeVar("Value")
#: The key of the fact that states the kind of a dataset: ``view``, ``table``.
KIND: Final = "kind"


class Tables:
    """Tables as numbers of nodes; an edge is (source, target, task), each once.

    ``more`` are edges of tables (one in each row) in addition to those of the point.
    """

    def __init__(self, point: PointGraph, more: npt.NDArray[np.int32] | None = None) -> None:
        self.point = point
        columns = folded(point)
        if more is not None:
            source, target, task = (np.concatenate([one, more[:, at]]) for at, one in enumerate(columns))
            columns = fold(source, target, task, point.nodes)
        self.source, self.target, self.task = columns

    @cached_property
    def name(self) -> dict[int, str]:
        """The name of each table, ordered by name; everything below that is listed by table has the same order."""
        return self._named[0]

    @cached_property
    def rank(self) -> Ints:
        """By node: the place of its table in the order of names."""
        return self._named[1]

    @cached_property
    def _named(self) -> tuple[dict[int, str], Ints]:
        numbers = np.union1d(self.source, self.target)
        return _in_order(numbers, self.point.node_texts(numbers), self.point.nodes)

    @cached_property
    def number(self) -> dict[str, int]:
        """The number of each table."""
        return {name: number for number, name in self.name.items()}

    @cached_property
    def task_name(self) -> dict[int, str]:
        """The id of each task that makes a table, ordered by id."""
        return self._tasks[0]

    @cached_property
    def _tasks(self) -> tuple[dict[int, str], Ints]:
        numbers = np.unique(self.task)
        return _in_order(numbers, self.point.task_texts(numbers), int(numbers[-1]) + 1 if len(numbers) else 0)

    @cached_property
    def pairs(self) -> npt.NDArray[np.int32]:
        """(source, target) of two different tables, each once, in order of numbers."""
        differ = self.source != self.target
        source, target = self.source[differ], self.target[differ]
        fresh = np.ones(len(source), np.bool_)  # the edges are sorted, so those of several tasks are adjacent
        fresh[1:] = (source[1:] != source[:-1]) | (target[1:] != target[:-1])
        return np.stack([source[fresh], target[fresh]], axis=1)

    @cached_property
    def parents(self) -> dict[int, list[int]]:
        """For each table, the other tables from which it is made."""
        return self._grouped(1, 0)

    @cached_property
    def children(self) -> dict[int, list[int]]:
        """For each table, the other tables that are made from it."""
        return self._grouped(0, 1)

    def _grouped(self, by: int, what: int) -> dict[int, list[int]]:
        one, other = self.pairs[:, by], self.pairs[:, what]
        order = np.lexsort((self.rank[other], self.rank[one]))
        return dict(_runs(one[order], other[order].tolist()))

    @cached_property
    def written(self) -> set[int]:
        """The tables that any task makes."""
        return set(self.target.tolist())

    @cached_property
    def read(self) -> set[int]:
        """The tables from which others are made."""
        return set(self.pairs[:, 0].tolist())

    @cached_property
    def made(self) -> list[int]:
        """The tables that any task makes, by name."""
        return self._by_name(np.unique(self.target))

    @cached_property
    def sources(self) -> list[int]:
        """The tables that are read and that no task makes, by name."""
        known = np.setdiff1d(self.pairs[:, 0], self.target)
        return [number for number in self._by_name(known) if self.name[number] not in self.untraced_writes]

    def _by_name(self, numbers: Ints) -> list[int]:
        ordered: list[int] = numbers[np.argsort(self.rank[numbers])].tolist()
        return ordered

    @cached_property
    def writers(self) -> dict[int, list[str]]:
        """The tasks that make each table, ordered by id."""
        return self._tasks_of(self.target)

    @cached_property
    def readers(self) -> dict[int, list[str]]:
        """The tasks that read each table."""
        return self._tasks_of(self.source)

    def _tasks_of(self, ends: Ints) -> dict[int, list[str]]:
        names, rank = self._tasks
        width = max(1, len(names))
        keys = np.sort(self.rank[ends].astype(np.int64) * width + rank[self.task])
        keys = keys[np.diff(keys, prepend=-1) > 0]
        ids = list(names.values())
        tables = np.fromiter(self.name, np.int32, len(self.name))
        return dict(_runs(tables[keys // width], [ids[at] for at in (keys % width).tolist()]))

    @cached_property
    def tasks_between(self) -> dict[tuple[int, int], list[str]]:
        """The tasks that make one table from another."""
        result: dict[tuple[int, int], list[str]] = defaultdict(list)
        for source, target, task in zip(
            self.source.tolist(), self.target.tolist(), self.task.tolist(), strict=True
        ):  # fmt: skip
            result[source, target].append(self.task_name[task])
        return result

    @cached_property
    def untraced_reads(self) -> dict[str, list[str]]:
        """By dataset, the tasks that are known to read it and for which edges do not show everything that they make."""
        return self._untraced([(gap.task_id, gap.reads) for gap in self.point.gaps.all()])

    @cached_property
    def untraced_writes(self) -> dict[str, list[str]]:
        """By dataset, the tasks that make it from sources that no edge shows."""
        return self._untraced([(gap.task_id, gap.untraced_writes) for gap in self.point.gaps.all()])

    def _untraced(self, touched: list[tuple[str, frozenset[str]]]) -> dict[str, list[str]]:
        by_dataset: dict[str, list[str]] = defaultdict(list)
        for task, datasets in touched:
            for dataset in datasets:
                by_dataset[dataset].append(task)
        return dict(by_dataset)

    def names(self, numbers: list[int]) -> tuple[str, ...]:
        """Return the names of tables, in order."""
        return tuple(sorted(self.name[number] for number in numbers))

    # --- facts ------------------------------------------------------------------------------------------------

    @cached_property
    def owners(self) -> dict[str, tuple[str, ...]]:
        """The owners of each node."""
        by_node: dict[str, set[str]] = defaultdict(set)
        for fact in self.point.facts(OWNER):
            by_node[fact.node].add(fact.value)
        return {node: tuple(sorted(owners)) for node, owners in by_node.items()}

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
        """The datasets that are views according to a fact."""
        return {fact.node for fact in self.point.facts(KIND) if fact.value.lower() == "view"}

    def is_view(self, number: int, patterns: tuple[str, ...]) -> bool:
        """Return whether a table is a view, according to a fact or a pattern."""
        return self.name[number] in self.views or any(fnmatchcase(self.name[number], each) for each in patterns)

    @cached_property
    def tested(self) -> set[str]:
        """The datasets with a reported check, on themselves or on one of their columns."""
        return {dataset_of(fact.node) for fact in self.point.facts() if check_name(fact.key) is not None}


def _in_order(numbers: Ints, names: list[str], count: int) -> tuple[dict[int, str], Ints]:
    """Return the numbers ordered by name, and the place of each of ``count`` numbers in that order."""
    listed = sorted(zip(names, numbers.tolist(), strict=True))
    rank = np.zeros(count, np.int32)
    rank[[number for _, number in listed]] = np.arange(len(listed))
    return {number: name for name, number in listed}, rank


def _runs(keys: Ints, values: list[Value]) -> Iterator[tuple[int, list[Value]]]:
    """Yield each key with its values; equal keys must be adjacent."""
    begins = np.flatnonzero(np.diff(keys, prepend=-1))
    ends = [*begins[1:].tolist(), len(values)][: len(begins)]
    for key, begin, end in zip(keys[begins].tolist(), begins.tolist(), ends, strict=True):
        yield key, values[begin:end]
