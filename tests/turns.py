"""Which tests share a worker, and which begin first: what is slow to start is started once in a run.

A worker takes a room at a time: all tests that share a Spark, a broker, a service or a browser, else those of one file.
Two workers that took single tests from each other each started every one of these systems. The longest rooms begin
first, so that no worker is left alone with one at the end. What a room shares ends with it: a service looks for new
commits fifty times a second, idle or not, and would take processor time from all tests after it.
"""

from __future__ import annotations

from typing import Any, Final

import pytest
from xdist.scheduler import LoadScopeScheduling

#: Paths of tests that share what is slow to start, by room, and rooms that take long, the longest first.
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
#: Folders whose files begin before those of others: they start processes, and are too long to be a run's last.
EARLY: Final = ("tests/acceptance/", "tests/fault/", "tests/events/", "tests/oracle/", "tests/model/")
_ORDER: Final = {room: place for place, room in enumerate(ROOMS)}


def room_of(nodeid: str) -> str:
    """Return the room of a test: a name of ``ROOMS``, else its file."""
    path = nodeid.split("::", 1)[0]
    return next((room for room, paths in ROOMS.items() if path.startswith(paths)), path)


def turn_of(nodeid: str) -> int:
    """Return a number that is lower the earlier a test begins."""
    room = room_of(nodeid)
    return _ORDER.get(room, len(_ORDER) + (not room.startswith(EARLY)))


class RoomScheduling(LoadScopeScheduling):
    """Gives each worker a room at a time."""

    def _split_scope(self, nodeid: str) -> str:
        return room_of(nodeid)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> RoomScheduling | None:
    """Give out rooms, where ``--dist loadscope`` asks for it."""
    return RoomScheduling(config, log) if config.getoption("dist") == "loadscope" else None


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item, nextitem: pytest.Item | None) -> bool | None:
    """Tear down all fixtures after the last test of a room, as if it was the last of the run."""
    if nextitem is None or room_of(item.nodeid) not in ROOMS or room_of(nextitem.nodeid) == room_of(item.nodeid):
        return None
    item.config.hook.pytest_runtest_protocol(item=item, nextitem=None)
    return True


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Put what takes longest first, where several workers share the tests."""
    if hasattr(config, "workerinput"):
        items.sort(key=lambda item: turn_of(item.nodeid))
