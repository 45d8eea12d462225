"""How complete an answer is, pure: which tasks on the way are partial or opaque, and where a walk stopped unknowing.

A *gap* is a task in force whose lineage is not complete, with the reasons. A walk meets a gap where one of its edges is
on the way, and where the task writes (upstream) or may read (downstream) a node that the walk reached. The walk *ends
for want of knowledge* at a node that such a task writes, or may read, without a known edge there. A node that no task
writes is an ordinary end.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, Final, Literal, NamedTuple, Protocol

from lineage_tt.edges import DIRECT, dataset_of

Way = Literal["up", "down"]
COMPLETE_COVERAGE: Final = "complete"
#: An answer lists so many tasks, reasons a task, and ends; the rest is counted.
MAX_TASKS: Final = 20
MAX_REASONS: Final = 5
MAX_ENDS: Final = 20
#: A sentence names so many tasks or datasets.
MAX_NAMED: Final = 3
#: The code of problems that a declaration of the subject's columns solves.
UNKNOWN_COLUMNS: Final = "unknown-columns"
_WHOLE: Final = "#*"


class Reason(NamedTuple):
    """Why a task's lineage is not complete: a code, words, and the dataset or column concerned."""

    code: str
    detail: str
    subject: str

    def to_json(self) -> dict[str, str]:
        """Return the reason as an object."""
        return self._asdict()


class Gap(NamedTuple):
    """A task in force whose lineage is ``partial`` or ``opaque``; ``version`` is the row of the log that says so.

    ``reads`` and ``writes`` are the datasets it is known to touch. ``unknown_reads`` are those whose columns it may use
    in ways that no edge shows; ``untraced_writes`` those it writes without any known edge. ``columns`` are the columns
    that it writes of a dataset, where they are known.
    """

    task_id: str
    version: int
    coverage: str
    reasons: tuple[Reason, ...] = ()
    reads: frozenset[str] = frozenset()
    writes: frozenset[str] = frozenset()
    unknown_reads: frozenset[str] = frozenset()
    untraced_writes: frozenset[str] = frozenset()
    columns: Mapping[str, frozenset[str]] = {}

    def may_write(self, node: str) -> bool:
        """Say whether the task may write a node: a dataset, or one of its columns."""
        dataset = dataset_of(node)
        if dataset not in self.writes:
            return False
        known = self.columns.get(dataset)
        return known is None or node == dataset or node[len(dataset) + 1 :] in known or node == dataset + _WHOLE


class TaskGap(NamedTuple):
    """A task as an answer lists it: at most ``MAX_REASONS`` reasons."""

    task_id: str
    version: int
    coverage: str
    reasons: tuple[Reason, ...]
    reasons_omitted: int = 0

    @classmethod
    def of(cls, gap: Gap) -> TaskGap:
        """Return a gap as an answer lists it."""
        shown = gap.reasons[:MAX_REASONS]
        return cls(gap.task_id, gap.version, gap.coverage, shown, len(gap.reasons) - len(shown))

    def to_json(self) -> dict[str, Any]:
        """Return the task as an object."""
        return self._asdict() | {"reasons": [reason.to_json() for reason in self.reasons]}


class End(NamedTuple):
    """A node at which a walk stopped for want of knowledge: ``unknown-sources`` upstream, ``unknown-targets`` down."""

    node: str
    direction: Way
    code: str
    detail: str

    def to_json(self) -> dict[str, str]:
        """Return the end as an object."""
        return self._asdict()


class Completeness(NamedTuple):
    """What an answer does not know. ``by_star`` counts the steps that assume a column name.

    ``undeclared`` are the datasets whose columns are not known and that none of the tasks met writes: to declare them
    is what helps. It is for the words of the answer and no part of its JSON.
    """

    tasks: tuple[TaskGap, ...] = ()
    tasks_omitted: int = 0
    ends: tuple[End, ...] = ()
    ends_omitted: int = 0
    by_star: int = 0
    undeclared: tuple[str, ...] = ()

    @property
    def complete(self) -> bool:
        """Whether nothing is missing, as far as the store can know."""
        return not (self.tasks or self.ends or self.by_star)

    def to_json(self) -> dict[str, Any]:
        """Return the object that stands beside ``basis`` and ``result`` in every JSON answer."""
        return {
            "complete": self.complete,
            "tasks": [task.to_json() for task in self.tasks],
            "tasks_omitted": self.tasks_omitted,
            "ends": [end.to_json() for end in self.ends],
            "ends_omitted": self.ends_omitted,
            "by_star": self.by_star,
        }


COMPLETE: Final = Completeness()


class GapsAt(Protocol):
    """The gaps as of one point; ``lineage_tt.gaps`` finds them."""

    def __bool__(self) -> bool:
        """Say whether any task may have a gap."""
        ...

    def of(self, tasks: Collection[str]) -> list[Gap]:
        """Return the gaps among these tasks."""
        ...

    def writing(self, datasets: Collection[str]) -> list[Gap]:
        """Return the gaps of tasks that write any of these datasets."""
        ...

    def reading(self, datasets: Collection[str]) -> list[Gap]:
        """Return the gaps of tasks that may read any of these datasets in ways that no edge shows."""
        ...


class _Edge(Protocol):
    """What is looked at of an edge."""

    @property
    def task_id(self) -> str: ...
    @property
    def source(self) -> str: ...
    @property
    def target(self) -> str: ...
    @property
    def type(self) -> str: ...


class _Step(Protocol):
    """What is looked at of a step."""

    @property
    def direction(self) -> Way: ...
    @property
    def steps(self) -> int: ...
    @property
    def edge(self) -> _Edge: ...
    @property
    def by_star(self) -> bool: ...


def summed(gaps: Iterable[Gap], ends: Iterable[End] = (), by_star: int = 0) -> Completeness:
    """Return the completeness of an answer that met these gaps and ends: each once, in order, bounded."""
    met = {(gap.task_id, gap.version): gap for gap in gaps}
    tasks, listed = sorted(met.items()), sorted(set(ends))
    if not (tasks or listed or by_star):
        return COMPLETE
    return Completeness(
        tuple(TaskGap.of(gap) for _, gap in tasks[:MAX_TASKS]),
        max(0, len(tasks) - MAX_TASKS),
        tuple(listed[:MAX_ENDS]),
        max(0, len(listed) - MAX_ENDS),
        by_star,
        _undeclared(met.values()),
    )


def _undeclared(gaps: Collection[Gap]) -> tuple[str, ...]:
    """Return the datasets whose columns are wanting: those that none of the tasks writes, else all."""
    wanting = {reason.subject for gap in gaps for reason in gap.reasons if reason.code == UNKNOWN_COLUMNS}
    written = {dataset for gap in gaps for dataset in gap.writes}
    return tuple(sorted((wanting - written or wanting) - {""}))


def of_walk(
    gaps: GapsAt, start: Sequence[str], steps: Sequence[_Step], direction: Literal["up", "down", "both"],
    depth: int | None,
) -> Completeness:  # fmt: skip
    """Return how complete a walk's answer is: ``steps`` are all that it found, ``depth`` as asked for.

    Nodes at which the depth stopped the walk are not looked at: what lies behind them was not asked for.
    """
    by_star = sum(step.by_star for step in steps)
    if not gaps:
        return summed((), (), by_star)
    met: list[Gap] = []
    ends: list[End] = []
    ways: tuple[Way, ...] = ("up", "down") if direction == "both" else (direction,)
    for way in ways:
        mine = [step for step in steps if step.direction == way]
        by_dataset = _nodes_gone_on_from(start, mine, way, depth)
        met += gaps.of({step.edge.task_id for step in mine})
        edges = [step.edge for step in mine]
        if way == "up":
            _up(gaps, by_dataset, set(start), edges, met, ends)
        else:
            _down(gaps, by_dataset, edges, met, ends)
    return summed(met, ends, by_star)


def _nodes_gone_on_from(
    start: Sequence[str], steps: Sequence[_Step], way: Way, depth: int | None
) -> dict[str, list[str]]:
    """Return the nodes, by dataset, whose edges the walk looked at."""
    nodes = set(start) if depth is None or depth > 0 else set()
    if way == "up":
        nodes |= {step.edge.source for step in steps if depth is None or step.steps < depth}
    else:
        nodes |= {step.edge.target for step in steps if depth is None or step.steps < depth}
    found: dict[str, list[str]] = defaultdict(list)
    for node in nodes:
        found[dataset_of(node)].append(node)
    return found


def _up(
    gaps: GapsAt, nodes: Mapping[str, list[str]], start: set[str], edges: Sequence[_Edge], met: list[Gap],
    ends: list[End],
) -> None:  # fmt: skip
    """Note the gaps that write these nodes, and the nodes that they write without a known edge."""
    writing = gaps.writing(nodes.keys())
    if not writing:
        return
    into = _Into(edges, start)
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
    """What the edges of a walk upstream end at."""

    def __init__(self, edges: Sequence[_Edge], start: set[str]) -> None:
        self._start = start
        self._targets = {edge.target for edge in edges}
        self._valued = {edge.target for edge in edges if edge.type == DIRECT}
        self._datasets = {dataset_of(target) for target in self._targets}

    def covers(self, node: str, gap: Gap) -> bool:
        """Say whether an edge says where a node's values come from.

        A whole dataset that the walk came to goes on with the edges into it as a whole alone, so that it ends for want
        of knowledge only where the task has no known edge into it or its columns at all.
        """
        dataset = dataset_of(node)
        if node == dataset and node not in self._start:
            return dataset not in gap.untraced_writes
        if node in (dataset, dataset + _WHOLE):
            return dataset in self._datasets
        return node in self._targets or dataset in self._valued or dataset + _WHOLE in self._valued


def _down(
    gaps: GapsAt, nodes: Mapping[str, list[str]], edges: Sequence[_Edge], met: list[Gap], ends: list[End]
) -> None:
    """Note the gaps that may read these nodes, and the nodes that they may read without a known edge."""
    reading = gaps.reading(nodes.keys())
    if not reading:
        return
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
