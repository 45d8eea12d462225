"""Which message of a task is in force, and what a further one would change."""

from __future__ import annotations

from typing import Any

import pytest

from lineage_tt.impact.base.past import Past
from lineage_tt.model.edges import Edge
from lineage_tt.write.subjects.items import PastMessage

X, Y = Edge("n:a#x", "n:b#x"), Edge("n:a#y", "n:b#y")


def said(version: int, at: int | None, op: str = "update", rank: int | None = None, **more: Any) -> PastMessage:
    """Return a message of the task ``t``."""
    known = PastMessage(version, "t", f"e{version}", op, at, rank, None, b"%d" % version, ())
    return known._replace(**more)


@pytest.mark.parametrize(
    ("valid_at", "expected"),
    [(5, (None, 10)), (10, (1, 20)), (19, (1, 20)), (20, (None, 30)), (30, (3, None)), (10**9, (3, None))],
)
def test_the_last_message_that_took_effect_is_in_force_until_the_next(valid_at: int, expected: Any) -> None:
    """Before the first, and while the task is offline, nothing is; the next step is named all the same."""
    past = Past([said(1, 10, "online"), said(2, 20, "offline"), said(3, 30)])

    assert past.winner_at(valid_at) == expected


@pytest.mark.parametrize(
    ("messages", "winner"),
    [
        ([said(1, 10), said(2, 10)], 2),
        ([said(1, 10, rank=5), said(2, 10, rank=4)], 1),
        ([said(1, 10, rank=-(2**62)), said(2, 10)], 1),
        ([said(1, 10), said(2, 10, "offline")], None),
        ([said(1, 10, "offline", 9), said(2, 10, rank=8)], None),
    ],
    ids=["later", "greater source version", "any source version", "offline later", "offline greater"],
)
def test_of_two_messages_at_one_instant_the_greater_wins(messages: list[PastMessage], winner: int | None) -> None:
    """By source version, then by version; one without a source version loses against any that has one."""
    assert Past(messages).winner_at(10) == (winner, None)


def test_a_retracted_message_is_as_if_it_was_not_there() -> None:
    """What it would have replaced is in force; it begins no step."""
    past = Past([said(1, 10), said(2, 20), said(3, None, "retract", retracts="e2")])

    assert past.winner_at(25) == (1, None)
    assert past.winner_at(5) == (None, 10)


def test_a_derived_version_is_no_message_of_its_own() -> None:
    """What was resolved again is in force as the statement that it was derived of."""
    past = Past([said(1, 10), said(2, 15, derived_from=1), said(3, 40)])

    assert past.winner_at(20) == (1, 40)


def test_the_last_instant_counts_all_messages() -> None:
    """Also those derived and retracted; a retract has none of its own, and a task without messages has none."""
    assert Past([said(1, 10), said(2, 30, derived_from=1), said(3, None, "retract", retracts="e1")]).last_at == 30
    assert Past([]).last_at is None


def test_a_message_changes_what_holds_until_the_next_one() -> None:
    """Placed between two messages it ends at the later one; what both have in common is netted out."""
    past = Past([said(1, 10), said(2, 30)])
    held: dict[int, Any] = {1: ([X], []), 2: ([X, Y], [])}

    changes = past.placed(held, 3, 20, [Y])

    assert list(changes) == [(-1, *X, 20, 30), (1, *Y, 20, 30)]


def test_a_message_at_the_same_instant_wins_whatever_its_rank() -> None:
    """A candidate is the newest statement of its task: also beside a message of a great source version."""
    past = Past([said(1, 10, rank=2**62)])

    assert list(past.placed({1: ([X], [])}, 2, 10, [Y])) == [(-1, *X, 10, None), (1, *Y, 10, None)]


def test_facts_of_messages_are_no_edges_that_change() -> None:
    """A message that says the same edges changes nothing, though earlier ones stated facts beside them."""
    past = Past([said(1, 10)])
    held = {1: ([X], [("task:t", "owner", "ana")])}

    assert list(past.placed(held, 2, 20, [X])) == []
