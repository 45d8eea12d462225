"""Which writer of an object store goes first: one that lost too often reserves the log for its next commit.

Put-if-absent of the commit file decides between writers; a large append, which takes longer than the small ones of
others, may lose for ever. A writer that loses backs off for a random time. One that lost ``MAX_LOSSES`` times puts the
object ``_queue/reserved``, if there is none; while it is there the others do not begin to commit. It is taken away with
the commit that it was made for.

A writer that dies leaves it. So it holds for ``LEASE_SECONDS`` from when it was written, by the object store's own
time: a waiting writer writes an object of its own once, and compares the times that the store gives to the two. This is
about fairness and never about safety: where two think that they have it, the commit file decides as before.
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
#: How long a reservation holds, by the object store's time; its owner writes it again after half of that.
LEASE_SECONDS: Final = 15.0
#: Nobody holds back for longer in one turn.
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
        """Wait while another writer has the log reserved; at most ``MAX_WAIT`` seconds."""
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
        """Back off after a commit that another writer was faster with; reserve the log after some of them."""
        self._losses += 1
        if self._losses >= MAX_LOSSES:
            self._reserve()
        else:
            time.sleep(jitter(min(_FIRST_BACK_OFF * 2**self._losses, _LONGEST_BACK_OFF)))
            self.hold_back()

    def done(self) -> None:
        """Take back the reservation, if this writer has one: its turn is over."""
        self._losses = 0
        if self._tag is not None:
            self._tag = None
            if time.monotonic() - self._reserved_at < LEASE_SECONDS:  # else it may be another's by now
                self._place.unlink(missing_ok=True)

    def _reserve(self) -> None:
        """Make or renew the reservation; wait for that of another writer first."""
        begun = time.monotonic()
        if self._tag is not None and begun - self._reserved_at < LEASE_SECONDS / 2:
            return
        while time.monotonic() - begun < MAX_WAIT:
            with suppress(FileExistsError, FileNotFoundError):
                self._tag = self._place.write_if(orjson.dumps(processes.this_process()), self._tag)
                self._reserved_at = time.monotonic()
                return
            self._tag = None  # another's took its place, or it was taken away
            self.hold_back()
            time.sleep(jitter(_FIRST_BACK_OFF))

    def _store_time(self) -> datetime:
        """Return the time by the object store's clock, which it gives to an object written now."""
        place = self._folder / f"now-{unique_name()}"
        place.write_bytes(b"")
        try:
            return place.read().modified
        finally:
            place.unlink(missing_ok=True)
