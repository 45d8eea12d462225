"""The last resort after the time limits: a process that hangs and ignores signals prints its stacks and ends.

pytest-timeout fails a test, including its fixtures, from a signal handler. Python runs the handler between two bytecode
instructions, never during a call that waits in C for a lock. ``GRACE`` seconds later, ``faulthandler`` ends such a
process; xdist counts its test as failed and starts another worker. The exit of the interpreter has a limit as well.
"""

from __future__ import annotations

import faulthandler
import os
from collections.abc import Generator

import pytest

#: Seconds between the time limit of a test and the end of a process that still runs.
GRACE = float(os.environ.get("TEST_LIMIT_GRACE", "30"))
#: Maximum seconds from the last test of a process to its end.
LEAVING = 90.0

_stderr = pytest.StashKey[int]()


def pytest_configure(config: pytest.Config) -> None:
    """Keep the real standard error, because pytest captures the output of tests."""
    config.stash[_stderr] = os.dup(2)


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    """Limit the duration of a test with its fixtures."""
    limit = time_limit(item)
    if limit > 0:
        faulthandler.dump_traceback_later(limit + GRACE, file=item.config.stash[_stderr], exit=True)
    try:
        return (yield)
    finally:
        faulthandler.cancel_dump_traceback_later()


def time_limit(item: pytest.Item) -> float:
    """Return a test's time limit in seconds: its own, else the command line's or the project's; 0 for none."""
    marker = item.get_closest_marker("timeout")
    given = (marker.args[:1] or (marker.kwargs.get("timeout"),))[0] if marker else None
    if given is None:
        given = item.config.getoption("timeout", None)
    if given is None:
        given = item.config.getini("timeout") or 0
    return float(given)


@pytest.hookimpl(trylast=True)
def pytest_unconfigure(config: pytest.Config) -> None:
    """Limit the exit of the interpreter, except in workers: they wait for each other, and the controller ends them."""
    if "PYTEST_XDIST_WORKER" not in os.environ:
        faulthandler.dump_traceback_later(LEAVING, file=config.stash[_stderr], exit=True)
