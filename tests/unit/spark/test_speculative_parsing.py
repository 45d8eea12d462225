"""Lineage made before its turn: a wrong guess costs a parse, and never changes a row."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import crashes
import pytest
from rounds import rounds

from ingest.resolve.resolver import SqlResolver
from ingest.spark.pool import slices_of
from ingest.spark.speculative_parsing import Foresight
from ingest.sql.jobs import ExtractionJob
from ingest.workers.pool import ExtractionPool
from lineage_tt import Store
from lineage_tt.model.facts import Field
from lineage_tt.model.messages import Message, NodeChange, Op, TaskChange
from lineage_tt.write.past import history

HOUR = 3_600_000_000
NOON = 1_714_564_800_000_000


class CountingPool(ExtractionPool):
    """A pool in this process that counts its jobs, in the place of the one on Spark."""

    def __init__(self) -> None:
        super().__init__(0)
        self.jobs = 0

    def map(self, jobs: Any) -> Any:
        """Count the jobs and run them."""
        self.jobs += len(jobs)
        return super().map(jobs)


def sql(number: int, task: str, text: str, at: int = 0, op: Op = "update") -> TaskChange:
    """Return a message of SQL, ``at`` hours after noon."""
    return TaskChange(
        f"e{number}",
        task,
        op,
        NOON + at * HOUR,
        sql=text,
        dialect="hive",
        namespace="hive",
    )


def appended(path: Path, messages: list[Message], stretch: int) -> tuple[Foresight, CountingPool]:
    """Append messages in stretches, each foreseen; return the foresight."""
    store = Store.create(path)
    pool = CountingPool()
    foresight = Foresight(pool, history.load(store.writer.log), 0, workers=0)  # type: ignore[arg-type]
    for start in range(0, len(messages), stretch):
        part = messages[start : start + stretch]
        foresight.foresee(part)
        store.append(part, resolver=foresight)
        foresight.forget(part)
    return foresight, pool


def one_by_one(path: Path, messages: list[Message]) -> None:
    """Append messages one at a time with the resolver of an ingest."""
    store = Store.create(path)
    with SqlResolver(0) as resolver:
        for message in messages:
            store.append([message], resolver=resolver)


@pytest.mark.long
def test_a_chain_is_foreseen(tmp_path: Path) -> None:
    """Stars over tables that earlier messages write, and their new columns, are known before their turns."""
    messages: list[Message] = [
        NodeChange("n1", "dataset", "hive:ods.s", "define", NOON, fields=[Field("id"), Field("x")]),
        sql(1, "a", "CREATE OR REPLACE VIEW dw.a AS SELECT * FROM ods.s"),
        sql(2, "b", "CREATE OR REPLACE VIEW dw.b AS SELECT * FROM dw.a"),
        sql(3, "c", "CREATE OR REPLACE VIEW dw.c AS SELECT id, x FROM dw.b"),
        NodeChange("n2", "dataset", "hive:ods.s", "define", NOON + HOUR, fields=[Field("id"), Field("x"), Field("y")]),
        sql(4, "c", "CREATE OR REPLACE VIEW dw.c AS SELECT id, y FROM dw.b", 2),
        sql(5, "b", "CREATE OR REPLACE VIEW dw.b AS SELECT id FROM dw.a", 3),
        TaskChange("e6", "a", "offline", NOON + 4 * HOUR),
    ]
    one_by_one(tmp_path / "one", messages)

    foresight, pool = appended(tmp_path / "foreseen", messages, 100)

    assert foresight.surprises == 0
    assert crashes.rows(tmp_path / "foreseen") == crashes.rows(tmp_path / "one")
    assert Store.open(tmp_path / "one").version == len(messages) + 3, "two stars, and a reader of a column that went"
    assert pool.jobs <= 16


@pytest.mark.long
@pytest.mark.parametrize("seed", range(rounds(8)))
@pytest.mark.parametrize("stretch", [5, 40])
def test_whatever_was_guessed_the_rows_are_those_of_an_ingest(tmp_path: Path, seed: int, stretch: int) -> None:
    """Random texts that read one another's tables, out of order in time, taken back, offline: row for row."""
    print("seed", seed)
    draw = random.Random(seed)
    messages: list[Message] = []
    for number in range(40):
        target, source, other = draw.choices("abcd", k=3)
        at = draw.randrange(-6, 6)
        choice = draw.random()
        if choice < 0.1:
            fields = [Field(name) for name in draw.sample("xyzw", draw.randrange(1, 4))]
            messages.append(
                NodeChange(f"n{number}", "dataset", f"hive:dw.{source}", "define", NOON + at * HOUR, fields=fields)
            )
        elif choice < 0.2:
            messages.append(TaskChange(f"e{number}", target, "offline", NOON + at * HOUR))
        elif choice < 0.3 and messages:
            taken = draw.choice([m for m in messages if isinstance(m, TaskChange)] or [None])
            if taken is not None:
                messages.append(TaskChange(f"e{number}", taken.task_id, "retract", retracts=taken.event_id))
        else:
            columns = draw.choice(("*", "x, y", "x", "y AS z, x", f"{source}.*, 1 AS w"))
            join = f" JOIN dw.{other} o ON o.x = {source}.x" if choice > 0.9 else ""
            into = draw.choice((f"INSERT OVERWRITE TABLE dw.{target}", f"CREATE OR REPLACE VIEW dw.{target} AS"))
            text = f"{into} SELECT {columns} FROM dw.{source} {source}{join}"
            messages.append(sql(number, target, text, at))
    one_by_one(tmp_path / "one", messages)

    appended(tmp_path / "foreseen", messages, stretch)

    assert crashes.rows(tmp_path / "foreseen") == crashes.rows(tmp_path / "one")


@pytest.mark.parametrize("most", [1, 3, 8, 100])
def test_slices_are_even_and_keep_equal_texts_together(most: int) -> None:
    """Each job is in one slice, under its place, with all of its text; no slice is much heavier than it must be."""
    draw = random.Random(most)
    texts = ["SELECT " + "x, " * draw.randrange(1, 400) + "1" for _ in range(40)]
    jobs = [ExtractionJob(draw.choice(texts), "hive", "hive") for _ in range(100)]

    slices = slices_of(jobs, most)

    assert sorted(place for each in slices for place, _ in each) == list(range(100))
    assert all(jobs[place] is job for each in slices for place, job in each)
    held = [{job.sql for _, job in each} for each in slices]
    assert sum(map(len, held)) == len({job.sql for job in jobs}), "no text is in two slices"
    weights = [sum(map(len, each)) for each in held]
    assert max(weights) <= sum(weights) / len(weights) + max(len(text) for text in texts) + 200 * 40
