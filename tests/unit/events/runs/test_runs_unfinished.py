"""Runs that never ended leave the journal by a rule, and whoever comes back later still counts."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from run_events import HOUR, START, Event, a_run, dataset, event, pairs, policies

from ingest.events.intake import EventIntake
from ingest.events.runs import journal as journals
from ingest.events.runs import unfinished
from lineage_tt import Store
from lineage_tt.model.errors import UnavailableError
from lineage_tt.testing import ManualClock

DAY = 24 * HOUR


def begun(number: int, at: int = START) -> Event:
    """The START of a run of a job of its own."""
    return event("START", at, f"job{number}", f"r{number}", inputs=[dataset(f"a{number}")])


def take(intake: EventIntake, *events: Event) -> None:
    """Take events in and decide them."""
    intake.take([intake.read(json.dumps(each).encode()) for each in events])
    intake.settle()


def counts(folder: Path) -> tuple[int, int, int]:
    """How many runs, events and shapes the journal holds."""
    with closing(sqlite3.connect(folder / "events" / journals.NAME)) as db:
        return tuple(db.execute(f"SELECT count(*) FROM {name}").fetchone()[0] for name in ("runs", "events", "shapes"))


def test_a_run_without_end_is_forgotten_after_thirty_days(tmp_path: Path) -> None:
    """With all that only it said; runs that ended stay, and so does one that still reports."""
    clock = ManualClock(START)
    with EventIntake(Store.create(tmp_path, clock=clock), workers=0) as intake:
        take(intake, *(begun(n) for n in range(5)), *a_run(START, "done", "done"))
        clock.advance(29 * DAY)
        take(intake, event("RUNNING", START + 29 * DAY, "job4", "r4"))
        assert counts(tmp_path)[0] == 6
        clock.advance(2 * DAY)
        take(intake)

        assert counts(tmp_path) == (2, 4, 4)
        assert pairs(tmp_path) == {("db:a#x", "db:b#y")}


def test_an_old_history_is_not_cut_while_it_is_read(tmp_path: Path) -> None:
    """Events of years ago that come in today have not waited yet: the end may come with the next batch."""
    clock, long_ago = ManualClock(START), START - 3000 * DAY
    start, end = a_run(long_ago)
    with EventIntake(Store.create(tmp_path, clock=clock), workers=0) as intake:
        take(intake, start)
        clock.advance(DAY)
        take(intake, end)

        assert pairs(tmp_path) == {("db:a#x", "db:b#y")}
        assert Store.open(tmp_path).as_of(long_ago).edges()  # from the start of the run


def test_an_end_that_comes_after_all_is_decided_by_itself(tmp_path: Path) -> None:
    """The same process continues: what it remembered of the run is gone, too. The lineage holds from the end on."""
    clock = ManualClock(START)
    start, end = a_run(START)
    with EventIntake(Store.create(tmp_path, clock=clock), workers=0) as intake:
        take(intake, start)
        clock.advance(31 * DAY)
        take(intake)
        assert counts(tmp_path) == (0, 0, 0)
        take(intake, end)

    store = Store.open(tmp_path)
    assert store.as_of(START).edges() == []
    assert len(store.as_of(START + HOUR).edges()) == 1


def test_another_process_forgets_what_it_remembered(tmp_path: Path) -> None:
    """Its numbers of runs and shapes are given to others by then: no event lands at another run."""
    clock = ManualClock(START)
    store = Store.create(tmp_path, clock=clock)
    with EventIntake(store, workers=0) as one, EventIntake(store, workers=0) as other:
        take(one, begun(1), begun(2))
        clock.advance(31 * DAY)
        take(other)
        take(other, *a_run(START, "new", "new"))
        stale = one.read(json.dumps(begun(1)).encode())
        with pytest.raises(UnavailableError, match="send the events again"):
            one.take([stale])
        take(one, begun(1), event("COMPLETE", START + HOUR, "job1", "r1", outputs=[dataset("b1")]))

    assert pairs(tmp_path) == {("db:a#x", "db:b#y"), ("db:a1", "db:b1")}


def test_a_mapping_says_how_long_to_wait(tmp_path: Path) -> None:
    """``unfinished`` is of all sources; what is not a length of time is refused."""
    clock = ManualClock(START)
    with EventIntake(Store.create(tmp_path, clock=clock), policies=policies(unfinished="12h"), workers=0) as intake:
        take(intake, begun(1))
        clock.advance(13 * HOUR)
        take(intake)

        assert counts(tmp_path) == (0, 0, 0)
    with pytest.raises(ValueError, match="not a length of time"):
        policies(unfinished="soon")


def test_runs_that_have_not_ended_are_counted(tmp_path: Path) -> None:
    """A producer that reports no ends has no lineage, and nothing said so; a run under two names is one that ended."""
    run = "0196a5a0-0000-7000-8000-000000000001"
    with EventIntake(Store.create(tmp_path), workers=0) as intake:
        take(intake, *a_run(START, "done", "done"))
        take(intake, event("START", START, "app", run), event("COMPLETE", START + HOUR, "app.save", run))
        assert unfinished.waiting(intake.journal) == {}

        take(intake, begun(1))
        alone = unfinished.waiting(intake.journal)
        take(intake, begun(2), event("COMPLETE", START, "late", "r3"))
        both = unfinished.waiting(intake.journal)

    words = "a run of 'etl/job1' has not ended: it counts when it ends"
    assert (alone, both) == ({"not-ended": (1, words)}, {"not-ended": (2, words)})


def test_looking_for_them_costs_nothing_where_there_are_none(tmp_path: Path) -> None:
    """Each decision once looked at every run that there ever was: 0.08 µs a run, for a run that changes nothing."""
    with EventIntake(Store.create(tmp_path), workers=0) as intake:
        looked = intake.journal.read(f"EXPLAIN QUERY PLAN {unfinished.OVERDUE}", {"before": 0, "count": 1})
        plan = [row[3] for row in looked]
        counting = [row[3] for row in intake.journal.read(f"EXPLAIN QUERY PLAN {unfinished.COUNT}")]

    assert plan[0].startswith("SEARCH")
    assert "open_runs (seen<?)" in plan[0]
    assert "INDEX open_runs" in counting[0]
