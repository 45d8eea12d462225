"""One log of messages, one lineage: whatever the order in which they arrive and the batches that they arrive in."""

from __future__ import annotations

import os
import random
import tempfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from ingest.resolve.resolver import SqlResolver
from lineage_tt import Store
from lineage_tt.model.facts import Field
from lineage_tt.model.messages import Message, NodeChange, TaskChange

START = 1_714_564_800_000_000
HOUR = 3_600_000_000
SEEDS = max(1, int(os.environ.get("LINEAGE_TT_ORDERS", "24")) // 2)
TIMES = 5
TEXTS = (
    "CREATE TABLE b AS SELECT * FROM a",
    "CREATE TABLE b AS SELECT x, y FROM a",
    "CREATE TABLE b AS SELECT *, 1 AS n FROM b",
    "INSERT INTO c SELECT x, y FROM b",
    "INSERT INTO c SELECT * FROM a",
    "CREATE VIEW d AS SELECT x, z FROM a JOIN b ON a.k = b.k",
    "CREATE VIEW d AS SELECT b.*, a.y AS w FROM a JOIN b USING (x)",
    "CREATE TABLE e AS SELECT * FROM d",
    "CREATE TABLE f AS SELECT * FROM c",
)


def story(draw: random.Random) -> list[Message]:
    """Return up to nine messages: texts of four tasks that read one another's tables, declarations, ends of tasks."""
    result: list[Message] = []
    for number in range(draw.randint(3, 9)):
        at = START + draw.randrange(TIMES) * HOUR
        if draw.random() < 0.45:
            names = draw.sample("xyzkw", draw.randint(0, 3))
            op: Any = "define" if names else "drop"
            fields = [Field(name) for name in names]
            dataset = f"h:{draw.choice('abcd')}"
            result.append(NodeChange(f"e{number}", "dataset", dataset, op, at, number, fields=fields))
            continue
        task, sql = f"t{draw.randint(1, 4)}", draw.choice(TEXTS) if draw.random() < 0.9 else None
        op = "update" if sql else "offline"
        result.append(TaskChange(f"e{number}", task, op, at, number, sql=sql, dialect="hive", namespace="h"))
    return result


def lineage(store: Store) -> list[Any]:
    """Return edges, columns, coverage and why it is not complete, at every time."""
    result: list[Any] = []
    for hour in range(-1, TIMES + 1):
        view = store.as_of(START + hour * HOUR)
        edges = sorted((e.task_id, e.source, e.target, e.type, e.subtype, e.expression) for e in view.edges())
        columns = [(c.dataset, c.column, c.ordinal, c.type, c.origin, c.valid_from) for c in view.columns()]
        result.append((hour, edges, columns, [(task.task_id, task.coverage, task.reasons) for task in view.tasks()]))
    return result


def arrived(messages: Sequence[Message], draw: random.Random, cut: float, resolver: SqlResolver) -> list[Any]:
    """Return the lineage of a store that received messages in this order, with a new batch after each so often."""
    with tempfile.TemporaryDirectory() as folder:
        store = Store.create(Path(folder))
        waiting: list[Message] = []
        for message in messages:
            waiting.append(replace(message))
            if draw.random() < cut:
                store.append(waiting, resolver=resolver)
                store, waiting = (Store.open(Path(folder)) if draw.random() < 0.5 else store), []
        store.append(waiting, resolver=resolver)
        return lineage(Store.open(Path(folder)))


@pytest.mark.long
@pytest.mark.parametrize("seed", range(SEEDS))
def test_any_order_gives_one_lineage(seed: int) -> None:
    """The same messages, in order as one batch, and twice shuffled, cut and with another writer at some cuts."""
    print("seed", seed)
    draw = random.Random(seed)
    messages = story(draw)
    with SqlResolver(0) as resolver:
        expected = arrived(messages, draw, 0, resolver)
        for _ in range(2):
            order = draw.sample(messages, len(messages))
            print("order", [message.event_id for message in order])
            for ours, theirs in zip(expected, arrived(order, draw, 0.5, resolver), strict=True):
                assert ours == theirs
