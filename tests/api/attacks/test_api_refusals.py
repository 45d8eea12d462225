"""Bad input gets a clear 4xx, and the others continue."""

from __future__ import annotations

import json
from typing import Any

import pytest
from services import Served, problem

NODE = "hive:dws.sales_daily#ordered_value"
BAD = [
    ("/v1/lineage", {}, "node"),
    ("/v1/layout", {}, "node"),
    ("/v1/layout", {"node": NODE, "at": ",".join(["now"] * 65)}, "at"),
    ("/v1/layout", {"node": NODE, "also": ",".join(["now"] * 513)}, "also"),
    ("/v1/layout", {"node": NODE, "at": "yesterday"}, "at"),
    ("/v1/layout", {"node": NODE, "limit": "5"}, "limit"),
    ("/v1/lineage", {"node": ""}, "node"),
    ("/v1/lineage", {"node": NODE, "depth": "-1"}, "depth"),
    ("/v1/lineage", {"node": NODE, "depth": "many"}, "depth"),
    ("/v1/lineage", {"node": NODE, "depth": "1e3"}, "depth"),
    ("/v1/lineage", {"node": NODE, "valid_at": "2024-01-01T00:00:00"}, "no zone"),
    ("/v1/lineage", {"node": NODE, "valid_at": "2024-01-01"}, "no zone"),
    ("/v1/lineage", {"node": NODE, "valid_at": "2024-02-30T00:00:00Z"}, "valid_at"),
    ("/v1/lineage", {"node": NODE, "valid_at": "yesterday"}, "valid_at"),
    ("/v1/lineage", {"node": NODE, "system_at": "2024-01-01 00:00"}, "no zone"),
    ("/v1/lineage", {"node": NODE, "version": "-1"}, "version"),
    ("/v1/lineage", {"node": NODE, "version": "9" * 30}, "version"),
    ("/v1/lineage", {"node": NODE, "direction": "sideways"}, "direction"),
    ("/v1/lineage", {"node": NODE, "level": "row"}, "level"),
    ("/v1/lineage", {"node": NODE, "limit": "0"}, "limit"),
    ("/v1/lineage", {"node": NODE, "limit": "1000000"}, "limit"),
    ("/v1/lineage", {"node": NODE, "dpeth": "3"}, "dpeth"),
    ("/v1/lineage", [("node", NODE), ("node", "other")], "more than once"),
    ("/v1/lineage", "node=other&%6eode=x", "more than once"),
    ("/v1/history", "node&node=other", "more than once"),
    ("/v1/lineage", {"node": NODE, "version": "1_0"}, "version"),
    ("/v1/lineage", {"node": NODE, "depth": " 1"}, "depth"),
    ("/v1/history", {"node": NODE, "limit": "1_0"}, "limit"),
    ("/v1/history", {"node": NODE, "limit": "5.0"}, "limit"),
    ("/v1/history", {"node": NODE, "offset": "+5"}, "offset"),
    ("/v1/changes", {"after": "1_0"}, "after"),
    ("/v1/search", {"q": "x", "limit": "5.0"}, "limit"),
    ("/v1/lineage", {"node": NODE, "cursor": "'; DROP TABLE log; --"}, "cursor"),
    ("/v1/lineage", {"node": "x" * 3000}, "node"),
    ("/v1/diff", {}, "from"),
    ("/v1/diff", {"from": "2024-01-01T00:00:00"}, "no zone"),
    ("/v1/diff", {"from": "2024-01-01T00:00:00Z@"}, "from"),
    ("/v1/diff", {"from": "now", "to": "2024-01-01T00:00:00Z@w1"}, "to"),
    ("/v1/history", {}, "node"),
    ("/v1/history", {"node": NODE, "offset": "-1"}, "offset"),
    ("/v1/blame", {"source": NODE}, "target"),
    ("/v1/tasks", {"limit": "0"}, "limit"),
    ("/v1/tasks/x/versions", {"offset": "x"}, "offset"),
    ("/v1/changes", {"after": "-1"}, "after"),
    ("/v1/changes", {"after": "last"}, "after"),
    ("/v1/changes", {"limit": "100000"}, "limit"),
    ("/v1/search", {}, "q"),
    ("/v1/search", {"q": ""}, "q"),
    ("/v1/search", {"q": "x" * 1000}, "q"),
    ("/v1/search", {"q": "x", "kind": "person"}, "kind"),
]  # fmt: skip
UNKNOWN = [
    ("/v1/lineage", {"node": "hive:no.such#column"}, "unknown-node"),
    ("/v1/diff", {"from": "now", "node": "hive:no.such"}, "unknown-node"),
    ("/v1/history", {"node": "hive:no.such"}, "unknown-node"),
    ("/v1/history", {"node": NODE, "target": "hive:no.such"}, "unknown-node"),
    ("/v1/blame", {"source": NODE, "target": "hive:no.such"}, "unknown-node"),
    ("/v1/tasks/no/such/versions", {}, "unknown-task"),
    ("/v1/lineage", {"node": NODE, "version": "99999"}, "version-not-reached"),
    ("/v1/diff", {"from": "now@v99999"}, "version-not-reached"),
    ("/v1/changes", {"after": "99999"}, "version-not-reached"),
    ("/v1/lineage", {"node": NODE, "cursor": "1.99999.5"}, "unknown-cursor"),
    ("/v1/nothing", {}, "no-such-path"),
    ("/ui/nothing", {}, "no-such-path"),
    ("/docs", {}, "no-such-path"),
    ("/v1/lineage/", {}, "no-such-path"),
]  # fmt: skip


@pytest.mark.parametrize("which", ["sample", "sample_files"])
@pytest.mark.parametrize(("path", "asked", "word"), BAD)
def test_a_wrong_question_is_400(request: pytest.FixtureRequest, which: str, path: str, asked: Any, word: str) -> None:
    """Whatever is wrong is named, from the graph and from the files alike."""
    served: Served = request.getfixturevalue(which)
    found = problem(served.get(path, params=asked), 400, "invalid-request")

    assert word in found["detail"]


@pytest.mark.parametrize("which", ["sample", "sample_files"])
@pytest.mark.parametrize(("path", "asked", "code"), UNKNOWN)
def test_what_is_not_there_is_404(
    request: pytest.FixtureRequest, which: str, path: str, asked: dict[str, str], code: str
) -> None:
    """Unknown nodes, tasks, versions, cursors and paths."""
    served: Served = request.getfixturevalue(which)
    problem(served.get(path, params=asked), 404, code)


def test_an_unknown_node_comes_with_names_like_it(sample: Served) -> None:
    """As on the command line."""
    found = problem(sample.get("/v1/lineage", params={"node": NODE.replace("value", "valeu")}), 404, "unknown-node")

    assert NODE in found["near"]
    assert NODE in found["hint"]


@pytest.mark.parametrize("node", ["'; DROP TABLE log; --", "a\x00b", "${jndi:ldap://x}", "\u202e", "[1,2]", "%"])
def test_odd_nodes_are_names_like_others(sample: Served, sample_files: Served, node: str) -> None:
    """SQL, NULs and signs are bound, never run: the name is unknown, no more (A01)."""
    for served in (sample, sample_files):
        problem(served.get("/v1/lineage", params={"node": node}), 404, "unknown-node")
        problem(served.get("/v1/history", params={"node": NODE, "target": node}), 404, "unknown-node")
        assert served.get("/v1/search", params={"q": node}).status_code == 200


BODIES: list[tuple[Any, str]] = [
    ({}, "nodes"),
    ({"nodes": []}, "nodes"),
    ({"nodes": ["x"] * 1001}, "nodes"),
    ({"nodes": "x"}, "nodes"),
    ({"nodes": [1]}, "nodes"),
    ({"nodes": [NODE], "points": []}, "points"),
    ({"nodes": [NODE], "points": [{}] * 101}, "points"),
    ({"nodes": [NODE] * 1000, "points": [{}] * 100}, "more than"),
    ({"nodes": [NODE], "points": [{"valid_at": "2024-01-01T00:00:00"}]}, "no zone"),
    ({"nodes": [NODE], "points": [{"version": "1"}]}, "version"),
    ({"nodes": [NODE], "depth": -1}, "depth"),
    ({"nodes": [NODE], "depth": True}, "depth"),
    ({"nodes": [NODE], "surprise": 1}, "surprise"),
    ([NODE], "body"),
    (None, "body"),
]


@pytest.mark.parametrize(("body", "word"), BODIES, ids=lambda given: str(given)[:40])
def test_a_wrong_batch_is_400(sample: Served, body: Any, word: str) -> None:
    """A body that does not fit is refused whole, and what is wrong is named."""
    found = problem(sample.client.post("/v1/lineage", json=body), 400, "invalid-request")

    assert word in found["detail"]


@pytest.mark.parametrize(
    "body",
    [b"{", b"", b"\xff\xfe", b'{"nodes": ["a"]', b'{"nodes": NaN}', b'{"nodes": ["\\ud800"]}', b"[" * 100_000,
     b'{"a":' * 100_000, b'{"nodes": ' + b"[" * 100_000 + b"]" * 100_000 + b"}"],
    ids=lambda body: repr(body[:24]),
)  # fmt: skip
@pytest.mark.parametrize("path", ["/v1/lineage", "/v1/messages"])
def test_what_is_no_json_is_400(served_once: Served, path: str, body: bytes) -> None:
    """Cut off, not UTF-8, not a number, a hundred thousand brackets deep: 400, and the next request is answered."""
    answer = served_once.client.post(path, content=body, headers={"content-type": "application/json"})

    assert answer.status_code == 400, answer.text
    assert answer.headers["content-type"] == "application/problem+json"
    assert served_once.get("/healthz").status_code == 200


@pytest.fixture(scope="module")
def served_once(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """A service over a new store for this file."""
    from services import serving

    with serving(tmp_path_factory.mktemp("refusals") / "store", "--workers", "1") as served:
        yield served


@pytest.mark.parametrize(
    "media", ["text/plain", "multipart/form-data; boundary=x", "application/x-www-form-urlencoded", ""]
)
def test_other_media_are_refused(served_once: Served, media: str) -> None:
    """A page in a browser cannot send messages in the forms that it may send anywhere."""
    body = json.dumps({"event_id": "1", "task_id": "t", "op": "offline", "effective_at": 0})
    headers = {"content-type": media} if media else {}

    assert served_once.client.post("/v1/messages", content=body, headers=headers).status_code == 415
    assert served_once.client.post("/v1/lineage", content='{"nodes": ["x"]}', headers=headers).status_code in (400, 415)
    assert served_once.get("/v1/stats").json()["basis"]["version"] == 0


def test_a_service_for_reading_takes_no_messages(sample: Served) -> None:
    """With ``--read-only`` messages are refused before they are read."""
    problem(sample.send({"event_id": "1"}), 403, "read-only")


@pytest.mark.parametrize(("path", "methods"), [("/v1/lineage", "GET, POST"), ("/openapi.json", "GET, HEAD")])
def test_other_methods_are_405(sample: Served, path: str, methods: str) -> None:
    """The answer lists those of all routes of the path; of ``/openapi.json`` it once listed none."""
    answer = sample.client.put(path, json={})

    problem(answer, 405, "method-not-allowed")
    assert answer.headers["allow"] == methods


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("POST", "/v1/lineage"), ("POST", "/v1/impact"), ("POST", "/v1/session"), ("POST", "/v1/messages"),
        ("POST", "/v1/dead-letters/replay"), ("POST", "/v1/subscriptions"),
        ("POST", "/v1/edges"), ("GET", "/v1/agreement"), ("GET", "/v1/subscriptions"), ("GET", "/v1/policy"),
        ("GET", "/v1/stats"), ("GET", "/v1/session"), ("DELETE", "/v1/session"),
    ],
)  # fmt: skip
def test_an_operation_without_parameters_rejects_a_query(sample: Served, method: str, path: str) -> None:
    """It ignored the query, so that a caller took the answer for that of another point, or of a dry run."""
    asked = sample.client.request(method, path, params={"valid_at": "now", "x": ""}, json=None)
    found = problem(asked, 400, "invalid-request")

    assert [each["where"] for each in found["errors"]] == ["query.valid_at", "query.x"]


def test_a_message_sent_with_an_unknown_parameter_is_not_stored(served: Served) -> None:
    """``dry_run`` was ignored, and the message stored."""
    message = {"event_id": "d", "task_id": "t", "op": "online", "effective_at": "2024-05-01T00:00:00Z", "edges": []}
    problem(served.client.post("/v1/messages?dry_run=true", json=message), 400, "invalid-request")

    assert served.get("/v1/stats").json()["result"]["store"]["versions"] == 0


def test_an_engine_may_add_parameters_to_the_address_of_its_events(served: Served) -> None:
    """OpenLineage's HTTP transport can be given some; the event counts."""
    event = {"eventTime": "2024-05-01T00:00:00Z", "eventType": "START", "producer": "p", "inputs": [], "outputs": [],
             "run": {"runId": "0190a5a0-0000-7000-8000-000000000001"}, "job": {"namespace": "n", "name": "j"},
             "schemaURL": "https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/RunEvent"}  # fmt: skip
    assert served.client.post("/api/v1/lineage?source=spark", json=event).status_code == 202


@pytest.mark.parametrize("path", ["/healthz", "/readyz", "/metrics", "/"])
def test_health_metrics_and_pages_accept_any_query(sample: Served, path: str) -> None:
    """Probes, scrapers and links add parameters."""
    assert sample.get(path, params={"page": "home", "probe": "1"}).status_code == 200
