"""Which writer of an object store goes first: a writer that lost too often reserves the log for its next commit.

Put-if-absent of the commit file decides between writers; a large append, which takes longer than the small ones of
others, may lose again and again. A writer that loses backs off for a random time. After ``MAX_LOSSES`` losses it puts
the object ``_queue/reserved``, if it does not exist; while it exists, other writers do not begin to commit. The writer
removes it after its commit.

A writer that dies leaves it. So a reservation expires ``LEASE_SECONDS`` after it was written, by the object store's own
time: a waiting writer writes an object of its own once, and compares the times that the store gives to the two. This
provides fairness, never safety: if two writers think that they have the reservation, the commit file decides as before.
"""

from __future__ import annotations

import time
from contextlib import suppress
from datetime import datetime
from typing import TYPE_CHECKING, Final

import orjson

from lineage_tt.model.clock import jitter, unique_name
from lineage_tt.storage import processes

if TYPE_CHECKING:
    from lineage_tt.storage.objects import ObjectPath

FOLDER: Final = "_queue"
NAME: Final = "reserved"
#: A writer that loses this many commits in a row reserves the log.
MAX_LOSSES: Final = 2
#: How long a reservation lasts, by the object store's time; its owner renews it after half of that.
LEASE_SECONDS: Final = 15.0
#: The longest that a writer waits for a reservation in one turn.
MAX_WAIT: Final = 120.0
_FIRST_BACK_OFF: Final = 0.02
_LONGEST_BACK_OFF: Final = 0.5
_LOOK_EVERY: Final = 0.05


class Reservations:
    """The reservation of one log, as one writer sees it."""

    def __init__(self, log: ObjectPath) -> None:
        self._folder = log / FOLDER
        self._place = self._folder / NAME
        self._losses = 0
        self._tag: str | None = None
        self._reserved_at = 0.0

    def hold_back(self) -> None:
        """Wait while another writer has the log reserved, for at most ``MAX_WAIT`` seconds."""
        begun = time.monotonic()
        offset: float | None = None
        while time.monotonic() - begun < MAX_WAIT:
            try:
                lease = self._place.read()
            except FileNotFoundError:
                return
            if self._tag is not None and lease.tag == self._tag:
                return
            if offset is None:
                offset = self._store_time().timestamp() - time.monotonic()
            if offset + time.monotonic() - lease.modified.timestamp() > LEASE_SECONDS:
                self._place.unlink(missing_ok=True)
                return
            time.sleep(jitter(_LOOK_EVERY))

    def lost(self) -> None:
        """Back off after losing a commit to a faster writer; reserve the log after ``MAX_LOSSES`` of them."""
        self._losses += 1
        if self._losses >= MAX_LOSSES:
            self._reserve()
        else:
            time.sleep(jitter(min(_FIRST_BACK_OFF * 2**self._losses, _LONGEST_BACK_OFF)))
            self.hold_back()

    def done(self) -> None:
        """Remove the reservation, if this writer has one: its turn is over."""
        self._losses = 0
        if self._tag is not None:
            self._tag = None
            if time.monotonic() - self._reserved_at < LEASE_SECONDS:  # otherwise it may be another writer's by now
                self._place.unlink(missing_ok=True)

    def _reserve(self) -> None:
        """Make or renew the reservation; first wait for another writer's reservation to end."""
        begun = time.monotonic()
        if self._tag is not None and begun - self._reserved_at < LEASE_SECONDS / 2:
            return
        while time.monotonic() - begun < MAX_WAIT:
            with suppress(FileExistsError, FileNotFoundError):
                self._tag = self._place.write_if(orjson.dumps(processes.this_process()), self._tag)
                self._reserved_at = time.monotonic()
                return
            self._tag = None  # another reservation replaced it, or it was removed
            self.hold_back()
            time.sleep(jitter(_FIRST_BACK_OFF))

    def _store_time(self) -> datetime:
        """Return the time by the object store's clock, taken from an object that is written now."""
        place = self._folder / f"now-{unique_name()}"
        place.write_bytes(b"")
        try:
            return place.read().modified
        finally:
            place.unlink(missing_ok=True)
