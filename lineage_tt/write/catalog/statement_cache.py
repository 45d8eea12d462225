"""Statements that were needed recently: a statement that is re-resolved is often re-resolved again soon."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping
from typing import Final

from lineage_tt.model.messages import TaskChange

#: Characters of SQL kept in memory.
MAX_TEXT: Final = 32 * 1024 * 1024


class Statements:
    """Task messages by version, up to a bound; the least recently used are dropped. A message never changes."""

    def __init__(self, load: Callable[[Iterable[int]], Mapping[int, TaskChange]]) -> None:
        self._load = load
        self._messages: OrderedDict[int, TaskChange] = OrderedDict()
        self._text = 0

    def fetch(self, versions: Iterable[int]) -> dict[int, TaskChange]:
        """Return the messages of these versions."""
        result: dict[int, TaskChange] = {}
        missing = []
        for version in versions:
            message = self._messages.get(version)
            if message is None:
                missing.append(version)
            else:
                self._messages.move_to_end(version)
                result[version] = message
        if missing:
            loaded = self._load(missing)
            result |= loaded
            for version, message in loaded.items():
                self._messages[version] = message
                self._text += len(message.sql or "")
            while self._text > MAX_TEXT and self._messages:
                self._text -= len(self._messages.popitem(last=False)[1].sql or "")
        return result
