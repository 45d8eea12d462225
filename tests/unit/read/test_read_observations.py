"""Runs that were observed, and deliveries that were made: read beside the store, by anybody."""

from __future__ import annotations

import sqlite3
from datetime import UTC, date, datetime
from pathlib import Path

import deltalake
import pyarrow as pa
import pytest

from lineage_tt.model.errors import UnavailableError
from lineage_tt.read.observations import DELIVERED, DELIVERIES, NAME, Observation, day_of, delivered, observations


def observed(folder: Path) -> None:
    """A table of observations of two tasks."""
    noon = datetime(2024, 5, 1, 12, tzinfo=UTC)
    rows = [
        {"day": date(2024, 5, day), "task_id": task, "first_seen": noon, "last_seen": noon, "runs": 2, "failed": 1,
         "duration": 7, "rows": None, "bytes": 9}
        for task, day in (("b", 1), ("a", 2), ("a", 1))
    ]  # fmt: skip
    deltalake.write_deltalake(folder / NAME, pa.Table.from_pylist(rows))


def test_observations_come_by_task_and_day(tmp_path: Path) -> None:
    """Of one task alone, if asked; counts that no run reported are absent."""
    observed(tmp_path)
    noon = 1_714_564_800_000_000

    assert [(each.task_id, each.day) for each in observations(tmp_path)] == [
        ("a", "2024-05-01"), ("a", "2024-05-02"), ("b", "2024-05-01"),
    ]  # fmt: skip
    assert observations(tmp_path, "b") == [Observation("2024-05-01", "b", noon, noon, 2, 1, 7, None, 9)]


def test_where_nothing_was_observed_there_is_nothing(tmp_path: Path) -> None:
    """No run, and no delivery; a file without the table is one of before it was made."""
    assert observations(tmp_path) == []
    assert delivered(tmp_path) == {}
    sqlite3.connect(tmp_path / DELIVERIES).close()
    assert delivered(tmp_path) == {}


def test_a_damaged_table_is_reported(tmp_path: Path) -> None:
    """As an error of the product, with what to do."""
    observed(tmp_path)
    for file in (tmp_path / NAME).glob("*.parquet"):
        file.unlink()

    with pytest.raises(UnavailableError, match="observations cannot be read"):
        observations(tmp_path)


@pytest.mark.parametrize(("number", "day"), [(0, "1970-01-01"), (19844, "2024-05-01"), (-1, "1969-12-31")])
def test_days_are_counted_from_1970(number: int, day: str) -> None:
    """As Parquet does."""
    assert day_of(number) == day


@pytest.mark.parametrize("is_open", [False, True])
def test_deliveries_are_read_while_a_runner_writes(tmp_path: Path, is_open: bool) -> None:
    """In order of their times; a version that two subscriptions got has two."""
    database = sqlite3.connect(tmp_path / DELIVERIES, isolation_level=None)
    database.execute("PRAGMA journal_mode = WAL")
    database.execute(DELIVERED)
    database.executemany("INSERT INTO delivered VALUES (?, ?, ?)", [("s", 4, 90), ("r", 4, 80), ("s", 2, 70)])
    if not is_open:
        database.close()

    assert delivered(tmp_path) == {2: (70,), 4: (80, 90)}
    if is_open:
        database.close()


def test_a_file_that_is_no_database_is_reported(tmp_path: Path) -> None:
    """It is damage, which check names."""
    (tmp_path / DELIVERIES).write_bytes(b"no database" * 100)

    with pytest.raises(UnavailableError, match="deliveries"):
        delivered(tmp_path)
