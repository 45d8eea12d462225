"""Lineage from task to task: a task comes after another task if it reads what that task writes.

It is built from a walk at table level, by any engine, so all engines agree. Two names of one thing count as one.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, Final, Literal, Protocol

from lineage_tt.model.answers import Basis, Direction, EdgeAsOf, Lineage, Step, check_direction
from lineage_tt.model.completeness.summary import Completeness, merged
from lineage_tt.model.edges import ALIAS, dataset_of
from lineage_tt.model.errors import InvalidRequestError, NotInForceError
from lineage_tt.model.facts import task_node

Way = Literal["down", "up"]
#: The prefix of a task's node.
PREFIX: Final = "task:"


class Walked(Protocol):
    """A view as of a point, over the files or over the graph."""

    @property
    def basis(self) -> Basis:
        """The point."""

    def edges(self, tasks: Collection[str] | None = None) -> list[EdgeAsOf]:
        """Return the edges in force of some tasks."""

    def lineage(self, *nodes: str, direction: Direction, level: Literal["table"], direct_only: bool) -> Any:
        """Walk from dataset to dataset; the result has ``steps`` and ``completeness``."""


def task_lineage(
    view: Walked, nodes: Sequence[str], direction: Direction = "both", depth: int | None = None,
    direct_only: bool = False,
) -> Lineage:  # fmt: skip
    """Walk from tasks (``task:ID``) or datasets to tasks, at most ``depth`` tasks far (None: to the end).

    The edges lead from task to task; ``task_id`` is the task that reads, ``expression`` names what it reads from the
    other task. Raises NotInForceError for a task without edges at the point, InvalidRequestError for a negative depth
    or an unknown direction, and UnknownNodeError.
    """
    check_direction(direction)
    if depth is not None and depth < 0:
        raise InvalidRequestError(f"depth is {depth}: give 0 or more, or leave it out")
    if not nodes:
        raise InvalidRequestError("give at least one node")
    start = tuple(dict.fromkeys(node if node.startswith(PREFIX) else dataset_of(node) for node in nodes))
    ways: tuple[Way, ...] = ("down", "up") if direction == "both" else (direction,)
    steps: list[Step] = []
    completeness: list[Completeness] = []
    own = _edges_of(view, [node for node in start if node.startswith(PREFIX)], direct_only)
    for way in ways:
        beside = {node: _ends(own[node], way) if node in own else {node} for node in start}
        datasets = {dataset for some in beside.values() for dataset in some}
        edges: list[EdgeAsOf] = []
        while datasets:  # the walk continues with all that a task writes (or reads), not only with the flow it met
            walked = view.lineage(*sorted(datasets), direction=way, level="table", direct_only=direct_only)
            edges = [step.edge for step in walked.steps]
            met = {task_node(edge.task_id) for edge in edges if edge.subtype != ALIAS}
            own |= _edges_of(view, met - own.keys(), direct_only)
            ends = {end for task in met for end in _ends(own[task], way)}
            if ends <= (reached := datasets | _ends(edges, way)):
                break
            datasets |= ends - reached
        if datasets:
            completeness.append(walked.completeness)
        steps += _steps(way, beside, own, edges, depth)
    return Lineage(view.basis, start, tuple(sorted(steps)), merged(*completeness))


def rolled_up(
    view: Walked, parents: Mapping[str, str], nodes: Sequence[str], direction: Direction = "both",
    depth: int | None = None, direct_only: bool = False,
) -> Lineage:  # fmt: skip
    """Walk from task to task where sub-tasks count as the outermost task that started them.

    ``parents`` are the nodes of tasks by those of their sub-tasks. A task may have only the edges of its sub-tasks;
    edges between sub-tasks of one task do not count. Otherwise like ``task_lineage``, with ``depth`` counted in
    outermost tasks.
    """
    if depth is not None and depth < 0:
        raise InvalidRequestError(f"depth is {depth}: give 0 or more, or leave it out")
    below: dict[str, set[str]] = defaultdict(set)
    for node in parents:
        below[outermost(node, parents)].add(node)
    origins = {node if not node.startswith(PREFIX) else outermost(node, parents) for node in nodes}
    tops = origins
    while True:  # the walk continues with all sub-tasks of a task
        members = {top: below[top] | {top} for top in tops if top.startswith(PREFIX)}
        tasks = [node.removeprefix(PREFIX) for group in members.values() for node in group]
        working = {task_node(edge.task_id) for edge in view.edges(tasks)} if tasks else set()
        start = [each for top in sorted(tops) for each in sorted((members.get(top, {top}) & working) or {top})]
        lineage = task_lineage(view, start, direction, None, direct_only)
        ends = {node for step in lineage.steps for node in (step.edge.source, step.edge.target)}
        met = tops | {outermost(node, parents) for node in ends if node.startswith(PREFIX)}
        if met == tops or depth == 1:
            break
        tops = met
    groups: dict[tuple[Way, str, str], list[EdgeAsOf]] = defaultdict(list)
    for step in lineage.steps:
        source, target = outermost(step.edge.source, parents), outermost(step.edge.target, parents)
        if source != target:
            groups[step.direction, source, target].append(step.edge)
    steps: list[Step] = []
    for way in sorted({way for way, _, _ in groups}):
        frontier, seen, count = set(origins), set(origins), 0
        while frontier and (depth is None or count < depth):
            count += 1
            reached: set[str] = set()
            for (side, source, target), edges in groups.items():
                near, far = (source, target) if way == "down" else (target, source)
                if side == way and near in frontier:
                    steps.append(Step(way, count, _together(source, target, edges)))
                    reached.add(far)
            frontier = reached - seen
            seen |= frontier
    return Lineage(view.basis, tuple(sorted(origins)), tuple(sorted(steps)), lineage.completeness)


def outermost(node: str, parents: Mapping[str, str]) -> str:
    """Return the outermost task of those that start a task; if they start each other, the one with the least name."""
    line = [node]
    while (above := parents.get(line[-1])) is not None:
        if above in line:
            return min(line[line.index(above) :])
        line.append(above)
    return line[-1]


def _together(source: str, target: str, edges: Sequence[EdgeAsOf]) -> EdgeAsOf:
    """Return the edges between the sub-tasks of two tasks as one edge, in force while all of them are."""
    over = ", ".join(sorted({name for edge in edges for name in edge.expression.split(", ")}))
    kind = "DIRECT" if any(edge.type == "DIRECT" for edge in edges) else "INDIRECT"
    ends = [edge.valid_to for edge in edges if edge.valid_to is not None]
    return EdgeAsOf(
        (target if target.startswith(PREFIX) else source).removeprefix(PREFIX), source, target, kind, "", over,
        max(edge.version for edge in edges), max(edge.valid_from for edge in edges), min(ends, default=None),
    )  # fmt: skip


def _edges_of(view: Walked, tasks: Collection[str], direct_only: bool) -> dict[str, list[EdgeAsOf]]:
    """Return all edges of tasks, by their nodes; NotInForceError for a task without edges."""
    by_task: dict[str, list[EdgeAsOf]] = {task: [] for task in tasks}
    for edge in view.edges([task.removeprefix(PREFIX) for task in sorted(tasks)]) if tasks else ():
        by_task[task_node(edge.task_id)].append(edge)
    for task, edges in by_task.items():
        if not edges:
            raise NotInForceError(task.removeprefix(PREFIX))
        by_task[task] = [edge for edge in edges if edge.type == "DIRECT" or not direct_only]
    return by_task


def _ends(edges: Iterable[EdgeAsOf], way: Way) -> set[str]:
    """Return the datasets from which a walk continues: what a task writes or, upstream, reads."""
    return {dataset_of(edge.target if way == "down" else edge.source) for edge in edges}


def _steps(
    way: Way, beside: dict[str, set[str]], own: Mapping[str, Sequence[EdgeAsOf]], edges: Iterable[EdgeAsOf],
    depth: int | None,
) -> list[Step]:  # fmt: skip
    """Return the steps from task to task; ``own`` are all edges of each task."""
    at: dict[str, list[EdgeAsOf]] = defaultdict(list)
    other: dict[str, set[str]] = defaultdict(set)
    for edge in edges:
        near, far = (edge.source, edge.target) if way == "down" else (edge.target, edge.source)
        if edge.subtype == ALIAS:
            other[near].add(far)
        else:
            at[near].append(edge)
    steps: list[Step] = []
    frontier, seen, count = dict(beside), set(beside), 0
    while frontier and (depth is None or count < depth):
        count += 1
        following: dict[str, set[str]] = {}
        for node, datasets in sorted(frontier.items()):
            groups: dict[str, list[EdgeAsOf]] = defaultdict(list)
            names = {dataset: _all_names(dataset, other) for dataset in datasets}
            for dataset in sorted(set[str]().union(*names.values())):
                for edge in at[dataset]:
                    groups[task_node(edge.task_id)].append(edge)
            for task, members in groups.items():
                if task == node:
                    continue
                over = _ends(members, "up" if way == "down" else "down")
                between = {dataset for dataset in datasets if not over.isdisjoint(names[dataset])}
                its = [edge for edge in own.get(node, ()) if not between.isdisjoint(_ends([edge], way))]
                steps.append(Step(way, count, _between(node, task, its, members, way)))
                if task not in seen:
                    seen.add(task)
                    following[task] = _ends(own[task], way)
        frontier = following
    return steps


def _all_names(dataset: str, other: dict[str, set[str]]) -> set[str]:
    names = {dataset}
    waiting = list(names)
    while waiting:
        for name in other.get(waiting.pop(), set()) - names:
            names.add(name)
            waiting.append(name)
    return names


def _between(node: str, task: str, near: Sequence[EdgeAsOf], members: Sequence[EdgeAsOf], way: Way) -> EdgeAsOf:
    """Return the edge between two tasks, in force while the edges of both are.

    ``near`` are the edges of the task at which the step starts, empty if it starts at a dataset; ``members`` those of
    the task at which it ends. Version, type and datasets come from the edges of the reading task, or of the writing
    task if the target is a dataset.
    """
    source, target = (node, task) if way == "down" else (task, node)
    is_read = target.startswith(PREFIX)
    reader = (target if is_read else source).removeprefix(PREFIX)
    both = [*near, *members]
    its = [edge for edge in both if edge.task_id == reader]
    over = ", ".join(sorted({dataset_of(edge.source if is_read else edge.target) for edge in its}))
    kind = "DIRECT" if any(edge.type == "DIRECT" for edge in its) else "INDIRECT"
    ends = [edge.valid_to for edge in both if edge.valid_to is not None]
    return EdgeAsOf(
        reader, source, target, kind, "", over, max(edge.version for edge in its),
        max(edge.valid_from for edge in both), min(ends, default=None),
    )  # fmt: skip
