"""Whose turn it is to append to a log on a local disk: a queue of ticket files before a lock.

Put-if-absent of the commit file decides between writers and keeps the log sound, but the work of a writer that loses is
wasted, and it may lose again and again. So writers of one machine take turns. The folder ``_queue`` of the log has a
file ``lock``, which the writer whose turn it is keeps locked, and one *ticket* per waiting writer. ``tickets`` decides
the order of turns.

A small append that waits is a *passenger*: its ticket offers it to the writer whose turn it is. That writer may commit
it with its own append, remove the ticket and wake the owner. So ten small appends cost one commit, and wait for one
turn.

The queue provides fairness, never safety. If the holder was killed, is suspended or makes no progress, another writer
takes over the lock. A ticket whose owner died is removed. Without locks, or after too long a wait, a writer continues
without its turn, and the commit file decides as before.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final, Protocol

import orjson

from lineage_tt.model.clock import since_boot, unique_name
from lineage_tt.storage import processes
from lineage_tt.storage.file_lock import FileLock, is_abandoned
from lineage_tt.storage.tickets import Place, Ticket, in_order, offered, places, wake

FOLDER: Final = "_queue"
LOCK: Final = "lock"
#: The other locks: for moving the head file, for making a checkpoint, and for planning; see ``log.stores.local``.
HEAD_LOCK: Final = "head"
CHECKPOINT_LOCK: Final = "checkpoint"
DRAFT_LOCK: Final = "draft-"
#: A turn for more messages than these is a long one.
MAX_SHORT: Final = 16
#: A place is due after this multiple of the turn's expected duration.
PATIENCE: Final = 8
#: The expected duration of a turn: seconds for the turn itself, and seconds per message.
COMMIT_SECONDS: Final = 0.01
MESSAGE_SECONDS: Final = 0.0001
#: The greatest factor by which that expectation is raised on a slow machine, and the weight of one turn in it.
MAX_SLOWNESS: Final = 50.0
LEARNED: Final = 0.2
#: A suspended holder, or the first in the queue if it does not take a free lock, is skipped after this many seconds.
SUSPENDED_SECONDS: Final = 1.0
#: A holder that is known to run may show no progress for this long.
STUCK_SECONDS: Final = 60.0
#: The same for a holder that is known to be dead, whose child process keeps the lock; the next holder may take this
#: long to write its note.
KILLED_SECONDS: Final = 0.2
#: The same for a holder whose state cannot be seen.
UNSEEN_SECONDS: Final = 20.0
#: The longest wait; after it a writer continues without a turn.
MAX_WAIT: Final = 300.0
#: How often the first in the queue, and the others, poll; normally they are woken when it is their turn.
_LOOK_FIRST: Final = 0.004
_LOOK_EVERY: Final = 0.05
_HESITATION: Final = 0.02
#: How many writers at the front of the queue read what others commit while they wait. The rest do so only now and
#: then, since they would take the processor from the writer whose turn it is.
_NEAR: Final = 3
_FOLLOW_EVERY: Final = 1.0


class Passenger(Protocol):
    """A small append that another writer may commit in its turn."""

    def offer(self, name: str) -> bytes | None:
        """Return what the other writer needs to commit it, None if it cannot; ``name`` is the ticket's name."""

    def has_arrived(self) -> bool:
        """Check whether another writer committed it."""


class WriteQueue:
    """The queue of one log, as one writer sees it. Not safe for use by several threads."""

    def __init__(self, log: Path) -> None:
        self._folder = log / FOLDER
        self._lock = FileLock(self._folder / LOCK)
        self._inside = False
        self._holds = False
        self._waited = False
        self._slowness = 1.0
        #: When the last long turn ended that this writer knows of, in microseconds since the machine was started.
        self._long_ended = 0

    @property
    def is_contended(self) -> bool:
        """Whether others wait, or this writer had to wait for its last turn."""
        try:
            return self._waited or bool(places(self._folder))
        except OSError:
            return False

    @contextmanager
    def turn(
        self, messages: int, meanwhile: Callable[[], None] | None = None, passenger: Passenger | None = None
    ) -> Iterator[None]:
        """Wait for this writer's turn to append ``messages`` messages, and hold it for the length of the block.

        ``meanwhile`` is called again and again while the writer waits, more often when its turn is near; an exception
        from it ends the wait. A turn within a turn is the same turn. Waits at most ``MAX_WAIT`` seconds. If another
        writer has committed ``passenger`` before, the block runs without a turn.
        """
        if self._inside:
            yield
            return
        self._inside = True
        is_long = messages > MAX_SHORT
        expected = COMMIT_SECONDS + MESSAGE_SECONDS * messages
        begun = time.monotonic()
        try:
            self._enter(PATIENCE * expected * self._slowness, is_long, meanwhile, passenger)
            begun = time.monotonic()
            yield
        finally:
            self._inside = False
            if self._holds:
                self._leave(is_long)
                self._learn((time.monotonic() - begun) / expected)

    def _learn(self, slowness: float) -> None:
        """Learn from how much longer a turn took than on a quiet machine: due times are later where turns are slow."""
        self._slowness += (min(max(slowness, 1.0), MAX_SLOWNESS) - self._slowness) * LEARNED

    def progress(self) -> None:
        """Show waiting writers that this writer, whose turn it is, makes progress."""
        if self._holds:
            self._lock.note(self._note())

    def offers(self) -> list[tuple[str, bytes]]:
        """Return what waiting writers offer to the writer whose turn it is: ticket names and offers, in order."""
        if not self._holds:
            return []
        with suppress(OSError):
            line = [place for place in in_order(places(self._folder), self._long_ended) if not place.is_long]
            return [(place.name, data) for place in line if (data := offered(self._folder, place)) is not None]
        return []

    def arrived(self, names: Iterable[str]) -> None:
        """Remove the tickets whose offers were committed, and wake their owners."""
        for place in filter(None, map(Place.named, names)):
            with suppress(OSError):
                (self._folder / place.name).unlink(missing_ok=True)
            wake(place)

    def _enter(
        self, patience: float, is_long: bool, meanwhile: Callable[[], None] | None, passenger: Passenger | None
    ) -> None:
        self._waited = False
        try:
            self._folder.mkdir(exist_ok=True)
            if not places(self._folder) and self._lock.try_acquire():
                self._hold()
                return
            note = self._lock.read()
            if processes.is_of_this_thread(note) and not self._is_free():  # it cannot continue while we wait
                return
            ticket = Ticket(self._folder, Place.drawn_now(patience, is_long=is_long))
        except OSError:  # no locks, no room, no permission: the commit file alone decides
            return
        self._waited = True
        try:
            if passenger is not None and (data := passenger.offer(ticket.place.name)) is not None:
                ticket.offer(data)
            self._wait(ticket, meanwhile, passenger)
        finally:
            ticket.remove()

    def _hold(self) -> None:
        self._holds = True
        self._lock.note(self._note())

    def _leave(self, is_long: bool) -> None:
        """Release the lock and wake the next writer."""
        self._holds = False
        if is_long:
            self._long_ended = int(since_boot() * 1e6)
            self._lock.note(self._note())
        self._lock.release()
        with suppress(OSError):  # they also poll
            self._wake_next()

    def _wake_next(self) -> None:
        for place in in_order(places(self._folder), self._long_ended)[:2]:
            if wake(place) or not is_abandoned(self._folder / place.name):
                return

    def _wait(self, ticket: Ticket, meanwhile: Callable[[], None] | None, passenger: Passenger | None) -> None:
        begun = followed = time.monotonic()
        watched, woken = _Watched(), False
        while time.monotonic() - begun < MAX_WAIT:
            if passenger is not None and (woken or not ticket.is_there) and passenger.has_arrived():
                return
            try:
                ticket.restore()
                before = self._before(ticket)
                if not before and self._take(ticket):
                    return
                if len(before) < 2:
                    self._look_after(watched, before)
            except OSError:
                return
            if meanwhile is not None and (len(before) < _NEAR or time.monotonic() - followed > _FOLLOW_EVERY):
                meanwhile()
                followed = time.monotonic()
            woken = ticket.sleep(_LOOK_EVERY if before else _LOOK_FIRST)

    def _take(self, ticket: Ticket) -> bool:
        """Take the lock if it is free and it is still this ticket's turn; if it is another's turn, wake its owner."""
        if not self._lock.try_acquire():
            return False
        if not self._before(ticket):
            self._hold()
            return True
        self._lock.release()  # a ticket that goes first arrived in the meantime
        self._wake_next()
        return False

    def _before(self, ticket: Ticket) -> list[Place]:
        """Return the places before this one, in order; the owners of the first and the last of them are alive.

        So the second in the queue is alive and watches the first.
        """
        self._long_ended = processes.number_in(self._lock.read(), "long_ended")
        line = in_order(places(self._folder), self._long_ended)
        before = line[: line.index(ticket.place)] if ticket.place in line else line
        while before and is_abandoned(self._folder / before[0].name):
            (self._folder / before.pop(0).name).unlink(missing_ok=True)
        while len(before) > 1 and is_abandoned(self._folder / before[-1].name):
            (self._folder / before.pop().name).unlink(missing_ok=True)
        return before

    def _look_after(self, watched: _Watched, before: list[Place]) -> None:
        """Take the lock from a holder that makes no progress; remove the first ticket if its owner ignores its turn."""
        note = self._lock.read()
        quiet = watched.quiet((note, before))
        if not before:
            if quiet >= KILLED_SECONDS and _is_stuck(note, quiet):
                self._lock.replace()
        elif quiet >= SUSPENDED_SECONDS and self._is_free():
            time.sleep(_HESITATION)  # the lock may just have become free
            first = self._folder / before[0].name
            if first.exists() and self._lock.read() == note and self._is_free():
                first.unlink(missing_ok=True)  # its owner, if alive, creates it again

    def _is_free(self) -> bool:
        free = self._lock.try_acquire()
        if free:
            self._lock.release()
        return free

    def _note(self) -> bytes:
        return orjson.dumps(processes.this_thread() | {"turn": unique_name(), "long_ended": self._long_ended})


class _Watched:
    """Something that is checked now and then, and how long it has not changed."""

    def __init__(self) -> None:
        self._seen: object = None
        self._since = time.monotonic()

    def quiet(self, seen: object) -> float:
        """Return for how many seconds ``seen`` has not changed."""
        if seen != self._seen:
            self._seen, self._since = seen, time.monotonic()
        return time.monotonic() - self._since


def _is_stuck(note: bytes, quiet: float) -> bool:
    """Return whether to give up waiting for a holder, given its note and the seconds since that changed."""
    try:
        holder = orjson.loads(note)["holder"]
        if processes.is_here(holder):
            if processes.started(int(holder["process"])) != holder["started"]:
                return quiet >= KILLED_SECONDS
            return quiet >= (SUSPENDED_SECONDS if processes.is_stopped(holder) else STUCK_SECONDS)
    except (ValueError, KeyError, TypeError):  # the note is being written
        pass
    return quiet >= UNSEEN_SECONDS


def leftovers(log: Path) -> list[Path]:
    """Return the files of a queue that no process has locked, except the locks: killed writers left them."""
    folder = log / FOLDER
    files = sorted(folder.iterdir()) if folder.is_dir() else []
    locks = (LOCK, HEAD_LOCK, CHECKPOINT_LOCK)
    return [p for p in files if p.name not in locks and not p.name.startswith(DRAFT_LOCK) and is_abandoned(p)]
