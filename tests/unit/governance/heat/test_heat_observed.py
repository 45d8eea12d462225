"""Runs as observed: how often each task ran before a point, and when it was last seen."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import deltalake
import pyarrow as pa
import pytest

from lineage_tt.governance.heat.observed import MAX_DAYS, checked_days, last_runs, runs
from lineage_tt.model.errors import InvalidRequestError
from lineage_tt.model.times import FIRST
from lineage_tt.read.observations import NAME

DAY = 86_400_000_000
HOUR = DAY // 24
FIRST_OF_MAY = 1_714_521_600_000_000


@pytest.fixture(scope="module")
def seen(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A task that ran on three days of May, twice a day and failed once; another that ran on the third."""
    folder = tmp_path_factory.mktemp("seen")
    rows = [
        {"day": date(2024, 5, day), "task_id": task, "first_seen": noon - timedelta(hours=4),
         "last_seen": noon + timedelta(hours=4), "runs": 2, "failed": 1, "duration": 1, "rows": None, "bytes": None}
        for task, day in (("a", 1), ("a", 2), ("a", 3), ("b", 3))
        for noon in [datetime(2024, 5, day, 12, tzinfo=UTC)]
    ]  # fmt: skip
    deltalake.write_deltalake(folder / NAME, pa.Table.from_pylist(rows))
    return folder


def test_runs_of_the_last_days_count_whether_they_failed_or_not(seen: Path) -> None:
    """The day of the point is the last of them, whatever the hour; later days do not count."""
    assert runs(seen, FIRST_OF_MAY + 2 * DAY + HOUR, 30) == {"a": 9, "b": 3}
    assert runs(seen, FIRST_OF_MAY + DAY, 1) == {"a": 3}
    assert runs(seen, FIRST_OF_MAY + DAY, 2) == {"a": 6}
    assert runs(seen, FIRST_OF_MAY + 3 * DAY, 1) == {}


def test_without_any_run_ever_observed_nothing_is_known(tmp_path: Path, seen: Path) -> None:
    """That is another thing than no run in the window."""
    assert runs(tmp_path, FIRST_OF_MAY) is None
    assert runs(seen, FIRST_OF_MAY - DAY) == {}
    assert last_runs(tmp_path, FIRST_OF_MAY) == {}


def test_a_window_that_reaches_before_the_first_day_ends_there(seen: Path) -> None:
    """No day has a number before it."""
    assert runs(seen, FIRST + DAY, MAX_DAYS) == {}


@pytest.mark.parametrize("days", [0, -1, MAX_DAYS + 1])
def test_a_number_of_days_that_cannot_be_is_refused(days: int, seen: Path) -> None:
    """With what to give; one day and ten years can be."""
    with pytest.raises(InvalidRequestError, match=f"a window of {days} days") as error:
        runs(seen, FIRST_OF_MAY, days)
    assert error.value.hint == "give a number of days from 1 to 3,650"
    assert [checked_days(each) for each in (1, MAX_DAYS)] == [1, MAX_DAYS]


def test_a_task_was_last_seen_before_the_point(seen: Path) -> None:
    """Of the day of the point the first run counts where the last came later, and none where both did."""
    third = FIRST_OF_MAY + 2 * DAY

    assert last_runs(seen, third + 16 * HOUR) == {"a": third + 16 * HOUR, "b": third + 16 * HOUR}
    assert last_runs(seen, third + 16 * HOUR - 1) == {"a": third + 8 * HOUR, "b": third + 8 * HOUR}
    assert last_runs(seen, third + 8 * HOUR - 1) == {"a": third - 8 * HOUR}
