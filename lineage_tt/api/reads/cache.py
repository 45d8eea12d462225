"""Caching of answers: ETags, and the bytes of answers that never change."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Coroutine
from typing import Any, Final, Generic, TypeVar

from lineage_tt.model.answers import Basis

#: Part of every ETag; increased when a release gives the same answer in different bytes.
SHAPE: Final = 3
FOR_EVER: Final = "max-age=31536000, immutable"
Value = TypeVar("Value")


def tag(*bases: Basis, timeless: bool = False, epoch: int = 0) -> str:
    """Return the ETag of an answer at some points; weak, because the same answer may be sent compressed.

    ``epoch`` is that of the log's texts (``TextState.epoch``): rewritten texts change answers at the same points.
    """
    words = [f"v{b.version}" if timeless else f"{b.valid_at}.v{b.version}.{b.system_time}" for b in bases]
    words += [f"e{epoch}"] if epoch else []
    return f'W/"{SHAPE}-{"-".join(words)}"'


def matches(header: str | None, current: str) -> bool:
    """Return whether an If-None-Match header contains this ETag."""
    if not header:
        return False
    bare = current.removeprefix("W/")
    return any(word.strip().removeprefix("W/") == bare for word in header.split(","))


class Shared(Generic[Value]):
    """Values that take long to compute, computed once for all requests at the same time or shortly after."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._tasks: OrderedDict[object, asyncio.Task[Value]] = OrderedDict()

    async def get(self, key: object, make: Callable[[], Coroutine[Any, Any, Value]]) -> Value:
        """Return the value of a key; compute it unless another request already does."""
        task = self._tasks.get(key)
        if task is None or (task.done() and (task.cancelled() or task.exception() is not None)):
            task = self._tasks[key] = asyncio.create_task(make())
            while len(self._tasks) > self._most:
                self._tasks.popitem(last=False)
        return await asyncio.shield(task)


class AnswerCache:
    """The bytes of answers at fixed points; the least recently used are dropped if they exceed its size."""

    def __init__(self, max_bytes: int) -> None:
        self._most = max_bytes
        self._bodies: OrderedDict[object, bytes] = OrderedDict()
        self.bytes = 0

    def get(self, key: object) -> bytes | None:
        """Return an answer's bytes, None if they are not cached."""
        result = self._bodies.get(key)
        if result is not None:
            self._bodies.move_to_end(key)
        return result

    def put(self, key: object, body: bytes) -> None:
        """Cache an answer's bytes, unless they exceed a tenth of the cache."""
        if len(body) > self._most // 10 or key in self._bodies:
            return
        self._bodies[key] = body
        self.bytes += len(body)
        while self.bytes > self._most:
            _, dropped = self._bodies.popitem(last=False)
            self.bytes -= len(dropped)

    def __len__(self) -> int:
        return len(self._bodies)
