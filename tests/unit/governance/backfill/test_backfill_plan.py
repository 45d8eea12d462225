"""The plan of a backfill: steps in an order in which each finds what it reads repaired."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from listed_timeline import DAY, ListedTimeline, made

from lineage_tt.governance.backfill.partitions import Grain, Span
from lineage_tt.governance.backfill.plan import Plan, backfill
from lineage_tt.model.answers import EdgeAsOf

WINDOW = Span(5 * DAY, 8 * DAY)


def plan_of(
    edges: Sequence[EdgeAsOf], nodes: Sequence[str] = ("d:a#x",), grains: Mapping[str, Grain] | None = None, *,
    uncertain: Sequence[str] = (), remake: bool = False,
) -> Plan:  # fmt: skip
    """The plan after ``nodes`` were wrong from day 5 to day 8, asked on day 100."""
    timeline = ListedTimeline(edges, uncertain=uncertain)
    return backfill(timeline, nodes, WINDOW, lambda task: (grains or {}).get(task, "day"), remake=remake)


def test_a_step_waits_for_those_that_repair_what_it_reads() -> None:
    """Steps of one stage may run side by side; ties are in order of names."""
    edges = [
        made("right", "d:a#x", "d:r#x"), made("left", "d:a#x", "d:l#x"),
        made("both", "d:l#x", "d:z#x"), made("both", "d:r#x", "d:z#x"),
    ]  # fmt: skip
    plan = plan_of(edges)

    assert [(s.number, s.task_id, s.after, s.stage) for s in plan.steps] == [
        (1, "left", (), 1), (2, "right", (), 1), (3, "both", (1, 2), 2),
    ]  # fmt: skip
    assert (plan.steps[2].reads, plan.steps[2].writes) == (("d:l", "d:r"), ("d:z",))
    assert [len(step.partitions) for step in plan.steps] == [3, 3, 3]


def test_a_task_whose_text_changed_is_one_step_for_each_text() -> None:
    """Each with the text in force when its partitions ended; the second waits for the first."""
    edges = [made("t", "d:a#x", "d:b#x", until=7), made("t", "d:a#x", "d:b#x", since=7)]
    plan = plan_of(edges)

    assert [(s.in_force and s.in_force.effective_at, len(s.partitions), s.after) for s in plan.steps] == [
        (-1000 * DAY, 1, ()), (7 * DAY, 2, (1,)),
    ]  # fmt: skip
    assert [step["differs_from_now"] for step in plan.to_json()["steps"]] == [True, False]


def test_a_task_that_is_offline_today_says_so() -> None:
    """What it ran then is still what is to be run."""
    (step,) = plan_of([made("t", "d:a#x", "d:b#x", until=50)]).steps
    said = step.to_json()

    assert step.now is None
    assert (said["offline_now"], said["differs_from_now"], said["version_now"]) == (True, True, None)
    assert said["event_id"] == "e1000"


def test_tasks_that_wait_for_each_other_name_their_circle() -> None:
    """In every partition: no order among them follows from lineage."""
    edges = [made("one", "d:a#x", "d:b#x"), made("one", "d:c#x", "d:b#x"), made("two", "d:b#x", "d:c#x")]
    plan = plan_of(edges)

    assert {(step.task_id, step.circle) for step in plan.steps} == {("one", ("two",)), ("two", ("one",))}


def test_an_order_that_turned_cuts_the_plan_in_time() -> None:
    """Until day 7 b reads a; from then on a reads b. No step is in a circle."""
    edges = [
        made("a", "d:a#x", "d:p#x", until=7), made("b", "d:p#x", "d:q#x", until=7),
        made("b", "d:a#x", "d:q#x", since=7), made("a", "d:q#x", "d:p#x", since=7),
    ]  # fmt: skip
    plan = plan_of(edges)

    assert [(step.task_id, step.partitions[0].start // DAY) for step in plan.steps] == [
        ("a", 5), ("b", 5), ("b", 6), ("a", 6),
    ]  # fmt: skip
    assert not any(step.circle for step in plan.steps)


def test_the_maker_is_sure_and_a_reader_of_unknown_ways_is_not() -> None:
    """A task whose lineage is not known is uncertain, unless it made what was wrong first."""
    edges = [made("script", "d:r#x", "d:a#x"), made("script", "d:b#x", "d:c#x"), made("other", "d:a#x", "d:b#x")]
    plan = plan_of(edges, uncertain=["script", "other"], remake=True)

    assert {(step.task_id, step.origin, step.uncertain) for step in plan.steps} == {
        ("script", True, False), ("other", False, True),
    }  # fmt: skip


def test_a_table_without_partitions_is_made_once_with_the_text_of_today() -> None:
    """Whatever it ran in the window."""
    edges = [made("t", "d:a#x", "d:b#x", until=20), made("t", "d:a#x", "d:b#x", since=20)]
    (step,) = plan_of(edges, grains={"t": "none"}).steps

    assert (step.in_force and step.in_force.effective_at) == 20 * DAY
    assert [(each.start, each.end, each.params()) for each in step.partitions] == [(5 * DAY, 8 * DAY, {})]


def test_nothing_downstream_is_an_empty_plan() -> None:
    """Tasks that read the dataset and none of its wrong columns are listed with the reason."""
    plan = plan_of([made("names", "d:a#y", "d:n#y")])

    assert (plan.steps, plan.cuts, plan.open) == ((), (), 0)
    assert plan.skipped == (("names", ("d:a",), "reads none of the wrong columns"),)
    said = plan.to_json()
    assert said["skipped"] == [
        {"task_id": "names", "reads": ["d:a"], "reason": "reads none of the wrong columns"},
    ]
    assert (said["partitions"], said["from"], said["to"]) == (0, "1970-01-06T00:00:00Z", "1970-01-09T00:00:00Z")
