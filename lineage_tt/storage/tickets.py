"""Places in the queue of writers: files whose names say when each is due, and who is next.

A ticket's file is kept locked by its owner while that lives. Its name holds when it is due and when it was drawn, both
in microseconds since the machine was started, and whether it is for a *long* turn. The owner sleeps on a socket of that
name, in the kernel's abstract namespace; the end of a turn wakes the next owner through it. A wake that is lost, or
cannot be sent from one container to another, costs some milliseconds: owners look now and then by themselves.

A ticket may hold an *offer*: bytes from which whose turn it is can make the owner's append with its own. They follow
their SHA-256, so that half of an offer is none.
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
#: A ticket on its way to its name.
_FRESH: Final = "new-"
_MICROSECONDS: Final = 1_000_000
#: The most bytes that are read of a ticket.
_MAX_BYTES: Final = 1 << 20


class Place(NamedTuple):
    """A place in the queue, as its ticket's name states it; times in microseconds since the machine was started."""

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
        """Return the place of a ticket of this name, None where it is no ticket's."""
        stated = _NAME.fullmatch(name)
        return cls(int(stated[1]), int(stated[2]), stated[3] == "l", name) if stated else None


def places(folder: Path) -> list[Place]:
    """Return the places drawn in a folder, in no order."""
    return [place for name in os.listdir(folder) if (place := Place.named(name)) is not None]


def in_order(places: Iterable[Place], long_ended: int) -> list[Place]:
    """Return places in the order of their turns; ``long_ended`` is when the last long turn ended.

    Short turns come in order of arrival, before long ones that are not due. A long one that is due goes before short
    ones, but for those that waited already when the last long turn ended: a short one waits for one long turn at most,
    and a long one for each short one at most once after it is due.
    """
    now = int(since_boot() * _MICROSECONDS)
    short = sorted((each for each in places if not each.is_long), key=lambda each: (each.drawn, each.name))
    long = sorted(each for each in places if each.is_long)
    waited = sum(each.drawn <= long_ended for each in short)
    due = 1 if long and long[0].due <= now else 0
    return [*short[:waited], *long[:due], *short[waited:], *long[due:]]


class Ticket:
    """One's own place: its file, locked as long as this process lives, and the socket by which it is woken."""

    def __init__(self, folder: Path, place: Place) -> None:
        self.place = place
        self._folder = folder
        self._descriptor: int | None = None
        self._socket = _listening(place)
        self._offered = b""
        self._draw()

    def _draw(self) -> None:
        """Make the file and lock it before it has its name: nobody sees it without an owner."""
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
        """Whether others left it in its place."""
        return (self._folder / self.place.name).exists()

    def restore(self) -> None:
        """Draw the ticket again, at its old place, where others took it for one of the dead or the suspended."""
        if not self.is_there:
            self._close()
            self._draw()
            self._write()

    def offer(self, data: bytes) -> None:
        """Hold an offer, which others see whole or not at all; where there is no room for it, it is not made."""
        self._offered = hashlib.sha256(data).hexdigest().encode() + b"\n" + data
        self._write()

    def _write(self) -> None:
        if self._offered and self._descriptor is not None:
            with suppress(OSError):
                os.pwrite(self._descriptor, self._offered, 0)

    def sleep(self, seconds: float) -> bool:
        """Sleep until somebody wakes this place, at most so long; return whether somebody did."""
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
    """Return what the owner of a ticket offers, None where that is nothing or its owner is dead."""
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
    """Wake the owner of a place; False where nobody is there, or not to be reached from here."""
    try:
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as sender:
            sender.setblocking(False)
            sender.sendto(b"!", _address(place))
    except BlockingIOError:  # it was woken many times already
        return True
    except (OSError, AttributeError):
        return False
    return True


def _listening(place: Place) -> socket.socket | None:
    """Return a socket by which a place is woken, None where the system has none."""
    try:
        result = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        result.setblocking(False)
        result.bind(_address(place))
    except (OSError, AttributeError):
        return None
    return result


def _address(place: Place) -> bytes:
    """Return an address in the abstract namespace of Linux: it has no file, and ends with its socket."""
    return b"\0lineage_tt/" + place.name.encode()
