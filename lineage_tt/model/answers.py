"""The answers to questions: plain values, each with the basis it was read at."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any, Literal, NamedTuple, TypeVar

from lineage_tt.model.completeness.summary import COMPLETE, Completeness, Reason
from lineage_tt.model.edges import EdgeAsOf as EdgeAsOf  # also an answer
from lineage_tt.model.edges import Step as Step
from lineage_tt.model.errors import InvalidRequestError
from lineage_tt.model.times import format_instant

Direction = Literal["up", "down", "both"]
Level = Literal["column", "table"]
#: Levels that the command and the service can show; the store itself has no ``task`` level.
ShownLevel = Literal["column", "table", "task"]
T = TypeVar("T")


def check_direction(direction: str, known: Collection[str] = ("up", "down", "both")) -> None:
    """Raise InvalidRequestError for a direction that no walk has: it would answer with nothing, as if complete."""
    if direction not in known:
        *others, last = known
        raise InvalidRequestError(f"no direction {direction!r}", hint=f"give {', '.join(others)} or {last}")


def check_tasks(tasks: Collection[str] | None) -> None:
    """Raise InvalidRequestError for the id of one task instead of a list: its letters would be the tasks."""
    if isinstance(tasks, str):
        raise InvalidRequestError(f"tasks is one text, {tasks!r}, not a list", hint=f"give [{tasks!r}]")


def check_level(level: str) -> None:
    """Raise InvalidRequestError for a level that the store has not: a walk would answer with nothing."""
    if level not in ("column", "table"):
        raise InvalidRequestError(f"no level {level!r}", hint="give column or table")


class Answers(list[T]):
    """A list of answers that says how complete it is."""

    def __init__(self, items: Iterable[T] = (), completeness: Completeness = COMPLETE) -> None:
        super().__init__(items)
        self.completeness = completeness


class Basis(NamedTuple):
    """The point an answer was read at: a valid time (UTC microseconds) and a version. Same basis, same answer."""

    valid_at: int
    version: int
    system_time: int

    def to_json(self) -> dict[str, Any]:
        """Return the basis as every JSON answer carries it."""
        return {
            "valid_at": format_instant(self.valid_at),
            "version": self.version,
            "system_time": format_instant(self.system_time) if self.version else None,
        }


class Lineage(NamedTuple):
    """What a walk from ``start`` reached; ``nodes`` are the ends of its edges, each with the least number of steps.

    ``completeness`` says which tasks on the way are not complete, and where the walk stopped for want of knowledge.
    """

    basis: Basis
    start: tuple[str, ...]
    steps: tuple[Step, ...]
    completeness: Completeness = COMPLETE

    @property
    def nodes(self) -> dict[str, int]:
        """The nodes reached, without the start nodes, each with the least number of steps to it."""
        result: dict[str, int] = {}
        for step in self.steps:
            node = step.edge.target if step.direction == "down" else step.edge.source
            if node not in self.start:
                result[node] = min(step.steps, result.get(node, step.steps))
        return dict(sorted(result.items(), key=lambda item: (item[1], item[0])))


class TaskAsOf(NamedTuple):
    """A task in force at a point, with the message that says what it does.

    ``coverage``, ``edges`` and ``reasons`` (why the coverage is not complete) are those of ``resolved_version``: the
    message's own version, or a version derived from it later.
    """

    task_id: str
    version: int
    op: str
    effective_at: int
    system_time: int
    source_version: int | None
    event_id: str
    sql_sha256: str | None
    coverage: str | None
    edges: int
    dialect: str | None
    target: str | None
    actor: str | None
    reason: str | None
    resolved_version: int
    reasons: tuple[Reason, ...] = ()


class FactAsOf(NamedTuple):
    """A fact about a node in force at a point; ``kind`` and ``subject`` say whose messages state it."""

    node: str
    key: str
    value: str
    kind: str
    subject: str
    version: int
    valid_from: int
    valid_to: int | None


class ColumnAsOf(NamedTuple):
    """A column of a dataset at a point, or a field inside one (``nested``).

    ``origin`` is ``declared`` (by a dataset message: with type, mode and field id), ``written`` (seen in the statement
    of a task), or ``inferred``: provisional, from how statements fill and name an undeclared dataset.
    ``version`` is that of the message that states it (for an inferred column, the first in force), ``valid_from`` its
    valid time.
    """

    dataset: str
    column: str
    ordinal: int
    type: str | None
    mode: str | None
    field_id: int | None
    nested: bool
    origin: str
    version: int
    valid_from: int


class Difference(NamedTuple):
    """Edges in force at one point and not at another: ``removed`` only at the first, ``added`` only at the second."""

    first: Basis
    second: Basis
    removed: tuple[tuple[str, str, str, str, str, str], ...]
    added: tuple[tuple[str, str, str, str, str, str], ...]
    completeness: Completeness = COMPLETE


class ChangePoint(NamedTuple):
    """A valid time (UTC microseconds) at which edges begin or end to be in force, and how many do."""

    valid_at: int
    begins: int
    ends: int


class ChangeVersion(NamedTuple):
    """A version that added or removed edges at any valid time, and how many changes of each sign it has."""

    version: int
    system_time: int
    plus: int
    minus: int


class Belief(NamedTuple):
    """A rectangle: an edge on [valid_from, valid_to), believed from system_from to system_to."""

    task_id: str
    source: str
    target: str
    type: str
    subtype: str
    expression: str
    valid_from: int
    valid_to: int | None
    system_from: int
    system_to: int | None
    version: int
    closing_version: int | None


class LogEntry(NamedTuple):
    """One row of the log without its edges: a message received, and what it changed.

    ``superseded_by`` is set for a message that was accepted and did not take effect: the version of the earlier message
    with a greater ``source_version`` that stayed in force at its ``effective_at``, or of the earlier retract of the
    same event. ``root`` is where the message originates: a ``person``, a ``run``, a ``statement`` (SQL), or the
    ``message`` itself, which gives edges or facts. ``evidence`` is a link that a person gave; only ``blame`` reads it.
    """

    version: int
    system_time: int
    status: str
    task_id: str | None
    event_id: str | None
    op: str | None
    effective_at: int | None
    source_version: int | None
    retracts: str | None
    recorded_at: int | None
    actor: str | None
    reason: str | None
    cause: str | None
    coverage: str | None
    edges: int
    plus: int
    minus: int
    rejected_code: str | None
    rejected_detail: str | None
    kind: str | None = None
    subject: str | None = None
    derived_from: int | None = None
    superseded_by: int | None = None
    root: str = "message"
    evidence: str | None = None


class Blame(NamedTuple):
    """Who put an edge in force, and the message that did."""

    edge: EdgeAsOf
    entry: LogEntry


class FeedEntry(NamedTuple):
    """The signed changes of one version, netted: what its message really added and removed.

    ``previous_version`` is the last version before it that changed anything, 0 for none. A reader that last saw another
    version has missed changes. ``facts`` are the netted signed changes of facts. ``columns_added`` and
    ``columns_removed`` are target columns that gained their first or lost their last edge of the task. ``rectangles``
    are the changes as the log holds them: each minus removes a whole rectangle that an earlier plus added.
    """

    version: int
    system_time: int
    task_id: str | None
    event_id: str
    actor: str | None
    reason: str | None
    cause: str | None
    changes: tuple[tuple[int, str, str, str, str, str, int, int | None], ...]
    op: str | None = None
    effective_at: int | None = None
    previous_version: int = 0
    kind: str = "task"
    node: str | None = None
    facts: tuple[tuple[int, str, str, str, int, int | None], ...] = ()
    derived_from: int | None = None
    columns_added: tuple[str, ...] = ()
    columns_removed: tuple[str, ...] = ()
    rectangles: tuple[tuple[int, str, str, str, str, str, int, int | None], ...] = ()

    @property
    def subject(self) -> str:
        """The task or the node that the version is about."""
        return self.task_id or self.node or ""


class DeadLetter(NamedTuple):
    """A rejected message, whole; ``replayed_as`` is the version of its accepted replay.

    ``dismissed`` is the reason why it was dismissed.
    """

    version: int
    system_time: int
    code: str
    detail: str
    event_id: str | None
    task_id: str | None
    source: str | None
    source_position: int | None
    raw: bytes
    replayed_as: int | None
    dismissed: str | None = None

    @property
    def waits(self) -> bool:
        """Whether it was neither replayed nor dismissed."""
        return self.replayed_as is None and self.dismissed is None
