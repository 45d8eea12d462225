"""Checks whether this machine's clock can be trusted. System times never go back, so a commit at a wrong time stays.

A commit far in the future would block writing until that time has come. Before a commit that is more than an hour after
the last one, the clock is compared with the time that the file system stamps on a new file, and with the time at which
the last commit was made. An operator can accept what is rejected (``Writer.accept_clock``); the log records this.
"""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

import orjson

from lineage_tt.log.system_times import MAX_AHEAD
from lineage_tt.model.clock import unique_name
from lineage_tt.model.errors import UnavailableError
from lineage_tt.model.messages import NodeChange
from lineage_tt.model.times import format_instant

if TYPE_CHECKING:
    from lineage_tt.log.log import Log
    from lineage_tt.storage.location import Place

#: Commits that follow each other within this time are not checked, in microseconds.
UNCHECKED: Final = 3_600_000_000
#: The clock may be this far ahead of the file system's, in microseconds.
MAX_AHEAD_OF_FILES: Final = MAX_AHEAD
#: A longer time since the last commit is treated as a jump of the clock, in microseconds.
MAX_REST: Final = 180 * 86_400_000_000
_HINT: Final = "correct the clock; if it is right: lineage-tt clock accept --reason WHY"


class Clocks(NamedTuple):
    """The times that are compared, in UTC microseconds; None: not known.

    ``now`` is this machine's clock, ``files`` the file system's, ``last_made`` when the last commit was made by its
    writer's clock, ``last_system_time`` the store's last system time, 0 for an empty store. ``accepted`` is the system
    time up to which an operator accepted that the store is ahead.
    """

    now: int
    files: int | None
    last_made: int | None
    last_system_time: int
    accepted: int | None

    @property
    def problem(self) -> str | None:
        """Why nothing may be appended at this time, in words; None where appending is allowed."""
        if self.last_system_time > self.now + MAX_AHEAD and not self._is_accepted:
            return (
                f"the store's last system time, {format_instant(self.last_system_time)}, is more than a day ahead of "
                f"this machine's clock, {format_instant(self.now)}"
            )
        if self.files is not None and self.now > self.files + MAX_AHEAD_OF_FILES:
            return (
                f"this machine's clock, {format_instant(self.now)}, is more than a day ahead of the file system's, "
                f"{format_instant(self.files)}"
            )
        if self.last_made is not None and self.now > self.last_made + MAX_REST:
            return (
                f"this machine's clock, {format_instant(self.now)}, is more than {MAX_REST // 86_400_000_000} days "
                f"after the store's last commit, {format_instant(self.last_made)}"
            )
        return None

    @property
    def _is_accepted(self) -> bool:
        return self.accepted is not None and self.last_system_time <= self.accepted + MAX_AHEAD


def clocks(log: Log, now: int) -> Clocks:
    """Return the times to compare for a commit at ``now``; writes a file next to the log and removes it."""
    return Clocks(now, file_system_time(log.path), log.last_made, log.system_time, log.clock_accepted)


def check(log: Log, now: int) -> None:
    """Raise UnavailableError where a commit at ``now`` (UTC microseconds) must not be made."""
    last = log.last_made
    if last is not None and now - last <= UNCHECKED and log.system_time <= now + MAX_AHEAD:
        return
    problem = clocks(log, now).problem
    if problem is not None:
        raise UnavailableError(problem, hint=_HINT)


def acceptance(times: Clocks, reason: str, actor: str | None) -> NodeChange:
    """Return the message that records that an operator accepts the clock as it is."""
    fields = {"problem": times.problem, **times._asdict()}
    value = orjson.dumps({name: each for name, each in fields.items() if each is not None}).decode()
    fact = ("policy:clock", "accepted", value)
    return NodeChange(
        unique_name(), "fact", fact[0], "set", times.now, fact_key=fact[1], facts=[fact], actor=actor, reason=reason
    )


def file_system_time(path: Place) -> int | None:
    """Return the time that a folder's file system stamps on a new file; None where that cannot be found out.

    An object store is not asked, since its objects are stamped when they are listed.
    """
    if not isinstance(path, Path):
        return None
    try:
        with tempfile.TemporaryFile(dir=path) as probe:
            probe.write(b"\0")
            probe.flush()
            return os.fstat(probe.fileno()).st_mtime_ns // 1000
    except OSError:
        return None  # the append itself will report what is wrong
