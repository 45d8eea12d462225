"""When a commit in an object store can be trusted, even where a conditional put is not atomic.

Delta commits by a put *if absent*. Some S3-compatible stores check first and write afterwards: then two concurrent
writers both get success, and the later writer's bytes stay. Reading a commit back is not enough, since the other
writer's bytes may arrive after the read. So a writer that is about to put a commit file first *announces* it by a small
object under ``_attempts/<delta version>/<writer>``, and removes that when its put has ended. A commit file is *settled*
when a listing made after the file existed names no other live writer, and the file is read after that listing:

- a writer that announced before the listing and is not in it has finished its put: the read shows the outcome;
- a writer that announces after the listing also puts after it, when the file has existed for some time: even a store
  without an atomic put rejects that put, since it checks first.

While the listing names other writers, the settler waits and reads again; a writer whose bytes are gone has lost and
reports a conflict. A writer that dies leaves its announcement. It counts as dead if its process is known to be gone
from this machine, or ``settle_seconds`` (60) after the announcement, which is longer than a put may take. This relies
on two things: reads and listings show finished writes at once, and a put does not take effect long after its client
gave up.
"""

from __future__ import annotations

import time
from datetime import datetime
from typing import Any, Final

import orjson

from lineage_tt.log.commits import KEY, Commit, parse_commit
from lineage_tt.storage import processes
from lineage_tt.storage.objects import Entry, ObjectPath

FOLDER: Final = "_attempts"
#: How long a put may still take effect after its client is known to be gone.
GONE_SECONDS: Final = 2.0
#: How much the clocks of a server's machines may differ, by the times of two objects written one after the other.
LATER_SECONDS: Final = 5.0
#: A writer whose announcement took longer than this announces again before it puts.
FRESH_SECONDS: Final = 5.0
_FIRST_WAIT: Final = 0.01
_MAX_WAIT: Final = 0.5


class Attempts:
    """The announcements in a log's folder, and this process's own."""

    def __init__(self, log: ObjectPath) -> None:
        self._log = log
        #: The announcements of dead writers for the commit that was settled last.
        self._left: list[Entry] = []

    def announce(self, delta_version: int, writer: str) -> None:
        """Announce that ``writer`` is about to put the commit file ``delta_version``; written when this returns."""
        self._place(delta_version, writer).write_bytes(orjson.dumps(processes.this_process()))

    def withdraw(self, delta_version: int, writer: str) -> None:
        """Withdraw the announcement: the put has ended, whatever its outcome."""
        self._place(delta_version, writer).unlink(missing_ok=True)

    def give_up(self, delta_version: int, writer: str) -> None:
        """Note that a put failed with unknown outcome: it stays announced for a while, like those of dead writers."""
        self._place(delta_version, writer).write_bytes(orjson.dumps({"gone": True}))

    def settle(self, delta_version: int) -> Commit | None:
        """Return the commit of this Delta version once no writer can overwrite it; None where there is none."""
        begun, wait = time.monotonic(), _FIRST_WAIT
        while True:
            announced = self._announced(delta_version)
            try:
                stored = (self._log / "_delta_log" / f"{delta_version:020d}.json").read()
            except FileNotFoundError:
                return None
            waited = time.monotonic() - begun
            writer = _writer(stored.data)
            others = [entry for entry in announced if entry.name != writer]
            if not any(self._alive(delta_version, entry, stored.modified, waited) for entry in others):
                self._left = announced
                return parse_commit(stored.data, delta_version)
            time.sleep(wait)
            wait = min(wait * 2, _MAX_WAIT)

    def clear(self, delta_version: int) -> None:
        """Remove the announcements of dead writers for the commit that was settled last."""
        for entry in self._left:
            self.withdraw(delta_version, entry.name)
        self._left = []

    def _announced(self, delta_version: int) -> list[Entry]:
        return list(self._folder(delta_version).below())

    def _alive(self, delta_version: int, entry: Entry, committed: datetime, waited: float) -> bool:
        """Return whether a put that was announced may still take effect.

        Ages are differences of the server's own times; no clock is compared with another.
        """
        before = (committed - entry.modified).total_seconds()
        if before < -LATER_SECONDS:
            return False  # announced long after the commit existed: that put was rejected
        age = before + waited
        if age >= self._log.bucket.options.settle_seconds:
            return False
        try:
            who = orjson.loads(self._place(delta_version, entry.name).read_bytes())
        except (FileNotFoundError, ValueError):
            return True  # the next listing shows it
        return age < GONE_SECONDS or not _gone(who)

    def _folder(self, delta_version: int) -> ObjectPath:
        return self._log / FOLDER / f"{delta_version:020d}"

    def _place(self, delta_version: int, writer: str) -> ObjectPath:
        return self._folder(delta_version) / writer


def _writer(data: bytes) -> str:
    """Return the writer that a commit file names, empty where it names none."""
    for line in data.splitlines():
        try:
            action = orjson.loads(line)
            if "commitInfo" in action:
                return str(action["commitInfo"][KEY]["writer"])
        except (ValueError, KeyError, TypeError):
            continue
    return ""


def _gone(who: dict[str, Any]) -> bool:
    """Return whether a writer is known to have ended: it noted so, or its process, visible from here, is gone."""
    if who.get("gone"):
        return True
    return processes.is_here(who) and processes.started(int(who["process"])) != who.get("started")
