"""Events too large for a broker: cut into parts, and put together again. Versions count once; gaps are rejected."""

from __future__ import annotations

import heapq
from collections.abc import Iterator
from typing import Final

from lineage_tt.events import CHANGED, LABELS_CHANGED, STATE, Event, encode
from lineage_tt.model.errors import CorruptError, GapError

#: Kafka's default limit is 1,048,588 bytes per record batch; key, headers and framing need some of it.
MAX_BYTES: Final = 900_000


_LISTS: Final = ("changes", "facts", "columns_added", "columns_removed")


def split(event: Event, max_bytes: int = MAX_BYTES) -> list[Event]:
    """Return an event as it is, or as several that each fit: numbered parts with a share of its changes and facts.

    A single change that does not fit gets a part of its own, which is then still too long.
    """
    if len(encode(event)) <= max_bytes:
        return [event]
    data = event["data"]
    lists = [name for name in _LISTS if name in data]
    bare: dict[str, list[object]] = {name: [] for name in lists}
    room = max_bytes - len(encode(event | {"data": data | bare | {"part": {"number": 10**6, "of": 10**6}}})) - 64
    shares: list[dict[str, list[object]]] = [{name: [] for name in lists}]
    used = 0
    for name in lists:
        for item in data[name]:
            size = len(encode(item)) + 1
            if used and used + size > room:
                shares.append({name: [] for name in lists})
                used = 0
            shares[-1][name].append(item)
            used += size
    return [
        event | {
            "id": f"{event['id']}.{number}",
            "data": data | share | {"part": {"number": number, "of": len(shares)}},
        }
        for number, share in enumerate(shares, 1)
    ]  # fmt: skip


def join(parts: list[Event]) -> Event:
    """Return the event that consists of these parts, which are complete and in order."""
    first = parts[0]
    data = {name: value for name, value in first["data"].items() if name != "part"}
    for name in _LISTS:
        data[name] = [item for part in parts for item in part["data"][name]]
    return first | {"id": str(data["version"]), "data": data}


class Sequencer:
    """Takes events as they come from a topic, and returns each version once, complete and in order.

    ``after`` is the version that the reader holds. Events may come twice, in parts, and interleaved from several
    partitions. ``blocked`` shows when the version before an event is missing; the reader of the topic knows whether
    that version can still come, and calls ``refuse`` if it cannot.
    """

    def __init__(self, after: int = 0) -> None:
        self.after = after
        self._parts: dict[int, list[Event]] = {}
        self._waiting: list[tuple[int, int, Event]] = []
        self._pending: set[int] = set()
        self._taken = 0

    @property
    def blocked(self) -> int | None:
        """The version before the next event, if the reader does not hold it yet; None if no event waits."""
        return int(self._waiting[0][2]["data"]["previous_version"]) if self._waiting else None

    def take(self, event: Event) -> Iterator[Event]:
        """Take one event; yield the events that are now complete and next. Ignores events of derived labels."""
        if event.get("type") == LABELS_CHANGED:
            return
        if event.get("type") != CHANGED:
            kind = "a topic of current state, which keeps no history" if event.get("type") == STATE else "no change"
            raise CorruptError(f"the topic holds {kind}: {event.get('type')}", hint="read the topic of changes")
        version = event["data"]["version"]
        if version <= self.after or version in self._pending:
            return
        whole = self._whole(event, version)
        if whole is not None:
            self._taken += 1
            self._pending.add(version)
            heapq.heappush(self._waiting, (version, self._taken, whole))
        yield from self._ready()

    def refuse(self) -> None:
        """Raise GapError if an event waits for one that can no longer come."""
        if (missing := self.blocked) is not None:
            raise GapError(self.after, missing, missing, where="the topic")

    def _whole(self, event: Event, version: int) -> Event | None:
        part = event["data"].get("part")
        if part is None:
            return event
        if part["number"] == 1:
            self._parts[version] = []  # an event that an earlier attempt left unfinished is sent again from the start
        parts = self._parts.setdefault(version, [])
        if len(parts) != part["number"] - 1:
            return None  # a part sent a second time
        parts.append(event)
        if len(parts) < part["of"]:
            return None
        return join(self._parts.pop(version))

    def _ready(self) -> Iterator[Event]:
        while self._waiting and self._waiting[0][2]["data"]["previous_version"] <= self.after:
            version, _, event = heapq.heappop(self._waiting)
            self._pending.discard(version)
            self.after = version
            yield event
