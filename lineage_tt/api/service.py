"""What the routes share: the newest reading, the graph, the limits, and how an answer is computed and sent."""

from __future__ import annotations

import asyncio
import logging
import re
import time
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final, TypeVar

import orjson
from fastapi import Request
from fastapi.responses import Response

from lineage_tt.api.http import parameters
from lineage_tt.api.http.problems import PLAIN_DATA
from lineage_tt.api.intake import Intake, Receive
from lineage_tt.api.live import feed
from lineage_tt.api.live.follow import Follower
from lineage_tt.api.metrics import Metrics
from lineage_tt.api.readers import Readers
from lineage_tt.api.reads import cache
from lineage_tt.api.reads.engine import Engine
from lineage_tt.api.reads.governing import Governing
from lineage_tt.api.reads.loading import draw_once, load_graph
from lineage_tt.api.reads.names import Names
from lineage_tt.api.reads.reading import Reading
from lineage_tt.api.settings import Settings
from lineage_tt.impact.base.from_graph import ColumnCache
from lineage_tt.model.answers import Basis
from lineage_tt.model.completeness.summary import Completeness
from lineage_tt.model.errors import LineageError
from lineage_tt.read import shapes
from lineage_tt.read.points import split_point
from lineage_tt.store import Store

if TYPE_CHECKING:
    from lineage_tt.api.browsing.operations import Operations

LOGGER: Final = logging.getLogger("lineage_tt.api")
T = TypeVar("T")
#: Seconds for which loading waits for a first request and, if one has come, for its answer.
_FIRST_ASKED: Final = 0.5
_FIRST_ANSWERED: Final = 2.5
#: Seconds before the service retries to load the graph; doubled after each failure.
_AGAIN: Final = 15.0
#: Seconds for which a stopping service waits for answers in progress.
_PATIENCE: Final = 2.0
#: Maximum number of cached pages of the feed, read from the files, for readers with the same cursor.
_MAX_PAGES: Final = 32
_FIXED: Final = re.compile(parameters.FIXED)


class Service:
    """The service of one store."""

    def __init__(
        self, store: Store, settings: Settings, receive: Receive | None = None, reading: Reading | None = None,
        receive_events: Receive | None = None, operations: Operations | None = None,
    ) -> None:  # fmt: skip
        self.settings = settings
        self.metrics = Metrics()
        self.cache = cache.AnswerCache(settings.cache_bytes)
        self.feed = feed.Feed(store.id)
        self.pages: cache.Shared[feed.Page] = cache.Shared(_MAX_PAGES)
        self.names = Names()
        self.impact_columns = ColumnCache()
        self.governing = Governing()
        self.follower = Follower(store, settings.poll, [self.feed, self.names], reading)
        self.intake = Intake(receive, settings, self.metrics) if receive else None
        self.events = Intake(receive_events, settings, self.metrics) if receive_events else None
        self.operations = operations
        self.loading = "graph" if settings.graph else "names"
        self.failures: dict[str, str] = {}
        self.begun = time.monotonic()
        self.readers = Readers(settings.readers, settings.seconds)
        self._tasks: list[asyncio.Task[None]] = []
        self.streams = 0
        self._answered = asyncio.Event()
        self._loop: asyncio.AbstractEventLoop | None = None
        self.stopping = asyncio.Event()

    # --- start and stop -----------------------------------------------------------------------------------------

    async def start(self) -> None:
        """Begin to follow the log, to fill the index of names, and to load the graph."""
        self._loop = asyncio.get_running_loop()
        self.follower.start()
        for intake in filter(None, (self.intake, self.events)):
            intake.start(self.follower.advance)
        self._tasks.append(asyncio.create_task(self._load()))

    def stop_soon(self) -> None:
        """Begin to stop: event streams end now, and answers in progress are interrupted after ``_PATIENCE`` seconds."""
        self.stopping.set()
        if self._loop is not None:
            self._loop.call_soon_threadsafe(self._loop.call_later, _PATIENCE, self.readers.interrupt)

    async def stop(self) -> None:
        """Stop all work in progress, except a commit, which is finished."""
        self.stopping.set()
        for task in self._tasks:
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task
        for intake in filter(None, (self.intake, self.events)):
            await intake.stop()
        if self.operations is not None:
            self.operations.close()
        await self.follower.stop()
        self.readers.close()
        self.names.close()

    async def _load(self) -> None:
        """Load the graph and fill the index of names; failures are reported, and answers then come from the files."""
        await self._try("files", asyncio.to_thread(self.follower.reading.warm))
        for patience in (_FIRST_ASKED, _FIRST_ANSWERED):  # loading would slow down the first answer
            with suppress(TimeoutError):
                await asyncio.wait_for(self._answered.wait(), patience)
            if not self.readers.busy:
                break
        if self.settings.graph:
            await self._try("graph", self.follower.adopt(load_graph))
        self.loading = "names"
        await self._try("names", asyncio.to_thread(self.names.fill, self.follower.reading.again()))
        await self._try("pictures", asyncio.to_thread(draw_once))
        self.loading = ""
        patience = _AGAIN
        while self.settings.graph and self.follower.graph is None:  # until then answers come from the files
            await asyncio.sleep(patience)
            await self._try("graph", self.follower.adopt(load_graph))
            patience = min(2 * patience, 40 * _AGAIN)

    async def _try(self, what: str, work: Awaitable[None]) -> None:
        try:
            await work
            self.failures.pop(what, None)
        except (LineageError, ImportError) as error:
            self.failures[what] = str(error)
            LOGGER.error("%s could not be loaded: %s", what, error)
        except Exception as error:
            self.failures[what] = f"{type(error).__name__}: {error}"
            LOGGER.exception("%s could not be loaded", what)

    @property
    def ready(self) -> bool:
        """Whether the service answers all questions at full speed."""
        return not self.loading and (not self.settings.graph or self.follower.graph is not None)

    # --- questions ----------------------------------------------------------------------------------------------

    @property
    def engine(self) -> Engine:
        """An engine for one thread, at the current version."""
        return Engine(self.follower.reading.again(), self.follower.graph, self.names)

    async def run(self, work: Callable[[Engine], T], *, parses: bool = False) -> T:
        """Run a question in a reader thread, after others that parse SQL if it ``parses``.

        Problem 503 if it exceeds the time limit of an answer.
        """
        return await self.readers.run(self.engine, work, parses=parses)

    async def basis(
        self, valid_at: str | None = None, system_at: str | None = None, version: int | None = None
    ) -> tuple[Basis, bool]:
        """Return the point of a question, and whether it is fixed: a fixed point always gives the same answer."""
        if version is not None:
            await self.follower.reach(version)
        reading = self.follower.reading
        if version is not None and system_at is not None:
            version = min(version, (await self._point(reading, valid_at, system_at, None)).version)
            system_at = None
            fixed_system = True
        else:
            fixed_system = version is not None or (
                system_at is not None and _is_fixed(system_at) and reading.instant(system_at) <= reading.system_time
            )
        basis = await self._point(reading, valid_at, system_at, version)
        return basis, fixed_system and valid_at is not None and _is_fixed(valid_at)

    async def _point(self, reading: Reading, valid_at: str | None, system_at: str | None, version: int | None) -> Basis:
        if version is None and system_at is None:
            return reading.basis(valid_at)
        graph = self.follower.graph
        if graph is None:
            return await self.run(lambda engine: engine.reading.basis(valid_at, system_at, version))
        basis = graph.basis(valid_at, system_at, version)
        return basis if basis.version <= reading.version else reading.basis(valid_at)

    async def basis_of(self, valid_at: int, version: int) -> Basis:
        """Return the point at a valid time and an existing version."""
        graph = self.follower.graph
        if graph is not None:
            return graph.basis(valid_at, version=version)
        return await self.run(lambda engine: engine.reading.basis(valid_at, version=version))

    async def point(self, text: str) -> tuple[Basis, bool]:
        """Return the point that a text such as ``VALID_AT@vVERSION`` names, and whether it is fixed."""
        return await self.basis(*split_point(text))

    # --- answers ------------------------------------------------------------------------------------------------

    def unchanged(self, request: Request, tag: str, fixed: bool) -> Response | None:
        """Return 304 if the caller already has the answer, otherwise None."""
        if cache.matches(request.headers.get("if-none-match"), tag):
            return Response(None, 304, self._headers(tag, fixed))
        return None

    def reply(self, body: bytes, tag: str | None, fixed: bool) -> Response:
        """Return a response with an answer's bytes, its ETag and its Cache-Control."""
        self._answered.set()
        return Response(body, 200, self._headers(tag, fixed), "application/json")

    async def answer(
        self, request: Request, bases: tuple[Basis, ...], fixed: bool, make: Callable[[Engine], Any], *,
        timeless: bool = False, inline: bool = False,
    ) -> Response:  # fmt: skip
        """Return the answer at some points: 304 if the caller has it, else cached bytes, else a new answer."""
        epoch = self.follower.reading.texts.epoch
        tag = cache.tag(*bases, timeless=timeless, epoch=epoch)
        same = self.unchanged(request, tag, fixed)
        if same is not None:
            return same
        key = (request.scope["path"], request.scope["query_string"], bases, epoch) if fixed else None
        body = self.cache.get(key) if key else None
        if body is None:
            if inline and self.follower.graph is not None:
                body = orjson.dumps(make(Engine(self.follower.reading, self.follower.graph, self.names)))
            else:
                body = await self.run(lambda engine: orjson.dumps(make(engine)))
            if key:
                self.cache.put(key, body)
        else:
            self.metrics.cached.inc()
        return self.reply(body, tag, fixed)

    def _headers(self, tag: str | None, fixed: bool) -> dict[str, str]:
        whose = "private" if self.settings.token else "public"
        return {
            "cache-control": "no-store" if tag is None else f"{whose}, {cache.FOR_EVER}" if fixed else "no-cache",
            "lineage-version": str(self.follower.version),
            **({"etag": tag} if tag else {}),
            **PLAIN_DATA,
        }


def paged(
    basis: Any, rows: Sequence[Any], limit: int, offset: int, completeness: Completeness | None = None
) -> dict[str, Any]:
    """Return one page of rows as an answer, with the offset of the next page; ``completeness`` covers all pages."""
    end = offset + limit
    following = end if end < len(rows) else None
    return shapes.answer(basis, rows[offset:end], completeness) | {"next_offset": following}


def service_of(request: Request) -> Service:
    """Return the service that answers a request."""
    result: Service = request.app.state.service
    return result


def _is_fixed(time_text: str) -> bool:
    return _FIXED.match(time_text) is not None
