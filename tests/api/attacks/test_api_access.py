"""Who may ask: this machine alone unless told, a token where there is one, and the token nowhere to be read."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from services import COMMAND, Served, environment, problem, raw_answer, serving

from lineage_tt import Store
from lineage_tt.api.app import ROUTERS

TOKEN = "canary-5f3a9c-token"
#: Every path of every router and what it takes to reach it; a new one without a line here fails the test below.
PATHS = {
    ("GET", "/"): "open",
    ("GET", "/ui/{path:path}"): "open",
    ("GET", "/v1/session"): "open",
    ("POST", "/v1/session"): "session",
    ("DELETE", "/v1/session"): "open",
    ("GET", "/healthz"): "open",
    ("GET", "/readyz"): "open",
    ("GET", "/metrics"): "token",
    ("GET", "/v1/stats"): "token",
    ("GET", "/v1/lineage"): "token",
    ("POST", "/v1/lineage"): "token",
    ("GET", "/v1/aliases"): "token",
    ("POST", "/v1/aliases"): "token",
    ("GET", "/v1/edges"): "token",
    ("POST", "/v1/edges"): "token",
    ("POST", "/v1/annotations"): "token",
    ("GET", "/v1/nodes"): "token",
    ("GET", "/v1/datasets"): "token",
    ("GET", "/v1/sql"): "token",
    ("GET", "/v1/planned"): "token",
    ("GET", "/v1/dead-letters"): "token",
    ("POST", "/v1/dead-letters/replay"): "token",
    ("GET", "/v1/subscriptions"): "token",
    ("POST", "/v1/subscriptions"): "token",
    ("DELETE", "/v1/subscriptions"): "token",
    ("GET", "/v1/labels"): "token",
    ("GET", "/v1/labels/diff"): "token",
    ("GET", "/v1/labels/scan"): "token",
    ("GET", "/v1/rules"): "token",
    ("GET", "/v1/permissions"): "token",
    ("GET", "/v1/layout"): "token",
    ("GET", "/v1/timeline"): "token",
    ("GET", "/v1/diff"): "token",
    ("GET", "/v1/history"): "token",
    ("GET", "/v1/blame"): "token",
    ("GET", "/v1/policy"): "token",
    ("GET", "/v1/tasks"): "token",
    ("GET", "/v1/tasks/{task_id:path}/versions"): "token",
    ("GET", "/v1/changes"): "token",
    ("GET", "/v1/search"): "token",
    ("POST", "/v1/messages"): "token",
    ("POST", "/v1/openlineage"): "token",
    ("POST", "/v1/trino"): "token",
    ("GET", "/v1/agreement"): "token",
    ("GET", "/v1/assets"): "token",
    ("GET", "/v1/asset-types"): "token",
    ("GET", "/v1/heat"): "token",
    ("GET", "/v1/redundancy"): "token",
    ("GET", "/v1/quality"): "token",
    ("POST", "/api/v1/lineage"): "token",
    ("POST", "/api/v1/lineage/batch"): "token",
    ("POST", "/v1/impact"): "token",
    ("GET", "/v1/core"): "token",
    ("GET", "/v1/core/late"): "token",
    ("GET", "/v1/root-cause"): "token",
    ("GET", "/v1/backfill"): "token",
}
WRONG: list[dict[str, str]] = [
    {},
    {"authorization": ""},
    {"authorization": "Bearer"},
    {"authorization": f"Bearer {TOKEN[:-1]}"},
    {"authorization": f"Bearer {TOKEN}x"},
    {"authorization": f"Basic {TOKEN}"},
    {"authorization": TOKEN},
    {"authorization": f"Bearer {TOKEN} x"},
    {"authorization": "Bearer null"},
    {"authorization": "Bearer eyJhbGciOiJub25lIn0.e30."},
    {"x-api-key": TOKEN},
    {"cookie": f"token={TOKEN}"},
]


@pytest.fixture(scope="module")
def guarded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A service with a token, asked without."""
    folder = tmp_path_factory.mktemp("guarded")
    with serving(folder / "store", "--no-graph", "--workers", "1", LINEAGE_TT_TOKEN=TOKEN) as served:
        yield served


def routes() -> list[tuple[str, str]]:
    """Every method and path that is served."""
    return [
        (method, route.path)  # type: ignore[attr-defined]
        for router in ROUTERS
        for route in router.routes
        for method in sorted(route.methods)  # type: ignore[attr-defined]
    ]


def test_every_route_is_in_the_table() -> None:
    """Whoever adds a path says who may reach it."""
    assert set(routes()) - set(PATHS) == set()


@pytest.mark.parametrize(("method", "path"), [*routes(), ("GET", "/openapi.json"), ("GET", "/nothing")])
def test_without_the_token_there_is_nothing(guarded: Served, method: str, path: str) -> None:
    """Every route × every wrong token: 401 before anything is parsed, except for what is open."""
    for wrong in WRONG:
        filled = path.replace("{task_id:path}", "a/b").replace("{path:path}", "index.html")
        answer = guarded.client.request(method, filled, headers=wrong, content=b"{")
        if PATHS.get((method, path)) == "open":
            assert answer.status_code == 200
        elif PATHS.get((method, path)) == "session":
            problem(answer, 400, "invalid-request")
        else:
            problem(answer, 401, "unauthorized")
            assert answer.headers["www-authenticate"].startswith("Bearer")


@pytest.mark.parametrize(
    "path",
    ["/healthz;/v1/stats", "//v1/stats", "/V1/stats", "/healthz/../v1/stats", "/v1/%2e%2e/healthz", "/v1/stats.",
     "/healthz/", "/healthz%2f..%2fv1%2fstats", "/v1/stats?x=/healthz", "/v1/stats#/healthz"],
)  # fmt: skip
def test_no_other_way_of_writing_a_path_gets_around_it(guarded: Served, path: str) -> None:
    """Deny by default: whatever is not exactly one of the open paths wants the token (A09)."""
    with guarded.dial() as connection:
        connection.sendall(
            f"GET {path} HTTP/1.1\r\nHost: localhost\r\nX-HTTP-Method-Override: OPTIONS\r\n\r\n".encode()
        )
        status, _ = raw_answer(connection)

    assert status in (400, 401)


def test_with_the_token_everything_is_served(guarded: Served) -> None:
    """In any case of the word Bearer; answers are for this caller's cache alone."""
    for word in ("Bearer", "bearer", "BEARER"):
        answer = guarded.get("/v1/tasks", params={"version": "0", "valid_at": "2024-01-01T00:00:00Z"},
                             headers={"authorization": f"{word} {TOKEN}"})  # fmt: skip
        assert answer.status_code == 200
        assert answer.headers["cache-control"].startswith("private")


def test_the_document_says_where_the_token_goes(guarded: Served) -> None:
    """OpenAPI names the scheme, for every path but the two open ones."""
    document: dict[str, Any] = guarded.get("/openapi.json", headers={"authorization": f"Bearer {TOKEN}"}).json()
    without = [path for path, ops in document["paths"].items() if any("security" not in op for op in ops.values())]

    assert sorted(without) == ["/healthz", "/readyz", "/v1/session"]
    assert document["components"]["securitySchemes"]["token"] == {"type": "http", "scheme": "bearer"}


def test_the_token_is_nowhere_to_be_read(tmp_path: Path) -> None:
    """Not in what the service prints or logs, its metrics, its answers, its store, or its settings' text (A15)."""
    from lineage_tt.api.settings import Settings

    (tmp_path / "token").write_text(TOKEN + "\n")
    with serving(
        tmp_path / "s",
        "--no-graph",
        *("--workers", "1", "--token-file", str(tmp_path / "token")),
        token=TOKEN,
        forked=False,
    ) as served:
        bad = served.client.post(
            "/v1/messages", json={"event_id": TOKEN[:3]}, headers={"authorization": f"Bearer {TOKEN}!"}
        )
        texts = [served.get(path).text for path in ("/metrics", "/v1/stats", "/openapi.json", f"/v1/{'x' * 5}")]
        texts += [bad.text, served.get("/v1/lineage", params={"node": "x", "depth": "-1"}).text]
        command = Path(f"/proc/{served.process.pid}/cmdline").read_text(encoding="utf-8")
    texts += [
        served.errors.read_text(encoding="utf-8"),
        command,
        repr(Settings(token=TOKEN)),
        str(Settings(token=TOKEN)),
    ]
    texts += [path.read_bytes().decode("latin-1") for path in (tmp_path / "s").rglob("*") if path.is_file()]

    assert [text for text in texts if TOKEN in text] == []


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.0.2.1"])
def test_other_machines_are_not_served_without_a_token(tmp_path: Path, host: str) -> None:
    """An address that others reach wants a token, or somebody who says that it shall be so."""
    done = refused(tmp_path, "--host", host)

    assert done.returncode == 2
    assert "--allow-anonymous" in done.stderr
    assert not (tmp_path / "s").exists()


def test_anonymous_where_told(tmp_path: Path) -> None:
    """``--allow-anonymous`` serves others without a token; the Host may be any then."""
    with serving(
        tmp_path / "s",
        "--no-graph",
        "--read-only=0" if False else "--workers",
        "1",
        "--host",
        "0.0.0.0",
        "--allow-anonymous",
    ) as served:
        answer = httpx.get(f"http://127.0.0.1:{served.port}/v1/stats", headers={"host": "lineage.example"})

    assert answer.status_code == 200


def test_it_listens_on_loopback_alone(tmp_path: Path) -> None:
    """Without ``--host`` no other address of this machine answers (A16)."""
    with serving(tmp_path / "s", "--no-graph", "--workers", "1") as served:
        listening = [
            line.split()[1]
            for line in Path("/proc/net/tcp").read_text(encoding="ascii").splitlines()[1:]
            if line.split()[3] == "0A" and int(line.split()[1].split(":")[1], 16) == served.port
        ]

    assert listening == [f"0100007F:{served.port:04X}"]


@pytest.mark.parametrize("host", ["evil.example", "evil.example:80", "169.254.169.254", "localhost.evil.example", ""])
def test_another_name_does_not_lead_here(sample: Served, host: str) -> None:
    """A page whose name was pointed at this machine gets nothing from a service without token (DNS rebinding)."""
    problem(sample.get("/v1/stats", headers={"host": host}), 421, "wrong-host")


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1", "LOCALHOST:9", "[::1]:80"])
def test_this_machines_names_lead_here(sample: Served, host: str) -> None:
    """All ways of writing loopback."""
    assert sample.get("/v1/stats", headers={"host": host}).status_code == 200


@pytest.mark.parametrize("content", ["", " \n", "two words", "tab\there", "ünicode"])
def test_a_token_is_a_word(tmp_path: Path, content: str) -> None:
    """An empty or odd token is a mistake, not an open door."""
    (tmp_path / "token").write_text(content, encoding="utf-8")
    done = refused(tmp_path, "--token-file", str(tmp_path / "token"))

    assert done.returncode == 2
    assert "no token" in done.stderr


def test_a_token_file_that_cannot_be_read(tmp_path: Path) -> None:
    """The service does not start without the token that it was told of."""
    assert refused(tmp_path, "--token-file", str(tmp_path / "none")).returncode == 3


def test_a_port_that_is_taken(tmp_path: Path, sample: Served) -> None:
    """Says so, and what to do."""
    Store.create(tmp_path / "s")
    done = refused(tmp_path, "--port", str(sample.port))

    assert done.returncode == 3
    assert "--port" in done.stderr


def refused(tmp_path: Path, *args: str) -> subprocess.CompletedProcess[str]:
    """Run a ``serve`` that does not come to serving."""
    command = [COMMAND, "serve", "--store", str(tmp_path / "s"), "--port", "0", *args]
    return subprocess.run(
        command, capture_output=True, text=True, timeout=60, env=environment(), cwd=os.fspath(tmp_path)
    )
