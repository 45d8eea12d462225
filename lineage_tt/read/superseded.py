"""Which accepted messages did not take effect: read from the log, with the same result as in their receipts.

A message loses to an earlier one about the same subject with the same ``effective_at`` and a greater
``source_version``, unless that one had been withdrawn. A retract of an event that is already withdrawn changes nothing.
"""

from __future__ import annotations

from collections import defaultdict
from typing import Any, Final

from lineage_tt.read.view import Fetch

_SUBJECT: Final = "coalesce(task_id, concat_ws(chr(31), kind, subject, fact_key))"
_ROWS: Final = f"""
    SELECT version, {_SUBJECT} AS about, event_id, op, effective_at, retracts,
        coalesce(source_version, {-(2**63)}) AS rank
    FROM log WHERE status = 'accepted' AND derived_from IS NULL AND ($task IS NULL OR task_id = $task)"""
#: Messages that may have lost, each with an earlier one that may have won.
_LOST: Final = f"""
    WITH messages AS ({_ROWS} AND op <> 'retract')
    SELECT e.version, e.about, w.version, w.event_id, w.rank
    FROM messages AS e JOIN messages AS w USING (about, effective_at)
    WHERE e.version > $after AND w.version < e.version AND w.rank > e.rank"""
#: Retracts of events that an earlier retract also names.
_AGAIN: Final = f"""
    WITH messages AS ({_ROWS} AND op = 'retract')
    SELECT e.version, e.about, e.retracts FROM messages AS e
    WHERE e.version > $after AND EXISTS (
        FROM messages AS r WHERE r.about = e.about AND r.retracts = e.retracts AND r.version < e.version)"""
_RETRACTS: Final = f"""
    WITH messages AS ({_ROWS} AND op = 'retract')
    SELECT version, about, event_id, retracts FROM messages
    WHERE about IN (SELECT unnest($subjects)) ORDER BY version"""


def superseded(fetch: Fetch, after: int, task_id: str | None) -> dict[int, int]:
    """Return, for each message after ``after`` that did not take effect, the version that won over it, by version."""
    lost = fetch(_LOST, task=task_id, after=after)
    again = fetch(_AGAIN, task=task_id, after=after)
    if not lost and not again:
        return {}
    subjects = sorted({row[1] for row in (*lost, *again)})
    retracts = defaultdict(list)
    for version, about, event_id, target in fetch(_RETRACTS, task=task_id, subjects=subjects):
        retracts[about].append((version, event_id, target))
    result: dict[int, int] = {}
    winners: dict[int, tuple[int, int]] = {}
    for version, about, winner, event_id, rank in lost:
        if event_id not in _withdrawn(retracts[about], version):
            winners[version] = max(winners.get(version, (rank, winner)), (rank, winner))
    result.update((version, winner) for version, (_, winner) in winners.items())
    for version, about, event_id in again:
        by = _withdrawn(retracts[about], version).get(event_id)
        if by is not None:
            result[version] = by
    return result


def _withdrawn(retracts: list[tuple[Any, ...]], before: int) -> dict[str, int]:
    """Return the events that retracts before a version withdraw, each with its retract."""
    withdrawn: dict[str, int] = {}
    for version, event_id, target in reversed(retracts):
        if version < before and event_id not in withdrawn:
            withdrawn.setdefault(target, version)
    return withdrawn
