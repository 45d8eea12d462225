"""Checks every request before it is parsed: host, access, and the size of its header and body.

The guard denies by default: without the token, only the paths in ``access.OPEN`` and the files of the pages respond.
"""

from __future__ import annotations

import asyncio
import time
import zlib
from collections.abc import Awaitable, Callable
from typing import Any, Final
from urllib.parse import unquote_to_bytes

from lineage_tt.api.http.access import Access, Refused
from lineage_tt.api.http.problems import MEDIA_TYPE, PLAIN_DATA, problem_bytes
from lineage_tt.api.metrics import Metrics
from lineage_tt.api.settings import Settings

Scope = dict[str, Any]
ASGIReceive = Callable[[], Awaitable[dict[str, Any]]]
ASGISend = Callable[[dict[str, Any]], Awaitable[None]]

#: Seconds for which the rest of a refused body is read and discarded, so that the sender can read the answer.
_LINGER: Final = 3.0
_WITH_BODY: Final = frozenset({"POST", "PUT", "PATCH"})


class Guard:
    """The outermost ASGI middleware: limits, token, body, and the duration of each request."""

    def __init__(self, app: Any, settings: Settings, metrics: Metrics) -> None:
        self._app = app
        self._settings = settings
        self._metrics = metrics
        self._access = Access(settings)
        self._open = OpenBodies(settings.max_open)

    async def __call__(self, scope: Scope, receive: ASGIReceive, send: ASGISend) -> None:
        """Pass a request to the application, or refuse it."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        if scope["type"] != "http":
            await send({"type": "websocket.close", "code": 1008})
            return
        begun = time.perf_counter()
        status = 500
        body = RequestBody(self._open)

        async def sending(message: dict[str, Any]) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        try:
            headers = self._head(scope)
            self._host(scope, headers)
            self._access.check(scope, headers)
            _repeated(scope["query_string"])
            if scope["method"] in _WITH_BODY or b"transfer-encoding" in headers or b"content-length" in headers:
                receive = await self._body(headers, receive, body)
            await self._app(scope, receive, sending)
        except Refused as refused:
            body.release()  # now, so that other requests have room
            status = refused.status
            self._metrics.refused.labels(refused.code).inc()
            await _refuse(refused, receive, send)
        finally:
            body.release()
            route = getattr(scope.get("route"), "path", "")
            self._metrics.requests.labels(scope["method"] if route else "", route, status).observe(
                time.perf_counter() - begun
            )

    def _head(self, scope: Scope) -> dict[bytes, bytes]:
        """Return the last header field of each name; refuse a URL that is too long, or too many or too long fields."""
        settings = self._settings
        if len(scope["raw_path"]) + len(scope["query_string"]) > settings.max_url:
            raise Refused(
                414, "url-too-long", f"the URL has more than {settings.max_url} bytes",
                "use POST /v1/lineage", connection="close",
            )  # fmt: skip
        fields = scope["headers"]
        if len(fields) > settings.max_headers or sum(len(n) + len(v) for n, v in fields) > settings.max_head:
            raise Refused(
                431, "header-too-large",
                f"the header has more than {settings.max_headers} fields, or more than {settings.max_head} bytes",
                connection="close",
            )  # fmt: skip
        return dict(fields)

    def _host(self, scope: Scope, headers: dict[bytes, bytes]) -> None:
        """Refuse a request without a Host field (RFC 9112), or, without a token, one that names another machine."""
        hosts = [value for name, value in scope["headers"] if name == b"host"]
        allowed = self._settings.hosts
        old = scope.get("http_version") == "1.0" and allowed is None
        if len(hosts) > 1 or not (hosts or old):
            raise Refused(400, "no-host", "the request does not have exactly one Host header", "send: Host: NAME")
        if allowed is None:
            return
        host = headers.get(b"host", b"").decode("latin-1").lower()
        name = host[: host.find("]") + 1] if host.startswith("[") else host.partition(":")[0]
        if name not in allowed:
            raise Refused(
                421, "wrong-host", "the Host header names another machine",
                "a service without a token accepts only the host names of this machine; set a token to accept others",
            )  # fmt: skip

    async def _body(self, headers: dict[bytes, bytes], receive: ASGIReceive, reserved: RequestBody) -> ASGIReceive:
        """Read and unpack the body within its limits; return a function that passes it to the application."""
        stated = headers.get(b"content-length", b"0")
        most = self._settings.max_body
        if stated.isdigit() and int(stated) > most:
            raise _too_large(most)
        packing = headers.get(b"content-encoding", b"identity").strip().lower()
        if packing not in (b"gzip", b"identity"):
            raise Refused(
                415, "unknown-encoding", "the body's Content-Encoding is neither gzip nor identity",
                accept_encoding="gzip", connection="close",
            )  # fmt: skip
        try:
            async with asyncio.timeout(self._settings.body_seconds):
                body = await _read(receive, most, reserved, packed=packing == b"gzip")
        except TimeoutError:
            raise Refused(
                408, "too-slow", f"the body did not arrive within {self._settings.body_seconds:g} s", connection="close"
            ) from None
        delivered = False

        async def replay() -> dict[str, Any]:
            nonlocal delivered
            if delivered:
                return await receive()
            delivered = True
            return {"type": "http.request", "body": body, "more_body": False}

        return replay


class OpenBodies:
    """Counts the bytes of the bodies that all open requests of this process hold."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._bytes = 0

    def add(self, count: int) -> bool:
        """Reserve ``count`` bytes; return False, and reserve nothing, if they exceed the limit."""
        if self._bytes + count > self._most:
            return False
        self._bytes += count
        return True

    def release(self, count: int) -> None:
        """Release ``count`` bytes."""
        self._bytes -= count


class RequestBody:
    """The bytes that one request has reserved in ``OpenBodies``."""

    def __init__(self, bodies: OpenBodies) -> None:
        self._bodies = bodies
        self._bytes = 0

    def add(self, count: int) -> None:
        """Reserve ``count`` bytes; refuse the request if the open bodies exceed the limit."""
        if not self._bodies.add(count):
            raise Refused(
                503, "busy", "the bodies of open requests exceed the memory reserved for them",
                "send the request again in a moment", retry_after="1", connection="close",
            )  # fmt: skip
        self._bytes += count

    def release(self) -> None:
        """Release all bytes of this request."""
        self._bodies.release(self._bytes)
        self._bytes = 0


async def _read(receive: ASGIReceive, most: int, reserved: RequestBody, *, packed: bool) -> bytes:
    unpack = zlib.decompressobj(wbits=31) if packed else None
    parts: list[bytes] = []
    size, received, more = 0, 0, True
    while more:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise Refused(400, "cut-off", "the connection closed before the body was complete", connection="close")
        part = message.get("body", b"")
        more = message.get("more_body", False)
        received += len(part)
        if unpack is not None:
            try:
                part = unpack.decompress(part, most - size + 1)
            except zlib.error:
                raise Refused(400, "not-gzip", "the body is not valid gzip", connection="close") from None
            if unpack.unconsumed_tail:
                raise _too_large(most)
        size += len(part)
        if size > most or received > most:
            raise _too_large(most)
        reserved.add(len(part))
        parts.append(part)
    if unpack is not None and not unpack.eof:
        raise Refused(400, "not-gzip", "the gzip data of the body is truncated", connection="close")
    return b"".join(parts)


async def _refuse(refused: Refused, receive: ASGIReceive, send: ASGISend) -> None:
    """Answer, then read for a moment longer: closing the connection while the client sends would lose the answer."""
    body = problem_bytes(refused.status, refused.code, refused.detail, refused.hint)
    fields = {
        "content-type": MEDIA_TYPE,
        "content-length": str(len(body)),
        "cache-control": "no-store",
        **PLAIN_DATA,
        **refused.headers,
    }
    headers = [(name.encode(), value.encode()) for name, value in fields.items()]
    await send({"type": "http.response.start", "status": refused.status, "headers": headers})
    await send({"type": "http.response.body", "body": body, "more_body": True})
    if refused.headers.get("connection") == "close":
        try:
            async with asyncio.timeout(_LINGER):
                while True:
                    message = await receive()
                    if message["type"] == "http.disconnect" or not message.get("more_body"):
                        break
        except TimeoutError:
            pass
    await send({"type": "http.response.body", "body": b"", "more_body": False})


def _repeated(query: bytes) -> None:
    """Refuse a query that repeats a parameter: the application would silently ignore one of the values."""
    if b"&" not in query:
        return
    names = [unquote_to_bytes(part.partition(b"=")[0].replace(b"+", b" ")) for part in query.split(b"&") if part]
    if len(set(names)) != len(names):
        raise Refused(
            400, "invalid-request", "a parameter occurs more than once in the query", "give each parameter once"
        )


def _too_large(most: int) -> Refused:
    hint = "send it in parts, or start the service with a larger --max-body"
    return Refused(413, "too-large", f"the body has more than {most} bytes", hint, connection="close")
