"""Re-resolution: a statement is resolved again because other columns are known, or with a newer parser.

From a valid time on, the new version replaces the message as long as that message is in force. It names the message's
version (``derived_from``) and what caused it (``cause``). The message itself, and everything that was believed, stays.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final, NamedTuple

from lineage_tt.model.edges import EdgeTuple
from lineage_tt.model.facts import FactTuple
from lineage_tt.model.messages import Columns, Lineage, Problem, TaskChange
from lineage_tt.write.subjects.tasks import TaskHistory

#: Problems of a slow machine or a process that ended: they say nothing about the statement, which is tried again.
TRANSIENT: Final = ("timeout", "worker-died", "crash")
#: The problem of a statement whose text is not kept: its lineage stays as it is.
TEXT_DROPPED: Final = "text-dropped"
_RANK: Final = {"opaque": 0, "partial": 1, "complete": 2}
READ_REASON = "columns that it reads changed"


class Cause(NamedTuple):
    """Why the store adds versions itself: the event, a reason in words, and when that event was recorded."""

    event_id: str
    reason: str
    recorded_at: int | None = None


class Resolution(NamedTuple):
    """How version ``version`` resolved the statement of version ``statement`` (the same version if not derived)."""

    version: int
    statement: int
    task_id: str
    effective_at: int
    coverage: str | None
    outputs: Sequence[tuple[str, Columns]]
    types: Sequence[FactTuple]

    def says(self, edges: Sequence[EdgeTuple]) -> tuple[Any, ...]:
        """Return what it says, with these edges, in a form that can be compared."""
        outputs = [(dataset, tuple(columns)) for dataset, columns in self.outputs]
        return list(edges), self.coverage, outputs, sorted(self.types)


def beside_edges(lineage: Lineage) -> tuple[Any, ...]:
    """Return what a lineage says apart from its edges, in the form of ``PastMessage.beside``."""
    outputs = [[dataset, list(columns)] for dataset, columns in lineage.logged_outputs()]
    return lineage.coverage, [list(problem) for problem in lineage.problems], outputs, sorted(lineage.type_facts())


def content_of(lineage: Lineage) -> tuple[Any, ...]:
    """Return what a lineage says, in the form of ``Resolution.says``."""
    return lineage.ordered_edges(), lineage.coverage, lineage.logged_outputs(), sorted(lineage.type_facts())


def is_transient(lineage: Lineage) -> bool:
    """Return whether a lineage is incomplete because of a limit, and so does not show what the statement says."""
    return any(problem.code in TRANSIENT for problem in lineage.problems)


def is_without_text(lineage: Lineage) -> bool:
    """Return whether a statement was not resolved, because the store does not keep its text."""
    return any(problem.code == TEXT_DROPPED for problem in lineage.problems)


def without_text(statement: TaskChange) -> Lineage:
    """Return the lineage of a statement whose text the store does not keep."""
    detail = f"the text of task {statement.task_id!r} is not kept, so that it cannot be resolved again"
    return Lineage((), "opaque", [Problem(TEXT_DROPPED, detail)], ordered=True)


def is_worse(resolution: Resolution, edges: Sequence[EdgeTuple], lineage: Lineage) -> bool:
    """Return whether a new result understands less than the one before and has no edges although that had ``edges``.

    A result that understands less but has edges is accepted: it reports what the earlier one did not know.
    """
    return bool(edges) and not lineage.edges and _RANK[lineage.coverage] < _RANK.get(resolution.coverage or "opaque", 0)


def carried(edges: Sequence[EdgeTuple], outputs: Sequence[tuple[str, Columns]], lineage: Lineage) -> Lineage:
    """Return the lineage known before, with the reason why the statement could not be re-resolved."""
    problems = [
        problem._replace(detail=f"{problem.detail}; this is what was known before, see re-extract")
        for problem in lineage.problems
        if problem.code in (*TRANSIENT, TEXT_DROPPED)
    ]
    return Lineage(edges, "partial", problems, outputs, parser=lineage.parser, ordered=True)


class Corrected(NamedTuple):
    """The outcome of a re-resolution: the number of versions added, and of statements that kept their lineage.

    ``worse`` counts statements that this parser understands less than before, ``failed`` those that exceeded a limit,
    ``dropped`` those whose text is not kept.
    """

    versions: int
    worse: int = 0
    failed: int = 0
    dropped: int = 0


def in_force(history: TaskHistory, resolution: Resolution) -> bool:
    """Return whether the task's timeline shows this version at its ``effective_at``."""
    if not any(span.version == resolution.statement for span in history.spans()):
        return False
    return (
        history.derived(resolution.statement).get(resolution.effective_at, resolution.statement) == resolution.version
    )


def restated(statement: TaskChange, effective_at: int, cause: Cause) -> TaskChange:
    """Return the message that re-resolves a statement; it has no event id yet."""
    return replace(
        statement,
        op="update",
        effective_at=effective_at,
        actor=None,
        reason=cause.reason,
        cause=cause.event_id,
        produced_at=None,
        recorded_at=cause.recorded_at,
        attributes=None,
        position=None,
        raw=None,
        digest=None,
    )
