"""Facets that producers get partly wrong: what can be read counts, what cannot is reported."""

from __future__ import annotations

import copy
import json
import os
import random
from pathlib import Path
from typing import Any

import pytest
from openlineage_stated import events_of
from run_events import START, Event, columns_of, dataset, event, take

from lineage_tt import Store

SEED = int(os.environ.get("LINEAGE_TT_SEED", random.randrange(2**32)))


def stated(folder: Path, *events: Event) -> tuple[set[tuple[str, str]], list[str]]:
    """The edges in force, and the words of the problems of their task; every event is accepted."""
    assert {receipt.status for receipt in take(folder, events)} <= {"accepted"}
    view = Store.open(folder).as_of()
    problems = [
        problem.detail for task in view.tasks() for problem in task.reasons if problem.code == "unreadable-facet"
    ]
    return {(edge.source, edge.target) for edge in view.edges()}, problems


@pytest.mark.parametrize(
    "wrong",
    [
        {"namespace": "db", "name": "a"}, {"namespace": "db", "name": "a", "field": None}, None, 7, "a.x", [],
        {"namespace": "db", "name": "a", "field": "x", "transformations": [{"subtype": "IDENTITY"}]},
    ],
)  # fmt: skip
def test_one_wrong_input_of_a_column_does_not_lose_the_others(tmp_path: Path, wrong: Any) -> None:
    """Once the whole facet was lost, and with it the columns that it names rightly."""
    facet = columns_of(y=["a.x"], z=["a.x"])
    facet["fields"]["y"]["inputFields"].append(wrong)
    said = complete(dataset("a"), dataset("b", columnLineage=facet))
    edges, problems = stated(tmp_path, said)

    assert {("db:a#x", "db:b#y"), ("db:a#x", "db:b#z")} <= edges
    assert [words.startswith("the facet columnLineage cannot be read whole") for words in problems] == [True]


def complete(source: Event, target: Event, **more: Any) -> Event:
    """A run that read one dataset and wrote another."""
    return event("COMPLETE", START, inputs=[source], outputs=[target], **more)


@pytest.mark.parametrize("wrong", [None, 3, {"type": "DATASET", "inputs": 7}, {"inputs": [{"transformations": 3}]}])
def test_one_wrong_entry_of_the_lineage_facet_does_not_lose_the_others(tmp_path: Path, wrong: Any) -> None:
    """The entry that can be read counts, and goes before the lists."""
    entry = {
        "namespace": "db",
        "name": "b",
        "type": "DATASET",
        "inputs": [{"type": "DATASET", "namespace": "db", "name": "c"}],
    }
    said = complete(dataset("a"), dataset("b"), job_facets={"lineage": {"entries": [wrong, entry]}})
    edges, problems = stated(tmp_path, said)

    assert ("db:c", "db:b") in edges
    assert len(problems) == 1


@pytest.mark.parametrize("wrong", [None, {}, {"name": 3}, {"name": "x", "fields": 3}])
def test_one_wrong_column_of_a_schema_does_not_lose_the_others(tmp_path: Path, wrong: Any) -> None:
    """The columns that can be read are those of the table."""
    schema = {"fields": [{"name": "y", "type": "int"}, wrong]}
    stated(tmp_path, complete(dataset("a"), dataset("b", schema=schema)))

    assert "y" in [column.column for column in Store.open(tmp_path).as_of().columns("db:b")]


@pytest.mark.parametrize(("size", "left_out"), [(1, None), (70_000, ["datasets"])])
def test_facets_that_nobody_knows_are_kept_with_the_version(
    tmp_path: Path, size: int, left_out: list[str] | None
) -> None:
    """Those of the job and of its datasets, up to a length; what is read into edges and facts is not there twice."""
    odd = {"made_up": {"x": ["y"] * size}, "schema": {"fields": [{"name": "y"}]}}
    run = event("COMPLETE", START, outputs=[dataset("b", **odd)], job_facets={"own": {"deep": {"er": 1}}})
    take(tmp_path, [run])
    ((text,),) = Store.open(tmp_path).sql("SELECT attributes FROM log")[1]
    kept = json.loads(text)["openlineage"]

    assert kept["facets"] == {"own": {"deep": {"er": 1}}}
    assert kept.get("datasets") == (None if left_out else {"db:b": {"made_up": {"x": ["y"]}}})
    assert kept.get("left_out") == left_out


@pytest.mark.parametrize("turn", range(30))
def test_recorded_events_with_anything_replaced_are_taken(tmp_path: Path, shared_dir: Path, turn: int) -> None:
    """Any part of a real event may be anything: the event is accepted or a dead letter, and those beside it count."""
    print(f"LINEAGE_TT_SEED={SEED}")
    draw = random.Random(SEED + turn)
    recorded = shared_dir / "data" / "openlineage" / "recorded"
    known = [each for path in sorted(recorded.glob("*.jsonl")) for each in events_of(path)]
    events = [copy.deepcopy(draw.choice(known)) for _ in range(12)]
    for each in events:
        for _ in range(draw.randint(1, 4)):
            replace(each, draw)
    good = complete(dataset("sure"), dataset("safe"))
    receipts = take(tmp_path, [*events, good])

    assert {receipt.status for receipt in receipts} <= {"accepted", "rejected", "duplicate"}
    store = Store.open(tmp_path)
    assert ("db:sure", "db:safe") in {(edge.source, edge.target) for edge in store.as_of().edges()}
    codes = {code for (code,) in store.fetch("SELECT DISTINCT rejected_code FROM log WHERE status = 'rejected'")}
    assert "internal-error" not in codes


def replace(value: Any, draw: random.Random) -> None:
    """Put anything in the place of one part of an event, deep or not."""
    while True:
        keys = list(value) if isinstance(value, dict) else list(range(len(value)))
        if not keys:
            return
        key = draw.choice(keys)
        inner = value[key]
        if isinstance(inner, dict | list) and inner and draw.random() < 0.8:
            value = inner
            continue
        others: list[Any] = [
            None,
            0,
            -1,
            1e300,
            "",
            "x",
            [],
            {},
            [[]],
            {"": None},
            [None],
            True,
            "\x00",
            "\ud83d\ude00" * 3,
        ]
        value[key] = copy.deepcopy(draw.choice(others))
        return
