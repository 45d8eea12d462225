"""Stores that the tests of compaction make, and the answers that they compare."""

from __future__ import annotations

import json
import os
import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rounds import SHARE

from ingest.messages.native import parse_message
from lineage_tt import Store
from lineage_tt.log.verify import verified_files
from lineage_tt.read.macros.asof import setup_sql
from lineage_tt.read.macros.session import connect_with, fetch
from lineage_tt.spark.compact import Compaction, compact
from lineage_tt.spark.session import spark_session

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

NOON = 1_714_564_800_000_000
HOUR = 3_600_000_000
SEED = int(os.environ.get("LINEAGE_TT_SEED", "1"))
#: Half hours between the hours at which the messages change something, from before the first to after the last.
INSTANTS = range(NOON - 17 * HOUR // 2, NOON + 17 * HOUR // 2, HOUR)


def lines(count: int, start: int = 0, seed: int = SEED) -> list[bytes]:
    """Messages of six tasks over few columns: edits, late ones, corrections, offlines, retracts."""
    draw = random.Random(seed * 1000 + start)
    result = []
    for number in range(start, start + count):
        message: dict[str, Any] = {"event_id": f"e{number}", "task_id": f"t{draw.randrange(6)}"}
        at = NOON + draw.randrange(-8, 8) * HOUR
        choice = draw.random()
        if choice < 0.1:
            message |= {"op": "offline", "effective_at": at}
        else:
            edges = [
                {"source": f"n:a#c{draw.randrange(8)}", "target": f"n:b#c{draw.randrange(4)}"}
                for _ in range(draw.randrange(6))
            ]
            message |= {"op": "update", "effective_at": at, "edges": edges}
        result.append(json.dumps(message).encode())
    return result


def append(store: Store, count: int, batch: int = 7) -> None:
    """Append so many more messages, in small commits."""
    todo = lines(count, store.version)
    for start in range(0, len(todo), batch):
        store.append([parse_message(line) for line in todo[start : start + batch]])


@contextmanager
def log_alone(store: Store) -> Iterator[Callable[..., list[tuple[Any, ...]]]]:
    """Yield what answers queries from the log, whatever snapshot there is."""
    with connect_with(setup_sql(verified_files(store.opened_log))) as connection:
        yield lambda query, **parameters: fetch(connection, query, parameters)


def answers(store: Store, versions: list[int]) -> dict[Any, Any]:
    """Every kind of answer at some points, through the public API."""
    result: dict[Any, Any] = {}
    for version in versions:
        for at in INSTANTS if SHARE == 1 else (INSTANTS[0], INSTANTS[len(INSTANTS) // 2], INSTANTS[-1]):
            view = store.as_of(at, version=version)
            result[at, version] = view.basis, view.edges(), view.tasks()
    view = store.as_of(NOON, version=versions[-1])
    result["walk"] = view.lineage("n:a#c1").steps, view.lineage("n:b", level="table").steps
    return result


def make(store: Path, **options: Any) -> Compaction:
    """Compact in this process's session."""
    return compact(store, spark_session, **options)


def last_job(spark: SparkSession) -> int:
    """The number of a session's last job, -1 before the first; of long ago ones Spark lists none."""
    context = spark.sparkContext
    context._jsc.sc().listenerBus().waitUntilEmpty()  # it lists a job some time after it began
    return max(context.statusTracker().getJobIdsForGroup(), default=-1)


def folder(store: Store) -> Path:
    """The folder of a store."""
    return Path(str(store.log_path)).parent
