"""The rules for which gaps concern an answer: a walk (by edges and nodes), a difference (by tasks), a blame; pure."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Final, Literal

from lineage_tt.model.completeness.summary import (
    COMPLETE,
    MAX_NAMED,
    NO_SUCH_COLUMN,
    Completeness,
    End,
    Gap,
    GapsAt,
    Way,
    summed,
)
from lineage_tt.model.edges import ALIAS, DIRECT, EdgeAsOf, Step, dataset_of, is_column

_WHOLE: Final = "#*"

#: Returns those columns that their datasets do not have at a point, as far as is known (``completeness.absent``).
Absent = Callable[[Collection[str]], Collection[str]]


def of_walk(
    gaps: GapsAt, start: Sequence[str], steps: Sequence[Step], direction: Literal["up", "down", "both"],
    depth: int | None, absent: Absent | None = None,
) -> Completeness:  # fmt: skip
    """Return how complete a walk's answer is: ``steps`` are its result, ``depth`` as requested.

    Nodes at which the depth stopped the walk are ignored: what comes after them was not requested. ``absent`` is
    called with the start columns at which the walk found no edge.
    """
    by_star = sum([step[3] and step[2][4] != ALIAS for step in steps])  # an alias is stated, not assumed
    ways: tuple[Way, ...] = ("up", "down") if direction == "both" else (direction,)
    none_such = [*_no_such(start, steps, ways, absent)] if absent is not None and depth != 0 else []
    if not gaps:
        return summed((), none_such, by_star)
    met: list[Gap] = []
    ends: list[End] = []
    for way in ways:
        up, tasks = way == "up", set[str]()
        nodes = set(start) if depth is None or depth > 0 else set[str]()
        edges = []
        for direction_of, count, edge, _ in steps:  # tuples: every answer pays for this loop
            if direction_of == way:
                if edge[4] != ALIAS:  # an alias does not say where values come from
                    edges.append(edge)
                tasks.add(edge[0])
                if depth is None or count < depth:
                    nodes.add(edge.source if up else edge.target)
        met += gaps.of(tasks)
        (_up if up else _down)(gaps, nodes, set(start), edges, met, ends)
    if none_such:
        known = {end[:2] for end in ends}
        ends += [end for end in none_such if end[:2] not in known]
    return summed(met, ends, by_star)


def _no_such(start: Sequence[str], steps: Sequence[Step], ways: Collection[Way], absent: Absent) -> Iterable[End]:
    """Yield an end for each start column at which the walk finds no edge and that its dataset does not have.

    A dataset has at least the columns that edges lead into.
    """
    columns = {node for node in start if is_column(node)}
    left = {way: set(columns) for way in ways}
    for way, count, edge, _ in steps:
        if count == 1 and left[way]:
            left[way].discard(edge.target if way == "up" else edge.source)
            if not any(left.values()):
                return
    filled = columns - left.get("up", columns)
    unmatched = set().union(*left.values()) - filled
    missing = set(absent(unmatched)) if unmatched else set()
    for way in ways:
        for node in missing & left[way]:
            yield End(node, way, NO_SUCH_COLUMN, f"{dataset_of(node)} is not known to have that column at that point")


def _by_dataset(nodes: Iterable[str]) -> dict[str, list[str]]:
    result: dict[str, list[str]] = defaultdict(list)
    for node in nodes:
        result[dataset_of(node)].append(node)
    return result


def _up(
    gaps: GapsAt, reached: set[str], start: set[str], edges: Sequence[EdgeAsOf], met: list[Gap], ends: list[End]
) -> None:
    """Note the gaps of tasks that write nodes on the way, and the nodes that they write without a known edge."""
    writing = gaps.writing({dataset_of(node) for node in reached})
    if not writing:
        return
    nodes, into = _by_dataset(reached), _Into(edges, start)
    writers: dict[str, list[str]] = defaultdict(list)
    for gap in writing:
        written = [node for dataset in gap.writes & nodes.keys() for node in nodes[dataset] if gap.may_write(node)]
        met += [gap] if written else []
        for node in written:
            if not into.covers(node, gap):
                writers[node].append(gap.task_id)
    for node, tasks in writers.items():
        detail = f"{_who(tasks, 'write')} {dataset_of(node)} from sources that are not known"
        ends.append(End(node, "up", "unknown-sources", detail))


class _Into:
    """The targets of the edges of an upstream walk."""

    def __init__(self, edges: Sequence[EdgeAsOf], start: set[str]) -> None:
        self._start = start
        self._targets = {edge.target for edge in edges}
        self._valued = {edge.target for edge in edges if edge.type == DIRECT}
        self._datasets = {dataset_of(target) for target in self._targets}

    def covers(self, node: str, gap: Gap) -> bool:
        """Return whether an edge says where a node's values come from.

        From a whole dataset that it reached, the walk continues only over edges into the dataset as a whole. So it ends
        for want of knowledge there only if the task has no known edge into the dataset or any of its columns.
        """
        dataset = dataset_of(node)
        if node == dataset and node not in self._start:
            return dataset not in gap.untraced_writes
        if node in (dataset, dataset + _WHOLE):
            return dataset in self._datasets
        return node in self._targets or dataset in self._valued or dataset + _WHOLE in self._valued


def _down(
    gaps: GapsAt, reached: set[str], _: set[str], edges: Sequence[EdgeAsOf], met: list[Gap], ends: list[End]
) -> None:
    """Note the gaps of tasks that may read nodes on the way, and the nodes that they may read without a known edge."""
    reading = gaps.reading({dataset_of(node) for node in reached})
    if not reading:
        return
    nodes = _by_dataset(reached)
    sources = {edge.source for edge in edges}
    datasets = {dataset_of(source) for source in sources}
    readers: dict[str, list[str]] = defaultdict(list)
    for gap in reading:
        met.append(gap)
        for dataset in gap.unknown_reads & nodes.keys():
            for node in nodes[dataset]:
                whole = node in (dataset, dataset + _WHOLE)
                if not (dataset in datasets if whole else node in sources or dataset + _WHOLE in sources):
                    readers[node].append(gap.task_id)
    for node, tasks in readers.items():
        detail = f"{_who(tasks, 'read')} {dataset_of(node)}; what that feeds is not known"
        ends.append(End(node, "down", "unknown-targets", detail))


def _who(tasks: Sequence[str], verb: str) -> str:
    """Return ``task a writes``, ``tasks a, b and 2 more write``."""
    names = sorted(set(tasks))
    if len(names) == 1:
        return f"task {names[0]} {verb}s"
    shown = ", ".join(names[:MAX_NAMED]) + (f" and {len(names) - MAX_NAMED} more" if len(names) > MAX_NAMED else "")
    return f"tasks {shown} {verb}"


def of_diff(first: GapsAt, second: GapsAt, tasks: Collection[str], node: str | None) -> Completeness:
    """Return how complete a difference is: ``tasks`` are those of its edges.

    A gap at either point counts if its task is among them, or if the task's gap differs between the points. With a
    node, the second case counts only if the gap touches the node's dataset.
    """
    if not first and not second:
        return COMPLETE
    before, after = ({gap.task_id: gap for gap in gaps.all()} for gaps in (first, second))
    dataset = None if node is None else dataset_of(node)
    met = [
        gap
        for mine, others in ((before, after), (after, before))
        for gap in mine.values()
        if gap.task_id in tasks or (others.get(gap.task_id) != gap and _touches(gap, dataset))
    ]
    return summed(met)


def _touches(gap: Gap, dataset: str | None) -> bool:
    return dataset is None or dataset in gap.reads or dataset in gap.writes


def of_blame(blamed: Iterable[Gap], found: bool, gaps: GapsAt, target: str) -> Completeness:
    """Return how complete the blame of edges into ``target`` is.

    ``blamed`` are the gaps of the versions blamed. If no edge was found, the tasks that may write the target count.
    """
    if found:
        return summed(blamed)
    return summed(gap for gap in gaps.writing({dataset_of(target)}) if gap.may_write(target)) if gaps else COMPLETE
