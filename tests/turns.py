"""Assigns tests to workers and orders them, so that each slow system starts once in a run.

A worker runs one room at a time: all tests that share a Spark, a broker, a service or a browser, or otherwise the tests
of one file. If workers shared single tests, each would start every one of these systems. The longest rooms run first,
so that no worker runs one alone at the end. The shared systems of a room end with it: a service checks for new commits
fifty times a second, even if idle, and would take processor time from all later tests.
"""

from __future__ import annotations

import fcntl
from collections.abc import Generator
from pathlib import Path
from typing import Any, Final

import pytest
from xdist.scheduler import LoadScopeScheduling

#: The paths of the tests of each room: tests that share a slow system, and tests that take long; the longest first.
ROOMS: Final = {
    "spark": ("tests/spark/", "tests/model/test_compaction_model.py"),
    "api": ("tests/api/",),
    "docs": ("tests/acceptance/test_docs.py",),
    "kafka": ("tests/kafka/",),
    "ui": ("tests/ui/",),
    "impact": ("tests/impact/",),
    "objects": ("tests/objects/",),
    "dbt": ("tests/dbt/",),
}
#: Folders whose files run before those of others: they start processes, and take too long to run last.
EARLY: Final = ("tests/acceptance/", "tests/fault/", "tests/events/", "tests/oracle/", "tests/model/")
_TESTS: Final = Path(__file__).parent
_ORDER: Final = {room: place for place, room in enumerate(ROOMS)}


def room_of(nodeid: str) -> str:
    """Return the room of a test: a name in ``ROOMS``, otherwise its file."""
    path = nodeid.split("::", 1)[0]
    return next((room for room, paths in ROOMS.items() if path.startswith(paths)), path)


def turn_of(nodeid: str) -> int:
    """Return the rank of a test; tests with lower ranks run first."""
    room = room_of(nodeid)
    return _ORDER.get(room, len(_ORDER) + (not room.startswith(EARLY)))


class RoomScheduling(LoadScopeScheduling):
    """Assigns each worker one room at a time."""

    def _split_scope(self, nodeid: str) -> str:
        return room_of(nodeid)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> RoomScheduling | None:
    """Assign rooms if ``--dist loadscope`` is given."""
    return RoomScheduling(config, log) if config.getoption("dist") == "loadscope" else None


@pytest.hookimpl(wrapper=True)
def pytest_collection(session: pytest.Session) -> Generator[None, object, object]:
    """Let one worker of a first run collect before the others.

    To rewrite the assertions of all tests takes half of a first collection, and the others read what the first one
    wrote. Meanwhile the types are checked.
    """
    if not hasattr(session.config, "workerinput") or _are_rewritten():
        return (yield)
    with open(__file__) as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            fcntl.flock(lock, fcntl.LOCK_SH)
        return (yield)


def _are_rewritten() -> bool:
    """Return whether the byte code of nearly all test files was written by an earlier run."""
    files = sum(1 for _ in _TESTS.rglob("test_*.py"))
    return sum(1 for _ in _TESTS.rglob("test_*-pytest-*.pyc")) > 0.9 * files


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item, nextitem: pytest.Item | None) -> bool | None:
    """Tear down all fixtures after the last test of a room, as after the last test of the run."""
    if nextitem is None or room_of(item.nodeid) not in ROOMS or room_of(nextitem.nodeid) == room_of(item.nodeid):
        return None
    item.config.hook.pytest_runtest_protocol(item=item, nextitem=None)
    return True


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Run the longest tests first if several workers share the tests."""
    if hasattr(config, "workerinput"):
        items.sort(key=lambda item: turn_of(item.nodeid))
