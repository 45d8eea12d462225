"""What the events of one run decide, in whatever order they came."""

from __future__ import annotations

from itertools import permutations
from typing import Any

import pytest
from run_events import policies

from ingest.events.openlineage.merging import EventPoint
from ingest.events.policy import Policy
from ingest.events.runs.run_decision import (
    Decision,
    Entry,
    decided,
    decided_streaming,
    last_shapes,
    redundant,
    whole_of,
)

SECOND = 1_000_000


def policy(**rules: Any) -> Policy:
    """The policy of a mapping file."""
    return policies(**rules).default


def said(*events: tuple[int, str, str]) -> list[EventPoint]:
    """Events: second, type, and what they say."""
    return [EventPoint(at * SECOND, kind, shape.encode()) for at, kind, shape in events]


def entry(at: int, shapes: str, *, failed: bool = False) -> Entry:
    """An entry: second, and a letter for each shape."""
    return Entry(at * SECOND, tuple(each.encode() for each in shapes), failed)


def test_a_run_that_is_not_over_decides_nothing() -> None:
    """It began with its START, or with what is known of it first."""
    assert decided(said((1, "RUNNING", "a"), (2, "START", "b"), (5, "OTHER", "a")), policy()) == Decision(
        "open", 2 * SECOND, 5 * SECOND
    )
    assert decided(said((1, "RUNNING", "a")), policy()).began == SECOND


@pytest.mark.parametrize(
    ("rules", "nominal", "at"),
    [({}, None, 1), ({"effective_at": "nominal"}, -9, -9), ({"effective_at": "nominal"}, None, 1),
     ({"effective_at": "completion"}, -9, 7)],
)  # fmt: skip
def test_a_run_counts_from_where_its_policy_says(rules: dict[str, Any], nominal: int | None, at: int) -> None:
    """From its start, its end, or its nominal time where it has one; with all that its events say."""
    events = said((1, "START", "a"), (3, "RUNNING", "b"), (7, "COMPLETE", "c"))
    found = decided(events, policy(**rules), nominal * SECOND if nominal is not None else None)

    assert found == Decision("complete", SECOND, 7 * SECOND, [entry(at, "abc")])


def test_of_a_run_that_failed_only_its_checks_count() -> None:
    """Its last end says whether it did."""
    for kind in ("FAIL", "ABORT"):
        found = decided(said((1, "START", "a"), (2, "COMPLETE", "a"), (3, kind, "b")), policy())
        assert (found.state, found.entries) == ("failed", [entry(1, "ab", failed=True)])
    again = decided(said((2, "FAIL", "b"), (3, "COMPLETE", "a")), policy())
    assert (again.state, again.began, again.entries) == ("complete", 2 * SECOND, [entry(2, "ba")])


def test_a_run_does_not_end_before_it_began() -> None:
    """As where client and cluster have clocks of their own: its end is its start."""
    found = decided(said((5, "START", "a"), (3, "COMPLETE", "b")), policy())

    assert (found.began, found.ended, found.entries) == (3 * SECOND, 3 * SECOND, [entry(3, "ba")])


def test_the_order_of_delivery_does_not_count() -> None:
    """Neither for a run that ends nor for one without end."""
    events = said((1, "START", "a"), (1, "RUNNING", "b"), (9, "RUNNING", "a"), (9, "COMPLETE", "c"))

    for decide in (decided, decided_streaming):
        assert len({repr(decide(list(each), policy())) for each in permutations(events)}) == 1


def test_what_was_stated_last_is_merged_last() -> None:
    """Each shape once."""
    assert last_shapes(said((1, "START", "a"), (2, "RUNNING", "b"), (3, "COMPLETE", "a"))) == (b"b", b"a")
    assert last_shapes([]) == ()


def test_a_run_without_end_counts_at_each_thing_that_it_says_new() -> None:
    """The first from its start on; a repetition is nothing new."""
    events = said((1, "START", "a"), (2, "RUNNING", "b"), (100, "RUNNING", "b"), (200, "RUNNING", "c"))
    found = decided_streaming(events, policy())

    assert found == Decision("complete", SECOND, 200 * SECOND, [entry(1, "ab"), entry(200, "abc")])


def test_the_start_of_a_run_without_end_counts_where_nothing_follows() -> None:
    """Else what follows says more."""
    assert decided_streaming(said((1, "START", "a")), policy()).entries == [entry(1, "a")]
    assert decided_streaming(said((1, "START", "a"), (2, "RUNNING", "a")), policy()).entries == [entry(1, "a")]


@pytest.mark.parametrize(
    ("debounce", "times"),
    [("10s", [1, 100, 120, 200]), ("20s", [1, 100, 120, 200]), ("60s", [1, 120, 200]), ("80s", [1, 120, 200]),
     ("81s", [1])],
)  # fmt: skip
def test_of_a_burst_the_last_snapshot_counts(debounce: str, times: list[int]) -> None:
    """Of those that follow each other within the policy's time; one that is just as far apart is not a burst."""
    events = said((20, "RUNNING", "a"), (100, "RUNNING", "b"), (120, "RUNNING", "c"), (200, "RUNNING", "d"))
    found = decided_streaming([*events, *said((1, "START", "s"))], policy(debounce=debounce))

    assert [each.at // SECOND for each in found.entries] == times


def test_a_run_without_end_that_fails_says_nothing_by_that() -> None:
    """What it said before holds."""
    found = decided_streaming(said((1, "RUNNING", "a"), (100, "FAIL", "b")), policy())

    assert (found.state, found.entries) == ("failed", [entry(1, "a")])


def test_of_events_that_say_the_same_the_first_and_the_last_are_kept() -> None:
    """Starts and ends are, too."""
    events = said((1, "START", "a"), (2, "RUNNING", "a"), (3, "OTHER", "a"), (4, "RUNNING", "a"), (5, "RUNNING", "b"),
                  (6, "RUNNING", "a"), (7, "COMPLETE", "a"), (8, "COMPLETE", "a"))  # fmt: skip

    assert redundant(events[::-1]) == [events[1], events[2]]
    assert redundant(events[:2]) == []


@pytest.mark.parametrize(
    ("parts", "whole"),
    [
        ([[(1, "START", "a")], [(2, "COMPLETE", "b")]], 1),
        ([[(2, "RUNNING", "b"), (3, "FAIL", "b")], [(1, "START", "a")], [(2, "OTHER", "c")]], 0),
        ([[(1, "START", "a"), (2, "COMPLETE", "a")], [(1, "START", "b")]], None),
        ([[(2, "COMPLETE", "a")], [(2, "COMPLETE", "b")], [(1, "START", "c")]], None),
        ([[(1, "START", "a")], [(2, "RUNNING", "b")]], None),
        ([[(1, "RUNNING", "a")], [(2, "COMPLETE", "b")]], None),
        ([[(2, "COMPLETE", "b")]], 0),
    ],
)  # fmt: skip
def test_a_run_that_begins_under_another_name_is_one(
    parts: list[list[tuple[int, str, str]]], whole: int | None
) -> None:
    """Where one part ends without a beginning, and another begins; else each part is a run of its own."""
    assert whole_of({number: said(*part) for number, part in enumerate(parts)}) == whole
