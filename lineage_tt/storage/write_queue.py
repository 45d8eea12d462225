"""Whose turn it is to append to a log on a local disk: a queue of ticket files before a lock.

Put-if-absent of the commit file decides between writers and keeps the log sound, but the work of a writer that loses is
wasted, and it may lose for ever. So writers of one machine take turns. The folder ``_queue`` of the log holds ``lock``,
which the writer whose turn it is holds, and one *ticket* per waiting writer, which that writer keeps locked while it
lives.

Tickets are named by a due time: the time of arrival, plus ``PATIENCE`` times the expected duration of the append. The
earliest is next. So equal writers append in order of arrival, a small append need not wait for large ones that arrived
before it, and a large one, whose due time does not change, cannot be overtaken for ever.

The queue is about fairness and never about safety. If the holder was killed, is suspended or makes no progress, another
writer takes the lock over. A ticket whose owner died is removed. Without locks, or after too long a wait, a writer
continues without its turn, and the commit file decides as before.
"""

from __future__ import annotations

import os
import re
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import get_ident
from typing import Final

import orjson

from lineage_tt.model.clock import since_boot, unique_name
from lineage_tt.storage import processes
from lineage_tt.storage.file_lock import FileLock, is_abandoned, try_lock

FOLDER: Final = "_queue"
LOCK: Final = "lock"
#: A ticket is due after so many times the expected duration of the commit.
PATIENCE: Final = 8
#: What a commit is expected to take: seconds for itself, and for each message.
COMMIT_SECONDS: Final = 0.01
MESSAGE_SECONDS: Final = 0.0001
#: By how much longer than that turns may be expected to take, and how much of it one turn teaches.
MAX_SLOWNESS: Final = 50.0
LEARNED: Final = 0.2
#: A suspended holder, or a first in the queue that does not take a free lock, is passed over after so many seconds.
SUSPENDED_SECONDS: Final = 1.0
#: A holder that can be seen to run may go so long without a sign of progress, one that cannot be seen so long.
STUCK_SECONDS: Final = 60.0
#: A holder that is seen to be dead, its lock kept by a child of it: as long as the next holder may take to sign.
KILLED_SECONDS: Final = 0.2
UNSEEN_SECONDS: Final = 20.0
#: The longest wait; a writer that has waited for so long continues without a turn.
LONGEST_WAIT: Final = 300.0
_POLL: Final = 0.001
_LOOK_EVERY: Final = 0.05
_HESITATION: Final = 0.02
_TICKET: Final = re.compile(r"\d{20}-[0-9a-f]{32}")
#: A ticket on its way to its name.
_FRESH: Final = "new-"


class WriteQueue:
    """The queue of one log, as one writer sees it. Not for several threads."""

    def __init__(self, log: Path) -> None:
        self._folder = log / FOLDER
        self._lock = FileLock(self._folder / LOCK)
        self._inside = False
        self._waited = False
        self._slowness = 1.0

    @property
    def is_contended(self) -> bool:
        """Whether others wait, or the last turn did not come at once."""
        try:
            return self._waited or bool(self._tickets())
        except OSError:
            return False

    @contextmanager
    def turn(self, messages: int, meanwhile: Callable[[], None] | None = None) -> Iterator[None]:
        """Wait for this writer's turn to append so many messages, and hold it for the length of the block.

        ``meanwhile`` is called again and again while it waits; what it raises ends the waiting. A turn within a turn is
        the same one. Waits at most ``LONGEST_WAIT`` seconds.
        """
        if self._inside:
            yield
            return
        self._inside = True
        expected = COMMIT_SECONDS + MESSAGE_SECONDS * messages
        begun = time.monotonic()
        try:
            self._enter(expected * self._slowness, meanwhile)
            begun = time.monotonic()
            yield
        finally:
            self._inside = False
            self._lock.release()
            self._learn((time.monotonic() - begun) / expected)

    def _learn(self, slowness: float) -> None:
        """Note by how much a turn took longer than on a quiet machine: due times are as late as turns are slow."""
        self._slowness += (min(max(slowness, 1.0), MAX_SLOWNESS) - self._slowness) * LEARNED

    def progress(self) -> None:
        """Show waiting writers that the writer whose turn it is makes progress."""
        if self._inside:
            self._lock.note(_note())

    def _enter(self, seconds: float, meanwhile: Callable[[], None] | None) -> None:
        self._waited = False
        try:
            self._folder.mkdir(exist_ok=True)
            if not self._tickets() and self._lock.try_acquire(_note()):
                return
            note = self._lock.read()
            if _is_of_this_thread(note) and not self._is_free(note):  # it cannot get on while we wait
                return
            ticket = _Ticket(self._folder, int((since_boot() + PATIENCE * seconds) * 1e6))
        except OSError:  # no locks, no room, no permission: the commit file alone decides
            return
        self._waited = True
        try:
            self._wait(ticket, meanwhile)
        finally:
            ticket.remove()

    def _wait(self, ticket: _Ticket, meanwhile: Callable[[], None] | None) -> None:
        begun = time.monotonic()
        watched = _Watched()
        while time.monotonic() - begun < LONGEST_WAIT:
            if meanwhile is not None:
                meanwhile()
            try:
                before = self._before(ticket)
                if self._is_our_turn(ticket, before):
                    return
                if len(before) < 2:
                    self._look_after(watched, len(before))
            except OSError:
                return

    def _is_our_turn(self, ticket: _Ticket, before: list[str]) -> bool:
        """Return whether the lock came to us; else after a while, or when the one before us in the queue has gone.

        What is looked at again and again is one file: ten that wait cost next to nothing.
        """
        until = time.monotonic() + _LOOK_EVERY
        previous = self._folder / before[-1] if before else None
        while time.monotonic() < until:
            if previous is None:
                if self._lock.try_acquire(_note()):
                    if self._tickets()[:1] == [ticket.name]:
                        return True
                    self._lock.release()  # one that is due earlier came in the meantime
                    return False
            elif not previous.exists():
                return False
            time.sleep(_POLL * max(len(before), 1))
        return False

    def _before(self, ticket: _Ticket) -> list[str]:
        """Return the tickets before this one, in order; the first is known to live."""
        ticket.restore()
        tickets = [name for name in self._tickets() if name < ticket.name]
        while tickets and is_abandoned(self._folder / tickets[0]):
            (self._folder / tickets.pop(0)).unlink(missing_ok=True)
        return tickets

    def _tickets(self) -> list[str]:
        return sorted(name for name in os.listdir(self._folder) if _TICKET.fullmatch(name))

    def _look_after(self, watched: _Watched, place: int) -> None:
        """Take the lock from a holder that does not get on; pass over a first in the queue that does not take it."""
        note = self._lock.read()
        first = self._tickets()[:1]
        quiet = watched.quiet((note, first if place else None))
        if place == 0:
            if _is_stuck(note, quiet):
                self._lock.replace()
        elif first and quiet >= SUSPENDED_SECONDS and self._is_free(note):
            time.sleep(_HESITATION)  # the lock may just have become free
            if self._tickets()[:1] == first and self._lock.read() == note and self._is_free(note):
                (self._folder / first[0]).unlink(missing_ok=True)  # its owner, if it lives, draws it again

    def _is_free(self, note: bytes) -> bool:
        free = self._lock.try_acquire(note)
        if free:
            self._lock.release()
        return free


class _Watched:
    """Something looked at now and then, and for how long it has not changed."""

    def __init__(self) -> None:
        self._seen: object = None
        self._since = time.monotonic()

    def quiet(self, seen: object) -> float:
        """Return for how many seconds what is ``seen`` has been so."""
        if seen != self._seen:
            self._seen, self._since = seen, time.monotonic()
        return time.monotonic() - self._since


class _Ticket:
    """A place in the queue: a file that is locked as long as its owner lives."""

    def __init__(self, folder: Path, due: int) -> None:
        self.name = f"{due:020d}-{unique_name()}"
        self._folder = folder
        self._descriptor: int | None = None
        self._draw()

    def _draw(self) -> None:
        """Create the file and lock it before it has its name: no process sees it without an owner."""
        fresh = self._folder / f"{_FRESH}{unique_name()}"
        self._descriptor = os.open(fresh, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o666)
        try:
            try_lock(self._descriptor)
            fresh.rename(self._folder / self.name)
        except OSError:
            fresh.unlink(missing_ok=True)
            self._close()
            raise

    def restore(self) -> None:
        """Draw the ticket again, at its old place, where others took it for one of the dead or the suspended."""
        if not (self._folder / self.name).exists():
            self._close()
            self._draw()

    def remove(self) -> None:
        """Give the place up."""
        with suppress(OSError):
            (self._folder / self.name).unlink(missing_ok=True)
        self._close()

    def _close(self) -> None:
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None


def _is_stuck(note: bytes, quiet: float) -> bool:
    """Return whether a holder, by its note and the seconds without a new one, is not to be waited for."""
    try:
        holder = orjson.loads(note)["holder"]
        if processes.is_here(holder):
            if processes.started(int(holder["process"])) != holder["started"]:
                return quiet >= KILLED_SECONDS
            return quiet >= (SUSPENDED_SECONDS if processes.is_stopped(holder) else STUCK_SECONDS)
    except (ValueError, KeyError, TypeError):  # being written
        pass
    return quiet >= UNSEEN_SECONDS


def _note() -> bytes:
    return orjson.dumps({"holder": processes.this_process(), "thread": get_ident(), "turn": unique_name()})


def _is_of_this_thread(note: bytes) -> bool:
    """Return whether a holder, by its note, is another writer in this very thread."""
    try:
        said = orjson.loads(note)
        return bool(said["thread"] == get_ident() and said["holder"] == processes.this_process())
    except (ValueError, KeyError, TypeError):  # being written
        return False


def leftovers(log: Path) -> list[Path]:
    """Return the files of a queue that no process holds, except its lock: what killed writers left there."""
    folder = log / FOLDER
    found = sorted(folder.iterdir()) if folder.is_dir() else []
    return [path for path in found if path.name != LOCK and is_abandoned(path)]
