"""The completeness of an answer: each task and end once, in order, bounded."""

from __future__ import annotations

from lineage_tt.model.completeness.summary import (
    COMPLETE,
    MAX_ENDS,
    MAX_REASONS,
    MAX_TASKS,
    End,
    Gap,
    Reason,
    TaskGap,
    merged,
    summed,
)


def test_nothing_met_is_complete() -> None:
    """Beside every complete answer is the same object."""
    assert summed([]) is COMPLETE
    assert COMPLETE.to_json() == {
        "complete": True, "tasks": [], "tasks_omitted": 0, "ends": [], "ends_omitted": 0, "by_star": 0,
    }  # fmt: skip


def test_a_step_by_star_alone_makes_it_incomplete() -> None:
    """The name on the far side is assumed."""
    assert not summed([], by_star=1).complete


def test_tasks_and_ends_come_once_in_order_and_the_rest_is_counted() -> None:
    """Met again on another way, a task counts once."""
    gaps = [Gap(f"t{number:03}", 1, "opaque") for number in range(MAX_TASKS + 5)]
    ends = [End(f"n:{number:03}", "up", "unknown-sources", "") for number in range(MAX_ENDS + 2)]
    found = summed([*reversed(gaps), *gaps], [*reversed(ends), *ends])

    assert [task.task_id for task in found.tasks] == [gap.task_id for gap in gaps[:MAX_TASKS]]
    assert [end.node for end in found.ends] == [end.node for end in ends[:MAX_ENDS]]
    assert (found.tasks_omitted, found.ends_omitted) == (5, 2)
    assert len(found.uncertain_tasks) == MAX_TASKS + 5


def test_what_two_walks_lack_is_together_what_the_answer_lacks() -> None:
    """A task that both met counts once; what either left out of its list is counted."""
    gaps = [Gap(f"t{number:03}", 1, "opaque") for number in range(MAX_TASKS + 5)]
    up = summed(gaps, [End("n:a", "up", "unknown-sources", "")], by_star=2)
    down = summed([gaps[0], Gap("u", 1, "opaque")], [End("n:a", "down", "unknown-targets", "")], by_star=1)
    found = merged(up, COMPLETE, down)

    assert found.tasks == up.tasks
    assert (found.tasks_omitted, found.by_star) == (6, 3)
    assert [(end.node, end.direction) for end in found.ends] == [("n:a", "down"), ("n:a", "up")]
    assert merged(COMPLETE, down) == down
    assert merged() is COMPLETE


def test_reasons_are_bounded_a_task() -> None:
    """A task with many says how many are left out."""
    reasons = tuple(Reason("code", str(number), "") for number in range(MAX_REASONS + 3))
    listed = TaskGap.of(Gap("t", 1, "partial", reasons))

    assert (listed.reasons, listed.reasons_omitted) == (reasons[:MAX_REASONS], 3)


def test_to_declare_helps_where_no_task_met_writes_the_dataset() -> None:
    """Columns of a dataset that another task of the answer writes follow from that task."""
    first = Gap("a", 1, "partial", (Reason("unknown-columns", "", "n:src"),), writes=frozenset({"n:mid"}))
    second = Gap("b", 2, "partial", (Reason("unknown-columns", "", "n:mid"),))

    assert summed([first, second]).undeclared == ("n:src",)
    assert summed([second]).undeclared == ("n:mid",)


def test_what_a_task_may_write() -> None:
    """Its datasets; of one whose columns are known only these, the whole and the star."""
    gap = Gap("t", 1, "partial", writes=frozenset({"n:a", "n:b"}), columns={"n:b": frozenset({"x"})})
    nodes = ["n:a", "n:a#y", "n:b", "n:b#x", "n:b#*", "n:b#y", "n:c"]

    assert [gap.may_write(node) for node in nodes] == [True, True, True, True, True, False, False]


def test_rejected_edges_are_in_the_json_where_there_are_any() -> None:
    """An answer without has no key for them."""
    assert "rejected" not in summed([], by_star=1).to_json()
    assert COMPLETE._replace(rejected=3).to_json()["rejected"] == 3
