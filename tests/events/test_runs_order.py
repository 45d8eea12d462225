"""Runs in any order, in any batches, once or more often: one lineage, and no version for what is in force already."""

from __future__ import annotations

import json
import os
import random
import shutil
import tempfile
from collections import defaultdict
from collections.abc import Sequence
from itertools import groupby, product
from pathlib import Path
from typing import Any

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from rounds import rounds
from run_events import (
    HOUR,
    START,
    Event,
    a_run,
    columns_of,
    dataset,
    dataset_event,
    event,
    held,
    neighbours,
    policies,
    take,
    whole,
)

from ingest.events.intake import EventIntake
from lineage_tt import Store
from lineage_tt.model.messages import Receipt
from lineage_tt.read.observations import observations

TIMES = 5
HOURS = [START + hour * HOUR for hour in range(-1, TIMES + 2)]


KINDS = ["run", "run", "run", "run", "failed", "bare", "job", "dataset", "checks", "worded", "streaming"]

#: Two facets that cannot be read, each for a reason of its own.
UNREADABLE: list[Any] = [5, {"inputs": 5}]


@st.composite
def histories(draw: st.DrawFn, kinds: Sequence[str] = KINDS) -> list[Event]:
    """Return the events of a few runs, declarations and dataset events at few times: ties and repeats are common."""
    result: list[Event] = []
    for number in range(draw(st.integers(2, 8))):
        at = START + draw(st.integers(0, TIMES)) * HOUR
        job = f"j{draw(st.integers(1, 2))}"
        kind = draw(st.sampled_from(kinds))
        source = f"a.{draw(st.sampled_from('xyz'))}"
        said: dict[str, Any] = {
            "inputs": [dataset("a")],
            "outputs": [dataset("b", columnLineage=columns_of(y=[source]))],
        }
        if kind in ("run", "failed"):
            ends = "COMPLETE" if kind == "run" else "FAIL"
            result += a_run(at, job, f"r{number}", source=source, ends=ends, lasts=draw(st.sampled_from([0, HOUR])))
        elif kind == "streaming":
            endless = {"jobType": {"processingType": "STREAMING", "integration": "FLINK"}}
            for minute in sorted(draw(st.sets(st.sampled_from([0, 1, 20, 40]), min_size=1))):
                outputs = [dataset("b", columnLineage=columns_of(y=[f"a.{draw(st.sampled_from('xyz'))}"]))]
                named = "RUNNING" if minute else "START"
                result.append(event(named, at + minute * 60_000_000, f"s{job}", f"r{number}", inputs=[dataset("a")],
                                    outputs=outputs, job_facets=endless))  # fmt: skip
        elif kind == "checks":
            items = [{"assertion": draw(st.sampled_from("uv")), "success": draw(st.booleans()), "column": "x"}]
            used = dataset("a") | {"inputFacets": {"dataQualityAssertions": {"assertions": items}}}
            result.append(
                event(draw(st.sampled_from(["COMPLETE", "FAIL"])), at, f"c{job}", f"r{number}", inputs=[used])
            )
        elif kind == "worded":
            lineage = draw(st.sampled_from(UNREADABLE))
            result.append(event("COMPLETE", at, job, f"r{number}", job_facets={"lineage": lineage}, **said))
        elif kind == "bare":
            owner = {"ownership": {"owners": [{"name": draw(st.sampled_from(["ann", "bob"]))}]}}
            result.append(event("COMPLETE", at, job, f"r{number}", job_facets=owner))
        elif kind == "job":
            result.append(event(None, at, job, **said))
        else:
            tags = [{"key": draw(st.sampled_from("pq")), "field": draw(st.sampled_from(["c", "d"]))}]
            fields = [{"name": name} for name in draw(st.sets(st.sampled_from("cde"), max_size=2))]
            facets = {"tags": {"tags": tags}, "schema": {"fields": fields}}
            name = draw(st.sampled_from(["tags", "schema"]))
            result.append(dataset_event(at, "a", **{name: draw(st.sampled_from([facets[name], {"_deleted": True}]))}))
    return result


#: A store an example: without shrinking, which would take minutes.
QUICK = settings(
    max_examples=int(os.environ.get("LINEAGE_TT_EXAMPLES", rounds(12, 6))),
    phases=[Phase.explicit, Phase.reuse, Phase.generate],
)
RULES = [
    {},
    {"edges": "union"},
    {"edges": "union", "unseen": {"runs": 2}},
    {"edges": "union", "unseen": {"time": "1h"}},
    {"edges": "declared"},
    {"effective_at": "completion"},
]


@QUICK
@given(events=histories(), rules=st.sampled_from(RULES), seed=st.integers(0, 2**16))
def test_any_order_and_batching_gives_one_lineage(events: list[Event], rules: dict[str, Any], seed: int) -> None:
    """All answers, and the versions in force, are the same for events in order at once, and shuffled, repeated and cut.

    In a third of the cases the earliest events come last.
    """
    draw = random.Random(seed)
    events.sort(key=lambda each: each["eventTime"])
    shuffled = [*events, *draw.sample(events, draw.randint(0, len(events)))]
    draw.shuffle(shuffled)
    if seed % 3 == 0:
        shuffled = [each for each in shuffled if each not in events[:2]] + events[:2]
    batches: list[list[Event]] = [[]]
    for each in shuffled:
        batches[-1].append(each)
        if draw.random() < 0.4:
            batches.append([])
    folder = Path(tempfile.mkdtemp())
    try:
        take(folder / "a", events, rules=policies(**rules))
        take(folder / "b", *batches, rules=policies(**rules))

        found, first = whole(folder / "b"), whole(folder / "a")
        for name in found:
            assert found[name] == first[name], (name, batches)
        assert neighbours(found) == []
    finally:
        shutil.rmtree(folder)


@pytest.mark.parametrize("order", [(0, 1, 2), (2, 0, 1), (1, 2, 0), (2, 1, 0)])
def test_a_column_has_one_field_id_in_any_order(tmp_path: Path, order: tuple[int, ...]) -> None:
    """A column that a schema leaves out and a later one names has one id: it had another where the last came first."""
    names = [("c", "d"), ("d",), ("c", "d")]
    events = [
        dataset_event(START + at * HOUR, "a", schema={"fields": [{"name": name} for name in each]})
        for at, each in enumerate(names)
    ]
    take(tmp_path / "one", *([events[at]] for at in order))
    take(tmp_path / "two", events)

    assert whole(tmp_path / "one") == whole(tmp_path / "two")
    ids = {
        (each.column, each.field_id)
        for at in range(3)
        for each in Store.open(tmp_path / "one").as_of(START + at * HOUR).columns()
    }
    assert len(ids) == 2


@pytest.mark.parametrize("edges", ["replace", "union"])
def test_problems_have_the_words_of_the_first_run(tmp_path: Path, edges: str) -> None:
    """What cannot be read is described as the first run has it, also where a later one, in other words, came first."""
    runs = [
        [
            {**each, "job": {**each["job"], "facets": {"lineage": facet}}}
            for each in a_run(START + at * HOUR, run=str(at))
        ]
        for at, facet in enumerate(UNREADABLE)
    ]
    for name, batches in (("late", [runs[1], runs[0]]), ("order", runs)):
        take(tmp_path / name, *batches, rules=policies(edges=edges))

    assert whole(tmp_path / "late") == whole(tmp_path / "order")
    (task,) = Store.open(tmp_path / "late").as_of().tasks()
    assert [reason.detail for reason in task.reasons] == ["the facet lineage cannot be read: must be an object"]


@QUICK
@given(events=histories(KINDS[:-2]))
def test_edges_are_those_of_the_last_run(events: list[Event]) -> None:
    """With ``replace`` each job has the edges of its last completed run, or declaration, that began by then.

    Of several declarations of one time it has those of one of them.
    """
    folder = Path(tempfile.mkdtemp())
    try:
        take(folder, events)

        for at, edges, _ in held(folder, HOURS):
            found = {(task, source) for task, source, *_ in edges}
            possible = expected(events, at)
            assert {task for task, _ in found} == possible.keys()
            for task, choices in possible.items():
                assert {source for each, source in found if each == task} in choices, (task, at)
    finally:
        shutil.rmtree(folder)


def expected(events: list[Event], at: int) -> dict[str, list[set[str]]]:
    """Return by task the sources that its edges may have at a time, by looking at every event."""
    runs: dict[tuple[str, str], list[Event]] = defaultdict(list)
    for number, each in enumerate(events):
        if "job" in each:
            run = each["run"]["runId"] if "run" in each else f"declared {number}"
            runs[each["job"]["name"], run].append(each)
    over: dict[str, list[tuple[Any, list[Event]]]] = defaultdict(list)
    for (job, run), said in runs.items():
        begun, ended = said[0]["eventTime"], said[-1]["eventTime"]
        is_over = said[-1].get("eventType", "COMPLETE") == "COMPLETE"
        outputs = [output for each in said for output in each["outputs"]]
        if is_over and outputs and instant(begun) <= at:
            over[job].append(((begun, ended, run if "run" in said[0] else ""), outputs))
    result = {}
    for job, ended_runs in over.items():
        last = max(rank for rank, _ in ended_runs)
        fields = [
            outputs[0]["facets"]["columnLineage"]["fields"]["y"]["inputFields"]
            for rank, outputs in ended_runs
            if rank == last
        ]
        result[f"etl/{job}"] = [{f"db:a#{each['field']}" for each in inputs} for inputs in fields]
    return result


def instant(text: str) -> int:
    """Return UTC microseconds."""
    from lineage_tt.model.times import parse_instant

    return parse_instant(text)


#: A job, a run of it, and which of the run's two events.
Key = tuple[int, int, int]


def identical(jobs: int, runs: int, seed: int) -> list[Key]:
    """Return the events of so many runs of each job, shuffled, a third of them twice."""
    draw = random.Random(seed)
    found = list(product(range(jobs), range(runs), range(2)))
    found += draw.sample(found, len(found) // 3)
    draw.shuffle(found)
    return found


def event_of(key: Key) -> Event:
    """Return the event of a key."""
    job, run, which = key
    return a_run(START + run * HOUR, f"job{job}", f"{job}-{run}", source=f"a{job}.x", target=f"b{job}")[which]


@pytest.mark.parametrize(("jobs", "runs"), [(20, 25), pytest.param(100, rounds(1000, 300), marks=pytest.mark.slow)])
def test_identical_runs_make_one_version_a_job(tmp_path: Path, jobs: int, runs: int) -> None:
    """However often a job ran, shuffled and repeated: one version, in force from the first run on.

    A tenth of the runs comes after all that was decided, and changes nothing. Each run is observed on its day, once.
    """
    keys, tasks = identical(jobs, runs, 1), {f"etl/job{job}" for job in range(jobs)}
    late = {(job, run) for job in range(jobs) for run in random.Random(job).sample(range(1, runs), runs // 10)}
    with EventIntake(Store.create(tmp_path), workers=0) as intake:
        first = settled(intake, [key for key in keys if key[:2] not in late])
        after = settled(intake, [key for key in keys if key[:2] in late])
        intake.observe()

    assert (len(first), after) == (jobs, [])
    assert all(receipt.changes == 1 for receipt in first)
    assert {edge.task_id for edge in Store.open(tmp_path).as_of(START).edges()} == tasks
    assert Store.open(tmp_path).as_of(START - 1).edges() == []
    days = [list(group) for _, group in groupby(range(runs), lambda run: (START + run * HOUR) // (24 * HOUR))]
    assert {(o.task_id, o.first_seen, o.last_seen, o.runs, o.failed, o.duration) for o in observations(tmp_path)} == {
        (task, START + day[0] * HOUR, START + day[-1] * HOUR, len(day), 0, len(day) * 60_000_000)
        for task in tasks
        for day in days
    }


def settled(intake: EventIntake, keys: Sequence[Key]) -> list[Receipt]:
    """Take events in, a thousand at a time as every way in does, and decide them."""
    for at in range(0, len(keys), 1000):
        intake.take([intake.read(json.dumps(event_of(key)).encode()) for key in keys[at : at + 1000]])
    return intake.settle().receipts


def test_a_run_before_the_first_known_one_only_begins_earlier(tmp_path: Path) -> None:
    """The edges hold from the late run on; what said so from later on is retracted, and nothing else changes.

    Both stayed in force once, so that a task had a version more than one whose runs came in order.
    """
    first, second = a_run(START, run="first"), a_run(START + 2 * HOUR, run="second")
    take(tmp_path / "late", second)
    late = take(tmp_path / "late", first)
    take(tmp_path / "order", [*first, *second])

    assert [(each.status, each.changes) for each in late] == [("accepted", 2), ("accepted", 0)]
    ((sign, *_, since, until),) = [each for entry in Store.open(tmp_path / "late").changes(1) for each in entry.changes]
    assert (sign, since, until) == (1, START, START + 2 * HOUR)
    assert whole(tmp_path / "late") == whole(tmp_path / "order")
    assert take(tmp_path / "late", first, second, first) == []


def test_what_was_retracted_may_count_again(tmp_path: Path) -> None:
    """A run between two that say the same says otherwise, is taken back by a later event, and says it again."""
    first, last = a_run(START, run="r0"), a_run(START + 2 * HOUR, run="r2")
    between = a_run(START + HOUR, run="r1", source="a.z")
    failed = event("FAIL", START + HOUR + 120_000_000, run="r1")
    again = [{**each, "eventTime": each["eventTime"].replace("T01:0", "T01:3")} for each in between[1:]]
    take(tmp_path / "late", last, between, first, [failed], again)
    take(tmp_path / "order", [*first, *between, failed, *again, *last])

    assert whole(tmp_path / "late") == whole(tmp_path / "order")
    assert len(whole(tmp_path / "late")["versions"]) == 3


@pytest.mark.parametrize("seed", range(5))
def test_a_tenth_of_the_runs_comes_later(tmp_path: Path, seed: int) -> None:
    """All is that of runs in order; a job whose first run came late has two messages more: that, and a retract."""
    events = [event_of(key) for key in identical(20, 10, seed)]
    late = [each for each in events if random.Random(each["run"]["runId"]).random() < 0.1]
    receipts = take(tmp_path / "late", [each for each in events if each not in late], late)
    firsts = {each["job"]["name"] for each in late if each["run"]["runId"].endswith("-0")}
    take(tmp_path / "order", sorted(events, key=lambda each: each["eventTime"]))

    assert len(receipts) == 20 + 2 * len(firsts), f"seed {seed}"
    assert whole(tmp_path / "late") == whole(tmp_path / "order")


def test_what_comes_late_is_as_if_it_had_come_in_time(tmp_path: Path) -> None:
    """A run that comes late and differs holds until the next run that says otherwise; one that does not makes none."""
    runs = [a_run(START + hour * HOUR, run=f"r{hour}") for hour in (0, 2, 4)]
    take(tmp_path, [each for run in runs for each in run])
    late = take(tmp_path, a_run(START + 3 * HOUR, run="late", source="a.z"))
    same = take(tmp_path, a_run(START + HOUR, run="same"))

    assert [receipt.status for receipt in late] == ["accepted", "accepted"]  # it begins, and what was in force resumes
    assert same == []
    sources = [{edge[1] for edge in edges} for _, edges, _ in held(tmp_path, HOURS)]
    assert sources == [set(), {"db:a#x"}, {"db:a#x"}, {"db:a#x"}, {"db:a#z"}, *[{"db:a#x"}] * 3]
