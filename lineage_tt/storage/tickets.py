"""Places in the queue of writers: files whose names say when each is due, and who is next.

The owner of a ticket keeps its file locked as long as it lives. The file's name states when the ticket is due, when it
was drawn (both in microseconds since the machine was started), and whether it is for a *long* turn. The owner sleeps on
a socket of that name in the kernel's abstract namespace; whoever ends a turn wakes the next owner through it. A wake-up
that is lost, or that cannot be sent from one container to another, costs only milliseconds: owners also poll.

A ticket may hold an *offer*: bytes from which the writer whose turn it is can append the owner's rows with its own.
Their SHA-256 comes first, so that an incomplete offer is not read.
"""

from __future__ import annotations

import hashlib
import os
import re
import select
import socket
import time
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Final, NamedTuple

from lineage_tt.model.clock import since_boot, unique_name
from lineage_tt.storage.file_lock import is_abandoned, try_lock

_NAME: Final = re.compile(r"(\d{20})-(\d{20})-([ls])-([0-9a-f]{32})")
#: The prefix of a ticket's file until it has its name.
_FRESH: Final = "new-"
_MICROSECONDS: Final = 1_000_000
#: The most bytes that are read of a ticket.
_MAX_BYTES: Final = 1 << 20


class Place(NamedTuple):
    """A place in the queue, read from its ticket's name; times are microseconds since the machine was started."""

    due: int
    drawn: int
    is_long: bool
    name: str

    @classmethod
    def drawn_now(cls, patience: float, *, is_long: bool) -> Place:
        """Return a new place that is due after ``patience`` seconds."""
        drawn = int(since_boot() * _MICROSECONDS)
        due = drawn + int(patience * _MICROSECONDS)
        return cls(due, drawn, is_long, f"{due:020d}-{drawn:020d}-{'l' if is_long else 's'}-{unique_name()}")

    @classmethod
    def named(cls, name: str) -> Place | None:
        """Return the place of the ticket with this name, None where the name is not a ticket's."""
        stated = _NAME.fullmatch(name)
        return cls(int(stated[1]), int(stated[2]), stated[3] == "l", name) if stated else None


def places(folder: Path) -> list[Place]:
    """Return the places drawn in a folder, in no order."""
    return [place for name in os.listdir(folder) if (place := Place.named(name)) is not None]


def in_order(places: Iterable[Place], long_ended: int) -> list[Place]:
    """Return places in the order of their turns; ``long_ended`` is when the last long turn ended.

    Short turns come in order of arrival, before long turns that are not due. One long turn that is due goes before the
    short ones, except those that were already waiting when the last long turn ended. So a short turn waits for at most
    one long turn, and a long turn, once due, waits for each short one at most once.
    """
    now = int(since_boot() * _MICROSECONDS)
    short = sorted((each for each in places if not each.is_long), key=lambda each: (each.drawn, each.name))
    long = sorted(each for each in places if each.is_long)
    waited = sum(each.drawn <= long_ended for each in short)
    due = 1 if long and long[0].due <= now else 0
    return [*short[:waited], *long[:due], *short[waited:], *long[due:]]


class Ticket:
    """This writer's own place: its file, locked as long as the process lives, and the socket that wakes it."""

    def __init__(self, folder: Path, place: Place) -> None:
        self.place = place
        self._folder = folder
        self._descriptor: int | None = None
        self._socket = _listening(place)
        self._offered = b""
        self._draw()

    def _draw(self) -> None:
        """Create the file and lock it before it gets its name, so that nobody sees it without an owner."""
        fresh = self._folder / f"{_FRESH}{unique_name()}"
        self._descriptor = os.open(fresh, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o666)
        try:
            try_lock(self._descriptor)
            fresh.rename(self._folder / self.place.name)
        except OSError:
            fresh.unlink(missing_ok=True)
            self._close()
            raise

    @property
    def is_there(self) -> bool:
        """Whether the file still has its name: others may have removed it."""
        return (self._folder / self.place.name).exists()

    def restore(self) -> None:
        """Create the ticket again, with its old place, if others removed it: its owner seemed dead or suspended."""
        if not self.is_there:
            self._close()
            self._draw()
            self._write()

    def offer(self, data: bytes) -> None:
        """Write an offer, which others see complete or not at all; without disk space, no offer is made."""
        self._offered = hashlib.sha256(data).hexdigest().encode() + b"\n" + data
        self._write()

    def _write(self) -> None:
        if self._offered and self._descriptor is not None:
            with suppress(OSError):
                os.pwrite(self._descriptor, self._offered, 0)

    def sleep(self, seconds: float) -> bool:
        """Sleep until somebody wakes this place, for at most ``seconds``; return whether somebody did."""
        if self._socket is None:
            time.sleep(seconds)
            return False
        poll = select.poll()
        poll.register(self._socket, select.POLLIN)
        if not poll.poll(seconds * 1000):
            return False
        with suppress(OSError):
            while True:
                self._socket.recv(1)
        return True

    def remove(self) -> None:
        """Give the place up."""
        with suppress(OSError):
            (self._folder / self.place.name).unlink(missing_ok=True)
        self._close()
        if self._socket is not None:
            self._socket.close()

    def _close(self) -> None:
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None


def offered(folder: Path, place: Place) -> bytes | None:
    """Return what the owner of a ticket offers, None where there is no offer or the owner is dead."""
    path = folder / place.name
    try:
        with path.open("rb") as file:
            digest, _, data = file.read(_MAX_BYTES).partition(b"\n")
    except OSError:
        return None
    if not data or hashlib.sha256(data).hexdigest().encode() != digest or is_abandoned(path):
        return None
    return data


def wake(place: Place) -> bool:
    """Wake the owner of a place; False where it does not exist or cannot be reached from here."""
    try:
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as sender:
            sender.setblocking(False)
            sender.sendto(b"!", _address(place))
    except BlockingIOError:  # it has been woken many times already
        return True
    except (OSError, AttributeError):
        return False
    return True


def _listening(place: Place) -> socket.socket | None:
    """Return the socket on which a place is woken, None where the system has no such sockets."""
    try:
        result = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        result.setblocking(False)
        result.bind(_address(place))
    except (OSError, AttributeError):
        return None
    return result


def _address(place: Place) -> bytes:
    """Return an address in Linux's abstract namespace: it has no file, and disappears with its socket."""
    return b"\0lineage_tt/" + place.name.encode()
