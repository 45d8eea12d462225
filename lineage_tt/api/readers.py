"""The threads that answer questions: each question has a limit of time, and SQL is parsed for one of them at a time."""

from __future__ import annotations

import asyncio
import logging
import sys
import threading
import time
import traceback
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Final, TypeVar

from lineage_tt.api.http.problems import Problem
from lineage_tt.api.reads.engine import Engine
from lineage_tt.api.reads.reading import Reading
from lineage_tt.api.reads.shared import StoppedError

LOGGER: Final = logging.getLogger("lineage_tt.api")
T = TypeVar("T")
#: How many of a thread's innermost calls are logged.
_CALLS: Final = 12


class Readers:
    """``threads`` threads; an answer takes at most ``seconds``."""

    def __init__(self, threads: int, seconds: float) -> None:
        self._seconds = seconds
        self._threads = ThreadPoolExecutor(threads, "read")
        self._parsing = asyncio.Lock()
        self._busy: set[Reading] = set()

    @property
    def busy(self) -> bool:
        """Whether a caller waits for an answer."""
        return bool(self._busy)

    async def run(self, engine: Engine, work: Callable[[Engine], T], *, parses: bool = False) -> T:
        """Run a question in a thread; Problem 503 if it exceeds the limit, or if the service is stopping.

        Questions that parse SQL share the worker processes. With ``parses``, a question waits until the one before has
        ended; it takes no thread while it waits.
        """
        self._busy.add(engine.reading)  # also while it waits: a service that stops interrupts it
        try:
            return await self._answer(engine, work, parses)
        except StoppedError:
            raise Problem(503, "stopping", "the service is stopping", headers={"retry-after": "2"}) from None
        finally:
            self._busy.discard(engine.reading)

    async def _answer(self, engine: Engine, work: Callable[[Engine], T], parses: bool) -> T:
        until = time.monotonic() + self._seconds
        if parses:
            await self._turn()
        ran: list[int] = []

        def working() -> T:
            ran.append(threading.get_ident())
            try:
                engine.reading.go_on()
                return work(engine)
            finally:
                engine.reading.close()

        future = asyncio.get_running_loop().run_in_executor(self._threads, working)
        if parses:
            future.add_done_callback(lambda _: self._parsing.release())
        try:
            return await asyncio.wait_for(asyncio.shield(future), max(0.0, until - time.monotonic()))
        except TimeoutError:
            LOGGER.warning("an answer took more than %g s; its thread is in %s", self._seconds, _calls_of(ran))
            engine.reading.interrupt()
            future.add_done_callback(_forget)
            raise Problem(
                503, "too-slow", f"the answer took more than {self._seconds:g} s",
                hint="reduce the request: give a depth, fewer nodes, or a smaller page", headers={"retry-after": "5"},
            ) from None  # fmt: skip

    async def _turn(self) -> None:
        try:
            async with asyncio.timeout(self._seconds):
                await self._parsing.acquire()
        except TimeoutError:
            raise Problem(
                503, "busy", f"other requests have parsed SQL for {self._seconds:g} s",
                hint="send the request again in a moment", headers={"retry-after": "5"},
            ) from None  # fmt: skip

    def interrupt(self) -> None:
        """End the queries of all answers in progress."""
        for reading in list(self._busy):
            reading.interrupt()

    def close(self) -> None:
        """Start no further question; those in progress are not awaited."""
        self._threads.shutdown(wait=False, cancel_futures=True)


def _calls_of(ran: list[int]) -> str:
    """Return the innermost calls of a thread by file, line and function: no values, which may be secret."""
    frame = sys._current_frames().get(ran[0]) if ran else None
    if frame is None:
        return "the queue: all threads were busy"
    calls = traceback.extract_stack(frame)[-_CALLS:]
    return " > ".join(f"{Path(call.filename).name}:{call.lineno} {call.name}" for call in calls)


def _forget(future: asyncio.Future[Any]) -> None:
    """Retrieve the error of a late answer: asyncio logs errors that nobody retrieves."""
    if not future.cancelled():
        future.exception()
