"""How long a task takes, and when it may begin: as people state it, otherwise as its runs were observed.

A duration is written ``45m``, ``1h30m``, ``90s`` or ``PT1H30M``; a time of day ``07:30``, ``07:30+02:00`` or, on the
next day, ``26:00``. Both become microseconds; a time of day counts from midnight UTC of the day of the data.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Final, Literal, NamedTuple, Protocol

from lineage_tt.model.errors import InvalidRequestError

#: Keys of facts about a task: how long it takes, and the time of day before which it does not begin.
DURATION: Final = "duration"
BEGINS: Final = "begins"
MINUTE: Final = 60_000_000
DAY: Final = 24 * 60 * MINUTE
#: How many days with runs, the latest ones, count for observed durations.
DAYS_OBSERVED: Final = 30
_DURATION: Final = re.compile(
    r"(?:PT)?(?:(?P<h>\d{1,4}(?:\.\d{1,6})?)H)?(?:(?P<m>\d{1,6}(?:\.\d{1,6})?)M)?(?:(?P<s>\d{1,8}(?:\.\d{1,6})?)S)?",
    re.ASCII,
)
_TIME: Final = re.compile(r"(\d{1,2}):([0-5]\d)(?::([0-5]\d))?(?:(Z)|([+-])(\d{2}):([0-5]\d))?", re.ASCII)

Origin = Literal["stated", "observed", "unknown"]


class Timing(NamedTuple):
    """How long a task takes and the earliest time of day at which it begins, in microseconds.

    ``origin`` says where the duration comes from; if it is ``unknown``, the duration is 0, and every time computed with
    it is the earliest possible one.
    """

    duration: int = 0
    origin: Origin = "unknown"
    begins: int = 0


class Observed(Protocol):
    """The runs of one task on one day; ``lineage_tt.read.observations.Observation`` is one."""

    @property
    def day(self) -> str:
        """The day, ISO 8601, UTC."""

    @property
    def task_id(self) -> str:
        """The task."""

    @property
    def runs(self) -> int:
        """How many were completed."""

    @property
    def failed(self) -> int:
        """How many others ended."""

    @property
    def duration(self) -> int:
        """How long all of them took, microseconds."""


class Fact(Protocol):
    """A fact in force; ``lineage_tt.model.answers.FactAsOf`` is one."""

    @property
    def node(self) -> str:
        """What it is about."""

    @property
    def key(self) -> str:
        """Its key."""

    @property
    def value(self) -> str:
        """Its value."""


def read_duration(text: str) -> int:
    """Return microseconds; InvalidRequestError, with the correct form, for a text that is not a duration."""
    word = text.strip().upper().replace(" ", "")
    match = _DURATION.fullmatch(word)
    if not match or not any(match.groups()):
        raise InvalidRequestError(f"{text!r} is not a duration", hint="write 45m, 1h30m, 90s or PT1H30M")
    parts = {unit: float(count) for unit, count in match.groupdict().items() if count}
    return round((parts.get("h", 0) * 60 + parts.get("m", 0)) * MINUTE + parts.get("s", 0) * 1_000_000)


def read_time_of_day(text: str) -> int:
    """Return microseconds since midnight UTC; InvalidRequestError for a text that is not a time of day.

    Hours go up to 47: ``26:00`` is two o'clock on the next day.
    """
    match = _TIME.fullmatch(text.strip())
    if not match or int(match[1]) > 47:
        raise InvalidRequestError(
            f"{text!r} is not a time of day", hint="write 07:30, 07:30+02:00, or 26:00 for two o'clock of the next day"
        )
    hour, minute, second, _, sign, hours, minutes = match.groups()
    at = (int(hour) * 60 + int(minute)) * MINUTE + int(second or 0) * 1_000_000
    if sign:
        at -= (1 if sign == "+" else -1) * (int(hours) * 60 + int(minutes)) * MINUTE
    if at < 0:
        raise InvalidRequestError(
            f"{text!r} is a time of the day before, in UTC", hint="add 24 hours: 25:00+02:00 is 23:00 UTC"
        )
    return at


def time_text(at: int) -> str:
    """Return a time of day as ``HH:MM:SS``, with hours above 23 for later days; seconds are rounded up."""
    seconds = -(-at // 1_000_000)
    sign, seconds = ("-", -seconds) if seconds < 0 else ("", seconds)
    return f"{sign}{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}"


def duration_text(length: int) -> str:
    """Return a duration as ``1h30m``, ``45m`` or ``20s``, with a sign where it is negative."""
    seconds = abs(length) // 1_000_000
    hours, minutes, rest = seconds // 3600, seconds // 60 % 60, seconds % 60
    words = "".join(f"{count}{unit}" for count, unit in ((hours, "h"), (minutes, "m"), (rest, "s")) if count)
    return ("-" if length < 0 and seconds else "") + (words or "0s")


def timings_of(facts: Iterable[Fact], observed: Iterable[Observed], upto_day: str) -> dict[str, Timing]:
    """Return what is known about tasks' times, by task id.

    Statements take precedence over observations; of several statements the greatest counts, since a promise must hold
    whichever is right. The observed duration is the mean of a run over the last ``DAYS_OBSERVED`` days with runs up to
    ``upto_day`` (ISO 8601). A stated value that cannot be read counts as not stated.
    """
    days: dict[str, list[Observed]] = defaultdict(list)
    for each in observed:
        if each.day <= upto_day and each.runs + each.failed > 0:
            days[each.task_id].append(each)
    timings = {task: Timing(_mean(of_task), "observed") for task, of_task in days.items()}
    stated: dict[tuple[str, str], int] = {}
    for fact in facts:
        if fact.key in _READERS and fact.node.startswith("task:"):
            try:
                value = _READERS[fact.key](fact.value)
            except InvalidRequestError:
                continue
            where = fact.node.removeprefix("task:"), fact.key
            stated[where] = max(value, stated.get(where, 0))
    for (task, key), value in stated.items():
        timing = timings.get(task, Timing())
        timings[task] = (
            timing._replace(duration=value, origin="stated") if key == DURATION else timing._replace(begins=value)
        )
    return timings


def of_task(timings: Mapping[str, Timing], task: str) -> Timing:
    """Return the timing of a task, unknown where there is none."""
    return timings.get(task, Timing())


def _mean(days: list[Observed]) -> int:
    last = sorted(days, key=lambda each: each.day)[-DAYS_OBSERVED:]
    return sum(each.duration for each in last) // sum(each.runs + each.failed for each in last)


_READERS: Final = {DURATION: read_duration, BEGINS: read_time_of_day}
