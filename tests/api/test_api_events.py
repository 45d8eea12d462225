"""OpenLineage events over HTTP: one or many, packed or plain, under all paths; acknowledged once they are durable."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import httpx
import pytest
from services import Served, serving

from lineage_tt import Store

PATHS = ["/v1/openlineage", "/api/v1/lineage", "/api/v1/lineage/batch"]


def event(kind: str, job: str, run: str, minute: int, column: str = "x") -> dict[str, Any]:
    """Return an event of a run that copies a column."""
    field = {"namespace": "db", "name": "a", "field": column}
    lineage = {"columnLineage": {"fields": {"y": {"inputFields": [field]}}}}
    ends = kind == "COMPLETE"
    return {
        "eventType": kind,
        "eventTime": f"2026-01-01T00:{minute:02d}:00Z",
        "run": {"runId": run},
        "job": {"namespace": "etl", "name": job},
        "inputs": [{"namespace": "db", "name": "a"}] if ends else [],
        "outputs": [{"namespace": "db", "name": f"b-{job}", "facets": lineage}] if ends else [],
        "producer": "https://example.com",
        "schemaURL": "https://openlineage.io/spec/2-0-2/OpenLineage.json",
    }


def post(served: Served, path: str, body: Any, **headers: str) -> httpx.Response:
    """Send a body as JSON."""
    content = body if isinstance(body, bytes) else json.dumps(body).encode()
    return served.client.post(path, content=content, headers={"content-type": "application/json", **headers})


def sources(store: Path) -> set[str]:
    """Return the columns that are read."""
    return {edge.source for edge in Store.open(store).as_of().edges()}


@pytest.mark.parametrize("path", PATHS)
def test_events_are_in_the_store_when_they_are_acknowledged(tmp_path: Path, path: str) -> None:
    """Single events, an array and a gzip body are taken in; the lineage is there when the answer is."""
    store = tmp_path / "s"
    with serving(store, "--no-graph") as served:
        assert post(served, path, event("START", "j1", "r1", 1)).status_code == 202
        assert sources(store) == set()
        assert post(served, path, event("COMPLETE", "j1", "r1", 2)).status_code == 202
        assert sources(store) == {"db:a#x"}
        packed = gzip.compress(json.dumps([event("COMPLETE", "j2", "r2", 3, "z")]).encode())
        answer = post(served, path, packed, **{"content-encoding": "gzip"})

        assert (answer.status_code, answer.json()["result"]["accepted"]) == (202, 1)
        assert sources(store) == {"db:a#x", "db:a#z"}
        edges = served.get("/v1/lineage", params={"node": "db:b-j2#y", "direction": "up"}).json()
        assert "db:a#z" in json.dumps(edges)


def test_bad_events_are_dead_letters_and_the_others_go_on(tmp_path: Path) -> None:
    """What cannot be read is kept with its reason; what came before is a duplicate; no JSON at all is refused."""
    store = tmp_path / "s"
    good = event("COMPLETE", "j", "r", 1)
    with serving(store, "--no-graph") as served:
        first = post(served, PATHS[0], [good, {"eventTime": "2026-01-01T00:00:00Z"}, {**good, "eventTime": "2026"}])
        second = post(served, PATHS[0], good)

        assert [each["status"] for each in first.json()["result"]["receipts"]] == ["accepted", "rejected", "rejected"]
        assert second.json()["result"]["duplicate"] == 1
        assert post(served, PATHS[0], b"{not json").status_code == 400
    assert len(Store.open(store).dead_letters()) == 2
    assert sources(store) == {"db:a#x"}


def test_what_was_taken_in_is_decided_after_a_kill(tmp_path: Path) -> None:
    """A service that is killed after the journal, before the log, continues when it starts again."""
    store = tmp_path / "s"
    with serving(store, "--no-graph", LINEAGE_FAILPOINT="e2:after:kill") as served:
        with pytest.raises(httpx.HTTPError):
            post(served, PATHS[0], event("COMPLETE", "j", "r", 1))
        served.process.wait(30)
    assert sources(store) == set()
    with serving(store, "--no-graph"):
        assert sources(store) == {"db:a#x"}


def test_a_service_that_only_reads_takes_no_events(tmp_path: Path) -> None:
    """403, with what to do."""
    store = tmp_path / "s"
    Store.create(store)
    with serving(store, "--no-graph", "--read-only") as served:
        assert post(served, PATHS[1], event("COMPLETE", "j", "r", 1)).status_code == 403


def test_policies_come_with_the_mapping(tmp_path: Path) -> None:
    """A mapping file that speaks of events alone is no field mapping, and names the tasks."""
    mapping = tmp_path / "mapping.toml"
    mapping.write_text('[openlineage]\ntask = "T:{job.name}"\n', encoding="utf-8")
    with serving(tmp_path / "s", "--no-graph", "--mapping", str(mapping)) as served:
        assert post(served, PATHS[0], event("COMPLETE", "j_2026-01-01", "r", 1)).status_code == 202
    assert {edge.task_id for edge in Store.open(tmp_path / "s").as_of().edges()} == {"T:j"}
