"""Instants: integer UTC microseconds, read from and written as ISO 8601.

An instant always has a zone: a local time without one is rejected, never guessed.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta

from lineage_tt.model.errors import InvalidRequestError

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
MICROSECOND = timedelta(microseconds=1)
#: The first and last instants that ISO 8601 with four-digit years can write.
FIRST = -62_135_596_800_000_000
LAST = 253_402_300_799_999_999

_UNITS = {"s": 1, "min": 60, "m": 60, "h": 3600, "d": 86_400, "w": 604_800}
_RELATIVE = re.compile(r"([+-])(\d{1,9})(s|min|m|h|d|w)")
_FINE = re.compile(r"[.,]\d{6}\d*[1-9]")


def parse_instant(text: str) -> int:
    """Return the UTC microseconds of an ISO 8601 instant; ValueError without a zone, or with nanoseconds set."""
    moment = datetime.fromisoformat(text)
    if moment.tzinfo is None:
        raise ValueError(f"{text!r} has no zone: write 2024-05-01T08:00:00Z or …+02:00")
    if len(text) > 22 and _FINE.search(text):  # the shortest such text has 23 characters
        raise ValueError(f"{text!r} is finer than a microsecond: round it before sending")
    instant = (moment - EPOCH) // MICROSECOND
    if not FIRST <= instant <= LAST:
        raise ValueError(f"{text!r} lies outside the years 0001 to 9999 in UTC")
    return instant


def iso_of_seconds(seconds: float) -> str:
    """Return the instant this many seconds after 1970 as ISO 8601; ValueError outside the years 0001 to 9999.

    The range is checked first, since the system's conversion raises ValueError, OverflowError or OSError outside it.
    """
    if not FIRST <= seconds * 1_000_000 <= LAST:  # NaN is not in the range either
        raise ValueError("a time lies outside the years 0001 to 9999")
    return datetime.fromtimestamp(seconds, UTC).isoformat()


def instant_of(moment: datetime) -> int:
    """Return the UTC microseconds of a datetime; InvalidRequestError for one without a zone."""
    if moment.tzinfo is None or moment.utcoffset() is None:
        raise InvalidRequestError(
            f"the datetime {moment.isoformat()} has no zone", hint="make it aware: datetime(…, tzinfo=UTC)"
        )
    return (moment - EPOCH) // MICROSECOND


def read_instant(text: str, now: int) -> int:
    """Return the instant a person wrote: ISO 8601 with zone, ``now``, or relative to now (``-7d``, ``+30min``).

    A date alone is rejected like any other time without a zone. Raises InvalidRequestError, which shows the format.
    """
    word = text.strip()
    if word == "now":
        return now
    if match := _RELATIVE.fullmatch(word):
        sign, count, unit = match.groups()
        instant = now + int(sign + count) * _UNITS[unit] * 1_000_000
        if not FIRST <= instant <= LAST:
            raise InvalidRequestError(f"{word!r} lies outside the years 0001 to 9999")
        return instant
    try:
        return parse_instant(word)
    except (ValueError, OverflowError) as error:
        raise InvalidRequestError(
            f"cannot read the time {word!r}: {error}",
            hint="write ISO 8601 with a zone (2024-05-01T08:00:00Z), now, or a distance such as -7d",
        ) from None


def format_instant(instant: int | None) -> str | None:
    """Return ISO 8601 in UTC (``2024-05-01T08:00:00Z``, with six decimals where there are any), None for unbounded."""
    if instant is None:
        return None
    moment = EPOCH + timedelta(microseconds=instant)
    return moment.isoformat().replace("+00:00", "Z")
