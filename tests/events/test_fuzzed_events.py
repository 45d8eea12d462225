"""Events of every format with anything in any place: each is taken or one dead letter, never a traceback or a bug."""

from __future__ import annotations

import copy
import json
import random
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fuzzed import COUNT, HOSTILE, SEED
from run_events import START, Event, columns_of, dataset, event
from test_hive_hook import line
from test_trino_events import query, take

from lineage_tt import Store
from lineage_tt.maintenance.check import check
from lineage_tt.write.admission import catch_all

#: What the key of an object is given in place of its own.
KEYS = ['"\\ud800"', '""', '"subscription:x"', '"=1"', '"x\\u0000"', '"' + "k" * 5000 + '"', '"a#b"', '"columnLineage"']
TOGETHER = 100


def run_event(number: int) -> Event:
    """Return an OpenLineage event with many facets."""
    source = dataset(
        "a",
        schema={"fields": [{"name": "x", "type": "int", "fields": [{"name": "q", "type": "int"}]}]},
        symlinks={"identifiers": [{"namespace": "hive", "name": "d.a", "type": "TABLE"}]},
        ownership={"owners": [{"name": "o", "type": "t"}]},
        tags={"tags": [{"key": "k", "value": "v", "source": "s", "field": "x"}]},
        dataQualityAssertions={"assertions": [{"assertion": "not_null", "success": False, "column": "x"}]},
        lifecycleStateChange={"lifecycleStateChange": "RENAME", "previousIdentifier": {"name": "z", "namespace": "db"}},
        columnLineage=columns_of(x=["c.y"]),
    )
    target = dataset(f"b{number % 37}", columnLineage=columns_of(y=["a.x"]), schema={"fields": [{"name": "y"}]})
    target["outputFacets"] = {"outputStatistics": {"rowCount": 4, "size": 3, "fileCount": 1}}
    entry = {"namespace": "db", "name": "c", "type": "DATASET"}
    facets = {
        "sql": {"query": "insert into b select x y from a", "dialect": "spark"},
        "ownership": {"owners": [{"name": "o", "type": "t"}]},
        "jobType": {"processingType": "BATCH", "integration": "SPARK", "jobType": "QUERY"},
        "lineage": {"entries": [{**entry, "inputs": [entry], "fields": {"y": {"inputs": [{**entry, "field": "u"}]}}}]},
    }
    parent = {"run": {"runId": "p"}, "job": {"namespace": "n", "name": "pj"}}
    runs = {
        "parent": parent | {"root": parent},
        "nominalTime": {"nominalStartTime": "2026-01-01T00:00:00Z"},
        "processing_engine": {"version": "3", "name": "spark"},
    }
    at, job = START + number * 1000, f"job{number % 37}"
    return event(
        "COMPLETE", at, job, f"run{number}", inputs=[source], outputs=[target], job_facets=facets, run_facets=runs
    )


def query_event(number: int) -> Event:
    """Return a query event of Trino."""
    made = query(1, f"insert into sales{number % 31} select sum(amt) total from ods.orders", user="u", clientTags=["x"])
    made["metadata"]["queryId"] = f"20260101_020001_{number:05d}_abcde"
    made["statistics"] = {"writtenRows": 3}
    return made


def hive_line(number: int) -> Event:
    """Return a line of Hive's hook."""
    predicate = ([2, 4], [0], "PREDICATE", "p")
    made = line(([2], [0], "PROJECTION", ""), ([3], [1], "PROJECTION", "sum(orders.amt)"), predicate)
    return made | {"timestamp": made["timestamp"] + number, "hash": f"h{number}"}


def places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Every place in nested lists and objects: what holds it, and its key."""
    for key, inside in (
        value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    ):
        yield value, key
        yield from places(inside)


def fuzzed(draw: random.Random, number: int) -> bytes:
    """Return an event with one or two parts replaced, by values that are not all values of Python."""
    made = copy.deepcopy(draw.choice([run_event, run_event, query_event, hive_line])(number))
    texts = []
    for turn in range(draw.choice([1, 1, 2])):
        holder, key = draw.choice(list(places(made)))
        if isinstance(holder, dict) and draw.random() < 0.15:
            holder[f"@{turn}@"] = holder.pop(key)
            texts.append(draw.choice(KEYS))
        else:
            holder[key] = f"@{turn}@"
            texts.append(draw.choice(HOSTILE))
    text = json.dumps(made)
    for turn, each in enumerate(texts):
        text = text.replace(f'"@{turn}@"', each)
    return text.encode("utf-8", "surrogatepass")


@pytest.mark.timeout(120 + COUNT // 50)
def test_fuzzed_events_cost_nobody_else_anything(tmp_path: Path) -> None:
    """Every good event beside the fuzzed ones makes its version; the store is sound and without reserved nodes."""
    print(f"seed {SEED}")
    draw, bugs, told = random.Random(SEED), catch_all.counted(), Counter[str]()
    good = 0  # what runs beside them say
    for first in range(0, COUNT // 5, TOGETHER):
        events: list[Any] = [fuzzed(draw, number) for number in range(first, first + TOGETHER)]
        events.insert(50, event("COMPLETE", START + first, f"good{first}", f"good{first}", **beside(first)))
        told.update(take(tmp_path / "s", *events))
        good += 1

    assert catch_all.counted() == bugs
    store = Store.open(tmp_path / "s")
    assert not check(tmp_path / "s")
    edges = {(edge.source, edge.target) for edge in store.as_of().edges()}
    assert sum(target.startswith("db:good") for _, target in edges) == good
    assert told["accepted"] > good
    assert not any(name.startswith(("subscription:", "token:", "policy:")) for edge in edges for name in edge)


def beside(number: int) -> dict[str, Any]:
    """Return what a good run reads and writes."""
    return {"inputs": [dataset("a")], "outputs": [dataset(f"good{number}", columnLineage=columns_of(y=["a.x"]))]}


def test_a_time_that_cannot_be_is_a_dead_letter(tmp_path: Path) -> None:
    """Once -2⁶³ was an error of the system, which ended the intake; it never came past that event."""
    bugs, events = catch_all.counted(), list[Any]()
    for wrong in (1e300, -(2**63), 2**63, 10**400, 10**15, float("inf")):
        made = [hive_line(1), hive_line(1), query_event(1), query_event(1)]
        fields = ("timestamp", "duration", "createTime", "endTime")
        events += [each | {field: wrong} for each, field in zip(made, fields, strict=True)]
    found = take(tmp_path / "s", *events, event("COMPLETE", START, **beside(1)))

    assert catch_all.counted() == bugs
    assert Counter(found) == {"accepted": 1, "rejected": len(events)}


def test_an_id_that_is_no_id_costs_its_vertex_alone(tmp_path: Path) -> None:
    """Once a list as a vertex's id was a bug, and the line was lost."""
    made = hive_line(1)
    made["vertices"][4]["id"] = [4]

    assert take(tmp_path / "s", made) == ["accepted"]
