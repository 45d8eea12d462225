"""The feed over HTTP: pages of JSON and a stream of events; resumed, continued with, given up on."""

from __future__ import annotations

import json
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from loops import complete
from services import Served, await_, online, problem, serving

from lineage_tt import Store
from lineage_tt.events import event_of

STREAM = {"accept": "text/event-stream"}


def events(store: Store, after: int = 0) -> list[dict[str, Any]]:
    """The events as the library makes them."""
    return [json.loads(json.dumps(event_of(entry, store.id))) for entry in store.changes(after)]


def test_pages_together_are_the_feed(sample: Served, sample_files: Served, sample_store: Path) -> None:
    """Whatever the page's size, from either service, the events are the library's own, in order."""
    store = Store.open(sample_store)
    for served, limit in ((sample, 7), (sample_files, 1000)):
        found: list[Any] = []
        after, more = 0, True
        while more:
            page = served.get("/v1/changes", params={"after": after, "limit": limit}).json()
            assert len(page["result"]) <= limit
            found += page["result"]
            assert page["next_after"] > after or not page["more"]
            after, more = page["next_after"], page["more"]
        assert found == events(store)
        assert after == store.version


@contextmanager
def stream(served: Served, **headers: str) -> Iterator[Iterator[dict[str, str]]]:
    """Follow the event stream: an iterator of events, each a dict of its fields."""
    with (
        httpx.Client(base_url=served.base, timeout=30) as client,
        client.stream("GET", "/v1/changes", headers=STREAM | headers) as answer,
    ):
        assert answer.status_code == 200, answer.read()
        assert answer.headers["content-type"].startswith("text/event-stream")
        yield parsed(answer.iter_lines())


def parsed(lines: Iterator[str]) -> Iterator[dict[str, str]]:
    """Read server-sent events as a browser does."""
    fields: dict[str, str] = {}
    for line in lines:
        if line and not line.startswith(":"):
            name, _, value = line.partition(":")
            fields[name] = value.removeprefix(" ")
        elif not line:
            if "data" in fields:
                yield fields
            fields = {}


def test_a_stream_begins_with_what_was_and_goes_on(served: Served, tmp_path: Path) -> None:
    """Events of the past, then each new one as it is committed, by the service or by another process."""
    served.send(online("t", ("hive:a#b", "hive:c#d")))
    with stream(served) as found:
        first = next(found)
        served.send(online("u", ("hive:a#b", "hive:e#f")))
        second = next(found)
        from lineage_tt.testing import task_change

        Store.open(tmp_path / "store").append([task_change("v", "online", 0, [("hive:g#h", "hive:i#j")])])
        third = next(found)

    assert [event["id"] for event in (first, second, third)] == ["1", "2", "3"]
    assert {event["event"] for event in (first, second, third)} == {"lineage.changed"}
    assert [json.loads(e["data"]) for e in (first, second, third)] == events(Store.open(tmp_path / "store"))


def test_a_stream_resumes_behind_the_last_event(sample: Served, sample_store: Path) -> None:
    """``Last-Event-ID`` continues after it: no gap, nothing twice."""
    wanted = events(Store.open(sample_store), 100)
    with stream(sample, **{"last-event-id": "100"}) as found:
        got = [json.loads(next(found)["data"]) for _ in range(len(wanted))]

    assert got == wanted


@pytest.mark.parametrize("given", ["abc", "-1", "1.5", "", "' OR 1=1", "1" * 40])
def test_a_malformed_cursor_is_400(sample: Served, given: str) -> None:
    """What is not a version cannot be resumed from (K11)."""
    problem(sample.get("/v1/changes", headers=STREAM | {"last-event-id": given}), 400, "invalid-request")


def test_a_cursor_from_the_future_is_400(sample: Served) -> None:
    """An event that was never sent is another store's, or a mistake (K11)."""
    problem(sample.get("/v1/changes", headers=STREAM | {"last-event-id": "176"}), 400, "in-the-future")


def test_json_is_given_to_those_who_take_both(sample: Served) -> None:
    """A stream is only for those who ask for nothing else."""
    for accept in ("*/*", "application/json", "application/json, text/event-stream", "text/html"):
        answer = sample.get("/v1/changes", params={"limit": 1}, headers={"accept": accept})
        assert answer.headers["content-type"] == "application/json"


def test_clients_that_do_not_read_hold_nobody_up(tmp_path: Path) -> None:
    """Five hundred streams that nobody reads: bounded memory, writes and answers continue, one may come back (A06)."""
    with serving(tmp_path / "s", "--workers", "1", "--no-graph") as served:
        for turn in range(3):
            served.send(
                *[
                    online(f"t{turn}-{n}", *[(f"hive:a{n}#b{i}", f"hive:c{n}#d{i}") for i in range(10)])
                    for n in range(200)
                ]
            )
        before = served.resident()
        deaf = []
        try:
            for _ in range(500):
                connection = socket.socket()
                connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
                connection.settimeout(20)
                connection.connect(("127.0.0.1", served.port))
                connection.sendall(b"GET /v1/changes HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n\r\n")
                deaf.append(connection)
            await_(lambda: opened(served) == 500, 120)
            begun = time.monotonic()
            served.send(online("late", ("hive:x#y", "hive:z#z")))
            assert served.get("/v1/lineage", params={"node": "hive:x#y"}).status_code == 200
            assert time.monotonic() - begun < 5
            assert served.resident() - before < 400 * 1024 * 1024
        finally:
            for connection in deaf:
                connection.close()
        await_(lambda: served.get("/v1/stats").json()["result"]["streams"] == 0, 60)


def opened(served: Served) -> float:
    """How many streams were opened and not closed by their clients: those that are open, and those dropped."""
    page = served.get("/metrics").text.splitlines()
    names = ("lineage_tt_event_streams ", "lineage_tt_event_streams_dropped_total ")
    return sum(float(line.split()[1]) for line in page if line.startswith(names))


def test_a_stream_that_stalls_is_dropped(tmp_path: Path) -> None:
    """A client that does not read is let go after a while; what it had read says where to continue."""
    import uvicorn

    from lineage_tt.api.app import create_app
    from lineage_tt.api.settings import Settings
    from lineage_tt.testing import task_change

    store = Store.create(tmp_path / "s")
    wide = [(f"hive:a#{i}{'x' * 200}", f"hive:c#{i}{'y' * 200}") for i in range(100)]
    store.append([task_change(f"t{n}", "online", 0, wide) for n in range(300)])
    app = create_app(store, settings=Settings(stream_stall=0.5, graph=False))
    server = uvicorn.Server(uvicorn.Config(app, port=0, log_level="error", lifespan="on"))
    running = threading.Thread(target=lambda: complete(server.serve()))
    running.start()
    try:
        await_(lambda: server.started)
        port = server.servers[0].sockets[0].getsockname()[1]
        with socket.socket() as connection:
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            connection.connect(("127.0.0.1", port))
            connection.sendall(b"GET /v1/changes HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n\r\n")
            await_(lambda: app.state.service.streams == 1)
            await_(lambda: app.state.service.streams == 0, 60)
            page = httpx.get(f"http://127.0.0.1:{port}/metrics").text
            assert "lineage_tt_event_streams_dropped_total 1.0" in page
    finally:
        server.should_exit = True
        running.join(20)


def test_sigterm_ends_the_service_while_streams_are_open(tmp_path: Path) -> None:
    """Within ten seconds, with status 0; the stream ends (C10)."""
    with serving(tmp_path / "s", "--workers", "1", "--no-graph") as served:
        served.send(online("t", ("hive:a#b", "hive:c#d")))
        with stream(served) as found:
            next(found)
            status, seconds = served.stop()
            with pytest.raises((StopIteration, httpx.HTTPError)):
                next(found)

    assert status == 0
    assert seconds < 10
