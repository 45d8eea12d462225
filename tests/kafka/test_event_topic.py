"""OpenLineage events from a topic: records without a key, in any partition, each counted once whatever dies."""

from __future__ import annotations

import json
import random
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from kafka_runs import done, finish, start

from lineage_tt import Store
from lineage_tt.read.observations import observations
from scripts.broker_lib.server import Broker
from scripts.broker_lib.topics import produce

Topics = Callable[..., str]
SOURCE = ("--from", "openlineage", "--no-progress", "--until-end")


def run(number: int, job: str, column: str) -> list[dict[str, Any]]:
    """Return the two events of a run that copies a column."""
    field = {"namespace": "db", "name": "a", "field": column}
    facets = {"columnLineage": {"fields": {"y": {"inputFields": [field]}}}}
    head = {"run": {"runId": f"r{number}"}, "job": {"namespace": "etl", "name": job}, "producer": "x", "schemaURL": "x"}
    began = {**head, "eventType": "START", "eventTime": f"2026-01-01T00:{number:02d}:00Z"}
    ended = {**head, "eventType": "COMPLETE", "eventTime": f"2026-01-01T00:{number:02d}:30Z"}
    return [began, {**ended, "inputs": [field], "outputs": [{"namespace": "db", "name": "b", "facets": facets}]}]


def history() -> list[tuple[bytes | None, bytes]]:
    """Return the records of forty runs of three jobs, shuffled, some twice, and one that is not an event."""
    events = [each for number in range(40) for each in run(number, f"j{number % 3}", "xz"[number >= 30])]
    draw = random.Random(1)
    events += draw.sample(events, 20)
    draw.shuffle(events)
    records: list[tuple[bytes | None, bytes]] = [(None, json.dumps(each).encode()) for each in events]
    return [*records[:50], (None, b"{no event"), *records[50:]]


def sources(store: Path, at: str | None = None) -> set[tuple[str, str]]:
    """Return tasks and the columns that they read."""
    return {(edge.task_id, edge.source) for edge in Store.open(store).as_of(at).edges()}


@pytest.mark.parametrize("failpoint", ["", "e1:after:kill", "e2:after:kill", "e3:before:kill", "p6:before:kill"])
def test_a_topic_of_events_is_read_once(broker: Broker, topic: Topics, tmp_path: Path, failpoint: str) -> None:
    """Killed anywhere between event, decision and commit, and started again: every run counts, and counts once."""
    name = topic(partitions=3 if failpoint else 1)
    produce(broker.address, name, history())
    store, uri = tmp_path / "s", f"kafka://{broker.address}/{name}"
    if failpoint:
        status, _, err = finish(start("ingest", uri, "--store", str(store), *SOURCE, failpoint=failpoint))
        assert status == -signal.SIGKILL, err
    done(start("ingest", uri, "--store", str(store), *SOURCE))

    assert sources(store) == {(f"etl/j{number}", "db:a#z") for number in range(3)}
    assert sources(store, "2026-01-01T00:20:00Z") == {(f"etl/j{number}", "db:a#x") for number in range(3)}
    assert sum(each.runs for each in observations(store)) == 40
    assert len(Store.open(store).dead_letters()) == 1


def test_a_topic_is_read_on_from_the_journal(broker: Broker, topic: Topics, tmp_path: Path) -> None:
    """A second call reads only what came since; a run that began in the first is decided in it."""
    name, store = topic(), tmp_path / "s"
    began, ended = run(1, "j", "x")
    uri = f"kafka://{broker.address}/{name}"
    produce(broker.address, name, [(None, json.dumps(began).encode())])
    done(start("ingest", uri, "--store", str(store), *SOURCE))
    assert sources(store) == set()
    produce(broker.address, name, [(None, json.dumps(ended).encode())])
    out = json.loads(done(start("ingest", uri, "--store", str(store), *SOURCE, "--format", "json")))

    assert sources(store) == {("etl/j", "db:a#x")}
    assert [(each["received"], each["runs"]) for each in out["result"]] == [(1, 1)]
