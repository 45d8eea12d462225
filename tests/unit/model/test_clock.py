"""The clock: microseconds of UTC, seconds that only grow, and durations that differ."""

from __future__ import annotations

import time

from lineage_tt.model.clock import SystemClock, jitter, since_boot, unique_name
from lineage_tt.testing import ManualClock


def test_the_machines_clock_is_in_utc_microseconds() -> None:
    """Between two looks at the machine's own clock lies that of the product."""
    before = time.time_ns() // 1000
    now = SystemClock().now()

    assert before <= now <= time.time_ns() // 1000


def test_a_manual_clock_moves_when_it_is_moved() -> None:
    """Time stands still between two calls."""
    clock = ManualClock(10)
    clock.advance(5)

    assert [clock.now(), clock.now()] == [15, 15]


def test_time_since_boot_never_runs_back() -> None:
    """A hundred looks, each not before the last."""
    seen = [since_boot() for _ in range(100)]

    assert seen == sorted(seen)


def test_waiting_is_spread_around_what_was_asked() -> None:
    """Half to one and a half times, not all the same."""
    waits = {jitter(2.0) for _ in range(100)}

    assert len(waits) > 1
    assert all(1.0 <= wait <= 3.0 for wait in waits)


def test_names_are_unique_and_safe_in_a_path() -> None:
    """32 hexadecimal digits, never twice."""
    names = {unique_name() for _ in range(1000)}

    assert len(names) == 1000
    assert all(len(name) == 32 and set(name) <= set("0123456789abcdef") for name in names)
