"""A gateway in front of an object store: real HTTP, passed on as it came, with faults that a test asks for.

The client signs the host name that it speaks to, and the store behind checks the signature against the ``Host`` header
that it gets: so the headers go through unchanged. Only a conditional put is made by the gateway itself, when it is to
be a careless one: it looks first, waits, and writes afterwards.
"""

from __future__ import annotations

import hashlib
import http.client
import random
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import unquote, urlsplit

import obstore

from scripts.object_store_lib.server import ObjectStore

HOP = {"connection", "keep-alive", "transfer-encoding", "content-length", "expect"}


@dataclass(frozen=True)
class Request:
    """One request that came by."""

    method: str
    path: str
    query: str
    status: int
    seconds: float
    conditional: bool


#: What a fault does with a request: an answer in its place (status, body), or None to let it pass.
Fault = Callable[[str, str, "Gateway"], "tuple[int, bytes] | None"]


class Gateway:
    """The gateway: ``address``, what came by, and the faults that are switched on."""

    def __init__(self, backend: str, seed: int = 0) -> None:
        self.backend = backend
        self.address = ""
        self.requests: list[Request] = []
        #: How long the check of a conditional put lies before its write, at most; None passes it to the store behind.
        self.window: float | None = None
        #: Whether conditions are not looked at at all.
        self.ignores = False
        self.fault: Fault | None = None
        #: Puts whose reply is dropped after they landed: a part of the path, and how many times.
        self.drop_reply: tuple[str, int] = ("", 0)
        #: Called once, between the check of the next careless put of a Delta commit and its write.
        self.between: Callable[[], None] | None = None
        #: Conditional puts that were let through though another had been, too.
        self.broken = 0
        self._random = random.Random(seed)
        self._lock = threading.Lock()
        self._put: dict[str, int] = {}

    def wait(self) -> float:
        """Return how long this check lies before its write."""
        with self._lock:
            return self._random.uniform(0, self.window or 0)

    def take_between(self) -> Callable[[], None] | None:
        """Return what is to happen between a check and a write, the first time that it is asked for."""
        with self._lock:
            between, self.between = self.between, None
            return between

    def note(self, request: Request) -> None:
        """Write down a request."""
        with self._lock:
            self.requests.append(request)

    def landed(self, path: str) -> None:
        """Count a conditional put that was answered with success."""
        with self._lock:
            self._put[path] = self._put.get(path, 0) + 1
            self.broken += self._put[path] > 1

    def drops(self, path: str) -> bool:
        """Say whether the reply to this put gets lost."""
        with self._lock:
            part, left = self.drop_reply
            if not left or part not in path:
                return False
            self.drop_reply = (part, left - 1)
            return True


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    gateway: Gateway

    def log_message(self, *_: object) -> None:
        """Say nothing: what came by is in ``Gateway.requests``."""

    def _serve(self) -> None:
        begun = time.monotonic()
        gateway, parts = self.gateway, urlsplit(self.path)
        path = unquote(parts.path)
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        answer = gateway.fault(self.command, path, gateway) if gateway.fault else None
        if answer:
            status, data = answer
            headers = [("ETag", '"0"')] if status == 200 else []
        else:
            status, headers, data = self._pass_on(path, body)
        conditional = "if-none-match" in self.headers or "if-match" in self.headers
        gateway.note(Request(self.command, path, parts.query, status, time.monotonic() - begun, conditional))
        if self.command == "PUT" and status == 200 and gateway.drops(path):
            self.close_connection = True
            return
        self.send_response_only(status)
        for name, value in headers:
            if name.lower() not in HOP:
                self.send_header(name, value)
        length = next((v for n, v in headers if n.lower() == "content-length"), None)
        self.send_header("Content-Length", length if self.command == "HEAD" and length else str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    do_GET = do_PUT = do_HEAD = do_POST = do_DELETE = _serve  # noqa: N815 -- the names that http.server calls

    def _pass_on(self, path: str, body: bytes) -> tuple[int, list[tuple[str, str]], bytes]:
        headers = {name: value for name, value in self.headers.items() if name.lower() not in HOP}
        conditional = self.command == "PUT" and "if-none-match" in self.headers
        careless = conditional and (self.gateway.ignores or self.gateway.window is not None)
        if not careless:
            return self._ask(self.command, self.path, headers, body)
        there = not self.gateway.ignores and self._exists(path)
        time.sleep(self.gateway.wait())
        between = self.gateway.take_between() if "/_delta_log/" in path else None
        if between:
            between()
        if there:
            return 412, [("Content-Type", "application/xml")], b"<Error><Code>PreconditionFailed</Code></Error>"
        self._put(path, body)  # signed again: the condition was among what the client signed
        self.gateway.landed(path)
        return 200, [("ETag", f'"{hashlib.md5(body).hexdigest()}"')], b""

    def _exists(self, path: str) -> bool:
        raise NotImplementedError

    def _put(self, path: str, body: bytes) -> None:
        raise NotImplementedError

    def _ask(
        self, method: str, path: str, headers: dict[str, str], body: bytes
    ) -> tuple[int, list[tuple[str, str]], bytes]:
        connection = http.client.HTTPConnection(self.gateway.backend, timeout=30)
        try:
            connection.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
            for name, value in headers.items():
                connection.putheader(name, value)
            connection.putheader("Content-Length", str(len(body)))
            connection.endheaders(body)
            reply = connection.getresponse()
            return reply.status, reply.getheaders(), reply.read()
        except OSError:
            return 503, [], b"<Error><Code>ServiceUnavailable</Code></Error>"
        finally:
            connection.close()


@contextmanager
def running(behind: ObjectStore, seed: int = 0) -> Iterator[Gateway]:
    """Run a gateway before an object store."""
    gateway = Gateway(behind.address, seed)
    client = cache(behind.client)

    class Handler(_Handler):
        def _exists(self, path: str) -> bool:
            bucket, _, key = path.lstrip("/").partition("/")
            try:
                obstore.head(client(bucket), key)
            except FileNotFoundError:
                return False
            return True

        def _put(self, path: str, body: bytes) -> None:
            bucket, _, key = path.lstrip("/").partition("/")
            obstore.put(client(bucket), key, body)

    Handler.gateway = gateway
    listening = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    listening.daemon_threads = True
    gateway.address = f"127.0.0.1:{listening.server_port}"
    thread = threading.Thread(target=listening.serve_forever, args=(0.05,), daemon=True)
    thread.start()
    try:
        yield gateway
    finally:
        listening.shutdown()
        listening.server_close()
        thread.join()
