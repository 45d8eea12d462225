"""Versions as OpenLineage events: what the specification accepts, and what a follower reads back."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest
from run_events import take

import lineage_tt.sample
from ingest.pipeline import Ingester
from lineage_tt import Store
from lineage_tt.feed.openlineage import openlineage_events

RETAIL = Path(lineage_tt.sample.__file__).parent / "retail.jsonl"


@pytest.fixture(scope="module")
def retail(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with the sample."""
    folder = tmp_path_factory.mktemp("out") / "retail"
    with Ingester(Store.create(folder), workers=1) as ingester:
        ingester.ingest_file(str(RETAIL))
    return folder


@pytest.fixture(scope="module")
def events(retail: Path) -> list[dict[str, Any]]:
    """The events of all versions of the sample."""
    store = Store.open(retail)
    return list(openlineage_events(store.changes(), store))


def schemas(shared: Path) -> dict[str, Any]:
    """Return the specification's schemas by their ids."""
    spec = shared / "data" / "openlineage" / "spec"
    found = [json.loads(path.read_text()) for path in (spec / "OpenLineage.json", *(spec / "facets").glob("*.json"))]
    return {schema["$id"]: schema for schema in found}


def test_the_specification_accepts_every_event(events: list[dict[str, Any]], shared_dir: Path) -> None:
    """Each event, and each facet in it, is valid as the specification's schemas have it."""
    known = schemas(shared_dir)
    whole = known["https://openlineage.io/spec/2-0-2/OpenLineage.json"]

    def valid(pointer: str, given: Any) -> None:
        schema = {"$ref": pointer}
        jsonschema_rs.validator_for(schema, retriever=known.__getitem__).validate(given)

    facets = 0
    for event in events:
        jsonschema_rs.validator_for(whole, retriever=known.__getitem__).validate(event)
        for name, facet in (event.get("job") or event["dataset"])["facets"].items():
            valid(facet["_schemaURL"], facet)
            facets += name == "lineage"

    assert len(events) >= 20
    assert facets >= 10


def test_a_follower_has_the_lineage_of_the_store(retail: Path, events: list[dict[str, Any]], tmp_path: Path) -> None:
    """The events taken into another store, in any batches, give the edges that are in force in the first one."""
    take(tmp_path / "follower", events)
    ours, theirs = (
        {
            (e.source, e.target, e.type, e.subtype)
            for e in Store.open(folder).as_of().edges()
            if not e.source.endswith("#*") and not e.target.endswith("#*")
        }
        for folder in (retail, tmp_path / "follower")
    )

    assert len(ours) > 50
    assert ours <= theirs


def test_a_task_that_ends_leaves_its_tables_without_sources(tmp_path: Path) -> None:
    """The event of an offline task says of each table that nothing feeds it any more."""
    edge = {"source": "db:a#x", "target": "db:b#y", "type": "DIRECT", "subtype": "IDENTITY"}
    lines = [
        {"event_id": "1", "task_id": "t", "op": "online", "effective_at": "2026-01-01T00:00:00Z", "edges": [edge]},
        {"event_id": "2", "task_id": "t", "op": "offline", "effective_at": "2026-02-01T00:00:00Z"},
    ]
    path = tmp_path / "lines.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    with Ingester(Store.create(tmp_path / "s"), workers=1) as ingester:
        ingester.ingest_file(str(path))
    command = [str(Path(sys.executable).with_name("lineage-tt")), "changes", "--format", "openlineage"]
    found = subprocess.run([*command, "--store", str(tmp_path / "s")], capture_output=True, text=True, check=True)
    first, last = map(json.loads, found.stdout.splitlines())

    assert first["job"]["facets"]["lineage"]["entries"][0]["fields"]["y"]["inputs"][0]["field"] == "x"
    assert last["job"]["facets"]["lineage_tt"]["effectiveAt"].startswith("2026-02-01T00:00:00")
    assert first["eventTime"] < last["eventTime"]
    assert last["job"]["facets"]["lineage"]["entries"] == [
        {"namespace": "db", "name": "b", "type": "DATASET", "inputs": []}
    ]
