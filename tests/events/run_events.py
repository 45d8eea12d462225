"""OpenLineage events in a line, and what a store holds of them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

from ingest.events.intake import EventIntake
from ingest.events.policy import Policies
from ingest.events.policy_file import PolicyFile
from lineage_tt import Store
from lineage_tt.model.messages import Receipt
from lineage_tt.model.times import format_instant
from lineage_tt.read.observations import observations

#: 2026-01-01T00:00:00Z
START = 1_767_225_600_000_000
HOUR = 3_600_000_000
Event = dict[str, Any]


def dataset(name: str, **facets: Any) -> Event:
    """Return a dataset of the namespace ``db``."""
    return {"namespace": "db", "name": name, "facets": facets}


def columns_of(**fields: Sequence[str]) -> Event:
    """Return a columnLineage facet: ``x=["a.b"]`` says that column x comes from column b of table a."""
    inputs = {
        name: [{"namespace": "db", "name": each.split(".")[0], "field": each.split(".")[1]} for each in sources]
        for name, sources in fields.items()
    }
    return {"fields": {name: {"inputFields": each} for name, each in inputs.items()}}


def event(
    kind: str | None,
    at: int,
    job: str = "job",
    run: str = "r1",
    *,
    inputs: Iterable[Event] = (),
    outputs: Iterable[Event] = (),
    job_facets: Mapping[str, Any] | None = None,
    run_facets: Mapping[str, Any] | None = None,
) -> Event:
    """Return a run event, or with no kind a job event; ``at`` is in UTC microseconds."""
    made: Event = {
        "eventTime": format_instant(at),
        "producer": "https://example.com",
        "schemaURL": "https://openlineage.io/spec/2-0-2/OpenLineage.json",
        "job": {"namespace": "etl", "name": job, "facets": dict(job_facets or {})},
        "inputs": list(inputs),
        "outputs": list(outputs),
    }
    if kind is not None:
        made |= {"eventType": kind, "run": {"runId": run, "facets": dict(run_facets or {})}}
    return made


def dataset_event(at: int, name: str, **facets: Any) -> Event:
    """Return a dataset event of the namespace ``db``."""
    return {"eventTime": format_instant(at), "producer": "x", "schemaURL": "x", "dataset": dataset(name, **facets)}


def a_run(
    at: int, job: str = "job", run: str = "r1", *, source: str = "a.x", target: str = "b", lasts: int = 60_000_000,
    ends: str = "COMPLETE",
) -> list[Event]:  # fmt: skip
    """Return the two events of a run that copies a column into column ``y`` of a table."""
    table = source.split(".")[0]
    said: Event = {"inputs": [dataset(table)], "outputs": [dataset(target, columnLineage=columns_of(y=[source]))]}
    return [event("START", at, job, run), event(ends, at + lasts, job, run, **said)]


def policies(**rules: Any) -> Policies:
    """Return the policies of a mapping file's table ``[openlineage]``."""
    return Policies(PolicyFile.model_validate(rules))


def take(folder: Path, *batches: Sequence[Event], rules: Policies | None = None) -> list[Receipt]:
    """Take batches of events into the store of a folder, each decided before the next one; return the receipts."""
    store, receipts = Store.create(folder), []
    with EventIntake(store, policies=rules, workers=0) as intake:
        for batch in batches:
            intake.take([intake.read(json.dumps(each).encode()) for each in batch])
            receipts += intake.settle().receipts
        intake.observe()
    return receipts


def held(folder: Path, times: Iterable[int]) -> list[Any]:
    """Return the edges and facts in force at these times, as known now, without which version said so."""
    store = Store.open(folder)
    result = []
    for at in times:
        view = store.as_of(at)
        edges = sorted((e.task_id, e.source, e.target, e.type, e.subtype, e.expression) for e in view.edges())
        facts = sorted((f.node, f.key, f.value) for f in view.facts())
        result.append((at, edges, facts))
    return result


def whole(folder: Path) -> dict[str, Any]:
    """Return all that a store answers as known now, whichever version said so: for every time, not for some.

    ``versions`` are the messages in force: not retracted, and none at the same time is later.
    """
    store = Store.open(folder)
    rows = store.fetch(
        "SELECT version, event_id, op, epoch_us(effective_at), retracts, coalesce(kind, 'task'), "
        "coalesce(task_id, subject), fact_key, coverage, edges::VARCHAR, facts::VARCHAR, outputs::VARCHAR, "
        "problems::VARCHAR, parser "
        "FROM log WHERE status = 'accepted' ORDER BY version"
    )
    retracted = {row[4] for row in rows if row[2] == "retract"}
    last = {(*row[5:8], row[3]): row[8:] for row in rows if row[2] != "retract" and row[1] not in retracted}
    columns = {at: [each._replace(version=0) for each in store.as_of(at).columns()] for at in {key[3] for key in last}}
    seen = sorted(observations(folder))
    edges, facts = list(store.rectangles()), list(store.fact_rectangles())
    return {"versions": last, "edges": edges, "facts": facts, "columns": columns, "observations": seen}


def neighbours(found: Mapping[str, Any]) -> list[Any]:
    """Return the versions in force that say what the one before them says."""
    ordered = sorted(found["versions"].items(), key=lambda each: repr((each[0][:3], f"{each[0][3]:020d}")))
    return [b for a, b in pairwise(ordered) if a[0][:3] == b[0][:3] and a[1] == b[1]]


def pairs(folder: Path, at: int | None = None) -> set[tuple[str, str]]:
    """Return the edges in force, as pairs of nodes."""
    return {(e.source, e.target) for e in Store.open(folder).as_of(at).edges()}
