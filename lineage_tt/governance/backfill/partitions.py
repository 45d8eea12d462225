"""Partitions of time: a task's runs, each over an hour, a day or a month of data (UTC), or over all of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import timedelta
from typing import Final, Literal, NamedTuple, get_args

from lineage_tt.model.errors import InvalidRequestError
from lineage_tt.model.times import EPOCH, MICROSECOND

Grain = Literal["hour", "day", "month", "none"]
#: The key of the fact that states how a task's data is partitioned.
PARTITION: Final = "partition"
_STEP: Final = {"hour": 3_600_000_000, "day": 86_400_000_000}


class Span(NamedTuple):
    """An interval of time [start, end), UTC microseconds."""

    start: int
    end: int


class Partition(NamedTuple):
    """One run's data: [start, end). With the grain ``none`` it is the wrong window, and the run makes all data."""

    start: int
    end: int
    grain: Grain

    def params(self) -> dict[str, str]:
        """Return the partition as schedulers name it: ``dt`` and ``hour``, or ``month``; nothing for all data."""
        moment = (EPOCH + timedelta(microseconds=self.start)).isoformat()
        if self.grain == "hour":
            return {"dt": moment[:10], "hour": moment[11:13]}
        if self.grain == "day":
            return {"dt": moment[:10]}
        return {"month": moment[:7]} if self.grain == "month" else {}


def read_grain(text: str) -> Grain:
    """Return a grain; InvalidRequestError, with the list of grains, for any other word."""
    for grain in get_args(Grain):
        if text.strip().lower() == grain:
            return grain  # type: ignore[no-any-return]
    raise InvalidRequestError(f"{text!r} is not a grain of partitions", hint="give hour, day, month or none")


def partitions_over(span: Span, grain: Grain) -> Iterator[Partition]:
    """Yield the partitions that overlap a span, in order; with the grain ``none`` the span itself."""
    if grain == "none":
        yield Partition(span.start, span.end, grain)
        return
    start = _floor(span.start, grain)
    while start < span.end:
        end = _next(start, grain)
        yield Partition(start, end, grain)
        start = end


def count_over(span: Span, grain: Grain) -> int:
    """Return about how many partitions overlap a span, without making them."""
    if grain in _STEP:
        return -(-(span.end - span.start) // _STEP[grain]) + 1
    return 1 if grain == "none" else (span.end - span.start) // (28 * _STEP["day"]) + 2


def united(spans: Iterable[Span]) -> tuple[Span, ...]:
    """Return spans sorted, with those that overlap or touch merged."""
    result: list[Span] = []
    for span in sorted(spans):
        if result and span.start <= result[-1].end:
            result[-1] = Span(result[-1].start, max(result[-1].end, span.end))
        else:
            result.append(span)
    return tuple(result)


def _floor(at: int, grain: Grain) -> int:
    if grain in _STEP:
        return at - at % _STEP[grain]
    moment = EPOCH + timedelta(microseconds=at)
    return (moment.replace(day=1, hour=0, minute=0, second=0, microsecond=0) - EPOCH) // MICROSECOND


def _next(start: int, grain: Grain) -> int:
    if grain in _STEP:
        return start + _STEP[grain]
    return _floor(start + 32 * _STEP["day"], grain)
