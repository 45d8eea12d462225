"""How complete an answer is: which tasks on the way have gaps, and where a walk stopped for want of knowledge; pure.

A *gap* is a task in force whose lineage is not complete, with the reasons. A walk meets a gap where one of its edges is
on the way, and where the task writes (upstream) or may read (downstream) a node that the walk reached. The walk *ends
for want of knowledge* at a node that such a task writes, or may read, without a known edge there. A node that no task
writes is an ordinary end. A walk also ends for want of knowledge at a column that the question names if the column has
no edge, a task writes its dataset, and the column is not among the dataset's known columns.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Any, Final, Literal, NamedTuple, Protocol

from lineage_tt.model.edges import dataset_of

Way = Literal["up", "down"]
COMPLETE_COVERAGE: Final = "complete"
#: The most tasks, reasons per task, and ends that an answer lists; the rest are only counted.
MAX_TASKS: Final = 20
MAX_REASONS: Final = 5
MAX_ENDS: Final = 20
#: The most tasks or datasets that a sentence names.
MAX_NAMED: Final = 3
#: The code of problems that a declaration of the subject's columns solves.
UNKNOWN_COLUMNS: Final = "unknown-columns"
#: The code of an end at a column that its dataset does not have, as far as is known.
NO_SUCH_COLUMN: Final = "no-such-column"
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

    ``reads`` and ``writes`` are the datasets that it is known to read and write. ``unknown_reads`` are those whose
    columns it may use in ways that no edge shows; ``untraced_writes`` are those that it writes without any known edge.
    ``columns`` are, by dataset, the columns that it writes, where they are known.
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
        """Return whether the task may write a node: a dataset, or one of its columns."""
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
    """A node at which a walk stopped for want of knowledge: ``unknown-sources`` upstream, ``unknown-targets`` down.

    ``no-such-column`` marks a column that the question names and that its dataset does not have, as far as is known.
    """

    node: str
    direction: Way
    code: str
    detail: str

    def to_json(self) -> dict[str, str]:
        """Return the end as an object."""
        return self._asdict()


class Completeness(NamedTuple):
    """What an answer does not know. ``by_star`` counts the steps that assume a column name.

    ``rejected`` counts the edges that a walk left out because people reject them; the JSON has it where it is not 0.

    Three fields are for text and drawings and are not in the JSON. ``undeclared`` are the datasets whose columns are
    not known and that none of the tasks listed writes: declaring them would help. ``uncertain_tasks`` and
    ``uncertain_nodes`` are all tasks with gaps and all ends, without a limit.
    """

    tasks: tuple[TaskGap, ...] = ()
    tasks_omitted: int = 0
    ends: tuple[End, ...] = ()
    ends_omitted: int = 0
    by_star: int = 0
    undeclared: tuple[str, ...] = ()
    uncertain_tasks: frozenset[str] = frozenset()
    uncertain_nodes: frozenset[str] = frozenset()
    rejected: int = 0

    @property
    def complete(self) -> bool:
        """Whether nothing is missing, as far as the store can know."""
        return not (self.tasks or self.ends or self.by_star)

    def to_json(self) -> dict[str, Any]:
        """Return the object that every JSON answer has next to ``basis`` and ``result``."""
        fields = {
            "complete": self.complete,
            "tasks": [task.to_json() for task in self.tasks],
            "tasks_omitted": self.tasks_omitted,
            "ends": [end.to_json() for end in self.ends],
            "ends_omitted": self.ends_omitted,
            "by_star": self.by_star,
        }
        return fields | ({"rejected": self.rejected} if self.rejected else {})


COMPLETE: Final = Completeness()


class GapsAt(Protocol):
    """The gaps as of one point; ``lineage_tt.model.completeness.gaps`` finds them."""

    def __bool__(self) -> bool:
        """Return whether any task may have a gap."""
        ...

    def all(self) -> list[Gap]:
        """Return the gaps of all tasks in force."""
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


def summed(gaps: Iterable[Gap], ends: Iterable[End] = (), by_star: int = 0) -> Completeness:
    """Return the completeness of an answer with these gaps and ends: each listed once, in order, up to the limits."""
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
        frozenset(gap.task_id for gap in met.values()),
        frozenset(end.node for end in listed),
    )


def merged(*answers: Completeness) -> Completeness:
    """Return how complete several answers are together; a task or end that several of them list counts once."""
    incomplete = [each for each in answers if each != COMPLETE]
    if len(incomplete) < 2:
        return incomplete[0] if incomplete else COMPLETE
    tasks = sorted({(task.task_id, task.version): task for each in incomplete for task in each.tasks}.items())
    ends = sorted({end for each in incomplete for end in each.ends})
    uncertain = frozenset[str]().union(*(each.uncertain_tasks for each in incomplete))
    nodes = frozenset[str]().union(*(each.uncertain_nodes for each in incomplete))
    return Completeness(
        tuple(task for _, task in tasks[:MAX_TASKS]),
        max(*(each.tasks_omitted for each in incomplete), len(tasks) - MAX_TASKS, len(uncertain) - MAX_TASKS),
        tuple(ends[:MAX_ENDS]),
        max(*(each.ends_omitted for each in incomplete), len(ends) - MAX_ENDS, len(nodes) - MAX_ENDS),
        sum(each.by_star for each in incomplete),
        tuple(sorted({dataset for each in incomplete for dataset in each.undeclared})),
        uncertain,
        nodes,
        sum(each.rejected for each in incomplete),
    )


def of_both(one: Completeness, other: Completeness) -> Completeness:
    """Return how complete an answer about two points is; points that lack the same count once."""
    return one if one == other else merged(one, other)


def _undeclared(gaps: Collection[Gap]) -> tuple[str, ...]:
    """Return the datasets whose columns are not known: those that no task here writes or, if there are none, all."""
    wanting = {reason.subject for gap in gaps for reason in gap.reasons if reason.code == UNKNOWN_COLUMNS}
    written = {dataset for gap in gaps for dataset in gap.writes}
    return tuple(sorted((wanting - written or wanting) - {""}))
