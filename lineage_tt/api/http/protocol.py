"""The HTTP protocol of uvicorn, with limits on the request line and the header fields.

Without limits, a header that never ends would fill the memory, and a client that sends one byte per second would keep
its connection open forever. After a refusal, the connection stays open for a moment and discards what the client sends,
so that the client can read the answer.
"""

from __future__ import annotations

import asyncio
from typing import Any, Final

from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol

from lineage_tt.api.http.problems import MEDIA_TYPE, problem_bytes

#: Maximum size of the request line and header fields in bytes, and the seconds within which they must arrive.
MAX_HEAD: Final = 128 * 1024
HEAD_SECONDS: Final = 15.0
_LINGER: Final = 3.0


class BoundedProtocol(HttpToolsProtocol):
    """One connection with limits."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._in_head = True
        self._head_bytes = 0
        self._deadline: asyncio.TimerHandle | None = None
        self._refused = False

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Start the timer for the first request."""
        super().connection_made(transport)
        self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop the timer."""
        self._stop_waiting()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Process bytes; discard them if the request was refused."""
        if self._refused:
            return
        super().data_received(data)
        if self._in_head and not self._refused:
            self._head_bytes += len(data)
            if self._head_bytes > MAX_HEAD:
                if self.headers:
                    self._refuse(431, "header-too-large", f"the header fields have more than {MAX_HEAD} bytes")
                else:
                    self._refuse(414, "url-too-long", f"the URL has more than {MAX_HEAD} bytes")

    def send_400_response(self, msg: str) -> None:
        """Answer data that is not valid HTTP."""
        if not self._refused:
            self._refuse(400, "not-http", "the request is not valid HTTP")

    def on_message_begin(self) -> None:
        """Begin a request: its limits start again."""
        super().on_message_begin()
        self._in_head, self._head_bytes = True, 0
        if self._deadline is None:
            self._wait()

    def on_headers_complete(self) -> None:
        """Stop the timer: the application limits the body."""
        self._in_head = False
        self._stop_waiting()
        super().on_headers_complete()

    def _wait(self) -> None:
        self._deadline = self.loop.call_later(HEAD_SECONDS, self._overdue)

    def _stop_waiting(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def _overdue(self) -> None:
        self._deadline = None
        if not self.transport.is_closing():
            self._refuse(408, "too-slow", f"the request did not arrive within {HEAD_SECONDS:g} s")

    def _refuse(self, status: int, code: str, detail: str) -> None:
        self._refused = True
        self._stop_waiting()
        self._unset_keepalive_if_required()
        body = problem_bytes(status, code, detail)
        head = (
            f"content-type: {MEDIA_TYPE}\r\ncontent-length: {len(body)}\r\ncache-control: no-store\r\n"
            "connection: close\r\n\r\n"
        )
        self.transport.write(STATUS_LINE[status] + head.encode() + body)
        self.loop.call_later(_LINGER, self.transport.close)
