"""How long tasks take and when they may begin: as people write it, and as runs were observed."""

from __future__ import annotations

import pytest
from core_story import fact

from lineage_tt.governance.core.timings import (
    MINUTE,
    Timing,
    duration_text,
    of_task,
    read_duration,
    read_time_of_day,
    time_text,
    timings_of,
)
from lineage_tt.model.errors import InvalidRequestError
from lineage_tt.read.observations import Observation


@pytest.mark.parametrize(
    ("text", "minutes"), [("45m", 45), ("1h30m", 90), ("PT1H30M", 90), ("90s", 1.5), ("1.5h", 90), ("pt10m", 10)]
)
def test_durations_are_read(text: str, minutes: float) -> None:
    """As people write them, and as ISO 8601 does."""
    assert read_duration(text) == minutes * MINUTE


@pytest.mark.parametrize("text", ["", "P", "PT", "abc", "-5m", "1d", "5", "٣m", "9" * 400 + "m"])
def test_what_is_no_duration_is_refused(text: str) -> None:
    """With the way to write it."""
    with pytest.raises(InvalidRequestError) as error:
        read_duration(text)
    assert "write 45m" in (error.value.hint or "")


@pytest.mark.parametrize(("text", "minutes"), [("07:30", 450), ("26:00", 1560), ("07:30+02:00", 330), ("07:30Z", 450)])
def test_times_of_day_are_read(text: str, minutes: int) -> None:
    """In UTC, the next day's too."""
    assert read_time_of_day(text) == minutes * MINUTE


@pytest.mark.parametrize("text", ["", "7", "48:00", "07:60", "00:30+02:00", "nine", "07:30 Europe/Berlin", "٠٧:٣٠"])
def test_what_is_no_time_of_day_is_refused(text: str) -> None:
    """With the way to write it."""
    with pytest.raises(InvalidRequestError) as error:
        read_time_of_day(text)
    assert error.value.hint


def test_what_is_stated_goes_before_what_is_observed() -> None:
    """And a value that cannot be read counts as not stated; days after the point do not count."""
    day = Observation("2026-03-01", "a", 0, 1, 2, 1, 90 * MINUTE, None, None)
    seen = [day, day._replace(task_id="b"), day._replace(day="2026-03-09", duration=900 * MINUTE)]
    facts = [fact("task:b", "duration", "45m"), fact("task:c", "duration", "soon"), fact("task:a", "begins", "02:00")]
    timings = timings_of(facts, seen, "2026-03-02")

    assert timings == {
        "a": Timing(30 * MINUTE, "observed", 120 * MINUTE),
        "b": Timing(45 * MINUTE, "stated"),
    }


def test_lengths_are_written_as_people_do() -> None:
    """With a sign where negative."""
    assert [duration_text(each * MINUTE) for each in (0, 90, -45, 60)] == ["0s", "1h30m", "-45m", "1h"]


def test_times_of_day_are_written_rounded_up() -> None:
    """To whole seconds, hours beyond 23 for the next day; a time before midnight has a sign."""
    second = 1_000_000

    assert [time_text(at) for at in (0, 1, second, 26 * 60 * MINUTE, -90 * second)] == [
        "00:00:00", "00:00:01", "00:00:01", "26:00:00", "-00:01:30",
    ]  # fmt: skip


def test_the_mean_of_a_run_counts_over_the_last_thirty_days_with_runs() -> None:
    """Runs that failed took their time, too; a day without runs is none; older days do not count."""
    days = [f"2026-01-{day:02}" for day in range(1, 32)]
    seen = [Observation(day, "a", 0, 1, 1, 1, 20 * MINUTE, None, None) for day in days]
    seen[0] = seen[0]._replace(duration=9_000 * MINUTE)
    none = Observation("2026-01-31", "b", 0, 1, 0, 0, 5, None, None)

    assert timings_of([], [*reversed(seen), none], "2026-01-31") == {"a": Timing(10 * MINUTE, "observed")}
    assert of_task({}, "a") == Timing(0, "unknown", 0)


def test_of_several_statements_the_greatest_counts() -> None:
    """Whichever comes first; what is stated of a node that is not a task counts for none."""
    facts = [fact("task:a", "duration", each) for each in ("30m", "2h", "1h")]

    assert timings_of([*facts, fact("d:a", "duration", "9h")], [], "2026-01-01") == {
        "a": Timing(120 * MINUTE, "stated")
    }
