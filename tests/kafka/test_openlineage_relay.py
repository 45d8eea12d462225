"""A relay that sends OpenLineage events."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

from kafka_runs import done, start

from lineage_tt import Store
from scripts.broker_lib.server import Broker
from scripts.broker_lib.topics import read_all


def line(number: int, column: str) -> str:
    """Return a task change that copies a column."""
    edge = {"source": f"db:a#{column}", "target": "db:b#y"}
    at = f"2026-01-0{number}T00:00:00Z"
    return json.dumps({"event_id": str(number), "task_id": "t", "op": "update", "effective_at": at, "edges": [edge]})


def test_each_version_is_sent_once_and_a_follower_reads_it(
    broker: Broker, topic: Callable[..., str], tmp_path: Path
) -> None:
    """A second relay continues where the first ended; a store that reads the topic has the same lineage."""
    name, store, follower = topic(), tmp_path / "s", tmp_path / "follower"
    uri = f"kafka://{broker.address}/{name}"
    for number, column in enumerate("xz", 1):
        (tmp_path / "lines.jsonl").write_text(line(number, column) + "\n")
        done(start("ingest", str(tmp_path / "lines.jsonl"), "--store", str(store), "--no-progress"))
        done(start("relay", uri, "--store", str(store), "--openlineage", "--until-end", "--no-progress"))
    sent = [json.loads(record.value) for record in read_all(broker.address, name)]
    done(start("ingest", uri, "--from", "openlineage", "--store", str(follower), "--until-end", "--no-progress"))

    assert [event["job"]["facets"]["lineage_tt"]["version"] for event in sent] == [1, 2]
    assert [(edge.source, edge.target) for edge in Store.open(follower).as_of().edges()] == [("db:a#z", "db:b#y")]
