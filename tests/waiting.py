"""Waiting for what will be: a condition with a generous bound, never a sleep that hopes."""

from __future__ import annotations

import time
from collections.abc import Callable

import psutil

#: Seconds within which what a test waits for comes to be, on a machine that is busy with other things too.
LIMIT = 60.0


def until(condition: Callable[[], object], what: str = "it", limit: float = LIMIT, every: float = 0.02) -> None:
    """Wait until a condition holds; AssertionError where it does not within ``limit`` seconds."""
    deadline = time.monotonic() + limit
    while not condition():
        assert time.monotonic() < deadline, f"not within {limit} s: {what}"
        time.sleep(every)


def until_stopped(pid: int, limit: float = LIMIT) -> None:
    """Wait until a process has reached a failpoint with the action ``stop``."""
    process = psutil.Process(pid)
    until(lambda: process.status() == psutil.STATUS_STOPPED, f"process {pid} stops", limit)


def until_busy(pid: int, seconds: float = 0.3, limit: float = LIMIT) -> None:
    """Wait until a process has used so many seconds of a processor from now on: it is at the work it was given."""
    process = psutil.Process(pid)
    begun = sum(process.cpu_times()[:2])
    until(lambda: sum(process.cpu_times()[:2]) >= begun + seconds, f"process {pid} works", limit)
