"""Which promises a delay breaks, and whom to tell."""

from __future__ import annotations

import pytest
from core_story import STORY, TIMES, fact

from lineage_tt.governance.core.late import promises_at_risk, unsure_promises
from lineage_tt.governance.core.promises import Promise, promises_of
from lineage_tt.governance.core.tasks import TaskGraph, Use
from lineage_tt.governance.core.timings import MINUTE
from lineage_tt.model.errors import InvalidRequestError


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


def test_a_promise_kept_to_the_very_minute_does_not_break() -> None:
    """The board is done at 02:50; a delay of ten minutes ends at 03:00, one of a microsecond more after it."""
    promise = Promise("bi:board", 180 * MINUTE, None, ())
    just, over = (
        promises_at_risk(TaskGraph(STORY), "load", by, [promise], TIMES, {})[0] for by in (10 * MINUTE, 10 * MINUTE + 1)
    )

    assert (just.late_finish, just.breaks, just.broken) == (180 * MINUTE, False, False)
    assert (over.breaks, over.to_json()["late_finish"]) == (True, "03:00:01")


def test_a_promise_without_a_time_is_at_no_risk() -> None:
    """Nor one of a node that nobody makes."""
    promises = [Promise("bi:board", None, "P1", (), ("soon",)), Promise("d:nobody", 60 * MINUTE, None, ())]

    assert promises_at_risk(TaskGraph(STORY), "load", 60 * MINUTE, promises, TIMES, {}) == []


def test_the_promise_of_the_late_task_itself_is_at_risk() -> None:
    """A task may be promised; owners of tasks that are not between the two are not told."""
    owners = {("task:load", "owner"): ["cy"], ("task:report", "owner"): ["eve"]}
    (kept,) = promises_at_risk(
        TaskGraph(STORY), "load", 60 * MINUTE, [Promise("task:load", 130 * MINUTE, None, ())], TIMES, owners
    )

    assert (kept.finish, kept.late_finish, kept.breaks) == (120 * MINUTE, 180 * MINUTE, True)
    assert kept.tell == ("cy",)


def test_promises_after_the_late_task_of_which_a_duration_is_unknown_are_named() -> None:
    """The board's own task has none: it may break though its times do not say so. What is all known is not named."""
    graph = TaskGraph([*STORY, Use("other", "src:x", "d:x")])
    facts = [
        fact("bi:board", "sla", "09:00"), fact("ads:report", "sla", "09:00"), fact("dw:orders", "sla", "at noon"),
        fact("d:x", "sla", "09:00"),
    ]  # fmt: skip

    def unsure(task: str) -> list[tuple[str, int, int, tuple[str, ...]]]:
        found = unsure_promises(graph, task, promises_of(facts), TIMES)
        return sorted((each.node, each.unknown, len(each.links), each.unreadable) for each in found)

    assert unsure("clean") == [("bi:board", 1, 5, ()), ("dw:orders", 0, 2, ("at noon",))]
    assert unsure("rates") == [("bi:board", 1, 5, ())]
