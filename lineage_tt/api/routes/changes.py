"""``/v1/changes``: the changes of each version, as pages of JSON or as a stream of server-sent events."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from typing import Annotated, Any, Final

import anyio
import orjson
from fastapi import APIRouter, Header, Query, Request
from fastapi.responses import Response
from sse_starlette import EventSourceResponse
from sse_starlette.sse import SendTimeoutError

from lineage_tt.api.http import schemas
from lineage_tt.api.http.parameters import ChangesQuery
from lineage_tt.api.http.problems import PLAIN_DATA, Problem
from lineage_tt.api.live import feed
from lineage_tt.api.routes.governance.label_events import beside
from lineage_tt.api.service import Service, service_of
from lineage_tt.read import shapes

router = APIRouter(tags=["changes"])
_CURSOR: Final = re.compile(r"[0-9]{1,18}")
_MAX_JSON: Final = 16 * 1024 * 1024


@router.get("/v1/changes", responses=schemas.answers(schemas.ChangesAnswer, 404, cached=False, stream=True))
async def changes(
    request: Request,
    query: Annotated[ChangesQuery, Query()],
    last_event_id: Annotated[
        str | None, Header(description="For a stream: continue after this event. It takes precedence over `after`.")
    ] = None,
) -> Response:
    """List the changes of each version later than ``after``, in version order; versions without changes are omitted.

    With ``Accept: text/event-stream``, the response is a stream of server-sent events that continues with new versions.
    The id of an event is its version; ``Last-Event-ID`` resumes after it.

    With ``labels``, the event of a version is followed by an event of the labels that it changed, if any.
    """
    service = service_of(request)
    if wants_stream(request.headers.get("accept", "")):
        after = query.after if last_event_id is None else await _resumed(service, last_event_id)
        await service.follower.reach(after)
        return _stream(service, after, query)
    await service.follower.reach(query.after)
    basis = service.follower.reading.basis()
    page = await _page(service, query.after, query.limit, _MAX_JSON)
    more = page.upto < basis.version
    events = await beside(service, page.events, query.scene) if query.labels else page.events
    head = orjson.dumps({"basis": shapes.known_by(basis)})[:-1]
    body = b"".join([
        head, b',"result":[', b",".join(e.data for e in events), b'],"next_after":', str(page.upto).encode(),
        b',"more":', b"true" if more else b"false", b"}",
    ])  # fmt: skip
    return service.reply(body, None, fixed=False)


def wants_stream(accept: str) -> bool:
    """Return whether an Accept header requests events and not JSON."""
    words = [word.partition(";")[0].strip().lower() for word in accept.split(",")]
    return "text/event-stream" in words and "application/json" not in words


async def _resumed(service: Service, identity: str) -> int:
    """Return the version that a Last-Event-ID names; Problem 400 if it is not a version, or a future one."""
    if not _CURSOR.fullmatch(identity):
        raise Problem(
            400, "invalid-request", f"the Last-Event-ID {identity[:40]!r} is not a version",
            hint="send the id of the last event that was received",
        )  # fmt: skip
    if int(identity) > service.follower.version:
        await service.follower.catch_up()
    if int(identity) > service.follower.version:
        raise Problem(
            400, "in-the-future",
            f"the Last-Event-ID {identity} is later than the latest version, {service.follower.version}",
            hint="check that the events came from this store",
        )  # fmt: skip
    return int(identity)


async def _page(service: Service, after: int, limit: int, max_bytes: int, previous: int | None = None) -> feed.Page:
    """Return the page after a version, from memory if possible, otherwise from the files."""
    page = service.feed.from_memory(after, limit, max_bytes)
    if page is not None and page.upto <= service.follower.version:
        return page
    key = (after, limit, max_bytes, service.follower.version)
    return await service.pages.get(
        key,
        lambda: service.run(lambda e: service.feed.read(e.reading.frozen, after, limit, max_bytes, previous)),
    )


def _stream(service: Service, after: int, query: ChangesQuery) -> Response:
    if service.streams >= service.settings.max_streams:
        raise Problem(
            503, "too-many-streams", f"{service.streams} event streams are open", hint="try again later",
            headers={"retry-after": "10"},
        )  # fmt: skip
    return Stream(service, after, query)


class Stream(EventSourceResponse):
    """An event stream. It ends if the client does not read or the service stops; the client can resume it."""

    def __init__(self, service: Service, after: int, query: ChangesQuery) -> None:
        self._service, self._query = service, query
        super().__init__(
            self._events(after),
            headers={"cache-control": "no-store", "lineage-version": str(service.follower.version), **PLAIN_DATA},
            ping=0,
            send_timeout=service.settings.stream_stall,
            cleanup_timeout=1,
        )

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Send events until the client disconnects or stalls, or the service stops."""
        service = self._service
        service.streams += 1
        service.metrics.streams.inc()
        try:
            await super().__call__(scope, receive, send)
        except* SendTimeoutError:
            service.metrics.dropped.inc()
        finally:
            service.streams -= 1
            service.metrics.streams.dec()

    async def _events(self, after: int) -> AsyncIterator[bytes]:
        service, previous = self._service, None
        yield b": versions after " + str(after).encode() + b"\n\n"
        while not service.stopping.is_set():
            if not await service.follower.moved(after, service.settings.stream_ping):
                yield b"id: " + str(after).encode() + b"\n: ping\n\n"
                continue
            page = await _page(service, after, 1000, feed.MAX_PAGE, previous)
            after = max(after, page.upto)
            previous = page.events[-1].version if page.events else previous
            events = page.events
            if self._query.labels:
                events = await beside(service, events, self._query.scene)
            for number, event in enumerate(events):
                # Only the last event of a version has the id: a client that disconnects before it receives all again.
                is_last = number + 1 == len(events) or events[number + 1].version != event.version
                identity = f"id: {event.version}\n" if is_last else ""
                yield f"{identity}event: {event.name}\ndata: ".encode() + event.data + b"\n\n"
            await anyio.sleep(0)
