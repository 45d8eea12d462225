"""What people state under keys that governance reads: a value that it cannot read is stored, but has no effect."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Final

from lineage_tt.governance.backfill.partitions import PARTITION, read_grain
from lineage_tt.governance.core.promises import SLA
from lineage_tt.governance.core.timings import BEGINS, DURATION, read_duration, read_time_of_day
from lineage_tt.governance.rules.checks.lifecycle import LIFE_CYCLE, MAX_DAYS, RETENTION, checked_state, days_of
from lineage_tt.model.errors import InvalidRequestError


def _read_days(text: str) -> int:
    if (days := days_of(text)) is None:
        raise InvalidRequestError(f"{text!r} is no number of days", hint=f"give 1 to {MAX_DAYS}")
    return days


_READERS: Final[dict[str, Callable[[str], object]]] = {
    SLA: read_time_of_day,
    DURATION: read_duration,
    BEGINS: read_time_of_day,
    PARTITION: read_grain,
    LIFE_CYCLE: checked_state,
    RETENTION: _read_days,
}


def without_effect(key: str, values: Sequence[str]) -> Iterator[str]:
    """Yield a sentence for each value that governance cannot read under a key: what is wrong, and what to give."""
    if (read := _READERS.get(key)) is None:
        return
    for value in values:
        try:
            read(value)
        except InvalidRequestError as error:
            yield f"it has no effect as {key}: {error}"
