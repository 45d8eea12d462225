"""The relay: it sends the log's feed to a change topic, each version once, in order, without stored progress.

The log is the outbox, and the end of the topic shows how far it was emptied. This module needs no broker; ``Outlet`` is
the interface to one, and ``lineage_tt.kafka.outlet`` implements it for Kafka.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Final, NamedTuple, Protocol

from lineage_tt.events import Event, event_of, store_urn
from lineage_tt.feed.parts import MAX_BYTES, split
from lineage_tt.feed.records import Fed, Record, bootstrap_records, record_of, state_records
from lineage_tt.feed.tail import Tail
from lineage_tt.model.answers import FeedEntry
from lineage_tt.model.errors import ConflictError, LineageError
from lineage_tt.storage import failpoints

#: A transaction holds at most this many versions, and ends after the version with which it reaches this many changes.
MAX_VERSIONS: Final = 500
MAX_CHANGES: Final = 20_000
#: How long the relay waits for new versions before it checks whether it should end, in seconds.
LOOK_UP_EVERY: Final = 0.25
#: In binary mode the envelope is in the headers, which count towards the size too.
SPARE: Final = 1_024


class Place(NamedTuple):
    """How far the topics have been filled, as versions; None where a topic is empty or not requested.

    ``emptied``: the topic of changes once held records, but retention left none that would show how far it was filled.
    """

    changes: int | None
    state: int | None = None
    emptied: bool = False


class OutletError(LineageError):
    """The broker could not be reached, or did not accept records; try again."""

    kind = "unavailable"


class FencedError(ConflictError):
    """Another relay for the same topic has taken over; this one must end."""


class Relayed(Fed, Protocol):
    """A store, as far as the relay reads it."""

    def refresh(self) -> int:
        """Take in what other processes committed; return the last version."""

    def tail(self, after: int = 0) -> Tail:
        """Return a cursor over the feed that follows the log as it grows."""


class Outlet(Protocol):
    """What a relay writes to, in transactions that are complete or do not appear at all."""

    max_bytes: int

    def place(self, source: str) -> Place:
        """Return how far the topics are filled; reject topics that hold another store's events."""

    def publish(self, records: Iterable[Record]) -> None:
        """Write records in one transaction; all of them are committed when it returns."""

    def close(self) -> None:
        """Close the connection; what is not committed is discarded."""


@dataclass(slots=True)
class Progress:
    """What a relay has done: the topic is filled up to version ``at``, and the log is at ``version``."""

    at: int = 0
    version: int = 0
    sent: int = 0
    transactions: int = 0
    restarts: int = 0
    problem: str = ""

    @property
    def lag(self) -> int:
        """The lag of the topic, in versions of the log."""
        return max(0, self.version - self.at)


class Relay:
    """Sends a store's feed to an outlet until it is stopped; reconnects whenever the connection breaks."""

    def __init__(
        self,
        store: Relayed,
        connect: Callable[[], Outlet],
        *,
        state: bool = False,
        binary: bool = False,
        write: Callable[[FeedEntry], Iterable[Record]] | None = None,
        beside: Callable[[FeedEntry], Iterable[Event]] | None = None,
        after: int | None = None,
        watch: Callable[[Progress], None] | None = None,
    ) -> None:
        self._store = store
        self._connect = connect
        self._state = state
        self._binary = binary
        self._write = write
        self._beside = beside
        self._after = after
        self._watch = watch
        self.progress = Progress()
        self.stopping = False

    def run(self, *, until_end: bool = False, max_failures: int | None = None) -> Progress:
        """Relay until ``stopping`` is set or, with ``until_end``, until the topic has everything in the log.

        Raises FencedError when another relay takes over, OutletError after ``max_failures`` failures in a row.
        """
        failures = 0
        while not self.stopping:
            outlet = None
            try:
                outlet = self._connect()
                self.progress.problem = ""
                if self._pump(outlet, until_end):
                    break
            except OutletError as error:
                failures = 1 if self.progress.problem == "" else failures + 1
                self.progress.problem = error.message
                self.progress.restarts += 1
                if max_failures is not None and failures >= max_failures:
                    raise
                self._look(refresh=True)
                _pause(min(0.1 * 2**failures, 5.0), lambda: self.stopping)
            finally:
                if outlet:
                    outlet.close()
        return self.progress

    def _pump(self, outlet: Outlet, until_end: bool) -> bool:
        """Send versions until stopped (returns True) or until the outlet fails (raises)."""
        place = outlet.place(store_urn(self._store.id))
        if place.emptied and self._after is None:
            raise ConflictError(
                "retention has emptied the topic, so the relay's position in it is lost",
                hint="relay to a new topic, or set a longer retention and give the version to start after: --after",
            )
        begin = place.changes if place.changes is not None else self._after or 0
        version = self._store.refresh()
        if max(begin, place.state or 0) > version:
            raise ConflictError(
                f"the topic is at version {max(begin, place.state or 0)}, the store only at version {version}",
                hint="relay from the store that filled the topic, or to another topic",
            )
        state_at = place.state
        if self._state and state_at is None:
            state_at = begin
            self._bootstrap(outlet, begin)
        tail = self._store.tail(min(begin, state_at) if self._state and state_at is not None else begin)
        self.progress.at = begin
        while not self.stopping:
            self.progress.version = tail.version
            self._look()
            if not tail.wait(0 if until_end else LOOK_UP_EVERY):
                if until_end:
                    return True
                continue
            failpoints.reach("q0:before")
            entries = tail.read(MAX_VERSIONS)
            failpoints.reach("q0:after")
            for portion in _portions(entries):
                self._send(outlet, portion, begin, state_at)
            self.progress.at = max(begin, tail.after)
        return True

    def _send(self, outlet: Outlet, entries: list[FeedEntry], begin: int, state_at: int | None) -> None:
        failpoints.reach("q1:before")
        records: list[Record] = []
        for entry in entries:
            if entry.version > begin:
                records += self.change_records(entry, outlet.max_bytes)
            if self._state and entry.version > (state_at or 0):
                records += state_records(entry, self._store.id)
        outlet.publish(records)
        failpoints.reach("q2:after")
        self.progress.sent += len(entries)
        self.progress.transactions += 1
        self.progress.at = max(self.progress.at, entries[-1].version)
        self._look()

    def _bootstrap(self, outlet: Outlet, version: int) -> None:
        """Fill an empty topic of current state with what is in force at any valid time, as known at a version."""
        if version:
            outlet.publish(bootstrap_records(self._store, version))

    def change_records(self, entry: FeedEntry, max_bytes: int = MAX_BYTES) -> Iterator[Record]:
        """Yield the records of one version's event, several if it is too long for one, or those made by ``write``."""
        if self._write is not None:
            yield from self._write(entry)
            return
        event = event_of(entry, self._store.id)
        record = record_of(event, binary=self._binary)
        if len(record.value or b"") <= max_bytes - SPARE:
            yield record
        else:
            yield from (record_of(part, binary=self._binary) for part in split(event, max_bytes))
        for more in self._beside(entry) if self._beside else ():
            yield from (record_of(part, binary=self._binary) for part in split(more, max_bytes - SPARE))

    def _look(self, *, refresh: bool = False) -> None:
        if refresh:
            self.progress.version = self._store.refresh()
        if self._watch:
            self._watch(self.progress)


def _portions(entries: list[FeedEntry]) -> Iterator[list[FeedEntry]]:
    """Split entries where they have many changes: a transaction's records are in memory while it lasts."""
    portion: list[FeedEntry] = []
    weight = 0
    for entry in entries:
        portion.append(entry)
        weight += len(entry.changes) + len(entry.facts)
        if weight >= MAX_CHANGES:
            yield portion
            portion, weight = [], 0
    if portion:
        yield portion


def _pause(seconds: float, ended: Callable[[], bool]) -> None:
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline and not ended():
        time.sleep(0.05)
