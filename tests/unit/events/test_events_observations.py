"""The runs of the journal as observations, a day as a whole."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from ingest.events import observations as module
from ingest.events.observations import write
from ingest.events.runs.journal import Journal
from ingest.events.runs.points import DAY
from lineage_tt.model.errors import UnavailableError
from lineage_tt.read.observations import NAME, Observation, observations
from lineage_tt.storage.file_lock import FileLock

#: Days since 1970 of 2026-01-01.
FIRST = 20_454
SECOND = 1_000_000


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    """An empty journal beside a store."""
    with closing(Journal(tmp_path / "events")) as made:
        yield made


def run(
    journal: Journal, day: int, seconds: int, *, task: str = "t", state: str = "complete", lasts: int = 1,
    rows: int | None = None, size: int | None = None, kind: str = "run",
) -> None:  # fmt: skip
    """Put a run into the journal, and note that its day is to be written."""
    at = (FIRST + day) * DAY + seconds * SECOND
    with journal.transaction() as db:
        db.execute(
            "INSERT INTO runs (kind, task, state, at, began, ended, row_count, byte_count, run_id, namespace, name) "
            "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, 'n', 'j')",
            (kind, task, state, at, at, at + lasts * SECOND, rows, size, f"{task}{at}{state}{kind}"),
        )
        db.execute("INSERT INTO days (day) VALUES (?) ON CONFLICT DO UPDATE SET stamp = stamp + 1", (FIRST + day,))


def seen(folder: Path) -> list[tuple[Any, ...]]:
    """What was observed: day, task, runs, failed."""
    return sorted((each.day, each.task_id, each.runs, each.failed) for each in observations(folder))


def test_the_runs_of_a_task_and_a_day_are_one_row(journal: Journal, tmp_path: Path) -> None:
    """When the first and the last were, how long they took, and what they wrote: not known where no run says it."""
    run(journal, 0, 5, rows=3, lasts=2)
    run(journal, 0, 1, rows=4, lasts=1)
    run(journal, 0, 9, state="failed", lasts=4)
    assert write(journal, tmp_path) == 1
    begun = FIRST * DAY

    assert observations(tmp_path) == [
        Observation("2026-01-01", "t", begun + SECOND, begun + 9 * SECOND, 2, 1, 7 * SECOND, 7, None)
    ]


def test_each_run_is_counted_on_its_own_day_and_task(journal: Journal, tmp_path: Path) -> None:
    """A day ends before midnight; what has not ended, and what was declared, is not a run."""
    run(journal, 0, 86_399)
    run(journal, 1, 0)
    run(journal, 0, 0, task="u", state="failed")
    run(journal, 0, 7, state="open")
    run(journal, 0, 8, kind="job")
    run(journal, 2, 0, state="declared", kind="dataset")
    assert write(journal, tmp_path) == 3

    assert seen(tmp_path) == [("2026-01-01", "t", 1, 0), ("2026-01-01", "u", 0, 1), ("2026-01-02", "t", 1, 0)]


def test_a_day_is_written_again_as_a_whole(journal: Journal, tmp_path: Path) -> None:
    """Other days stay; one whose runs all went to others is empty."""
    run(journal, 0, 0)
    run(journal, 1, 0)
    write(journal, tmp_path)
    assert write(journal, tmp_path) == 0

    run(journal, 1, 5)
    assert write(journal, tmp_path) == 1
    assert seen(tmp_path) == [("2026-01-01", "t", 1, 0), ("2026-01-02", "t", 2, 0)]

    with journal.transaction() as db:
        db.execute("UPDATE runs SET at = at + ? WHERE at < ?", (DAY, (FIRST + 1) * DAY))
        db.executemany("INSERT INTO days (day) VALUES (?)", [(FIRST,), (FIRST + 1,)])
    assert write(journal, tmp_path) == 2
    assert seen(tmp_path) == [("2026-01-02", "t", 3, 0)]


def test_many_days_are_written_in_several_commits(
    journal: Journal, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each of them once; after some commits what was replaced is tidied up."""
    monkeypatch.setattr(module, "CHUNK", 2)
    monkeypatch.setattr(module, "TIDY_EVERY", 2)
    for day in range(5):
        run(journal, day, 0)
    assert write(journal, tmp_path) == 5

    assert [day for day, *_ in seen(tmp_path)] == [f"2026-01-0{day}" for day in range(1, 6)]
    log = tmp_path / NAME / "_delta_log"
    assert sorted(each.name for each in log.glob("*.json")) == [f"{number:020d}.json" for number in range(3)]
    assert (log / "_last_checkpoint").exists()


def test_what_another_process_is_writing_is_left_to_it(journal: Journal, tmp_path: Path) -> None:
    """The days wait."""
    run(journal, 0, 0)
    lock = FileLock(journal.path.with_name("observations.lock"))
    assert lock.try_acquire()
    assert write(journal, tmp_path) == 0
    lock.close()

    assert write(journal, tmp_path) == 1


def test_days_that_cannot_be_written_wait(journal: Journal, tmp_path: Path) -> None:
    """The next time may do; the lock is given back."""
    run(journal, 0, 0)
    (tmp_path / NAME).write_text("in the way", encoding="utf-8")
    with pytest.raises(UnavailableError, match="observations cannot be written"):
        write(journal, tmp_path)
    (tmp_path / NAME).unlink()

    assert write(journal, tmp_path) == 1
    assert seen(tmp_path) == [("2026-01-01", "t", 1, 0)]
