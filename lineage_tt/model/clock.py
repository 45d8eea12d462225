"""The clock, the one place where the time of day and randomness enter.

Every component takes a :class:`Clock`; tests give one that they move by hand (``lineage_tt.testing.ManualClock``).
"""

from __future__ import annotations

import random
import time
import uuid
from typing import Protocol


class Clock(Protocol):
    """A source of the time in UTC microseconds."""

    def now(self) -> int:
        """Return the current instant in UTC microseconds."""
        ...


class SystemClock:
    """The machine's wall clock."""

    def now(self) -> int:
        """Return the current instant in UTC microseconds."""
        return time.time_ns() // 1000


def since_boot() -> float:
    """Return seconds since boot. They never decrease, and they also count while the machine sleeps."""
    boot = getattr(time, "CLOCK_BOOTTIME", None)
    return time.monotonic() if boot is None else time.clock_gettime(boot)


def unique_name() -> str:
    """Return a unique random name."""
    return uuid.uuid4().hex


def jitter(seconds: float) -> float:
    """Return a random duration around ``seconds``, so that callers waiting for the same thing do not retry together."""
    return random.uniform(0.5, 1.5) * seconds  # noqa: S311 -- nothing secret hangs on it
