"""Abuse (fault catalogue A04 to A07): refused early and clearly, with flat memory, while the others are answered."""

from __future__ import annotations

import gzip
import socket
import threading
import time
import zlib
from collections.abc import Iterator
from pathlib import Path

import pytest
from services import Served, await_, online, raw_answer, serving

MIB = 1024 * 1024
#: What a refused gigabyte may cost.
FLAT = 100 * MIB


@pytest.fixture(scope="module")
def target(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A service to be abused by this file."""
    with serving(tmp_path_factory.mktemp("hostile") / "store", "--workers", "1", "--no-graph") as served:
        served.send(online("t", ("hive:a.b#c", "hive:a.d#e")))
        yield served


@pytest.fixture(autouse=True)
def others_go_on(target: Served) -> Iterator[None]:
    """Behind every abuse, and while it continues, a plain question is answered; memory stays flat."""
    before, ended, slowest = target.resident(), threading.Event(), [0.0]

    def ask() -> None:
        while True:
            begun = time.monotonic()
            assert target.get("/v1/lineage", params={"node": "hive:a.b#c"}).status_code == 200
            slowest[0] = max(slowest[0], time.monotonic() - begun)
            if ended.wait(0.25):
                return

    asking = threading.Thread(target=ask)
    asking.start()
    yield
    ended.set()
    asking.join(30)
    assert 0 < slowest[0] < 5
    assert target.resident() - before < FLAT


def send_all(connection: socket.socket, parts: Iterator[bytes]) -> None:
    """Send until all is sent or the other side has had enough."""
    try:
        for part in parts:
            connection.sendall(part)
    except OSError:
        pass


@pytest.mark.parametrize("path", ["/v1/messages", "/v1/lineage", "/v1/nothing"])
def test_a_body_of_a_gigabyte_is_refused_at_its_announcement(target: Served, path: str) -> None:
    """413 before the first byte of it is read."""
    with target.dial() as connection:
        head = f"POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
        connection.sendall(head.encode() + b"Content-Length: 1000000000\r\n\r\n")
        status, found = raw_answer(connection)

    assert (status, found["type"]) == (413, "urn:lineage-tt:problem:too-large")


def test_a_gigabyte_that_is_sent_all_the_same_is_not_kept(target: Served) -> None:
    """The sender gets to read the answer; what it sends goes nowhere."""
    with target.dial() as connection:
        connection.sendall(
            b"POST /v1/messages HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
            b"Content-Length: 1000000000\r\n\r\n"
        )
        sending = threading.Thread(target=send_all, args=(connection, iter([bytes(MIB)] * 200)))
        sending.start()
        status, _ = raw_answer(connection)
        sending.join(20)

    assert status == 413


def test_a_body_without_end_is_cut(target: Served) -> None:
    """Chunk after chunk: 413 when the limit is reached."""
    chunk = b"%x\r\n%s\r\n" % (65_536, b" " * 65_536)
    with target.dial() as connection:
        connection.sendall(
            b"POST /v1/messages HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
            b"Transfer-Encoding: chunked\r\n\r\n"
        )
        sending = threading.Thread(target=send_all, args=(connection, iter([chunk] * 2000)))
        sending.start()
        status, _ = raw_answer(connection)
        sending.join(20)

    assert status == 413


def test_a_gzip_bomb_is_refused_while_it_unpacks(target: Served) -> None:
    """A gigabyte of blanks in a megabyte: 413 at the limit of what is unpacked."""
    packer = zlib.compressobj(9, wbits=31)
    bomb = b"".join([packer.compress(b" " * MIB) for _ in range(1000)]) + packer.flush()
    answer = target.client.post(
        "/v1/messages", content=bomb, headers={"content-type": "application/json", "content-encoding": "gzip"}
    )

    assert len(bomb) < 2 * MIB
    assert answer.status_code == 413


@pytest.mark.parametrize(
    ("body", "encoding", "status"),
    [
        (b"not gzip", "gzip", 400),
        (gzip.compress(b"{}", mtime=0)[:-9], "gzip", 400),  # mtime: the test has one name in all processes
        (b"{}", "br", 415),
        (b"{}", "deflate", 415),
    ],
)
def test_what_cannot_be_unpacked_is_refused(target: Served, body: bytes, encoding: str, status: int) -> None:
    """Not gzip, gzip that is cut off, another packing."""
    headers = {"content-type": "application/json", "content-encoding": encoding}

    assert target.client.post("/v1/messages", content=body, headers=headers).status_code == status


def test_packed_messages_are_taken(target: Served) -> None:
    """gzip in a request is read like plain."""
    body = gzip.compress(b'{"event_id": "z", "task_id": "zipped", "op": "offline", "effective_at": 0}')
    headers = {"content-type": "application/json", "content-encoding": "gzip"}

    assert target.client.post("/v1/messages", content=body, headers=headers).status_code == 202


@pytest.mark.parametrize("count", [200, 10_000])
def test_many_header_fields_are_refused(target: Served, count: int) -> None:
    """431 for more fields than anybody needs."""
    fields = b"".join(b"X-%d: y\r\n" % number for number in range(count))
    with target.dial() as connection:
        send_all(connection, iter([b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n", fields, b"\r\n"]))
        status, _ = raw_answer(connection)

    assert status == 431


@pytest.mark.parametrize("size", [70_000, 3 * MIB])
def test_a_long_header_field_is_refused(target: Served, size: int) -> None:
    """431 for one field that is too long, whether it ends or not."""
    with target.dial() as connection:
        head = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nX: "
        send_all(connection, iter([head, b"y" * size, b"\r\n\r\n"]))
        status, _ = raw_answer(connection)

    assert status == 431


@pytest.mark.parametrize("size", [40_000, MIB])
def test_a_long_url_is_refused(target: Served, size: int) -> None:
    """414, up to a megabyte and beyond."""
    with target.dial() as connection:
        parts = [b"GET /v1/lineage?node=", b"x" * size, b" HTTP/1.1\r\nHost: localhost\r\n\r\n"]
        send_all(connection, iter(parts))
        status, _ = raw_answer(connection)

    assert status == 414


@pytest.mark.parametrize(
    "garbage", [b"\x16\x03\x01\x02\x00", b"HELLO\r\n\r\n", b"GET / HTTP/9.9\r\n\r\n", b"\r\n\x00\r\n"]
)
def test_what_is_no_http_is_refused(target: Served, garbage: bytes) -> None:
    """TLS on a plain port, chat, another protocol: 400 or the end of the connection."""
    with target.dial(5) as connection:
        connection.sendall(garbage)
        connection.shutdown(socket.SHUT_WR)
        received = connection.recv(100)

    assert received == b"" or received.startswith(b"HTTP/1.1 400")


def test_a_cut_off_body_is_nobody_elses_trouble(target: Served) -> None:
    """A client that goes away in the middle of its body leaves nothing behind."""
    before = target.get("/v1/stats").json()["basis"]["version"]
    for _ in range(20):
        with target.dial() as connection:
            connection.sendall(
                b"POST /v1/messages HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                b"Content-Length: 100\r\n\r\n{"
            )

    assert target.get("/v1/stats").json()["basis"]["version"] == before


def test_clients_that_send_a_byte_a_second_take_no_place(target: Served) -> None:
    """A hundred of them, and the others are answered; theirs ends when its time is over."""
    slow = [target.dial(40) for _ in range(100)]
    try:
        for byte in (b"G", b"E", b"T"):
            for connection in slow:
                connection.sendall(byte)
            begun = time.monotonic()
            assert target.get("/healthz").status_code == 200
            assert time.monotonic() - begun < 2
            time.sleep(0.5)
        status, found = raw_answer(slow[0])
        assert (status, found["type"]) == (408, "urn:lineage-tt:problem:too-slow")
    finally:
        for connection in slow:
            connection.close()


def test_ranges_are_not_served(target: Served) -> None:
    """Ten thousand ranges: the answer as a whole, or no answer, at once (A07)."""
    few = target.get("/v1/stats", headers={"range": "bytes=0-1,2-3"})
    many = target.get("/v1/stats", headers={"range": "bytes=" + ",".join(f"{n}-{n}" for n in range(10_000))})

    assert few.status_code == 200
    assert many.status_code in (200, 431)


def test_an_endless_form_is_refused_unread(target: Served) -> None:
    """Multipart is not what messages come in."""
    body = b"--x\r\nContent-Disposition: form-data; name=a\r\n\r\n1\r\n" * 10_000
    headers = {"content-type": "multipart/form-data; boundary=x"}

    assert target.client.post("/v1/messages", content=body, headers=headers).status_code == 415


@pytest.mark.parametrize(
    "path",
    ["/../../etc/passwd", "/%2e%2e/%2e%2e/etc/passwd", "/..%5c..%5cetc",
     "/v1/tasks/..%2f..%2f..%2fetc%2fpasswd/versions", "/v1/tasks/%00/versions", "//v1/stats", "/V1/stats",
     "/v1/stats;x", "/v1/stats/.", "/etc/passwd"],
)  # fmt: skip
def test_paths_lead_nowhere_else(target: Served, path: str) -> None:
    """Ids are looked up, never joined to a path: 404 (A04)."""
    with target.dial() as connection:
        connection.sendall(f"GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
        status, found = raw_answer(connection)

    assert status == 404, found
    assert "root:" not in str(found)


def test_idle_connections_are_let_go(target: Served) -> None:
    """A thousand connections that say nothing cost no answer."""
    idle = []
    try:
        for _ in range(300):
            idle.append(target.dial(5))
        assert target.get("/healthz").status_code == 200
    finally:
        for connection in idle:
            connection.close()
    await_(lambda: open_files(target) < 100)


def open_files(served: Served) -> int:
    """How many files and connections the service has open."""
    return len(list(Path(f"/proc/{served.process.pid}/fd").iterdir()))
