"""The doubles for tests of programs that use a store."""

from __future__ import annotations

import pytest

from lineage_tt.testing import ManualClock, task_change

NOON = 1_714_564_800_000_000


def test_a_clock_stands_still_until_it_is_moved() -> None:
    """To an instant, or on and back by microseconds."""
    clock = ManualClock("2024-05-01T12:00:00Z")
    assert (clock.now(), clock.now()) == (NOON, NOON)
    clock.advance()
    assert clock.now() == NOON + 1_000_000
    clock.advance(-1_000_000)
    assert clock.now() == NOON
    clock.set(7)

    assert clock.now() == 7


def test_a_change_in_one_line_has_edges_of_values() -> None:
    """A pair is enough; more of an edge may be given."""
    made = task_change(
        "t", "online", "2024-05-01T12:00:00Z", [("n:a#x", "n:b#y"), ("n:a", "n:b", "INDIRECT", "FILTER")]
    )

    assert made.effective_at == NOON
    assert made.lineage is not None
    assert made.lineage.edges == [
        ("n:a#x", "n:b#y", "DIRECT", "IDENTITY", ""), ("n:a", "n:b", "INDIRECT", "FILTER", ""),
    ]  # fmt: skip


def test_the_same_call_makes_the_same_message() -> None:
    """Without an event id it is made of task, operation and time; only what has edges has a lineage."""
    assert task_change("t", "offline", 5) == task_change("t", "offline", 5)
    assert task_change("t", "offline", 5).event_id != task_change("t", "offline", 6).event_id
    assert task_change("t", "retract", retracts="e").event_id == "t/retract/e"
    assert task_change("t", "offline", 5).lineage is None
    assert task_change("t", "online", 5, event_id="mine").event_id == "mine"


def test_a_time_without_a_zone_is_rejected() -> None:
    """As everywhere else."""
    with pytest.raises(ValueError, match="no zone"):
        ManualClock("2024-05-01T12:00:00")
