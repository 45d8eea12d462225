"""Partitions of time: hours, days and months that cover a span, their names, and how many there are."""

from __future__ import annotations

import random
from itertools import pairwise

import pytest

from lineage_tt.governance.backfill.partitions import (
    Partition,
    Span,
    count_over,
    partitions_over,
    read_grain,
    united,
)
from lineage_tt.model.errors import InvalidRequestError
from lineage_tt.model.times import parse_instant

DAY = 86_400_000_000
HOUR = DAY // 24
BEGIN = parse_instant("2026-03-01T00:00:00Z")


def span(start: str, end: str) -> Span:
    """A span between two instants."""
    return Span(parse_instant(start), parse_instant(end))


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("grain", ["hour", "day", "month"])
def test_partitions_cover_a_span_without_gap_or_overlap(grain: str, seed: int) -> None:
    """And each of them overlaps it."""
    draw = random.Random(seed)
    start = BEGIN + draw.randrange(-900, 900) * DAY + draw.randrange(DAY)
    whole = Span(start, start + draw.randrange(1, 100 * DAY))
    found = list(partitions_over(whole, read_grain(grain)))

    assert found[0].start <= whole.start < found[0].end
    assert found[-1].start < whole.end <= found[-1].end
    assert all(one.end == other.start for one, other in pairwise(found))
    assert len(found) <= count_over(whole, read_grain(grain)) + 1
    assert len({tuple(each.params().items()) for each in found}) == len(found)


def test_a_span_that_ends_where_a_partition_begins_does_not_have_it() -> None:
    """Ends are half-open: a day's span has one day, and one microsecond more has two."""
    day = Span(BEGIN, BEGIN + DAY)

    assert list(partitions_over(day, "day")) == [Partition(BEGIN, BEGIN + DAY, "day")]
    longer = Span(BEGIN, BEGIN + DAY + 1)
    assert [each.start for each in partitions_over(longer, "day")] == [BEGIN, BEGIN + DAY]


def test_months_have_their_own_lengths() -> None:
    """February of a leap year has 29 days, and December is followed by January."""
    leap = list(partitions_over(span("2024-02-29T23:00:00Z", "2024-03-01T00:00:01Z"), "month"))
    turn = list(partitions_over(span("2025-12-31T00:00:00Z", "2026-01-02T00:00:00Z"), "month"))

    assert [(each.end - each.start) // DAY for each in leap] == [29, 31]
    assert [each.params() for each in turn] == [{"month": "2025-12"}, {"month": "2026-01"}]


def test_partitions_before_1970_begin_at_midnight_too() -> None:
    """Times before the epoch are negative, and are cut towards the past."""
    old = span("1969-12-31T22:30:00Z", "1969-12-31T23:00:00Z")

    assert [each.params() for each in partitions_over(old, "hour")] == [{"dt": "1969-12-31", "hour": "22"}]
    assert [each.params() for each in partitions_over(old, "day")] == [{"dt": "1969-12-31"}]
    assert [each.params() for each in partitions_over(old, "month")] == [{"month": "1969-12"}]


def test_what_has_no_partitions_is_one_run_over_the_span_itself() -> None:
    """Without a parameter for the scheduler."""
    odd = Span(BEGIN + 5, BEGIN + 7)
    (found,) = partitions_over(odd, "none")

    assert found == Partition(BEGIN + 5, BEGIN + 7, "none")
    assert found.params() == {}
    assert count_over(odd, "none") == 1


def test_partitions_are_counted_without_making_them() -> None:
    """The count is never less than there are, even where a span begins inside a partition."""
    assert count_over(Span(BEGIN, BEGIN + 10 * DAY), "hour") >= 240
    assert count_over(Span(BEGIN + HOUR // 2, BEGIN + HOUR // 2 + HOUR), "hour") == 2
    short = span("2026-02-28T00:00:00Z", "2026-03-02T00:00:00Z")
    assert count_over(short, "month") >= len(list(partitions_over(short, "month"))) == 2


@pytest.mark.parametrize(("text", "grain"), [("hour", "hour"), (" Day ", "day"), ("MONTH", "month"), ("none", "none")])
def test_a_grain_is_read_in_any_case(text: str, grain: str) -> None:
    """White space around it does not count."""
    assert read_grain(text) == grain


@pytest.mark.parametrize("text", ["", "week", "days", "ｄａｙ"])
def test_what_is_no_grain_is_refused(text: str) -> None:
    """With the words there are."""
    with pytest.raises(InvalidRequestError, match="not a grain") as error:
        read_grain(text)
    assert error.value.hint == "give hour, day, month or none"


def test_spans_that_touch_are_one() -> None:
    """In whichever order they come; one inside another adds nothing, and a gap keeps them apart."""
    assert united([Span(5, 7), Span(1, 3), Span(3, 4), Span(6, 9)]) == (Span(1, 4), Span(5, 9))
    assert united([Span(0, 10), Span(2, 3), Span(11, 12)]) == (Span(0, 10), Span(11, 12))
    assert united([]) == ()
    assert Partition(BEGIN, BEGIN + HOUR, "hour").params() == {"dt": "2026-03-01", "hour": "00"}
