"""Times, slack and the critical path of tasks that wait for each other."""

from __future__ import annotations

import random
from itertools import pairwise

import pytest
from reference.running import latest_finish, slack_of, upstream

from lineage_tt.governance.core.schedule import Times, schedule
from lineage_tt.governance.core.tasks import TaskGraph, Use
from lineage_tt.governance.core.timings import Timing


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


CHAIN = [Use("a", "d:in", "d:1"), Use("b", "d:1", "d:2"), Use("side", "d:1", "d:9")]


def test_nothing_to_do_is_done_at_midnight() -> None:
    """Without tasks, and without an end among them, there is no critical path."""
    none = schedule(TaskGraph([]), [], {}, [], 100)
    other = schedule(TaskGraph(CHAIN), ["a"], {}, ["nobody"])

    assert (none.units, none.critical, none.finish) == ((), (), 0)
    assert other.critical == ()
    assert other.times["a",] == Times(0, 0, None, None)


def test_a_deadline_that_is_missed_makes_slack_negative() -> None:
    """For all that the end waits for; what nobody with a deadline waits for has none."""
    timings = {"a": Timing(30, "stated"), "b": Timing(20, "stated"), "side": Timing(5, "stated")}
    found = schedule(TaskGraph(CHAIN), ["a", "b", "side"], timings, ["b"], 45)

    assert found.times["a",] == Times(0, 30, 25, -5)
    assert found.times["b",] == Times(30, 50, 45, -5)
    assert found.times["side",] == Times(30, 35, None, None)


def test_a_task_that_waits_for_its_time_of_day_begins_the_critical_path() -> None:
    """What is done before then delays nothing; done at that very time it is critical, too."""
    timings = {"a": Timing(30, "stated"), "b": Timing(20, "stated", begins=40)}
    waits = schedule(TaskGraph(CHAIN), ["a", "b"], timings, ["b"])
    meets = schedule(TaskGraph(CHAIN), ["a", "b"], timings, ["b"], late={"a": 10})

    assert waits.critical == (("b",),)
    assert waits.times["a",].slack == 10
    assert meets.critical == (("a",), ("b",))
    assert (waits.finish, meets.finish) == (60, 60)


def test_ends_that_are_done_together_give_the_first_by_name() -> None:
    """So that the same question has the same answer."""
    graph = TaskGraph([Use("y", "d:in", "d:1"), Use("x", "d:in", "d:1")])

    assert schedule(graph, ["x", "y"], {}, ["y", "x"]).critical == (("x",),)
    many = TaskGraph([Use("end", "d:1", "d:2"), *(Use(f"t{at}", "d:in", "d:1") for at in range(20))])
    assert schedule(many, many.tasks, {}, ["end"]).critical == (("t0",), ("end",))


def test_a_circle_takes_as_long_as_all_of_its_tasks() -> None:
    """And begins no earlier than the latest of them may."""
    graph = TaskGraph([Use("p", "d:q", "d:p"), Use("q", "d:p", "d:q")])
    timings = {"p": Timing(10, "stated"), "q": Timing(20, "stated", begins=7)}
    found = schedule(graph, ["p", "q"], timings, ["p"], late={"q": 1})

    assert found.times["p", "q"] == Times(7, 38, 38, 0)
