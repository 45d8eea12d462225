"""For tests of programs that use a store: a clock that the test moves, and task changes in one line."""

from __future__ import annotations

from collections.abc import Iterable

from lineage_tt.model.edges import Edge
from lineage_tt.model.messages import Lineage, Op, TaskChange
from lineage_tt.model.times import parse_instant


class ManualClock:
    """A clock that stands still until it is moved; ``Store.open(path, clock=ManualClock())``."""

    def __init__(self, now: int | str = "2024-01-01T00:00:00Z") -> None:
        self._now = _instant(now)

    def now(self) -> int:
        """Return the instant it was set to, in UTC microseconds."""
        return self._now

    def set(self, now: int | str) -> None:
        """Move to an instant, also an earlier one: UTC microseconds, or ISO 8601 with zone."""
        self._now = _instant(now)

    def advance(self, microseconds: int = 1_000_000) -> None:
        """Move forward by ``microseconds``; a negative number moves back."""
        self._now += microseconds


def task_change(
    task_id: str,
    op: Op,
    effective_at: int | str | None = None,
    edges: Iterable[tuple[str, ...]] = (),
    *,
    event_id: str | None = None,
    source_version: int | None = None,
    retracts: str | None = None,
) -> TaskChange:
    """Return a message with explicit edges; a pair (source, target) is a DIRECT IDENTITY edge.

    Without an ``event_id``, one is made from task, op and time, so that the same call gives the same message.
    """
    at = None if effective_at is None else _instant(effective_at)
    return TaskChange(
        event_id=event_id or f"{task_id}/{op}/{retracts or at}",
        task_id=task_id,
        op=op,
        effective_at=at,
        source_version=source_version,
        lineage=Lineage(edges=[Edge(*edge) for edge in edges]) if op in ("online", "update") else None,
        retracts=retracts,
    )


def _instant(given: int | str) -> int:
    return given if isinstance(given, int) else parse_instant(given)
