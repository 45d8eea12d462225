"""The pages for a browser: files that need no token, a session that does, and other sites that get nothing."""

from __future__ import annotations

import gzip
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest
from services import Served, online, problem, serving

from lineage_tt import ui
from lineage_tt.api.http.access import COOKIE, SESSION_SECONDS, Access
from lineage_tt.api.settings import Settings
from lineage_tt.testing import ManualClock
from lineage_tt.ui.files import TYPES, static_files

TOKEN = "canary-page-token"
FOLDER = Path(ui.__file__).parent


@pytest.fixture(scope="module")
def guarded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A service with a token, asked without."""
    folder = tmp_path_factory.mktemp("pages")
    with serving(folder / "store", "--no-graph", "--workers", "1", LINEAGE_TT_TOKEN=TOKEN) as served:
        yield served


@contextmanager
def signed_in(served: Served) -> Iterator[httpx.Client]:
    """Give a browser that showed the token."""
    with httpx.Client(base_url=served.base) as client:
        assert client.post("/v1/session", json={"token": TOKEN}).status_code == 200
        yield client


def test_the_page_is_there_without_a_token(guarded: Served) -> None:
    """``/`` is HTML that loads nothing from elsewhere and runs no script of its own."""
    answer = guarded.get("/")

    assert answer.status_code == 200
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    assert "default-src 'self'" in answer.headers["content-security-policy"]
    assert "unsafe" not in answer.headers["content-security-policy"]
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert re.findall(r"<script(?![^>]*\bsrc=)|<style|\son\w+=|\sstyle=", answer.text) == []
    assert re.findall(r"""(?:src|href)=["'](?!/ui/)""", answer.text) == []


def test_every_file_of_the_folder_comes_with_its_type(guarded: Served) -> None:
    """What is on disk is what is sent, as what it is; the same again is 304; gzip where it is asked for."""
    names = list(static_files())
    assert {"index.html", "app/main.js", "style/base.css", "vendor/preact.js"} <= set(names)
    for name in names:
        answer = guarded.get(f"/ui/{name}")
        assert answer.content == (FOLDER / name).read_bytes()
        assert answer.headers["content-type"] == TYPES[Path(name).suffix]
        assert answer.headers["x-content-type-options"] == "nosniff"
        again = guarded.get(f"/ui/{name}", headers={"if-none-match": answer.headers["etag"]})
        assert (again.status_code, again.content) == (304, b"")
    with guarded.client.stream("GET", "/ui/vendor/preact.js", headers={"accept-encoding": "gzip"}) as packed:
        assert gzip.decompress(b"".join(packed.iter_raw())) == (FOLDER / "vendor" / "preact.js").read_bytes()


@pytest.mark.parametrize(
    "path",
    ["/ui/", "/ui/files.py", "/ui/__init__.py", "/ui/../settings.py", "/ui/%2e%2e/settings.py", "/ui/..%2fsettings.py",
     "/ui//etc/passwd", "/ui/%2fetc%2fpasswd", "/ui/app", "/ui/app/", "/ui/app/../index.html", "/ui/app%00.js",
     "/ui/./index.html", "/ui/INDEX.HTML", "/ui/..%5c..%5cpyproject.toml"],
)  # fmt: skip
def test_no_other_file_leaves_the_folder(guarded: Served, path: str) -> None:
    """A path that climbs, a folder, Python, another way of writing a name: nothing."""
    with guarded.dial() as connection:
        connection.sendall(f"GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".encode())
        received = b""
        while part := connection.recv(65_536):
            received += part

    assert int(received.split()[1]) in (400, 401, 404)
    assert b"application/problem+json" in received


def test_a_token_becomes_a_cookie_that_no_script_reads(guarded: Served) -> None:
    """The cookie is HttpOnly and SameSite=Strict, does not hold the token, and counts as it."""
    with httpx.Client(base_url=guarded.base) as client:
        assert client.get("/v1/session").json()["result"] == {"needed": True, "held": False, "rights": []}
        given = client.post("/v1/session", json={"token": TOKEN})
        words = {word.strip().lower() for word in given.headers["set-cookie"].split(";")}
        assert {"httponly", "samesite=strict", "path=/", f"max-age={SESSION_SECONDS}"} <= words
        assert "secure" not in words
        assert TOKEN not in given.headers["set-cookie"]
        assert given.json()["result"] == {"needed": True, "held": True, "rights": ["read", "write"]}
        assert client.get("/v1/session").json()["result"]["held"] is True
        assert client.get("/v1/tasks").status_code == 200
        assert client.delete("/v1/session", headers={"sec-fetch-site": "same-origin"}).status_code == 200
        problem(client.get("/v1/tasks"), 401, "unauthorized")


def test_over_tls_the_cookie_is_secure(guarded: Served) -> None:
    """Where a proxy says that the browser came over TLS, the cookie goes over TLS only."""
    answer = httpx.post(f"{guarded.base}/v1/session", json={"token": TOKEN}, headers={"x-forwarded-proto": "https"})

    assert "; secure" in answer.headers["set-cookie"].lower()


@pytest.mark.parametrize("body", [{"token": TOKEN + "x"}, {"token": "é"}, {"token": TOKEN[:-1]}])
def test_a_wrong_token_gets_no_cookie(guarded: Served, body: dict[str, str]) -> None:
    """401, and nothing is set."""
    answer = httpx.post(f"{guarded.base}/v1/session", json=body)

    problem(answer, 401, "unauthorized")
    assert "set-cookie" not in answer.headers


@pytest.mark.parametrize(
    "changed",
    [lambda s: "9" + s[1:], lambda s: s[:-1] + ("0" if s[-1] != "0" else "1"), lambda s: s.partition(".")[0],
     lambda s: "." + s.partition(".")[2], lambda s: "", lambda s: TOKEN, lambda s: "-1." + s.partition(".")[2]],
)  # fmt: skip
def test_a_forged_session_is_none(guarded: Served, changed: object) -> None:
    """A session with another time, another signature or none does not count."""
    with signed_in(guarded) as client:
        forged = changed(client.cookies[COOKIE])  # type: ignore[operator]
    answer = httpx.get(f"{guarded.base}/v1/tasks", headers={"cookie": f"{COOKIE}={forged}"})

    problem(answer, 401, "unauthorized")


def test_a_session_ends() -> None:
    """After seven days, and at once where the service has another token."""
    clock = ManualClock("2026-01-01T00:00:00Z")
    access = Access(Settings(token="a"), clock)
    asked = {"headers": [(b"cookie", f"x=1; {COOKIE}={access.new_session()}".encode())]}

    assert access.may_read(asked)
    assert not Access(Settings(token="b"), clock).may_read(asked)
    clock.advance(SESSION_SECONDS * 1_000_000)
    assert access.may_read(asked)
    clock.advance(1_000_000)
    assert not access.may_read(asked)


FOREIGN = [
    {"sec-fetch-site": "cross-site"},
    {"sec-fetch-site": "same-site"},
    {"origin": "https://evil.example"},
    {"origin": "null"},
    {"origin": ""},
    {"origin": "http://["},
    {"sec-fetch-site": "cross-site", "origin": "SELF"},
]


@pytest.mark.parametrize("foreign", [*FOREIGN, {}])
def test_another_sites_page_cannot_write_with_the_cookie(guarded: Served, foreign: dict[str, str]) -> None:
    """A request that writes must say that it comes from this service's page; the token itself needs no such proof."""
    headers = {name: value.replace("SELF", guarded.base) for name, value in foreign.items()}
    with signed_in(guarded) as client:
        problem(client.post("/v1/messages", json=online("t", ("a:b#c", "a:d#e")), headers=headers), 403, "cross-site")
        assert client.get("/v1/tasks").json()["result"] == []
    bearer = headers | {"authorization": f"Bearer {TOKEN}"}
    assert guarded.client.post("/v1/messages", json=[], headers=bearer).status_code != 403


@pytest.mark.parametrize("foreign", FOREIGN)
def test_another_sites_page_cannot_write_where_there_is_no_token(taking: Served, foreign: dict[str, str]) -> None:
    """A service for this machine alone takes nothing from a page of the web that its user happens to visit."""
    headers = {name: value.replace("SELF", taking.base) for name, value in foreign.items()}
    answer = taking.client.post("/v1/messages", json=online("t", ("a:b#c", "a:d#e")), headers=headers)

    problem(answer, 403, "cross-site")
    assert taking.get("/v1/tasks").json()["result"] == []


@pytest.mark.parametrize("own", [{"sec-fetch-site": "same-origin"}, {"origin": "SELF"}])
def test_the_services_own_page_can_write(guarded: Served, own: dict[str, str]) -> None:
    """With the cookie and the browser's word that the page is its own, a message is taken."""
    headers = {name: value.replace("SELF", guarded.base) for name, value in own.items()}
    with signed_in(guarded) as client:
        sent = client.post("/v1/messages", json=online(f"own {own}", ("a:b#c", "a:d#e")), headers=headers)

    assert sent.status_code == 202


def test_a_read_only_service_gives_no_right_to_write(sample: Served) -> None:
    """Without a token everybody may read; nobody may write."""
    assert sample.get("/v1/session").json()["result"] == {"needed": False, "held": True, "rights": ["read"]}
