"""Instants: read from ISO 8601, never guessed."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lineage_tt.model.errors import InvalidRequestError
from lineage_tt.model.times import FIRST, LAST, format_instant, parse_instant, read_instant

NOON = 1_704_110_400_000_000  # 2024-01-01T12:00:00Z


@pytest.mark.parametrize(
    ("text", "instant"),
    [
        ("2024-01-01T12:00:00Z", NOON),
        ("2024-01-01T14:00:00+02:00", NOON),
        ("2024-01-01T06:30:00-05:30", NOON),
        ("2024-01-01 12:00:00+00:00", NOON),
        ("2024-01-01T12:00:00.000001Z", NOON + 1),
        ("2024-01-01T12:00:00.5Z", NOON + 500_000),
        ("2024-01-01T12:00:00.123456000Z", NOON + 123_456),  # nanoseconds that are not set
        ("1900-01-01T00:00:00Z", -2_208_988_800_000_000),
        ("1969-12-31T23:59:59.999999Z", -1),
        ("0001-01-01T00:00:00Z", FIRST),
        ("9999-12-31T23:59:59.999999Z", LAST),
        ("2024-03-31T02:30:00+01:00", 1_711_848_600_000_000),  # an hour that Berlin's clocks left out
    ],
)
def test_an_instant_is_utc_microseconds(text: str, instant: int) -> None:
    """ISO 8601 with a zone is one instant in UTC microseconds, in any zone and any year of four digits."""
    assert parse_instant(text) == instant


@pytest.mark.parametrize(
    "text",
    [
        "2024-01-01T12:00:00",  # no zone
        "2024-01-01",  # a date
        "2016-12-31T23:59:60Z",  # a leap second
        "2024-01-01T12:00:00.123456789Z",  # nanoseconds
        "2024-01-01T12:00:00,123456789Z",  # with the comma that ISO 8601 allows
        "20240101T120000.1234567Z",  # in the basic form
        "2024-W01-1T12:00:00.0000001Z",
        "0001-01-01T00:00:00+14:00",  # before the year 1
        "9999-12-31T23:59:59-01:00",  # after the year 9999
        "2024-02-30T00:00:00Z",
        "yesterday",
        "",
        "1704110400",
    ],
)
def test_what_is_not_one_instant_is_refused(text: str) -> None:
    """A time without a zone, finer than a microsecond, a leap second or outside the years is refused, not guessed."""
    with pytest.raises(ValueError):  # noqa: PT011 - its words are Python's own
        parse_instant(text)


@given(st.datetimes(timezones=st.timezones() | st.just(UTC)))
def test_format_and_parse_are_inverse(moment: datetime) -> None:
    """Any instant that can be written is read back the same, to the microsecond."""
    instant = (moment - datetime(1970, 1, 1, tzinfo=UTC)) // timedelta(microseconds=1)
    if FIRST <= instant <= LAST:
        assert parse_instant(format_instant(instant) or "") == instant


def test_unbounded_is_none() -> None:
    """The end of an interval without end has no text."""
    assert format_instant(None) is None


@pytest.mark.parametrize(
    ("text", "seconds"),
    [("now", 0), (" now ", 0), ("-7d", -7 * 86_400), ("+30min", 1_800), ("-2h", -7_200), ("+1w", 604_800), ("-5s", -5)],
)
def test_relative_times_count_from_now(text: str, seconds: int) -> None:
    """``now`` and distances such as ``-7d`` are counted from the clock's instant."""
    assert read_instant(text, NOON) == NOON + seconds * 1_000_000


@pytest.mark.parametrize("text", ["7d", "-7y", "--7d", "-999999999w", "+999999999w", "2024-01-01", "tomorrow"])
def test_a_person_is_told_how_to_write_it(text: str) -> None:
    """What cannot be read is the caller's mistake, and the message says how to."""
    with pytest.raises(InvalidRequestError, match=r"2024|years"):
        read_instant(text, NOON)
