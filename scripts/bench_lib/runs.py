"""How fast OpenLineage events are taken in, decided and counted, and what a run costs that changes nothing."""

from __future__ import annotations

import json
import os
import random
import statistics
import time
from pathlib import Path
from typing import Any

from ingest.events.intake import EventIntake
from lineage_tt import Store
from lineage_tt.model.times import format_instant

START = 1_767_225_600_000_000
HOUR = 3_600_000_000
BATCH = 1000
#: Runs that are taken in alone, each with all that a lone one costs: the disk is forced once, nothing is parsed.
ALONE = 300
#: Runs that come together, as in a request or from a poll of a topic, and how often such are taken in.
TOGETHER, TIMES = 100, 30
COLUMNS = 20


def measured(work: Path, jobs: int, runs: int) -> dict[str, Any]:
    """Return events a second over this number of runs and jobs, shuffled, and milliseconds for an identical run."""
    raw = [json.dumps(each).encode() for job in range(jobs) for run in range(runs) for each in events(job, run)]
    random.Random(1).shuffle(raw)
    store = Store.create(work / "store")
    with EventIntake(store, workers=1) as intake:
        begun = time.perf_counter()
        for first in range(0, len(raw), BATCH):
            intake.take([intake.read(each) for each in raw[first : first + BATCH]])
        receipts = intake.settle().receipts
        intake.observe()
        seconds = time.perf_counter() - begun
        if len(receipts) != jobs:
            raise SystemExit(f"{jobs} jobs made {len(receipts)} versions")
        return {
            "events": len(raw),
            "openlineage_events_per_s": round(len(raw) / seconds),
            "identical_run_ms": round(_milliseconds(_identical(intake, runs + ALONE, TIMES, TOGETHER)) / TOGETHER, 3),
            "lone_run_ms": _milliseconds(_identical(intake, runs, ALONE, 1)),
            "disk_force_ms": _milliseconds(_forced(work / "forced")),
        }


def _identical(intake: EventIntake, first: int, times: int, together: int) -> list[float]:
    """Return the seconds that this number of runs that change nothing take together, each time."""
    found = []
    for number in range(first, first + times * together, together):
        raw = [json.dumps(each).encode() for run in range(number, number + together) for each in events(0, run)]
        begun = time.perf_counter()
        intake.take([intake.read(each) for each in raw])
        if intake.settle().receipts:
            raise SystemExit("an identical run made a version")
        found.append(time.perf_counter() - begun)
    return found


def _forced(path: Path) -> list[float]:
    """Return the seconds that the disk takes to force what was appended to a file."""
    found = []
    with path.open("wb") as file:
        for _ in range(ALONE):
            begun = time.perf_counter()
            file.write(bytes(4096))
            file.flush()
            os.fdatasync(file.fileno())
            found.append(time.perf_counter() - begun)
    return found


def _milliseconds(seconds: list[float]) -> float:
    return round(1000 * statistics.median(seconds), 3)


def events(job: int, run: int) -> list[dict[str, Any]]:
    """Return the two events of a run of a job that copies twenty columns."""
    at = START + run * HOUR
    head = {
        "producer": "https://example.com",
        "schemaURL": "https://openlineage.io/spec/2-0-2/OpenLineage.json",
        "run": {"runId": f"run-{job}-{run}"},
        "job": {"namespace": "etl", "name": f"job{job}", "facets": {"sql": {"query": f"insert into b{job} select 1"}}},
    }
    field = {"namespace": "db", "name": f"a{job}"}
    fields = {f"c{n}": {"inputFields": [{**field, "field": f"s{n}"}]} for n in range(COLUMNS)}
    schema = {"fields": [{"name": f"c{n}", "type": "string"} for n in range(COLUMNS)]}
    output = {"namespace": "db", "name": f"b{job}", "facets": {"columnLineage": {"fields": fields}, "schema": schema}}
    began = {**head, "eventType": "START", "eventTime": format_instant(at), "inputs": [], "outputs": []}
    ended = {**head, "eventType": "COMPLETE", "eventTime": format_instant(at + 60_000_000)}
    return [began, {**ended, "inputs": [field], "outputs": [output]}]
