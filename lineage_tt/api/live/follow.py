"""Follows the log: detects commits of any process within moments, and notifies requests that wait for a version.

A check is one request to the storage: does a commit file exist after the last one read? Only then is the log read. The
graph, once it is loaded, and the consumers process a version before it is published, so no answer comes from a version
that only a part of the service has reached.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final, Protocol

from lineage_tt.api.reads.frozen_log import FrozenLog
from lineage_tt.api.reads.reading import Reading
from lineage_tt.api.reads.tail import Tail
from lineage_tt.log import commits, verify
from lineage_tt.model.errors import LineageError, VersionNotReachedError
from lineage_tt.store import Store

if TYPE_CHECKING:
    from lineage_tt.graph import Graph
    from lineage_tt.read.macros.own import Session

LOGGER: Final = logging.getLogger("lineage_tt.api")
#: Minimum seconds between two checks if a check is a request over the network.
REMOTE_POLL: Final = 0.5
#: Seconds before the log is read again after an error.
_AFTER_ERROR: Final = 1.0


class Consumer(Protocol):
    """A component that the tail of the log keeps up to date."""

    def advance(self, tail: Tail) -> None:
        """Process new versions; called in the follower's thread."""
        ...

    def read_again(self, log: FrozenLog) -> None:
        """Discard all versions, and read again what is needed: the log's texts were rewritten."""
        ...


class Follower:
    """Keeps the newest ``reading`` (and ``graph``) in its own thread."""

    def __init__(
        self, store: Store, poll: float, consumers: Sequence[Consumer] = (), reading: Reading | None = None
    ) -> None:
        self._store = store
        self._poll = poll if isinstance(store.log_path, Path) else max(poll, REMOTE_POLL)
        self._consumers = list(consumers)
        self._thread = ThreadPoolExecutor(1, "follow")
        self._lock = asyncio.Lock()
        self._moved = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self.reading = reading or Reading.of(store)
        self._epoch = self.reading.texts.epoch
        self._known, self._commit = self.reading.version, store.opened_log._last.delta_version
        self.graph: Graph | None = None
        self._session: Session | None = None
        self.error = ""
        self.behind_since: float | None = None
        self.took = 0.0

    @property
    def version(self) -> int:
        """The latest version that questions are answered from."""
        return self.reading.version

    def start(self) -> None:
        """Start to follow the log."""
        self._task = asyncio.create_task(self._run())

    async def stop(self) -> None:
        """Stop following the log."""
        if self._task is not None:
            self._task.cancel()
            with suppress(asyncio.CancelledError):
                await self._task
        self._thread.shutdown(wait=False, cancel_futures=True)

    async def adopt(self, make: Callable[[Store], Graph]) -> None:
        """Load the graph from a separate store object while the current one answers; then follow the log with it."""
        own = await asyncio.to_thread(self._own_store)
        graph = await asyncio.to_thread(make, own)
        async with self._lock:
            self._store, self.graph = own, graph
        await self.advance()

    def _own_store(self) -> Store:
        own = Store(type(self._store.opened_log).open(self._store.log_path), self._store.clock)
        own.opened_log.verified = self._store.opened_log.verified  # a process verifies each file only once
        return own

    async def advance(self) -> int:
        """Read the log up to its current end; return the version."""
        async with self._lock:
            loop = asyncio.get_running_loop()
            advance = partial(verify.retried, self._store.opened_log, self._advance)
            reading = await loop.run_in_executor(self._thread, advance)
            self.error = ""
            if reading is not None:
                self.reading = reading
                self._moved.set()
                self._moved = asyncio.Event()
        return self.version

    def _advance(self) -> Reading | None:
        begun = time.monotonic()
        before = self._known
        version = self.graph.refresh() if self.graph is not None else self._store.refresh()
        commit = self._store.opened_log._last.delta_version
        if version == before and commit == self._commit:
            return None
        log = FrozenLog(self._store.opened_log)
        if log.texts.epoch != self._epoch:
            for consumer in self._consumers:
                consumer.read_again(log)
            before, self._epoch = log.version, log.texts.epoch
        tail = Tail(log, before, self._session)
        for consumer in self._consumers:
            consumer.advance(tail)
        self._session, self._known, self._commit = tail.session, tail.version, commit
        if log.version != tail.version:  # files were removed, and their replacements belong to a later version
            return self._advance()
        reading = Reading(log, self._store.clock)
        self.took = time.monotonic() - begun
        return reading

    async def behind(self) -> bool:
        """Return whether a commit exists after the last one read; this is one request to the storage."""
        following = commits.commit_path(self._store.log_path, self._commit + 1)
        return following.exists() if isinstance(following, Path) else await asyncio.to_thread(following.exists)

    def lag_ms(self) -> float:
        """Return the milliseconds since the follower detected a commit that it has not read yet; 0 if none."""
        since = self.behind_since
        return 0.0 if since is None else round((time.monotonic() - since) * 1000, 3)

    async def catch_up(self) -> None:
        """Read new commits if there are any, or wait for the thread that is already reading them."""
        if self._lock.locked() or await self.behind():
            await self.advance()

    async def reach(self, version: int) -> None:
        """Return once the service can answer from ``version``; VersionNotReachedError if the log does not have it."""
        if version > self.version:
            await self.catch_up()
        if version > self.version:
            raise VersionNotReachedError(
                f"version {version} does not exist: the store is at version {self.version}",
                hint="ask for a version from 0 to that one, or wait for it",
            )

    async def moved(self, after: int, timeout: float) -> bool:
        """Wait for a version later than ``after``; return False if none comes within ``timeout`` seconds."""
        if self.version > after:
            return True
        with suppress(TimeoutError):
            await asyncio.wait_for(self._moved.wait(), timeout)
        return self.version > after

    async def _run(self) -> None:
        while True:
            await asyncio.sleep(self._poll)
            try:
                if await self.behind():
                    self.behind_since = self.behind_since or time.monotonic()
                    await self.advance()
                elif self.error:
                    await self.advance()  # check whether the log is readable again
                self.behind_since = None
            except Exception as error:
                words = str(error) if isinstance(error, LineageError) else f"{type(error).__name__}: {error}"
                if words != self.error:
                    LOGGER.error("the log cannot be followed: %s", words)
                self.error = words
                await asyncio.sleep(_AFTER_ERROR)
