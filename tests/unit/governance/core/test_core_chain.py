"""The chain of a node: its tasks, their times, and what joined or left it between two points."""

from __future__ import annotations

from core_story import STORY, TIMES

from lineage_tt.governance.core.chain import Chain, chain_of, difference, ends_of
from lineage_tt.governance.core.promises import Promise
from lineage_tt.governance.core.tasks import TaskGraph, Use
from lineage_tt.governance.core.timings import MINUTE, Timing, read_time_of_day, time_text


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


def test_the_makers_of_a_column_are_those_of_its_dataset() -> None:
    """A task is its own maker, where it has edges."""
    graph = TaskGraph(STORY)

    assert ends_of(graph, "ads:report#total") == {"report"}
    assert ends_of(graph, "task:report") == {"report"}
    assert ends_of(graph, "task:nobody") == ends_of(graph, "d:nothing") == set()


def test_a_node_that_nobody_makes_has_an_empty_chain() -> None:
    """It is never done, so that nothing can be said of its promise."""
    chain = chain_of(TaskGraph(STORY), "src:orders", TIMES, Promise("src:orders", 60 * MINUTE, "P1", ()))
    said = chain.to_json()

    assert (chain.links, chain.critical, chain.finish, chain.slack) == ((), (), None, None)
    assert (said["sla"], said["finish"], said["in_time"], said["tasks"]) == ("01:00:00", None, None, [])


def test_a_promise_is_kept_at_its_very_time() -> None:
    """One microsecond earlier it would not be; one without a readable time says neither."""
    at = 170 * MINUTE
    chains = [
        chain_of(TaskGraph(STORY), "bi:board", TIMES, Promise("bi:board", each, None, ())) for each in (at, at - 1)
    ]
    unread = chain_of(TaskGraph(STORY), "bi:board", TIMES, Promise("bi:board", None, None, (), ("soon",)))

    assert [chain.to_json()["in_time"] for chain in chains] == [True, False]
    assert (unread.to_json()["in_time"], unread.to_json()["sla_unreadable"]) == (None, ["soon"])


def test_tasks_in_a_circle_do_not_wait_for_each_other() -> None:
    """They name each other as a circle, and wait for those outside of it."""
    graph = TaskGraph([Use("in", "d:0", "d:1"), Use("p", "d:1", "d:p"), Use("p", "d:q", "d:p"), Use("q", "d:p", "d:q")])
    links = {link.task_id: link for link in chain_of(graph, "d:q", {}).links}

    assert (links["p"].waits_for, links["p"].circle) == (("in",), ("q",))
    assert (links["q"].waits_for, links["q"].circle) == ((), ("p",))


def test_a_chain_that_was_empty_joined_whole() -> None:
    """How far its end moved is not known then; nothing left."""
    before = Chain("bi:board", None, (), (), None)
    change = difference(before, chain_of(TaskGraph(STORY), "bi:board", TIMES))

    assert change.joined == ("board", "clean", "load", "rates", "report")
    assert (change.left, change.links_left) == ((), ())
    assert change.to_json()["finish_moved_s"] is None
    assert difference(before, before).links_joined == ()
