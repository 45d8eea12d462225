"""The order of tasks: a task waits for all tasks that write what it reads.

Tasks that wait for each other (a circle) form one *unit*: lineage implies no order among them.
"""

from __future__ import annotations

import heapq
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from lineage_tt.governance.points.components import components
from lineage_tt.governance.points.folding import folded, merged, tasks_after, tasks_before
from lineage_tt.graph.arrays.names import Ints, Longs
from lineage_tt.model.completeness.summary import Gap
from lineage_tt.model.edges import dataset_of
from lineage_tt.model.facts import task_node

if TYPE_CHECKING:
    from lineage_tt.governance.ports import Bools, PointGraph

_TASK: Final = task_node("")


class Use(NamedTuple):
    """A task reads one dataset to write another one."""

    task: str
    source: str
    target: str


class Uses(NamedTuple):
    """What tasks read and write, each once and in order, and the pairs of datasets that are names of one thing.

    ``untraced`` are the tasks whose lineage is not complete, with what they are known to read and write, with or
    without an edge.
    """

    uses: list[Use]
    aliases: list[tuple[str, str]]
    untraced: list[Gap]


def uses_of(point: PointGraph, nodes: Collection[str] = (), tasks: Collection[str] = ()) -> Uses:
    """Return the uses of some tasks of a point.

    These are the tasks that make the nodes (``task:ID`` is such a task itself), with all tasks before them, and
    ``tasks``, with all tasks after them. A task whose lineage is not complete comes after what it is known to read.
    """
    walks = _Walks(point)
    above, untraced = {dataset_of(node) for node in nodes if not node.startswith(_TASK)}, dict[str, Gap]()
    makers = {node.removeprefix(_TASK) for node in nodes if node.startswith(_TASK)}
    while fresh := _new(untraced, point.gaps.of(makers), point.gaps.writing(walks.before(above, makers))):
        above |= {dataset for gap in fresh for dataset in gap.reads}
    below, after = set[str](), set(tasks)
    while fresh := _new(untraced, point.gaps.of(after), point.gaps.reading(walks.after(below, after))):
        below |= {dataset for gap in fresh for dataset in gap.writes}
    return Uses(*walks.uses_met(), [untraced[task] for task in sorted(untraced)])


def _new(known: dict[str, Gap], *lists: list[Gap]) -> list[Gap]:
    """Add gaps; return those that were not known."""
    fresh = {gap.task_id: gap for gaps in lists for gap in gaps if gap.task_id not in known}
    known |= fresh
    return list(fresh.values())


class _Walks:
    """Collects the tasks before datasets and after tasks, by number; all names of one thing count as one."""

    def __init__(self, point: PointGraph) -> None:
        self._point, self._aliases = point, _aliases(point)
        self._same = merged(point.nodes, *self._aliases) if len(self._aliases[0]) else None
        task = folded(point).task
        self._met = np.zeros(int(task.max()) + 1 if len(task) else 0, np.bool_)

    def before(self, datasets: Collection[str], tasks: Collection[str]) -> set[str]:
        """Return the datasets, and all that these tasks, the datasets' writers, and the tasks before them read."""
        met = tasks_before(self._point, self._same, self._nodes(datasets), self._tasks(tasks))
        return {*datasets, *self._ends(met, folded(self._point).source)}

    def after(self, datasets: Collection[str], tasks: Collection[str]) -> set[str]:
        """Return the datasets, and all that these tasks, the datasets' readers, and the tasks after them write."""
        met = tasks_after(self._point, self._same, self._nodes(datasets), self._tasks(tasks))
        return {*datasets, *self._ends(met, folded(self._point).target)}

    def uses_met(self) -> tuple[list[Use], list[tuple[str, str]]]:
        """Return the uses of all tasks that were met, and the pairs of datasets that are names of one thing."""
        point = self._point
        source, target, task = (column[self._met[folded(point).task]] for column in folded(point))
        named = zip(point.task_texts(task), point.node_texts(source), point.node_texts(target), strict=True)
        pairs = zip(*(point.node_texts(each) for each in self._aliases), strict=True)
        return sorted(Use(*each) for each in named), sorted({(one, other) for one, other in pairs if one < other})

    def _ends(self, tasks: Bools, ends: Ints) -> list[str]:
        self._met |= tasks
        return self._point.node_texts(np.unique(ends[tasks[folded(self._point).task]]))

    def _nodes(self, datasets: Collection[str]) -> Bools:
        return _flags(self._point.nodes, [self._point.number(dataset) for dataset in datasets])

    def _tasks(self, tasks: Collection[str]) -> Bools:
        return _flags(len(self._met), [self._point.task_number(task) for task in tasks])


def _aliases(point: PointGraph) -> tuple[Longs, Longs]:
    """Return the pairs of datasets that are names of one thing; each pair occurs in both directions."""
    at = point.alias
    return point.dataset[point.source[at]].astype(np.int64), point.dataset[point.target[at]].astype(np.int64)


def _flags(count: int, numbers: Collection[int]) -> Bools:
    result = np.zeros(count, np.bool_)
    result[[number for number in numbers if 0 <= number < count]] = True
    return result


class TaskGraph:
    """Tasks, what each reads and writes, and which come before which. Two names of one thing count as one."""

    def __init__(
        self, uses: Iterable[Use], aliases: Iterable[tuple[str, str]] = (), untraced: Iterable[Gap] = ()
    ) -> None:  # fmt: skip
        self._same = _Same(aliases)
        self.reads: dict[str, set[str]] = defaultdict(set)
        self.writes: dict[str, set[str]] = defaultdict(set)
        self.writers: dict[str, set[str]] = defaultdict(set)
        for task, source, target in uses:
            source, target = self._same.one(source), self._same.one(target)
            self.reads[task].add(source)
            self.writes[task].add(target)
            self.writers[target].add(task)
        for gap in untraced:
            self.reads[gap.task_id].update(map(self._same.one, gap.reads))
            self.writes[gap.task_id].update(map(self._same.one, gap.writes))
            for dataset in self.writes[gap.task_id]:
                self.writers[dataset].add(gap.task_id)

    @property
    def tasks(self) -> Collection[str]:
        """The tasks that read or write anything."""
        return self.writes.keys()

    def writers_of(self, dataset: str) -> set[str]:
        """Return the tasks that write a dataset, under any of its names."""
        return self.writers.get(self._same.one(dataset), set())

    @cached_property
    def before(self) -> Mapping[str, set[str]]:
        """For each task, the other tasks that write what it reads."""
        return {
            task: {writer for dataset in read for writer in self.writers.get(dataset, ())} - {task}
            for task, read in sorted(self.reads.items())
        }

    @cached_property
    def after(self) -> Mapping[str, set[str]]:
        """For each task, the other tasks that read what it writes."""
        result: dict[str, set[str]] = {task: set() for task in self.before}
        for task, earlier in self.before.items():
            for each in earlier:
                result[each].add(task)
        return result

    def upstream(self, tasks: Iterable[str]) -> set[str]:
        """Return the tasks and all tasks before them."""
        return _closure(tasks, self.before)

    def downstream(self, tasks: Iterable[str]) -> set[str]:
        """Return the tasks and all tasks after them."""
        return _closure(tasks, self.after)

    def units(self, tasks: Collection[str] | None = None) -> list[tuple[str, ...]]:
        """Return units of tasks in an order in which each comes after all that it waits for; ties by name.

        Most units are one task; tasks in a circle are one unit, ordered by name.
        """
        chosen = set(self.before if tasks is None else tasks)
        before = {task: self.before.get(task, set()) & chosen for task in sorted(chosen)}
        return _ordered(before, [tuple(sorted(members)) for members in components(before)])


class _Same:
    """Maps each name of a thing to the least of its names."""

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
    """Return units in topological order; of the units that are ready, the least comes first."""
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
