"""Lineage from task to task."""

from __future__ import annotations

from pathlib import Path

import pytest

from lineage_tt import Store
from lineage_tt.levels.tasks import outermost, rolled_up, task_lineage
from lineage_tt.model.answers import Direction, Lineage
from lineage_tt.model.edges import Edge
from lineage_tt.model.errors import InvalidRequestError, NotInForceError
from lineage_tt.model.messages import Lineage as Stated
from lineage_tt.model.messages import TaskChange
from lineage_tt.read.view import View
from lineage_tt.testing import ManualClock, task_change


@pytest.fixture(scope="module")
def view(tmp_path_factory: pytest.TempPathFactory) -> View:
    """load → clean → (mart, audit); audit reads only for its rows."""
    store = Store.create(tmp_path_factory.mktemp("store"), clock=ManualClock(90))
    store.append(
        [
            task_change("load", "online", 10, [("n:src#x", "n:ods#x")]),
            task_change("clean", "online", 10, [("n:ods#x", "n:dw#x"), ("n:dw#x", "n:dw#y")]),
            task_change("mart", "online", 10, [("n:dw#x", "n:mart#x")]),
            task_change("audit", "online", 10, [("n:dw", "n:log", "INDIRECT", "FILTER")]),
        ]
    )
    return store.as_of(50)


def ends(found: Lineage) -> set[tuple[str, str, int]]:
    """Source, target and steps, tasks by their ids."""
    return {
        (step.edge.source.removeprefix("task:"), step.edge.target.removeprefix("task:"), step.steps)
        for step in found.steps
    }


@pytest.mark.parametrize(
    ("node", "direction", "depth", "found"),
    [("task:load", "down", None, {("load", "clean", 1), ("clean", "mart", 2), ("clean", "audit", 2)}),
     ("task:load", "down", 1, {("load", "clean", 1)}),
     ("task:mart", "up", None, {("clean", "mart", 1), ("load", "clean", 2)}),
     ("task:clean", "both", 1, {("load", "clean", 1), ("clean", "mart", 1), ("clean", "audit", 1)}),
     ("n:dw#x", "down", 1, {("n:dw", "mart", 1), ("n:dw", "audit", 1), ("n:dw", "clean", 1)}),
     ("task:load", "down", 0, set())],
)  # fmt: skip
def test_a_task_comes_after_the_one_whose_table_it_reads(
    view: View, node: str, direction: Direction, depth: int | None, found: set[tuple[str, str, int]]
) -> None:
    """From a task or a dataset, as far as asked; no task comes after itself."""
    assert ends(task_lineage(view, [node], direction, depth)) == found


def test_an_edge_says_over_which_dataset(view: View) -> None:
    """And whether a value flows; without those that only decide on rows if asked."""
    steps = {step.edge.target: step.edge for step in task_lineage(view, ["task:clean"], "down").steps}

    assert (steps["task:mart"].expression, steps["task:mart"].type) == ("n:dw", "DIRECT")
    assert steps["task:audit"].type == "INDIRECT"
    direct = task_lineage(view, ["task:clean"], "down", direct_only=True)
    assert [step.edge.target for step in direct.steps] == ["task:mart"]


@pytest.mark.parametrize("graph", [False, True])
def test_a_task_that_is_met_continues_with_all_that_it_reads_and_writes(tmp_path: Path, graph: bool) -> None:
    """Also where nothing flows through it: it runs after all that it reads, and before all that reads of it."""
    store = Store.create(tmp_path / "s", clock=ManualClock(90))
    store.append(
        [
            task_change("first", "online", 10, [("n:a#x", "n:b#x")]),
            task_change("two", "online", 10, [("n:b#x", "n:c#x"), ("n:d#x", "n:e#x")]),
            task_change("last", "online", 10, [("n:e#x", "n:f#x")]),
        ]
    )
    view = store.graph().as_of(50) if graph else store.as_of(50)

    both = {("first", "two", 1), ("two", "last", 2)}
    assert ends(task_lineage(view, ["task:first"], "down")) == both
    assert ends(task_lineage(view, ["task:last"], "up")) == {("two", "last", 1), ("first", "two", 2)}
    assert ends(task_lineage(view, ["task:first"], "down", 1)) == {("first", "two", 1)}


def test_both_directions_say_what_either_lacks(tmp_path: Path) -> None:
    """A task upstream whose lineage is not complete, and one downstream."""
    store = Store.create(tmp_path / "s", clock=ManualClock(90))
    edges = {"up": ("n:a#x", "n:b#x"), "down": ("n:c#x", "n:d#x")}
    store.append(
        [
            task_change("mid", "online", 10, [("n:b#x", "n:c#x")]),
            *(TaskChange(name, name, "online", 10, lineage=Stated(edges=[Edge(*edge)], coverage="partial"))
              for name, edge in edges.items()),
        ]
    )  # fmt: skip

    found = task_lineage(store.as_of(50), ["task:mid"], "both")

    assert [task.task_id for task in found.completeness.tasks] == ["down", "up"]


def test_what_is_no_question_is_rejected(view: View) -> None:
    """A task that is not in force has no lineage to walk."""
    with pytest.raises(NotInForceError):
        task_lineage(view, ["task:none"])
    for ask in (lambda: task_lineage(view, []), lambda: task_lineage(view, ["n:dw"], depth=-1),
                lambda: rolled_up(view, {}, ["n:dw"], depth=-1)):  # fmt: skip
        with pytest.raises(InvalidRequestError):
            ask()


def test_sub_tasks_count_as_who_starts_them(view: View) -> None:
    """Edges between sub-tasks of one task are none."""
    parents = {"task:load": "task:etl", "task:clean": "task:etl", "task:mart": "task:bi", "task:audit": "task:bi"}

    assert ends(rolled_up(view, parents, ["task:load"], "down")) == {("etl", "bi", 1)}
    assert ends(rolled_up(view, parents, ["task:bi"], "up")) == {("etl", "bi", 1)}
    assert ends(rolled_up(view, {}, ["task:load"], "down", 1)) == {("load", "clean", 1)}


@pytest.mark.parametrize(
    ("parents", "top"), [({}, "c"), ({"c": "b", "b": "a"}, "a"), ({"c": "b", "b": "c"}, "b"), ({"c": "c"}, "c"),
                         ({"c": "b", "b": "a", "a": "b"}, "a")],
)  # fmt: skip
def test_the_outermost_task_is_found_also_in_a_circle(parents: dict[str, str], top: str) -> None:
    """Of tasks that start each other it is the one with the least name."""
    assert outermost("c", parents) == top
