"""Runs the service in its own process on a free port, for tests that use HTTP or a plain socket."""

from __future__ import annotations

import json
import os
import signal
import socket
import ssl
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, NamedTuple

import httpx
from forked import Forked, can_fork

COMMAND = str(Path(sys.executable).with_name("lineage-tt"))
START_LIMIT = 180.0
#: Shared by all clients: otherwise each httpx client reads all certificates of the machine when it is created.
TLS: Final = ssl.create_default_context()


class Served(NamedTuple):
    """A running service."""

    base: str
    process: subprocess.Popen[bytes] | Forked
    errors: Path
    client: httpx.Client

    def get(self, path: str, **options: Any) -> httpx.Response:
        """Send a GET request."""
        return self.client.get(path, **options)

    def send(self, *messages: Any, **headers: str) -> httpx.Response:
        """Send messages in one request."""
        body = messages[0] if len(messages) == 1 else list(messages)
        return self.client.post("/v1/messages", json=body, headers=headers)

    @property
    def port(self) -> int:
        """The port of the service."""
        return int(self.base.rsplit(":", 1)[1])

    def dial(self, timeout: float = 20.0) -> socket.socket:
        """Return a plain socket, connected to the service."""
        return socket.create_connection(("127.0.0.1", self.port), timeout=timeout)

    def resident(self) -> int:
        """Return the resident memory of the service in bytes."""
        words = Path(f"/proc/{self.process.pid}/statm").read_text(encoding="ascii").split()
        return int(words[1]) * os.sysconf("SC_PAGE_SIZE")

    def stop(self) -> tuple[int, float]:
        """Stop the service with SIGTERM; return its exit status and the seconds that it took."""
        begun = time.monotonic()
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(30), time.monotonic() - begun


def environment(**changed: str) -> dict[str, str]:
    """Return the environment without the caller's store and token."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("LINEAGE_TT", "PYTEST"))}
    return kept | changed


@contextmanager
def serving(
    store: Path, *args: str, ready: bool = True, token: str | None = None, forked: bool = True, **env: str
) -> Iterator[Served]:
    """Run ``lineage-tt serve``; with ``ready``, wait for full speed; with ``forked``, fork the process if possible."""
    errors = store.parent / f"{store.name}-{time.monotonic_ns()}.err"
    words, given = ["serve", "--store", str(store), "--port", "0", *args], environment(**env)
    out, into = os.pipe()
    process: subprocess.Popen[bytes] | Forked
    with errors.open("wb") as stderr:
        if forked and can_fork(given):
            process = Forked(words, (0, into, stderr.fileno()), given)
        else:
            process = subprocess.Popen([COMMAND, *words], stdout=into, stderr=stderr, env=given)
    os.close(into)
    stdout = open(out, encoding="utf-8")  # noqa: SIM115
    try:
        line = stdout.readline()
        assert "http://" in line, errors.read_text(encoding="utf-8")
        base = next(word for word in line.split() if word.startswith("http://"))
        headers = {"authorization": f"Bearer {token}"} if token else {}
        with httpx.Client(base_url=base, timeout=60, headers=headers, verify=TLS) as client:
            served = Served(base, process, errors, client)
            if ready:
                await_(lambda: client.get("/readyz").status_code == 200, START_LIMIT)
            yield served
    finally:
        process.terminate()
        try:
            process.wait(15)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait(15)
        stdout.close()


def await_(done: Callable[[], bool], limit: float = 20.0) -> None:
    """Wait until ``done`` returns true; AssertionError after ``limit`` seconds."""
    deadline, pause = time.monotonic() + limit, 0.01
    while not done():
        assert time.monotonic() < deadline, f"not so after {limit} s"
        time.sleep(pause)
        pause = min(pause * 1.5, 0.1)  # each check takes processor time from the process that the test waits for


def problem(answer: httpx.Response, status: int, code: str) -> dict[str, Any]:
    """Assert that a response is problem details with a status and code; return them."""
    assert answer.status_code == status, answer.text
    assert answer.headers["content-type"] == "application/problem+json"
    body: dict[str, Any] = answer.json()
    assert body["type"] == f"urn:lineage-tt:problem:{code}", body
    assert body["status"] == status
    assert body["title"]
    assert body["detail"]
    return body


def raw_answer(connection: socket.socket) -> tuple[int, dict[str, Any]]:
    """Read one response from a plain socket; return its status and its problem details."""
    received = b""
    while b"\r\n\r\n" not in received:
        part = connection.recv(65_536)
        assert part, f"closed without an answer: {received!r}"
        received += part
    head, _, body = received.partition(b"\r\n\r\n")
    fields = dict(line.lower().split(b": ", 1) for line in head.split(b"\r\n")[1:])
    while len(body) < int(fields[b"content-length"]):
        body += connection.recv(65_536)
    return int(head.split()[1]), json.loads(body)


def online(task: str, *edges: tuple[str, str], at: str = "2024-01-01T00:00:00Z", event: str = "1") -> dict[str, Any]:
    """Return a message with explicit edges."""
    listed = [{"source": source, "target": target} for source, target in edges]
    return {"event_id": event, "task_id": task, "op": "online", "effective_at": at, "edges": listed}
