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


def sources(store: Path, *jobs: str) -> set[str]:
    """Return the columns that jobs read."""
    targets = {f"db:b-{job}#y" for job in jobs}
    return {edge.source for edge in Store.open(store).as_of().edges() if edge.target in targets}


@pytest.mark.parametrize("path", PATHS)
def test_events_are_in_the_store_when_they_are_acknowledged(taking: Served, taking_store: Path, path: str) -> None:
    """Single events, an array and a gzip body are taken in; the lineage is there when the answer is."""
    jobs = one, other = [f"{each}-{PATHS.index(path)}" for each in ("single", "packed")]
    assert post(taking, path, event("START", one, f"r {one}", 1)).status_code == 202
    assert sources(taking_store, *jobs) == set()
    assert post(taking, path, event("COMPLETE", one, f"r {one}", 2)).status_code == 202
    assert sources(taking_store, *jobs) == {"db:a#x"}
    packed = gzip.compress(json.dumps([event("COMPLETE", other, f"r {other}", 3, "z")]).encode())
    answer = post(taking, path, packed, **{"content-encoding": "gzip"})

    assert (answer.status_code, answer.json()["result"]["accepted"]) == (202, 1)
    assert sources(taking_store, *jobs) == {"db:a#x", "db:a#z"}
    edges = taking.get("/v1/lineage", params={"node": f"db:b-{other}#y", "direction": "up"}).json()
    assert "db:a#z" in json.dumps(edges)


def test_bad_events_are_dead_letters_and_the_others_go_on(taking: Served, taking_store: Path) -> None:
    """What cannot be read is kept with its reason; what came before is a duplicate; no JSON at all is refused."""
    good = event("COMPLETE", "good", "r good", 1)
    before = len(Store.open(taking_store).dead_letters())
    first = post(taking, PATHS[0], [good, {"eventTime": "2026-01-01T00:00:00Z"}, {**good, "eventTime": "2026"}])
    second = post(taking, PATHS[0], good)

    assert [each["status"] for each in first.json()["result"]["receipts"]] == ["accepted", "rejected", "rejected"]
    assert second.json()["result"]["duplicate"] == 1
    assert post(taking, PATHS[0], b"{not json").status_code == 400
    assert len(Store.open(taking_store).dead_letters()) == before + 2
    assert sources(taking_store, "good") == {"db:a#x"}


def test_what_was_taken_in_is_decided_after_a_kill(tmp_path: Path) -> None:
    """A service that is killed after the journal, before the log, continues when it starts again."""
    store = tmp_path / "s"
    with serving(store, "--no-graph", LINEAGE_FAILPOINT="e2:after:kill") as served:
        with pytest.raises(httpx.HTTPError):
            post(served, PATHS[0], event("COMPLETE", "j", "r", 1))
        served.process.wait(30)
    assert sources(store, "j") == set()
    with serving(store, "--no-graph"):
        assert sources(store, "j") == {"db:a#x"}


def test_a_service_that_only_reads_takes_no_events(tmp_path: Path) -> None:
    """403, with what to do."""
    store = tmp_path / "s"
    Store.create(store)
    with serving(store, "--no-graph", "--read-only") as served:
        assert post(served, PATHS[1], event("COMPLETE", "j", "r", 1)).status_code == 403


def test_policies_come_with_the_mapping(tmp_path: Path) -> None:
    """A mapping file that speaks of events alone is not a field mapping, and names the tasks."""
    mapping = tmp_path / "mapping.toml"
    mapping.write_text('[openlineage]\ntask = "T:{job.name}"\n', encoding="utf-8")
    with serving(tmp_path / "s", "--no-graph", "--mapping", str(mapping)) as served:
        assert post(served, PATHS[0], event("COMPLETE", "j_2026-01-01", "r", 1)).status_code == 202
    assert {edge.task_id for edge in Store.open(tmp_path / "s").as_of().edges()} == {"T:j"}
