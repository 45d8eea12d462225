"""What a store holds in force, added up from its feed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from lineage_tt.feed.current_state import CurrentState
from lineage_tt.model.answers import Basis, FeedEntry
from lineage_tt.model.edges import DIRECT, REJECTED

EDGE = ("n:a#x", "n:b#y", DIRECT, "IDENTITY", "")


class Stored:
    """A store that believed these rectangles at version 4; each reading of them is counted."""

    def __init__(self, *rectangles: tuple[Any, ...]) -> None:
        self.kept, self.reads = rectangles, 0

    def basis(self, *, version: int | None = None) -> Basis:
        """The point of a version: system time 100."""
        return Basis(0, version or 0, 100)

    def rectangles(self, version: int | None = None) -> Iterator[tuple[Any, ...]]:
        """The edges."""
        self.reads += 1
        yield from self.kept

    def fact_rectangles(self, version: int | None = None) -> Iterator[tuple[Any, ...]]:
        """One label."""
        yield ("n:a#x", "label", "pii", 0, None)


def entry(version: int, *changes: tuple[Any, ...], previous: int = 0, task: str = "t") -> FeedEntry:
    """A version of a task's edges; its system time is its number times a hundred."""
    return FeedEntry(version, version * 100, task, "e", None, None, None, changes, previous_version=previous)


def test_versions_in_order_are_added_up_without_reading_the_store() -> None:
    """An edge holds from its valid time on, until a minus ends it."""
    store = Stored()
    held = CurrentState(store)
    held.move(entry(1, (1, *EDGE, 500, None)))
    held.move(entry(2, (-1, *EDGE, 900, None), previous=1))

    assert [held.edges("t", at) for at in (499, 500, 899, 900)] == [[], [EDGE], [EDGE], []]
    assert store.reads == 0


def test_a_consumer_that_missed_a_version_reads_the_store_once() -> None:
    """From another version than the one before, all is read as of just before it."""
    store = Stored(("t", *EDGE, 0, None))
    held = CurrentState(store)
    held.move(entry(5, previous=4))

    assert store.reads == 1
    assert held.edges("t", 1_000) == [EDGE]
    assert held.facts("n:a", 1_000) == [("n:a#x", "label", "pii")]
    held.move(entry(6, (-1, *EDGE, 0, None), previous=5))
    assert held.edges("t", 1_000) == []
    assert store.reads == 1


def test_what_ended_before_is_dropped() -> None:
    """Valid time that is over at a version's system time is asked about no more."""
    held = CurrentState(Stored())
    held.move(entry(1, (1, *EDGE, 0, 90), (1, *EDGE, 200, 300)))

    assert held.edges("t", 50) == []
    assert held.edges("t", 250) == [EDGE]


def test_an_edge_that_people_reject_is_left_out_while_they_do() -> None:
    """A rejection of one task's edge counts over its own stretch alone."""
    held = CurrentState(Stored())
    held.move(entry(1, (1, *EDGE, 0, None)))
    rejects = ("t", EDGE[0], EDGE[1])
    rejection = (*rejects[1:], DIRECT, REJECTED, "")
    held.move(entry(2, (1, *rejection, 1_000, 2_000), previous=1, task="t"))

    assert [held.edges("t", at) for at in (999, 1_000, 2_000)] == [[EDGE], [], [EDGE]]
    assert held.touched([("n:a", "n:b")]) == ["t"]
    assert held.touched([("n:b", "n:a")]) == []
