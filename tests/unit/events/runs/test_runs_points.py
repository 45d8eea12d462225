"""What each run says becomes points on the timelines of its subjects."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import orjson
import pytest
from run_events import HOUR, START, Event, a_run, columns_of, dataset, dataset_event, event, policies

from ingest.events.openlineage.reading import parse_event
from ingest.events.policy import Policies
from ingest.events.runs import points as module
from ingest.events.runs.contents import facet_subject, task_subject
from ingest.events.runs.journal import Journal
from ingest.events.runs.meaning import meanings
from ingest.events.runs.points import Points
from ingest.resolve.resolver import SqlResolver

MINUTE = 60_000_000
DAY = START // module.DAY
TASK = task_subject("etl/job")


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    """An empty journal."""
    with closing(Journal(tmp_path)) as made:
        yield made


def settled(journal: Journal, *events: Event, rules: Policies | None = None, points: Points | None = None) -> int:
    """Take events in and decide them; return how many runs that were."""
    journal.take([parse_event(orjson.dumps(each), journal) for each in events], now=START)
    with closing(SqlResolver(0)) as resolver:
        return (points or Points(journal, rules or Policies(), resolver)).settle()


def placed(journal: Journal) -> list[tuple[str, int]]:
    """The points: subject and hours after the start."""
    found = journal.read("SELECT subject, at FROM points ORDER BY at, subject")
    return [(subject, (at - START) // HOUR) for subject, at in found]


def affected(journal: Journal) -> list[tuple[str, int]]:
    """What may have changed since this was asked last: subject and hours after the start."""
    found = journal.read("SELECT subject, at FROM affected ORDER BY at, subject")
    with journal.transaction() as db:
        db.execute("DELETE FROM affected")
    return [(subject, (at - START) // HOUR) for subject, at in found]


def runs(journal: Journal, *columns: str) -> list[tuple[Any, ...]]:
    """These columns of all runs."""
    return journal.read(f"SELECT {', '.join(columns)} FROM runs ORDER BY id")


def test_a_run_that_ended_is_a_point_where_it_began(journal: Journal) -> None:
    """One that has not ended is none; a run is decided once."""
    assert settled(journal, *a_run(START + HOUR), event("START", START, "open", "r2")) == 1
    assert placed(journal) == affected(journal) == [(TASK, 1)]
    assert settled(journal) == 0
    assert affected(journal) == []


def test_a_run_is_noted_with_what_it_was(journal: Journal) -> None:
    """Its task, how and when it ended; the day on which it counts is to be written."""
    settled(journal, *a_run(START + HOUR), *a_run(START, "other", "r2", ends="FAIL"))

    assert runs(journal, "task", "state", "began", "ended", "at", "dirty") == [
        ("etl/job", "complete", START + HOUR, START + HOUR + MINUTE, START + HOUR, 0),
        ("etl/other", "failed", START, START + MINUTE, START, 0),
    ]  # fmt: skip
    assert journal.read("SELECT day, stamp FROM days") == [(DAY, 2)]


def test_what_comes_late_moves_the_point_of_its_run(journal: Journal) -> None:
    """Both where it was and where it is may be otherwise; on the days, too."""
    start, end = a_run(START, lasts=25 * HOUR)
    settled(journal, end)
    assert (placed(journal), affected(journal)) == ([(TASK, 25)], [(TASK, 25)])
    settled(journal, start)

    assert (placed(journal), affected(journal)) == ([(TASK, 0)], [(TASK, 0), (TASK, 25)])
    assert journal.read("SELECT day, stamp FROM days ORDER BY day") == [(DAY, 1), (DAY + 1, 2)]


def test_an_event_that_changes_nothing_touches_nothing(journal: Journal) -> None:
    """What says the same of a run between its start and its end."""
    start, end = a_run(START)
    settled(journal, start, end)
    affected(journal)
    before = placed(journal)

    assert settled(journal, {**end, "eventType": "RUNNING", "eventTime": "2026-01-01T00:00:01Z"}) == 1
    assert (placed(journal), affected(journal)) == (before, [])


def test_a_run_that_failed_after_all_has_no_point(journal: Journal) -> None:
    """A later end counts in the place of an earlier one."""
    settled(journal, *a_run(START))
    affected(journal)
    settled(journal, event("FAIL", START + HOUR))

    assert (placed(journal), affected(journal), runs(journal, "state")) == ([], [(TASK, 0)], [("failed",)])


def test_facts_that_lineage_hid_count_again_where_it_goes(journal: Journal) -> None:
    """Times at which only facts are known are looked at again, after the run that goes."""
    owned = event("COMPLETE", START + 2 * HOUR, run="r2", job_facets={"ownership": {"owners": [{"name": "ada"}]}})
    settled(journal, *a_run(START), owned)
    affected(journal)
    settled(journal, event("FAIL", START + HOUR))

    assert affected(journal) == [(TASK, 0), (TASK, 2)]


def test_declarations_are_points_of_their_own_time(journal: Journal) -> None:
    """Those of jobs and of datasets, facet by facet; they are not an observation."""
    declared = event(None, START, inputs=[dataset("a")], outputs=[dataset("b")])
    about = dataset_event(
        START + HOUR, "t", schema={"fields": [{"name": "x"}]}, ownership={"owners": [{"name": "ada"}]}
    )
    assert settled(journal, declared, about) == 2

    assert placed(journal) == [
        (TASK, 0), (facet_subject("ownership", "db:t"), 1), (facet_subject("schema", "db:t"), 1),
    ]  # fmt: skip
    assert runs(journal, "state", "task") == [("declared", "etl/job"), ("declared", None)]
    assert journal.read("SELECT * FROM days") == []


def test_a_run_counts_where_its_source_s_policy_says(journal: Journal) -> None:
    """Its nominal time is the earliest that its events say; each source has its own policy."""
    rules = policies(effective_at="completion", source=[{"when": {"job.name": "n*"}, "effective_at": "nominal"}])
    nominal = [{"nominalTime": {"nominalStartTime": f"2026-01-01T0{hour}:00:00Z"}} for hour in (5, 4)]
    started, ended = a_run(START, "night", "r2", lasts=HOUR)
    started["run"]["facets"], ended["run"]["facets"] = nominal
    settled(journal, started, ended, *a_run(START, lasts=HOUR), rules=rules)

    assert placed(journal) == [(TASK, 1), (task_subject("etl/night"), 4)]


def test_how_a_task_s_runs_add_up_is_noted_with_its_points(journal: Journal) -> None:
    """As the policy says when its run is converted."""
    settled(journal, *a_run(START), rules=policies(edges="union", unseen={"runs": 2, "time": "1h"}))

    assert journal.read("SELECT * FROM rules") == [(TASK, "union", 2, HOUR)]


def test_a_run_that_ends_later_after_all_keeps_its_place_with_another_tie(journal: Journal) -> None:
    """Of two runs of one time it may be the last one now, so that its time is looked at again."""
    settled(journal, *a_run(START))
    before = journal.read("SELECT tie FROM points")
    affected(journal)
    settled(journal, event("COMPLETE", START + HOUR))

    assert journal.read("SELECT tie FROM points") > before
    assert affected(journal) == placed(journal) == [(TASK, 0)]


def test_rows_and_bytes_are_those_that_were_stated_last_of_each_output(journal: Journal) -> None:
    """They add up over outputs; what nothing says is not known."""

    def written(kind: str, at: int, **rows: int) -> Event:
        outputs = [dataset(name) | {"outputFacets": {"outputStatistics": {"rowCount": n}}} for name, n in rows.items()]
        return event(kind, at, inputs=[dataset("a")], outputs=outputs)

    settled(
        journal,
        written("COMPLETE", START + 2, b=5, c=1),
        written("START", START, b=3, d=7),
        *a_run(START, "other", "r2"),
    )

    assert runs(journal, "row_count", "byte_count") == [(13, None), (None, None)]


def test_a_run_without_end_is_a_point_at_each_snapshot(journal: Journal) -> None:
    """Events between two that say the same are forgotten."""
    kind = {"jobType": {"processingType": "STREAMING"}}

    def snapshot(hour: int, column: str) -> Event:
        output = dataset("b", columnLineage=columns_of(y=[f"a.{column}"]))
        return event("RUNNING", START + hour * HOUR, inputs=[dataset("a")], outputs=[output], job_facets=kind)

    settled(journal, *(snapshot(hour, column) for hour, column in enumerate("xxxy")))

    assert (placed(journal), runs(journal, "state")) == ([(TASK, 0), (TASK, 3)], [("complete",)])
    assert journal.read("SELECT (at - ?) / ? FROM events ORDER BY at", (START, HOUR)) == [(0,), (2,), (3,)]


def test_runs_that_say_the_same_are_converted_once(journal: Journal, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another process finds what the first one noted."""
    asked: list[int] = []
    real = meanings

    def counting(given: Any, *rest: Any) -> Any:
        asked.append(len(given))
        return real(given, *rest)

    monkeypatch.setattr(module, "meanings", counting)
    settled(journal, *a_run(START), *a_run(START + HOUR, run="r2"))
    settled(journal, *a_run(START + 2 * HOUR, run="r3"))

    assert asked == [1]
    assert placed(journal) == [(TASK, 0), (TASK, 1), (TASK, 2)]


def test_a_run_over_which_the_code_fails_is_a_dead_letter(journal: Journal, monkeypatch: pytest.MonkeyPatch) -> None:
    """It claims nothing, and those beside it count."""
    real = meanings

    def failing(given: Any, *rest: Any) -> Any:
        if any(each.name.name == "bad" for each in given):
            raise KeyError("a bug")
        return real(given, *rest)

    monkeypatch.setattr(module, "meanings", failing)
    assert settled(journal, *a_run(START, "bad", "r2"), *a_run(START)) == 2

    ((_, packed),) = journal.outbox(10)
    assert orjson.loads(packed)["refused"]["code"] == "internal-error"
    assert placed(journal) == [(TASK, 0)]
    assert runs(journal, "dirty", "task") == [(0, "etl/bad"), (0, "etl/job")]


def test_of_runs_of_one_time_the_one_that_ended_last_is_last(journal: Journal) -> None:
    """Then by name and run; also of times before 1970."""
    early = -5 * MINUTE
    for run, lasts in (("r1", 3), ("r2", 1), ("r3", 9)):
        settled(journal, *a_run(early, run=run, lasts=lasts * MINUTE))
    found = journal.read("SELECT r.run_id FROM points AS p JOIN runs AS r ON r.id = p.run ORDER BY p.at, p.tie")

    assert found == [("r2",), ("r1",), ("r3",)]


ID = "0196a5a0-0000-7000-8000-000000000001"
NAMED = (
    event("START", START, "app", ID, inputs=[dataset("a")]),
    event("RUNNING", START + MINUTE, "app.b", ID, inputs=[dataset("c")]),
    event("COMPLETE", START + HOUR, "app.b", ID, outputs=[dataset("b")]),
)


@pytest.mark.parametrize("order", list(itertools.permutations(range(3))))
@pytest.mark.parametrize("is_apart", [False, True])
def test_a_run_whose_job_changes_its_name_is_one(journal: Journal, order: tuple[int, ...], is_apart: bool) -> None:
    """It is of the job that ended it, from its start on, with what it read before; in any order, in any batches."""
    events = [NAMED[each] for each in order]
    for batch in [[each] for each in events] if is_apart else [events]:
        settled(journal, *batch)
    (packed,) = journal.read("SELECT c.packed FROM contents AS c JOIN points AS p ON p.fingerprint = c.fingerprint")

    assert placed(journal) == [(task_subject("etl/app.b"), 0)]
    assert {edge[0] for edge in orjson.loads(packed[0])["edges"]} == {"db:a", "db:c"}


@pytest.mark.parametrize("run", ["r1", "manual__2026-01-01", ID])
def test_runs_of_several_jobs_with_one_id_stay_apart(journal: Journal, run: str) -> None:
    """Only a UUID is one run; and a run with a start and an end of its own is whole, whatever others are called."""
    other = event("START", START, "app", run, inputs=[dataset("a")])
    whole = a_run(START + HOUR, "job", run, source="c.x") if run == ID else [NAMED[2] | {"run": {"runId": run}}]
    settled(journal, other, *whole)
    rows = runs(journal, "name", "state")

    assert ("app", "open") in rows or ("app", None) in rows
    assert len(placed(journal)) == 1
    assert "db:a" not in str(journal.read("SELECT packed FROM contents"))
