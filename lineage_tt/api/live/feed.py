"""The change feed: the newest events come from memory, older events from the files.

The bytes of an event are made once for all readers. A stream has no queue: when it can write again, it requests the
events after its cursor. So a client that does not read uses the memory of one page.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Final, NamedTuple

import orjson

from lineage_tt.api.reads.frozen_log import FrozenLog
from lineage_tt.api.reads.tail import Tail
from lineage_tt.events import event_of
from lineage_tt.feed.tail import Tail as Cursor
from lineage_tt.model.answers import FeedEntry

#: Maximum size of the events in memory, in bytes.
MAX_BYTES: Final = 16 * 1024 * 1024
#: The size in bytes at which a page of a stream ends.
MAX_PAGE: Final = 256 * 1024
#: Number of versions read from the files at a time: at first, and at most.
_FIRST_READ: Final = 16
_MAX_READ: Final = 1024


class Event(NamedTuple):
    """The changes of one version, or the resulting changes of labels, as they are sent."""

    version: int
    data: bytes
    name: str = "lineage.changed"


class Page(NamedTuple):
    """Events in version order, and the version up to which the page is complete."""

    events: list[Event]
    upto: int


class Feed:
    """Keeps the events of the newest versions."""

    def __init__(self, store_id: str) -> None:
        self.store_id = store_id
        self._events: list[Event] = []
        self._since: int | None = None  # the events of all versions after this one, up to ``_upto``, are kept
        self._upto = 0
        self._bytes = 0
        self._previous: int | None = None

    def advance(self, tail: Tail) -> None:
        """Keep the events of new versions."""
        cursor = From(tail.log, tail.after, tail.version, self._previous if self._upto == tail.after else None)
        fresh = [self._event(entry) for entry in cursor.entries()]
        self._previous = cursor.previous
        events, size = self._events + fresh, self._bytes + sum(len(e.data) for e in fresh)
        since = tail.after if self._since is None or self._upto != tail.after else self._since
        if self._upto != tail.after:
            events, size = fresh, sum(len(e.data) for e in fresh)
        drop = 0
        while size > MAX_BYTES and drop < len(events):
            size -= len(events[drop].data)
            since = events[drop].version
            drop += 1
        self._events, self._bytes, self._since, self._upto = events[drop:], size, since, tail.version

    def read_again(self, log: FrozenLog) -> None:
        """Drop all events, because the log's texts were rewritten; the files then answer requests for them."""
        self._events, self._bytes, self._since, self._upto, self._previous = [], 0, None, 0, None

    def from_memory(self, after: int, limit: int, max_bytes: int) -> Page | None:
        """Return the page after version ``after`` from memory; None if it must be read from the files."""
        events, since, upto = self._events, self._since, self._upto
        if since is None or after < since:
            return None
        first = bisect_right(events, after, key=lambda e: e.version)
        return page(islice(events, first, None), limit, max_bytes, upto)

    def read(self, log: FrozenLog, after: int, limit: int, max_bytes: int, previous: int | None = None) -> Page:
        """Return the page after version ``after`` from the files; GapError if they no longer contain it.

        ``previous`` is the last version up to ``after`` with changes, if the caller knows it.
        """
        return page(self._entries(log, after, previous), limit, max_bytes, log.version)

    def _entries(self, log: FrozenLog, after: int, previous: int | None) -> Iterator[Event]:
        """Yield events; read few versions at first and then more, because a page may end early."""
        step = _FIRST_READ
        while after < log.version:
            upto = min(after + step, log.version)
            cursor = From(log, after, upto, previous)
            for entry in cursor.entries():
                previous = entry.version
                yield self._event(entry)
            after, step, previous = upto, min(2 * step, _MAX_READ), cursor.previous

    def _event(self, entry: FeedEntry) -> Event:
        return Event(entry.version, orjson.dumps(event_of(entry, self.store_id)))


class From(Cursor):
    """A reader of the feed that is given the last version with changes, if the caller knows it."""

    def __init__(self, log: FrozenLog, after: int, upto: int, previous: int | None) -> None:
        self._known_previous = previous
        super().__init__(log, after, upto=upto)

    @property
    def previous(self) -> int:
        """The last version read that has changes."""
        return self._previous

    def _last_changing(self, upto: int) -> int:
        return super()._last_changing(upto) if self._known_previous is None else self._known_previous


def page(events: Iterable[Event], limit: int, max_bytes: int, upto: int) -> Page:
    """Return a page of the first events: at most ``limit`` of them, and about ``max_bytes``."""
    first: list[Event] = []
    size = 0
    for one in events:
        if first and (len(first) == limit or size + len(one.data) > max_bytes):
            return Page(first, first[-1].version)
        first.append(one)
        size += len(one.data)
    return Page(first, upto)
