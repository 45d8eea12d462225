"""The questions about what runs when: what they take, what they refuse, and what they say is not known."""

from __future__ import annotations

from pathlib import Path

import pytest

from lineage_tt import Store
from lineage_tt.curation.statements import Author, annotate
from lineage_tt.governance.backfill.questions import Running
from lineage_tt.model.errors import InvalidRequestError, UnknownNodeError
from lineage_tt.model.messages import Lineage, NodeChange, Problem, TaskChange
from lineage_tt.testing import ManualClock, task_change

DAY = 86_400_000_000
BEGIN = 20_000 * DAY
ANA = Author("ana")


@pytest.fixture
def store(tmp_path: Path) -> Store:
    """raw → clean → report, each by the task that is named after what it writes."""
    result = Store.create(tmp_path / "s", clock=ManualClock(BEGIN + 40 * DAY))
    result.append([
        task_change("clean", "online", BEGIN, [("d:raw#x", "d:clean#x"), ("d:raw#y", "d:clean#y")]),
        task_change("report", "online", BEGIN, [("d:clean#x", "d:report#x")]),
    ])  # fmt: skip
    return result


def asks(store: Store) -> Running:
    """The questions about a store."""
    return store.governance()


@pytest.mark.parametrize(
    ("start", "end", "message"),
    [(BEGIN, BEGIN, "window is empty"), (BEGIN + 1, BEGIN, "window is empty"),
     ("0001-01-02T00:00:00Z", BEGIN, "end of time"), (BEGIN, "9999-12-30T00:00:00Z", "end of time")],
)  # fmt: skip
def test_a_window_that_is_none_is_refused(store: Store, start: int | str, end: int | str, message: str) -> None:
    """Empty, turned round, or so far away that there is no month before or after it."""
    with pytest.raises(InvalidRequestError, match=message) as error:
        asks(store).backfill(["d:raw#x"], start, end)
    assert error.value.hint


def test_nodes_that_are_none_are_refused(store: Store) -> None:
    """No node at all, one that nothing ever named, a task without edges."""
    with pytest.raises(InvalidRequestError, match="at least one node"):
        asks(store).backfill([], BEGIN, BEGIN + DAY)
    with pytest.raises(UnknownNodeError):
        asks(store).backfill(["d:raw#x", "d:nothing#x"], BEGIN, BEGIN + DAY)
    with pytest.raises(InvalidRequestError, match="'nobody' has no edges"):
        asks(store).backfill(["task:nobody"], BEGIN, BEGIN + DAY)


def test_a_task_stands_for_what_it_writes(store: Store) -> None:
    """Although it writes something else today; the answer names the nodes as they were given, each once."""
    store.append([task_change("clean", "update", BEGIN + 20 * DAY, [("d:raw#x", "d:fresh#x")])])
    plan = asks(store).backfill(["task:clean", "task:clean"], BEGIN + DAY, BEGIN + 2 * DAY)

    assert plan.nodes == ("task:clean",)
    assert [(step.task_id, step.origin) for step in plan.steps] == [("clean", True), ("report", False)]
    assert "d:clean" in plan.steps[0].writes


def test_a_stated_grain_goes_before_the_one_asked_for(store: Store) -> None:
    """A fact ``partition`` of a task says how its data is cut."""
    annotate(store, "task:report", "partition", ["month"], by=ANA, at=BEGIN)
    plan = asks(store).backfill(["d:raw#x"], BEGIN, BEGIN + 2 * DAY, grain="day", remake=False)

    assert {step.task_id: [each.grain for each in step.partitions] for step in plan.steps} == {
        "clean": ["day", "day"], "report": ["month"],
    }  # fmt: skip


def test_a_plan_says_which_of_its_tasks_are_not_fully_known(store: Store) -> None:
    """A reader of unknown lineage is listed; one that touches other data alone is not."""
    unread = Lineage((), "opaque", [Problem("untraced-read", "it is read", "d:clean")], [("d:s", ())])
    elsewhere = Lineage((), "opaque", [Problem("untraced-read", "it is read", "d:q")], [("d:p", ())])
    store.append([
        TaskChange("s", "script", "online", BEGIN, lineage=unread),
        TaskChange("e", "elsewhere", "online", BEGIN, lineage=elsewhere),
    ])  # fmt: skip
    plan = asks(store).backfill(["d:raw#x"], BEGIN, BEGIN + DAY)

    assert [task.task_id for task in plan.completeness.tasks] == ["script"]
    assert {step.task_id: step.uncertain for step in plan.steps}["script"]


def test_checks_that_fail_at_a_point_are_listed_by_node(store: Store) -> None:
    """Not those that pass, nor those that failed at another time."""
    for node, status, day in (("d:raw", "failed", 1), ("d:clean", "failed", 2), ("d:clean", "passed", 5)):
        fact = (node, "check:rows", f'{{"status":"{status}"}}')
        at = BEGIN + day * DAY
        store.append([NodeChange(f"{node}-{day}", "fact", node, "set", at, fact_key="check:rows", facts=[fact])])
    found = asks(store)

    assert [check.node for check in found.failed_checks(found.points.basis(BEGIN + 3 * DAY))] == ["d:clean", "d:raw"]
    assert [check.node for check in found.failed_checks()] == ["d:raw"]
    assert found.failed_checks(found.points.basis(BEGIN)) == []


def test_a_chain_of_a_node_that_nothing_named_is_refused(store: Store) -> None:
    """One that something named has its tasks."""
    with pytest.raises(UnknownNodeError):
        asks(store).core("d:nothing")
    (chain,) = asks(store).core("d:report#x").chains

    assert [link.task_id for link in chain.links] == ["clean", "report"]
