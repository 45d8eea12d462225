"""System times: when the store recorded a version. Only the store sets them, and they strictly increase.

``clock_times`` is the normal rule: ``system_time(v) = max(now, system_time(v−1) + 1 µs)``. ``imported_times`` is the
rule of a history import, which takes them from the messages' ``recorded_at``. Of several messages with the same
``recorded_at``, the last gets exactly that time, and the ones before it get the microseconds before it, in input order.
So a question as of ``recorded_at`` sees everything that was recorded at that time.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Literal

from lineage_tt.model.messages import Change
from lineage_tt.model.times import format_instant

#: Where system times come from: this machine's clock; the messages' ``recorded_at``; or right after the last version
#: of a history import.
SystemTimes = Literal["clock", "recorded_at", "history"]
#: How far a time may be ahead of this machine's clock (in the store, or in a message) before it is rejected.
MAX_AHEAD: Final = 86_400_000_000
#: Imported times may be this much before the last system time, since equal times are moved apart by microseconds.
SLACK: Final = 1_000_000


def clock_times(count: int, last: int, now: int) -> Sequence[int]:
    """Return ``count`` system times after ``last`` for what arrived at ``now`` (UTC microseconds).

    The clock is checked before (``write.clock_guard``), since system times never go back.
    """
    first = max(now, last + 1)
    return range(first, first + count)


def imported_times(recorded: Sequence[int | None], last: int, upto: int | None = None) -> list[int]:
    """Return a system time for each ``recorded_at`` (non-decreasing), all after ``last``.

    None (a rejected message) gets the time after the message before it, which keeps its own ``recorded_at``. The last
    time is at most ``upto`` (see ``room_for``).
    """
    filled: list[int] = []
    for at in recorded:
        filled.append(at if at is not None else (filled[-1] if filled else last) + 1)
    if upto is not None and filled:
        filled[-1] = min(filled[-1], upto)
    for i in range(len(filled) - 2, -1, -1):
        filled[i] = min(filled[i], filled[i + 1] - 1)
    for i, time in enumerate(filled):
        last = filled[i] = max(time, last + 1)
    return filled


def room_for(recorded: Sequence[int | None]) -> int | None:
    """Return the greatest last time that leaves room for messages in later commits; None where there is no limit.

    So messages that are split into several commits get the times that they would get in one commit.
    """
    bound: int | None = None
    for place, at in enumerate(recorded, 1):
        if at is not None and (bound is None or at - place < bound):
            bound = at - place
    return bound


class ImportOrder:
    """Checks that the ``recorded_at`` of a history import do not decrease and are not in the future.

    ``late`` is for messages of a history that come after its other messages, as replays do: their ``recorded_at`` may
    be missing or older.
    """

    CODES: Final = frozenset({"recorded-at-missing", "recorded-at-decreases", "recorded-at-in-future"})

    def __init__(self, last: int, now: int, *, late: bool = False) -> None:
        self._latest = last - SLACK
        self._now = now
        self._late = late

    def problem(self, message: Change) -> tuple[str, str] | None:
        """Return (code, words) where the message's ``recorded_at`` cannot be its system time, else None."""
        at = message.recorded_at
        if self._late and (at is None or at < self._latest):
            return None
        if at is None:
            return "recorded-at-missing", "a history import needs recorded_at in every message"
        if at < self._latest:
            return "recorded-at-decreases", (
                f"recorded_at {format_instant(at)} is before {format_instant(self._latest)}, which the store has "
                "reached: import histories oldest first, or ingest this one without --system-time-from"
            )
        if at > self._now + MAX_AHEAD:
            return "recorded-at-in-future", f"recorded_at {format_instant(at)} is in the future"
        self._latest = at
        return None
