"""What the guard holds for all requests together, and whom a request must name."""

from __future__ import annotations

import asyncio
import gzip
from typing import Any

import pytest
from loops import complete

from lineage_tt.api.http.guard import Guard
from lineage_tt.api.metrics import Metrics
from lineage_tt.api.routes.messages import split
from lineage_tt.api.settings import Settings

Headers = list[tuple[bytes, bytes]]
HOST = (b"host", b"localhost")


def scope(headers: Headers, version: str = "1.1") -> dict[str, Any]:
    """An ASGI request."""
    return {
        "type": "http", "http_version": version, "method": "POST", "path": "/x", "raw_path": b"/x",
        "query_string": b"", "headers": headers,
    }  # fmt: skip


class Service:
    """A guard before an application that answers when it is let."""

    def __init__(self, **settings: Any) -> None:
        self.guard = Guard(self._answer, Settings(**settings), Metrics())
        self.let = asyncio.Event()
        self.bodies: list[int] = []

    async def _answer(self, scope: Any, receive: Any, send: Any) -> None:
        self.bodies.append(len((await receive())["body"]))
        await self.let.wait()
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b""})

    async def ask(self, body: bytes, headers: Headers | None = None, version: str = "1.1") -> int:
        """Send a request; return the status."""
        statuses: list[int] = []
        parts = [body[at : at + 1000] for at in range(0, len(body), 1000)] or [b""]

        async def receive() -> dict[str, Any]:
            await asyncio.sleep(0)
            part = parts.pop(0) if parts else b""
            return {"type": "http.request", "body": part, "more_body": bool(parts)}

        async def send(message: dict[str, Any]) -> None:
            if message["type"] == "http.response.start":
                statuses.append(message["status"])

        await self.guard(scope([HOST] if headers is None else headers, version), receive, send)
        return statuses[0]


def test_open_bodies_together_are_bounded() -> None:
    """Those that come while others fill the room are refused; when the others are done, there is room again."""

    async def story() -> None:
        service = Service(max_body=10_000, max_open=25_000)
        begun = [asyncio.ensure_future(service.ask(b"x" * 10_000)) for _ in range(4)]
        done, waiting = await asyncio.wait(begun, timeout=5, return_when=asyncio.FIRST_COMPLETED)
        while len(service.bodies) + len(done) < 4:
            done, waiting = await asyncio.wait(begun, timeout=0.05)
        assert [503] * len(done) == [each.result() for each in done]
        assert 1 <= len(waiting) <= 2
        service.let.set()
        assert [200] * len(waiting) == await asyncio.gather(*waiting)
        assert await service.ask(b"x" * 10_000) == 200

    complete(story())


def test_what_is_refused_or_cut_off_gives_its_room_back() -> None:
    """Too long, packed too well, no gzip: each time the room is whole again."""

    async def story() -> None:
        service = Service(max_body=10_000, max_open=10_000)
        service.let.set()
        packed = [HOST, (b"content-encoding", b"gzip")]
        for _ in range(5):
            assert await service.ask(b"x" * 10_500) == 413
            assert await service.ask(gzip.compress(b"x" * 1_000_000), packed) == 413
            assert await service.ask(b"x" * 9000, packed) == 400
            assert await service.ask(gzip.compress(b"x" * 9_000), packed) == 200

    complete(story())


@pytest.mark.parametrize(
    ("headers", "version", "status"),
    [
        ([HOST], "1.1", 200),
        ([], "1.1", 400),
        ([HOST, HOST], "1.1", 400),
        ([], "1.0", 200),
    ],
)
def test_a_request_says_whom_it_is_for(headers: Headers, version: str, status: int) -> None:
    """One Host header; HTTP/1.0, which has none, may do without."""

    async def story() -> int:
        service = Service()
        service.let.set()
        return await service.ask(b"", headers, version)

    assert status == complete(story())


def test_where_hosts_are_judged_none_is_refused_in_any_version() -> None:
    """A service without a token answers to the names of its machine only."""

    async def story() -> list[int]:
        service = Service(hosts=frozenset({"localhost"}))
        service.let.set()
        return [
            await service.ask(b"", each, v) for each, v in (([], "1.0"), ([HOST], "1.0"), ([(b"host", b"x")], "1.1"))
        ]

    assert complete(story()) == [400, 200, 421]


def test_half_a_surrogate_pair_in_one_message_leaves_the_others_whole() -> None:
    """The body is split; the message is judged at its turn."""
    messages = [b'{"a": 1}', b'{"b": "\\ud800, ]}"}', b'{"c": "\\ud83d\\ude00"}']
    body = b"[" + b", ".join(messages) + b"]"

    assert messages == split(body, "application/json")
