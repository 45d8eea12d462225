"""A store for the graph: a made history, ingested and compacted, kept between runs beside the history.

``python -m bench_lib.graph_store HISTORY STORE`` makes one: system times are those at which the history's messages were
recorded, so that a past point of the history is a past point of the store.
"""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import duckdb
import numpy as np
import pyarrow.parquet as pq

from bench_lib import machine
from bench_lib.history import History
from lineage_tt.store import Store

FOREVER_MS = 253402300799000


def compacted_store(history: History) -> Path:
    """Return the folder of the compacted store of a history, made now if it was not before."""
    folder = history.folder / "graph-store"
    if not (folder / "ready").exists():
        shutil.rmtree(folder, ignore_errors=True)
        machine.tell(f"making a compacted store in {folder} ...")
        machine.measured_in_a_process("bench_lib.graph_store", str(history.messages), str(folder / "store"))
        (folder / "ready").touch()
    return folder / "store"


def check(store: Store, history: History) -> None:
    """Compare with the generator's own intervals: as many edges in force at the end, or the figures mean nothing."""
    at = int(history.facts["history_end"])
    query = "SELECT count(*) FROM read_parquet($file) WHERE sys_to = $end AND valid_from <= $at AND valid_to > $at"
    known = {"file": str(history.intervals), "at": at, "end": FOREVER_MS}
    ((expected,),) = duckdb.execute(query, known).fetchall()
    graph = store.graph()
    found = len(graph.as_of(at * 1000).edges())
    if found != expected:
        raise SystemExit(f"{found} edges in the store at the end, the history's maker says {expected}")


def intervals(folder: Path) -> dict[str, np.ndarray]:
    """Return the generator's rectangles as columns, instants in milliseconds."""
    table = pq.read_table(folder / "intervals.parquet")
    return {name: table[name].to_numpy() for name in table.column_names}


def main() -> None:
    from ingest.pipeline import Ingester
    from lineage_tt.spark.compact import compact
    from lineage_tt.spark.session import spark_session

    messages, folder = sys.argv[1:]
    store = Store.create(folder)
    with Ingester(store, system_times="recorded_at") as ingester:
        summary = ingester.ingest_file(messages)
    done = compact(Path(folder), spark_session)
    sys.stdout.write(f'{{"accepted": {summary.accepted}, "rows": {sum(done.rows_out.values())}}}')


if __name__ == "__main__":
    main()
