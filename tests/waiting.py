"""Waits for a condition with a generous time limit, instead of a fixed sleep."""

from __future__ import annotations

import time
from collections.abc import Callable

import psutil

#: Seconds within which a condition must hold, even on a busy machine.
LIMIT = 60.0


def until(condition: Callable[[], object], what: str = "it", limit: float = LIMIT, every: float = 0.02) -> None:
    """Wait until a condition holds; AssertionError if it does not within ``limit`` seconds."""
    deadline = time.monotonic() + limit
    while not condition():
        assert time.monotonic() < deadline, f"not within {limit} s: {what}"
        time.sleep(every)


def until_stopped(pid: int, limit: float = LIMIT) -> None:
    """Wait until a process has reached a failpoint with the action ``stop``."""
    process = psutil.Process(pid)
    until(lambda: process.status() == psutil.STATUS_STOPPED, f"process {pid} stops", limit)


def until_busy(pid: int, seconds: float = 0.3, limit: float = LIMIT) -> None:
    """Wait until a process has used this number of seconds of processor time from now on, which means that it works."""
    process = psutil.Process(pid)
    begun = sum(process.cpu_times()[:2])
    until(lambda: sum(process.cpu_times()[:2]) >= begun + seconds, f"process {pid} works", limit)
