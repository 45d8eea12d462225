"""What is downstream of a change: every column reached, over which nodes, and in which datasets.

This is a walk over the edges after the release. As in every walk of the store, an edge that ends at a column continues
with the edges out of that column, and an edge that ends at a whole dataset with the edges out of any of its columns. A
star edge (``X#* → Y#*``: the columns are not known) is joined to each column: it leads from ``X#c`` to ``Y#c``, unless
its task makes ``Y#c`` from something else. ``Y#*`` is any column of Y.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from lineage_tt.model.completeness.rejections import Rejections
from lineage_tt.model.edges import DIRECT, REJECTED, TaskEdge, dataset_of, leaves_out

EdgesFrom = Callable[[Iterable[str]], Sequence[TaskEdge]]
EdgesOf = Callable[[Iterable[str]], Sequence[TaskEdge]]
#: The column of a star node, which represents all columns of its dataset.
STAR: Final = "*"
_STAR_END: Final = f"#{STAR}"


class Reached(NamedTuple):
    """A node that a walk reached: after how many steps, from which node, by which task."""

    steps: int
    before: str | None
    task: str | None


def walk(
    starts: Iterable[str], edges_from: EdgesFrom, edges_of: EdgesOf | None = None, *, direct_only: bool = False
) -> dict[str, Reached]:
    """Return every node downstream of the starts, these included (0 steps), by shortest path.

    ``edges_of`` returns all edges of tasks: these show which target columns a star edge's task makes otherwise.
    """
    own: dict[str, frozenset[str]] = {}
    result = {node: Reached(0, None, None) for node in sorted(set(starts), key=_columns_first)}
    frontier = set(result)
    by_source: dict[str, list[TaskEdge]] = defaultdict(list)
    whole: dict[str, list[TaskEdge]] = {}
    steps, marks = 0, set[tuple[str, str, str]]()
    rejected = Rejections(marks)
    while frontier:
        steps += 1
        missing = {dataset_of(node) for node in frontier} - whole.keys()
        if missing:
            whole.update({dataset: [] for dataset in missing})
            for edge in edges_from(missing):
                if edge.subtype == REJECTED:
                    marks.add(edge[:3])
                elif not direct_only or edge.type == DIRECT:
                    by_source[edge.source].append(edge)
                    whole[dataset_of(edge.source)].append(edge)
            rejected = Rejections(marks)
            _note_own(own, [edge for dataset in missing for edge in by_source.get(dataset + _STAR_END, ())], edges_of)
        following: set[str] = set()
        for node in sorted(frontier, key=_columns_first):
            for source, target, task in _leaving(node, by_source, whole, own):
                if target not in result and (source, target) not in rejected:
                    result[target] = Reached(steps, node, task)
                    following.add(target)
        frontier = following
    return result


def _leaving(
    node: str,
    by_source: Mapping[str, Sequence[TaskEdge]],
    whole: Mapping[str, Sequence[TaskEdge]],
    own: Mapping[str, frozenset[str]],
) -> Iterator[tuple[str, str, str]]:
    """Yield (source, target, task) of each step out of a node."""
    dataset, _, column = node.partition("#")
    if column in ("", STAR):  # a star node is every column, not the dataset as a whole
        yield from (
            (edge.source, edge.target, edge.task_id)
            for edge in whole.get(dataset, ())
            if not column or "#" in edge.source
        )
        return
    yield from ((node, edge.target, edge.task_id) for edge in by_source.get(node, ()))
    for edge in by_source.get(dataset + _STAR_END, ()):
        target = edge.target
        if leaves_out(edge.edge, node):
            continue
        if target.endswith(_STAR_END):
            target = target[: -len(STAR)] + column
            if target in own.get(edge.task_id, frozenset()):
                continue
        yield node, target, edge.task_id


def _note_own(own: dict[str, frozenset[str]], stars: Iterable[TaskEdge], edges_of: EdgesOf | None) -> None:
    """Note which columns the tasks of star edges make of named sources."""
    tasks = {edge.task_id for edge in stars} - own.keys()
    targets_by_task: dict[str, set[str]] = {task: set() for task in tasks}
    for edge in edges_of(tasks) if tasks and edges_of is not None else ():
        if edge.type == DIRECT and "#" in edge.target and not edge.target.endswith(_STAR_END):
            targets_by_task[edge.task_id].add(edge.target)
    own.update({task: frozenset(targets) for task, targets in targets_by_task.items()})


def _columns_first(node: str) -> tuple[bool, str]:
    """Order nodes so that a path over columns comes before a path over whole datasets."""
    return "#" not in node, node


def path_to(node: str, reached: Mapping[str, Reached]) -> tuple[str, ...]:
    """Return the nodes from a start to this one."""
    path = [node]
    while (before := reached[path[-1]].before) is not None:
        path.append(before)
    return tuple(reversed(path))


def by_dataset(reached: Mapping[str, Reached]) -> dict[str, list[str]]:
    """Return the nodes reached in one step or more, by dataset, nearest first."""
    result: dict[str, list[str]] = defaultdict(list)
    for node, at in sorted(reached.items(), key=lambda item: (item[1].steps, item[0])):
        if at.steps:
            result[dataset_of(node)].append(node)
    return dict(result)
