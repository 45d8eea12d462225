"""Histories of tasks that a writer dropped from memory, in a temporary file of this process.

Reading a history from the log requires a scan of the log; reading it from here takes about 20 µs. So the speed of a
long import does not depend on how many tasks fit in memory. The file has no name, no other process reads it, and it
disappears with this process. If the file cannot be written (no space left), the history is read from the log again.
"""

from __future__ import annotations

import marshal
import os
import tempfile
import weakref
from collections.abc import Hashable
from typing import Any, Final

#: Slots are multiples of this size, so that a freed slot fits the next history of about the same size.
SLOT_BYTES: Final = 256


class Spill:
    """Plain values (what ``marshal`` takes) by key, each kept until it is taken or dropped."""

    def __init__(self) -> None:
        self._file = -1
        self._end = 0
        self._places: dict[Hashable, tuple[int, int]] = {}
        self._free: dict[int, list[int]] = {}

    def __len__(self) -> int:
        return len(self._places)

    def __contains__(self, key: Hashable) -> bool:
        return key in self._places

    def put(self, key: Hashable, value: Any) -> None:
        """Keep a value under a key, replacing any other; it is not kept where the file cannot be written."""
        self.drop(key)
        data = marshal.dumps(value)
        slots = -(-len(data) // SLOT_BYTES)
        free = self._free.get(slots)
        at = free.pop() if free else self._end
        try:
            if self._file < 0:
                self._file, name = tempfile.mkstemp(prefix="lineage-tt-")
                weakref.finalize(self, os.close, self._file)
                os.unlink(name)
            written = os.pwrite(self._file, data, at)
        except OSError:
            written = 0
        if written == len(data):
            self._places[key] = at, len(data)
            self._end = max(self._end, at + slots * SLOT_BYTES)
        elif at != self._end:
            self._free.setdefault(slots, []).append(at)

    def take(self, key: Hashable) -> Any:
        """Return the value under a key and forget it, None where none is kept."""
        place = self._places.get(key)
        if place is None:
            return None
        try:
            data = os.pread(self._file, place[1], place[0])
        except OSError:
            data = b""
        self.drop(key)
        return marshal.loads(data) if len(data) == place[1] else None  # noqa: S302 - written by this process

    def drop(self, key: Hashable) -> None:
        """Forget what is kept under a key."""
        place = self._places.pop(key, None)
        if place is not None:
            self._free.setdefault(-(-place[1] // SLOT_BYTES), []).append(place[0])
