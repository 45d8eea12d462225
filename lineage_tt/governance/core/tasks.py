"""Which task comes after which: a task waits for all tasks that write what it reads.

Tasks that wait for each other (a circle) form one *unit*: no order among them follows from lineage.
"""

from __future__ import annotations

import heapq
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from lineage_tt.governance.points.components import components

if TYPE_CHECKING:
    from lineage_tt.governance.ports import PointGraph


class Use(NamedTuple):
    """A task reads one dataset to write another one."""

    task: str
    source: str
    target: str


def uses_of(point: PointGraph) -> tuple[list[Use], list[tuple[str, str]]]:
    """Return what the tasks of a point read and write, each once and in order, and the datasets that are one thing."""
    source, target = point.dataset[point.source], point.dataset[point.target]
    rows = np.stack([point.task, source, target, point.alias], axis=1)
    rows = np.unique(rows, axis=0) if len(rows) else rows
    tasks = point.task_texts(rows[:, 0].tolist())
    sources, targets = point.node_texts(rows[:, 1].tolist()), point.node_texts(rows[:, 2].tolist())
    named = list(zip(tasks, sources, targets, rows[:, 3].tolist(), strict=True))
    uses = sorted(Use(task, source, target) for task, source, target, alias in named if not alias)
    names = sorted((one, other) for _, one, other, alias in named if alias and one < other)
    return uses, names


class TaskGraph:
    """Tasks, what each reads and writes, and which come before which. Two names of one thing are one thing."""

    def __init__(self, uses: Iterable[Use], aliases: Iterable[tuple[str, str]] = ()) -> None:
        self._same = _Same(aliases)
        self.reads: dict[str, set[str]] = defaultdict(set)
        self.writes: dict[str, set[str]] = defaultdict(set)
        self.writers: dict[str, set[str]] = defaultdict(set)
        for task, source, target in uses:
            source, target = self._same.one(source), self._same.one(target)
            self.reads[task].add(source)
            self.writes[task].add(target)
            self.writers[target].add(task)

    @property
    def tasks(self) -> Collection[str]:
        """The tasks that read or write anything."""
        return self.writes.keys()

    def writers_of(self, dataset: str) -> set[str]:
        """Return the tasks that write a dataset, under any of its names."""
        return self.writers.get(self._same.one(dataset), set())

    @cached_property
    def before(self) -> Mapping[str, set[str]]:
        """For each task those that write what it reads, itself left out."""
        return {
            task: {writer for dataset in read for writer in self.writers.get(dataset, ())} - {task}
            for task, read in sorted(self.reads.items())
        }

    @cached_property
    def after(self) -> Mapping[str, set[str]]:
        """For each task those that read what it writes, itself left out."""
        result: dict[str, set[str]] = {task: set() for task in self.before}
        for task, earlier in self.before.items():
            for each in earlier:
                result[each].add(task)
        return result

    def upstream(self, tasks: Iterable[str]) -> set[str]:
        """Return tasks and all that come before them."""
        return _closure(tasks, self.before)

    def downstream(self, tasks: Iterable[str]) -> set[str]:
        """Return tasks and all that come after them."""
        return _closure(tasks, self.after)

    def units(self, tasks: Collection[str] | None = None) -> list[tuple[str, ...]]:
        """Return units of tasks in an order in which each comes after all it waits for; ties in order of names.

        Most units are one task; tasks in a circle are one unit, in order of their names.
        """
        kept = set(self.before if tasks is None else tasks)
        before = {task: self.before.get(task, set()) & kept for task in sorted(kept)}
        return _ordered(before, [tuple(sorted(members)) for members in components(before)])


class _Same:
    """Names of one thing, each mapped to the least of them."""

    def __init__(self, pairs: Iterable[tuple[str, str]]) -> None:
        self._least: dict[str, str] = {}
        for one, other in pairs:
            least, greater = sorted((self.one(one), self.one(other)))
            if least != greater:
                self._least[greater] = least

    def one(self, name: str) -> str:
        while name in self._least:
            name = self._least[name]
        return name


def _closure(start: Iterable[str], following: Mapping[str, set[str]]) -> set[str]:
    result = set(start)
    waiting = list(result)
    while waiting:
        for each in following.get(waiting.pop(), set()) - result:
            result.add(each)
            waiting.append(each)
    return result


def _ordered(before: Mapping[str, set[str]], units: list[tuple[str, ...]]) -> list[tuple[str, ...]]:
    """Return units in topological order, of those that are ready the least first."""
    unit_of = {task: unit for unit in units for task in unit}
    waits = {unit: {unit_of[each] for task in unit for each in before[task]} - {unit} for unit in units}
    leads: dict[tuple[str, ...], list[tuple[str, ...]]] = defaultdict(list)
    for unit, earlier in waits.items():
        for each in earlier:
            leads[each].append(unit)
    count = {unit: len(earlier) for unit, earlier in waits.items()}
    ready = [unit for unit, number in count.items() if not number]
    heapq.heapify(ready)
    result = []
    while ready:
        unit = heapq.heappop(ready)
        result.append(unit)
        for each in leads[unit]:
            count[each] -= 1
            if not count[each]:
                heapq.heappush(ready, each)
    return result
