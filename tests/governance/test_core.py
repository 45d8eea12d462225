"""Core links: the chain of a promised node, its times, and which promise a delay breaks."""

from __future__ import annotations

import random
from itertools import pairwise

import pytest
from reference.running import latest_finish, slack_of, upstream

from lineage_tt.governance.core.chain import chain_of, difference
from lineage_tt.governance.core.late import promises_at_risk
from lineage_tt.governance.core.promises import Promise, promises_of
from lineage_tt.governance.core.schedule import schedule
from lineage_tt.governance.core.tasks import TaskGraph, Use
from lineage_tt.governance.core.timings import (
    MINUTE,
    Timing,
    duration_text,
    read_duration,
    read_time_of_day,
    time_text,
    timings_of,
)
from lineage_tt.model.answers import FactAsOf
from lineage_tt.model.errors import InvalidRequestError
from lineage_tt.read.observations import Observation

#: load → clean → report → board, and a second source of the report.
STORY = [
    Use("load", "src:orders", "ods:orders"),
    Use("rates", "src:rates", "ods:rates"),
    Use("clean", "ods:orders", "dw:orders"),
    Use("report", "dw:orders", "ads:report"),
    Use("report", "ods:rates", "ads:report"),
    Use("board", "ads:report", "bi:board"),
]
TIMES = {
    "load": Timing(60 * MINUTE, "stated", 60 * MINUTE),
    "rates": Timing(10 * MINUTE, "stated"),
    "clean": Timing(30 * MINUTE, "stated"),
    "report": Timing(20 * MINUTE, "observed"),
}


def fact(node: str, key: str, value: str) -> FactAsOf:
    """A fact in force."""
    return FactAsOf(node, key, value, "task", "note:x", 1, 0, None)


def random_dag(draw: random.Random) -> list[Use]:
    """Tasks t0 … tn, each reading what up to three earlier ones write; some write a dataset that others write, too."""
    count = draw.randint(1, 9)
    uses = []
    for at in range(count):
        sources = draw.sample(range(at), min(at, draw.randint(0, 3)))
        target = f"d:{draw.choice([at, at, at, max(0, at - 1)])}"
        uses += [Use(f"t{at}", f"d:{each}", target) for each in sources if f"d:{each}" != target]
        if not any(use.task == f"t{at}" for use in uses):
            uses.append(Use(f"t{at}", f"src:{at}", target))
    return uses


@pytest.mark.parametrize("seed", range(150))
def test_times_slack_and_the_critical_path_are_those_of_all_paths_tried(seed: int) -> None:
    """On random graphs without circles, with times of day before which tasks do not begin."""
    draw = random.Random(seed)
    print(f"seed {seed}")
    graph = TaskGraph(random_dag(draw))
    before = dict(graph.before)
    assert all(len(unit) == 1 for unit in graph.units())
    length = {task: draw.randint(0, 50) for task in before}
    begins = {task: draw.choice([0, 0, draw.randint(0, 80)]) for task in before}
    timings = {task: Timing(length[task], "stated", begins[task]) for task in before}
    ends = draw.sample(sorted(before), draw.randint(1, min(2, len(before))))
    due = latest_finish(before, ends, length, begins) + draw.randint(0, 60)
    found = schedule(graph, graph.upstream(ends), timings, ends, due)

    assert found.finish == latest_finish(before, upstream(before, ends), length, begins)
    last = max(found.times[(task,)].finish for task in ends)
    assert last == latest_finish(before, ends, length, begins)
    for (task,), times in found.times.items():
        assert times.finish == latest_finish(before, [task], length, begins)
        assert times.slack == slack_of(task, before, ends, length, begins, due)
    path = [task for (task,) in found.critical]
    assert begins[path[0]] == found.times[(path[0],)].start or not before[path[0]]
    assert found.times[(path[-1],)].finish == last
    assert found.times[(path[0],)].start + sum(length[task] for task in path) == last
    assert all(one in before[other] for one, other in pairwise(path))


def test_units_come_after_all_they_wait_for_and_a_circle_is_one_unit() -> None:
    """Tasks that wait for each other cannot be put in order, and what comes after them still is."""
    graph = TaskGraph([
        Use("a", "d:in", "d:1"), Use("b", "d:1", "d:2"), Use("c", "d:2", "d:1"), Use("e", "d:2", "d:3"),
        Use("s", "d:3", "d:3"),
    ])  # fmt: skip

    assert graph.units() == [("a",), ("b", "c"), ("e",), ("s",)]
    found = schedule(graph, graph.tasks, {task: Timing(10, "stated") for task in "abces"}, ["s"])
    assert found.times["b", "c"].finish == 30
    assert found.finish == 50


def test_a_chain_tells_times_slack_and_what_is_critical() -> None:
    """Of the node of the story; nobody knows how long the board takes, and the answer says so."""
    promise = Promise("bi:board", read_time_of_day("03:00"), "P1", ("ana",))
    chain = chain_of(TaskGraph(STORY), "bi:board", TIMES, promise)

    assert [link.task_id for link in chain.links] == ["load", "clean", "rates", "report", "board"]
    assert chain.critical == ("load", "clean", "report", "board")
    assert chain.finish is not None
    assert time_text(chain.finish) == "02:50:00"
    assert chain.slack == 10 * MINUTE
    assert {link.task_id: link.slack for link in chain.links}["rates"] == (150 + 10 - 10) * MINUTE
    assert chain.unknown == 1
    assert chain.to_json()["in_time"] is True


def test_two_names_of_one_dataset_are_one_thing() -> None:
    """A task that reads the other name waits for the writer."""
    graph = TaskGraph([Use("w", "src:a", "hive:a"), Use("r", "s3:a", "d:out")], [("hive:a", "s3:a")])

    assert graph.before["r"] == {"w"}
    assert [link.task_id for link in chain_of(graph, "d:out", {}).links] == ["w", "r"]


def test_what_joined_and_left_a_chain() -> None:
    """Between two points: tasks, links, the end and the critical path."""
    before = chain_of(TaskGraph(STORY), "bi:board", TIMES)
    moved = [use for use in STORY if use.task != "rates"] + [Use("audit", "dw:orders", "ods:rates")]
    after = chain_of(TaskGraph(moved), "bi:board", TIMES | {"audit": Timing(15 * MINUTE, "stated")})
    change = difference(before, after)

    assert (change.joined, change.left) == (("audit",), ("rates",))
    assert change.links_joined == (("audit", "clean"), ("report", "audit"))
    assert change.links_left == (("report", "rates"),)
    assert change.to_json()["finish_moved_s"] == 15 * 60
    assert change.critical_after == ("load", "clean", "audit", "report", "board")


def test_a_delay_breaks_the_promises_it_reaches_and_names_whom_to_tell() -> None:
    """Those that break come first; what is broken anyway does not break; what is not reached is absent."""
    graph = TaskGraph([*STORY, Use("other", "src:x", "d:x")])
    facts = [
        fact("bi:board", "sla", "03:00"), fact("bi:board", "priority", "P2"), fact("bi:board", "owner", "ana"),
        fact("ads:report", "sla", "02:00"), fact("ads:report", "priority", "P1"),
        fact("d:x", "sla", "00:10"), fact("task:clean", "owner", "bo"), fact("task:load", "owner", "cy"),
    ]  # fmt: skip
    promises = promises_of(facts)
    owners = {("bi:board", "owner"): ["ana"], ("task:clean", "owner"): ["bo"], ("task:load", "owner"): ["cy"]}
    kept = promises_at_risk(graph, "clean", 120 * MINUTE, promises, TIMES, owners)

    assert [promise.node for promise in promises] == ["ads:report", "bi:board", "d:x"]
    assert [(each.promise.node, each.breaks, each.broken) for each in kept] == [
        ("bi:board", True, False), ("ads:report", False, True),
    ]  # fmt: skip
    assert kept[0].tell == ("ana", "bo")
    assert promises_at_risk(graph, "rates", 5 * MINUTE, promises, TIMES, owners) == []
    with pytest.raises(InvalidRequestError, match="no edges"):
        promises_at_risk(graph, "nobody", MINUTE, promises, TIMES, owners)
    with pytest.raises(InvalidRequestError, match="more than 0"):
        promises_at_risk(graph, "clean", 0, promises, TIMES, owners)


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


def test_a_promise_that_cannot_be_read_is_shown_as_such() -> None:
    """It is not dropped in silence, and of two times the earlier counts."""
    promises = promises_of([fact("d:a", "sla", "soon"), fact("d:b", "sla", "09:00"), fact("d:b", "sla", "08:00")])

    assert promises == [
        Promise("d:b", 480 * MINUTE, None, ()),
        Promise("d:a", None, None, (), ("soon",)),
    ]


def test_lengths_are_written_as_people_do() -> None:
    """With a sign where negative."""
    assert [duration_text(each * MINUTE) for each in (0, 90, -45, 60)] == ["0s", "1h30m", "-45m", "1h"]
