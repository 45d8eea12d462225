"""Accepts messages over HTTP. Requests that arrive together are committed together, each with its own outcome.

A message is acknowledged only after its commit is on disk. A message that is sent twice counts once: by its idempotency
key while the service remembers the key, and always by its own id.
"""

from __future__ import annotations

import asyncio
import hashlib
import logging
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Any, Final, NamedTuple, Protocol

from lineage_tt.api.http.problems import Problem as HttpProblem
from lineage_tt.api.metrics import Metrics
from lineage_tt.api.settings import Settings
from lineage_tt.model.errors import LineageError
from lineage_tt.model.messages import Problem
from lineage_tt.write.admission.catch_all import CODE

LOGGER: Final = logging.getLogger("lineage_tt.api")
#: A commit takes no further requests once it has this number of messages.
MAX_TOGETHER: Final = 4096
#: Maximum number of receipts remembered under idempotency keys.
MAX_REMEMBERED: Final = 500_000
#: Seconds for which a stopping service waits for the commit in progress.
_STOPPING: Final = 2.0


class Outcome(NamedTuple):
    """The outcome of one message."""

    status: str
    version: int
    changes: int
    event_id: str | None
    task_id: str | None = None
    code: str | None = None
    detail: str | None = None
    superseded_by: int | None = None
    coverage: str | None = None
    problems: Sequence[Problem] = ()

    def as_object(self) -> dict[str, Any]:
        """Return the receipt as JSON: ``superseded_by``, ``coverage`` and ``problems`` only if they have a value."""
        receipt = {**self._asdict(), "problems": [{"code": p.code, "detail": p.detail} for p in self.problems]}
        for name in ("superseded_by", "coverage", "problems"):
            if not receipt[name]:
                del receipt[name]
        return receipt


class Receive(Protocol):
    """Writes raw messages to the store durably. The caller provides it, because it needs ``ingest``."""

    def __call__(self, raw: Sequence[bytes]) -> list[Outcome]:
        """Return the outcome of each message, in order; called in one thread, never concurrently."""
        ...

    def warm(self) -> None:
        """Load what the first message needs, so that it does not wait; called first, in the same thread."""
        ...

    def close(self) -> None:
        """Release all resources."""
        ...


class Waiting(NamedTuple):
    """The messages of one request, and the future of their outcomes."""

    raw: list[bytes]
    done: asyncio.Future[list[Outcome]]


class Intake:
    """The queue in front of the writer."""

    def __init__(self, receive: Receive, settings: Settings, metrics: Metrics) -> None:
        self._receive = receive
        self._settings = settings
        self._metrics = metrics
        self._queue: asyncio.Queue[Waiting] = asyncio.Queue()
        self._waiting = 0
        self._thread = ThreadPoolExecutor(1, "write")
        self._task: asyncio.Task[None] | None = None
        self._committing: asyncio.Future[None] | None = None
        self._advance: Callable[[], Awaitable[int]] | None = None
        self._keys: OrderedDict[str, tuple[bytes, int, asyncio.Future[list[Outcome]]]] = OrderedDict()
        self._remembered = 0

    def start(self, advance: Callable[[], Awaitable[int]]) -> None:
        """Start to commit messages; ``advance`` is called after each commit."""
        self._advance = advance
        self._thread.submit(self._receive.warm)  # if this fails, the first message also fails and reports why
        self._task = asyncio.create_task(self._run())

    async def stop(self) -> None:
        """Finish the commit in progress; refuse the other messages."""
        if self._task is not None:
            self._task.cancel()
            with suppress(asyncio.CancelledError):
                await self._task
        self._thread.shutdown(wait=False, cancel_futures=True)
        if self._committing is not None:
            with suppress(TimeoutError):
                await asyncio.wait_for(asyncio.shield(self._committing), _STOPPING)
        self._receive.close()
        while not self._queue.empty():
            waiting = self._queue.get_nowait()
            if not waiting.done.done():
                waiting.done.set_exception(_stopping())

    async def take(self, raw: list[bytes], key: str | None) -> tuple[list[Outcome], bool]:
        """Return the outcomes of a request's messages once they are durable, and whether the key was already known.

        Raises Problem 409 if the key was used with different content, 503 if too many messages are waiting.
        """
        if key is None:
            return await self._enqueue(raw), False
        digest = hashlib.sha256(b"\n".join(raw)).digest()
        known = self._keys.get(key)
        if known is not None and known[0] != digest:
            raise HttpProblem(
                409, "idempotency-key-reused", f"the idempotency key {key!r} was used before with different content",
                hint="use a new key for new content",
            )  # fmt: skip
        if known is not None and not _failed(known[2]):
            return await asyncio.shield(known[2]), True
        outcome = asyncio.ensure_future(self._enqueue(raw))
        if known is not None:
            self._remembered -= known[1]
        self._keys[key] = (digest, len(raw), outcome)
        self._keys.move_to_end(key)
        self._remembered += len(raw)
        while len(self._keys) > self._settings.max_keys or self._remembered > MAX_REMEMBERED:
            _, (_, count, _) = self._keys.popitem(last=False)
            self._remembered -= count
        return await asyncio.shield(outcome), False

    async def _enqueue(self, raw: list[bytes]) -> list[Outcome]:
        if self._waiting + len(raw) > self._settings.max_waiting:
            raise HttpProblem(
                503, "busy", f"{self._waiting} messages wait to be committed", hint="send them again in a moment",
                headers={"retry-after": "1"},
            )  # fmt: skip
        if self._task is None or self._task.done():
            raise _stopping()
        waiting = Waiting(raw, asyncio.get_running_loop().create_future())
        self._waiting += len(raw)
        self._queue.put_nowait(waiting)
        try:
            return await waiting.done
        finally:
            self._waiting -= len(raw)

    async def _run(self) -> None:
        while True:
            batch = [await self._queue.get()]
            size = len(batch[0].raw)
            while not self._queue.empty() and size < MAX_TOGETHER:
                batch.append(self._queue.get_nowait())
                size += len(batch[-1].raw)
            self._committing = asyncio.ensure_future(self._commit(batch))
            await asyncio.shield(self._committing)

    async def _commit(self, batch: list[Waiting]) -> None:
        loop = asyncio.get_running_loop()
        try:
            outcomes = await loop.run_in_executor(self._thread, self._receive, [m for w in batch for m in w.raw])
        except LineageError as error:
            self._fail(batch, error)
            return
        except Exception as error:
            LOGGER.exception("messages could not be appended")
            if len(batch) > 1:  # one request must not fail because of another's messages
                for waiting in batch:
                    await self._commit([waiting])
                return
            self._fail(batch, error)
            return
        self._metrics.commits.inc()
        for outcome in outcomes:
            self._metrics.messages.labels(outcome.status).inc()
            if outcome.code == CODE and outcome.status == "rejected":
                self._metrics.bugs.inc()
        if self._advance is not None:
            with suppress(LineageError):  # the commit is durable; the follower reports read errors
                await self._advance()
        start = 0
        for waiting in batch:
            end = start + len(waiting.raw)
            if not waiting.done.done():
                waiting.done.set_result(outcomes[start:end])
            start = end

    def _fail(self, batch: list[Waiting], error: Exception) -> None:
        for waiting in batch:
            if not waiting.done.done():
                waiting.done.set_exception(error)


def _failed(outcome: asyncio.Future[list[Outcome]]) -> bool:
    return outcome.done() and (outcome.cancelled() or outcome.exception() is not None)


def _stopping() -> HttpProblem:
    return HttpProblem(503, "stopping", "the service is stopping", hint="send it again", headers={"retry-after": "2"})


def summary(outcomes: Sequence[Outcome]) -> dict[str, Any]:
    """Return the counts of outcomes and the receipts, as the service answers them."""
    counts = {name: sum(o.status == name for o in outcomes) for name in ("accepted", "rejected", "duplicate")}
    return {"messages": len(outcomes), **counts, "receipts": [o.as_object() for o in outcomes]}
