"""Saying anew what a statement says: with other columns known, or by a better parser.

The new version stands for the message as long as that message is in force, from a moment on; it names the message's
version (``derived_from``) and what led to it (``cause``). The message itself, and all that was believed, stays.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from lineage_tt.edges import EdgeTuple
from lineage_tt.facts import FactTuple
from lineage_tt.messages import Columns, Lineage, TaskChange
from lineage_tt.tasks import TaskHistory

STAR_REASON = "columns that its star reads changed"


class Cause(NamedTuple):
    """What leads to versions that the store adds itself: the event, words, and when that event was recorded."""

    event_id: str
    reason: str
    recorded_at: int | None = None


class Made(NamedTuple):
    """What version ``version`` made of the statement of version ``statement`` (itself, where nothing was derived)."""

    version: int
    statement: int
    task_id: str
    effective_at: int
    coverage: str | None
    outputs: Sequence[tuple[str, Columns]]
    types: Sequence[FactTuple]

    def says(self, edges: Sequence[EdgeTuple]) -> tuple[Any, ...]:
        """Return what it says, its edges given, in a form that can be compared."""
        outputs = [(dataset, tuple(columns)) for dataset, columns in self.outputs]
        return list(edges), self.coverage, outputs, sorted(self.types)


def said_by(lineage: Lineage) -> tuple[Any, ...]:
    """Return what a lineage says, in the form of ``Made.says``."""
    return lineage.ordered_edges(), lineage.coverage, lineage.logged_outputs(), sorted(lineage.type_facts())


def in_force(history: TaskHistory, made: Made) -> bool:
    """Say whether the version is what the task's timeline shows from its ``effective_at`` on."""
    if not any(held.version == made.statement for held in history.held()):
        return False
    return history.derived(made.statement).get(made.effective_at, made.statement) == made.version


def said_again(statement: TaskChange, effective_at: int, version: int, cause: Cause) -> TaskChange:
    """Return the message as which a statement is said again, as version ``version``."""
    return replace(
        statement,
        event_id=f"{statement.event_id}/resolved-again/{version}",
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
