"""A subject's history: what it remembers of its messages, and that all ways to it give the same one."""

from __future__ import annotations

from copy import deepcopy

import pytest

from lineage_tt.model.edges import EdgeTuple
from lineage_tt.write.subjects.tasks import Item, PastMessage, TaskHistory

A, B = (("n:a#x", f"n:b#{name}", "DIRECT", "IDENTITY", "") for name in "yz")
FACT = ("n:b", "owner", "ann")


def past(version: int, at: int | None, *items: tuple[str, ...], **more: object) -> PastMessage:
    """An accepted message of a task as the log holds it."""
    edges, facts = [i for i in items if len(i) == len(A)], [i for i in items if len(i) == len(FACT)]
    op = "retract" if "retracts" in more else "update"
    said = {"source_version": None, "retracts": None, "content_sha256": b"d", "edges": edges, "facts": facts} | more
    return PastMessage(version, "t", f"e{version}", op, at, **said)  # type: ignore[arg-type]


MESSAGES = [past(1, 10, A), past(2, 20, A, B, FACT), past(3, 15, B), past(4, None, retracts="e2"), past(5, 30, A)]


def placed() -> TaskHistory:
    """The history of the messages, as the writer makes it one by one."""
    history = TaskHistory()
    for each in MESSAGES:
        if each.op == "retract":
            history.withdraw(each.version, each.retracts or "")
        else:
            history.place(each.version, each.effective_at or 0, each.source_version, [*each.edges, *each.facts])
        history.events[each.event_id] = (each.version, each.content_sha256)
    return history


def test_a_rebuilt_history_is_the_one_that_was_placed() -> None:
    """A writer that restarts, or that evicted it, continues as if it had not."""
    assert TaskHistory.rebuild(MESSAGES).state() == placed().state()


@pytest.mark.parametrize("known", range(len(MESSAGES)))
def test_a_history_is_extended_and_rewound_to_any_version(known: int) -> None:
    """What others committed is added; what did not come to be is taken back."""
    history = TaskHistory.rebuild(MESSAGES[:known])
    before = deepcopy(history.state())
    history.extend(MESSAGES[known:])
    assert history.state() == placed().state()

    history.rewind(MESSAGES[known].version - 1)
    assert history.state() == before


def test_a_history_outlives_a_file() -> None:
    """Also with a name that holds the separator of the short form, and with facts."""
    odd: EdgeTuple = ("n:a\0#x", *A[1:])
    cases: list[list[Item]] = [[A, B], [odd], [A, FACT], []]
    for items in cases:
        history = TaskHistory()
        history.place(1, 5, None, items)
        assert TaskHistory.of_state(history.state()).state() == history.state()


def test_versions_are_renumbered_everywhere() -> None:
    """Another writer took the numbers: all that was said after a version moves, and nothing before it."""
    history = placed()
    history.note_stars(3, [("n:a", "d")], ("complete",))
    history.note_checked(3, 15, 3, ())
    history.renumber(2, 10)

    assert {event: version for event, (version, _) in history.events.items()} == {
        "e1": 1, "e2": 2, "e3": 13, "e4": 14, "e5": 15,
    }  # fmt: skip
    assert [step.version for step in history.spans()] == [1, 13, 15]
    assert history.stars(13) == (("n:a", "d"),)
    assert history.is_checked(13, 15, 13, ())
    assert history.withdrawn_by("e2") == 14


def test_placing_says_what_it_changes() -> None:
    """Only the items that differ, over the interval in which they do."""
    history = TaskHistory()

    assert history.place(1, 10, None, [A]) == [(1, *A, 10, None)]
    assert history.place(2, 20, None, [A, B]) == [(1, *B, 20, None)]
    assert history.place(3, 15, None, []) == [(-1, *A, 10, None), (1, *A, 10, 15), (1, *A, 20, None)]


def test_a_retract_of_an_event_that_never_came_is_an_error() -> None:
    """The caller looked: an accepted retract names an event that is there."""
    with pytest.raises(KeyError):
        TaskHistory().withdraw(1, "never")


def test_edges_and_facts_of_one_history_are_told_apart() -> None:
    """Facts in force are asked for at a time; edges by the version that states them."""
    history = TaskHistory()
    history.place(1, 10, None, [B, A, FACT])

    assert history.has_facts
    assert history.edges(1) == [A, B]
    assert (history.facts_at(9), history.facts_at(10)) == ([], [FACT])


def test_items_that_only_rewound_versions_stated_are_forgotten() -> None:
    """Their numbers are given to others; a history without facts says so."""
    history = TaskHistory()
    history.place(1, 10, None, [A])
    weight = history.weight
    history.place(2, 20, None, [B, FACT])
    history.rewind(1)

    assert (history.weight, history.has_facts) == (weight, False)
    assert history.place(2, 20, None, [B]) == [(-1, *A, 10, None), (1, *A, 10, 20), (1, *B, 20, None)]


def test_what_a_statement_was_resolved_with_is_known() -> None:
    """And whether it says the same with other columns; a version without stars depends on none."""
    history = TaskHistory()
    history.place(1, 10, None, [A])
    history.note_stars(1, [("n:a", None), ("n:c", "d")], ("complete",))
    history.place(2, 20, None, [B])
    history.note_stars(2, [])

    assert history.star_datasets() == {"n:a", "n:c"}
    assert (history.depends(1), history.depends(2)) == (True, False)
    assert history.says(1, [A], ("complete",))
    assert not history.says(1, [A], ("partial",))
    assert not history.says(1, [B], ("complete",))


def test_a_timeline_may_be_otherwise_from_an_events_time_on() -> None:
    """Without a retract it may be otherwise ever since."""
    history = placed()

    assert history.changed_from("e3") == 15
    assert history.changed_from("e4") < 0
