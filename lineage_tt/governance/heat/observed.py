"""Runs as observed: how often each task ran in the days before a point.

Observations are stored beside the log and have no system time: what was known at a version is not kept, so an answer
about the past uses all that is known now about the days before its valid time.
"""

from __future__ import annotations

from collections import Counter
from typing import Final

from lineage_tt.model.errors import InvalidRequestError
from lineage_tt.model.times import FIRST
from lineage_tt.read.observations import day_of, observations
from lineage_tt.storage.location import Place

#: How many days before the point count.
WINDOW: Final = 30
MAX_DAYS: Final = 3650
_DAY: Final = 86_400_000_000


def checked_days(days: int) -> int:
    """Return a number of days to look back. Raises InvalidRequestError for an invalid number."""
    if not 1 <= days <= MAX_DAYS:
        raise InvalidRequestError(f"a window of {days} days", hint=f"give a number of days from 1 to {MAX_DAYS:,}")
    return days


def runs(store: Place, valid_at: int, days: int = WINDOW) -> dict[str, int] | None:
    """Return how often each task ran, whether it failed or not, in the days up to that of a valid time (UTC
    microseconds); None where no run was ever observed.

    Raises InvalidRequestError for an invalid number of days, UnavailableError where the observations cannot be read.
    """
    checked_days(days)
    rows = observations(store)
    if not rows:
        return None
    last = valid_at // _DAY
    first, end = day_of(max(last - days + 1, FIRST // _DAY)), day_of(last)
    counts: Counter[str] = Counter()
    for each in rows:
        if first <= each.day <= end:
            counts[each.task_id] += each.runs + each.failed
    return dict(counts)


def last_runs(store: Place, valid_at: int) -> dict[str, int]:
    """Return when each task was last seen up to a valid time (UTC microseconds); a later run does not count.

    For a day whose last run is after the valid time, its first run counts. Raises UnavailableError where the
    observations cannot be read.
    """
    result: dict[str, int] = {}
    for each in observations(store):
        seen = each.last_seen if each.last_seen <= valid_at else each.first_seen
        if seen <= valid_at:
            result[each.task_id] = max(seen, result.get(each.task_id, seen))
    return result
