"""Compaction measured: a full one against two sorts of the same rows, its growth, a level after 1 % more versions.

Everything runs in one Spark session, warmed up by the smaller history, so that starting Spark is not in any figure.
"""

from __future__ import annotations

import shutil
import tempfile
import time
from itertools import islice
from pathlib import Path
from typing import Any

from bench_lib import machine
from bench_lib.history import SCALES, History, bench_folder, made_history
from ingest.pipeline import Ingester
from lineage_tt.log.log import Log
from lineage_tt.read.snapshots.snapshot import Snapshot
from lineage_tt.spark import compact_frames
from lineage_tt.spark.compact import Compaction, compact
from lineage_tt.spark.session import spark_session
from lineage_tt.store import Store

#: key → (what is asked, unit)
WANTED = {
    "compact_vs_sort_ratio": ("≤ 2", "times"),
    "compact_vs_sort_ratio_tenth": ("≤ 2", "times"),
    "compact_growth": ("≤ 11", "times"),
    "incremental_ratio": ("≤ 0.15", "times"),
    "snapshot_bytes_per_rectangle": ("≤ 36", "bytes"),
    "compact_s": ("", "s"),
    "sort_s": ("", "s"),
    "incremental_s": ("", "s"),
    "rectangles": ("", ""),
}
#: A tenth of each scale, for the growth; tiny is compared with a tenth of itself.
_TENTH = {"tiny": 200, "S": SCALES["tiny"], "L": SCALES["S"]}
_CORES = 2


def measured(scale: str, tasks: int | None = None, heap: str = "6g") -> dict[str, Any]:
    """Return the figures at a scale, and at a tenth of it for the growth."""
    count = tasks or SCALES[scale]
    small = made_history(scale, max(100, count // 10) if tasks else _TENTH[scale])
    large = made_history(scale, count)
    spark_session(f"local[{_CORES}]", settings={"spark.driver.memory": heap})
    with tempfile.TemporaryDirectory(dir=bench_folder()) as folder:
        before = _compacted(small, Path(folder) / "small")
        found = _compacted(large, Path(folder) / "large")
        found |= _incremental(large, Path(folder) / "large", found["compact_s"])
    return found | {
        "compact_vs_sort_ratio_tenth": before["compact_vs_sort_ratio"],
        "compact_growth": machine.rounded(found["compact_s"] / before["compact_s"]),
    }


def _compacted(history: History, work: Path) -> dict[str, Any]:
    """Measure a full compaction of a history without its end and, in the same run, the sorts it is held against."""
    first, _ = _split(history, work.parent)
    machine.tell(f"ingesting {history.facts['messages']:,} messages ...")
    store = _ingest(first, work)
    machine.tell("reading the same rows and writing them sorted twice ...")
    sort = machine.timed(lambda: _sort_twice(store.opened_log, work.parent / "sorted"))
    shutil.rmtree(work.parent / "sorted")
    machine.tell("compacting ...")
    begun = time.perf_counter()
    done = compact(work, spark_session)
    spent = time.perf_counter() - begun
    rectangles = done.rows_out["source"]
    return {
        "compact_s": machine.rounded(spent),
        "sort_s": machine.rounded(sort),
        "compact_vs_sort_ratio": machine.rounded(spent / sort),
        "snapshot_bytes_per_rectangle": machine.rounded(sum(done.bytes_out.values()) / rectangles),
        "bytes_by_partition": {name: machine.rounded(size / rectangles) for name, size in done.bytes_out.items()},
        "rectangles": rectangles,
        "compact_stages_s": {stage["stage"]: stage["seconds"] for stage in done.stages},
    }


def _split(history: History, work: Path) -> tuple[Path, Path]:
    """Write the history without its last hundredth, and that hundredth; return the two files."""
    first, rest = work / "first.jsonl", work / "rest.jsonl"
    count = history.facts["messages"]
    with history.messages.open("rb") as lines, first.open("wb") as most, rest.open("wb") as end:
        most.writelines(islice(lines, count - max(1, count // 100)))
        end.writelines(lines)
    return first, rest


def _ingest(path: Path, work: Path) -> Store:
    store = Store.create(work)
    with Ingester(store, system_times="recorded_at") as ingester:
        ingester.ingest_file(str(path))
    return store


def _sort_twice(log: Log, target: Path) -> None:
    """Let Spark read the log's signed changes and write them sorted by source and once more by target."""
    from pyspark.sql.pandas.types import from_arrow_schema

    from lineage_tt.log.arrow import SCHEMA

    spark = spark_session()
    files = [str(path) for path in log.files()]
    rows = spark.read.schema(from_arrow_schema(SCHEMA)).parquet(*files).select("version", "task_id", "changes")
    changes = spark.sql(compact_frames._CHANGES, rows=rows)
    for column in ("source", "target"):
        ranged = changes.repartitionByRange(_CORES, column).sortWithinPartitions(column)
        ranged.write.option("compression", "zstd").parquet(str(target / column))


def _incremental(history: History, work: Path, full: float) -> dict[str, Any]:
    """Measure a level after the last hundredth; snapshot and level must then come to what the history's maker says."""
    _, rest = _split(history, work.parent)
    machine.tell("the last hundredth of the messages, then a level ...")
    store = _ingest(rest, work)
    begun = time.perf_counter()
    done: Compaction = compact(work, spark_session)
    spent = time.perf_counter() - begun
    snapshot = Snapshot.open(work)
    if done.mode != "level" or snapshot is None or snapshot.version != store.version:
        raise SystemExit(f"it was to be a level up to version {store.version}: {done}")
    rectangles = snapshot.rectangles().num_rows
    if rectangles != history.facts["interval_rows"]:
        raise SystemExit(f"{rectangles} rectangles, the history's maker says {history.facts['interval_rows']}")
    return {
        "incremental_s": machine.rounded(spent),
        "incremental_versions": done.version - done.before,
        "incremental_ratio": machine.rounded(spent / full),
        "incremental_stages_s": {stage["stage"]: stage["seconds"] for stage in done.stages},
    }
