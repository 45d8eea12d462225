"""Reading measured: all edges as of a point, and a fresh process to its first answer."""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import Any

import duckdb

from bench_lib import machine
from bench_lib.history import ROOT, History
from lineage_tt.read.macros import own
from lineage_tt.store import Store

POINTS = (0.2, 0.4, 0.6, 0.8, 1.0)
RUNS = 7


def edges_as_of(history: History, work: Path) -> dict[str, Any]:
    """Measure all edges as of points over the history, into Arrow; at the end of it, against a tenth of the history."""
    machine.tell("all edges as of a point ...")
    store, tenth = Store.open(work / "store"), Store.open(work / "tenth")
    instants = _instants(store)
    whole, edges = zip(*(_read(store, instant) for instant in instants), strict=True)
    small, _ = zip(*(_read(tenth, instant) for instant in _instants(tenth)), strict=True)
    _agree(history, store, edges[-1])
    return {
        "edges_as_of_s": machine.median(whole),
        "edges_as_of_edges": edges[-1],
        "edges_as_of_tenth_s": machine.median(small),
        "edges_as_of_growth": machine.rounded(sorted(whole)[len(whole) // 2] / sorted(small)[len(small) // 2]),
    }


def _instants(store: Store) -> list[int]:
    ((first, last),) = store.fetch("SELECT epoch_us(min(effective_at)), epoch_us(max(effective_at)) FROM log")
    return [first + int((last - first) * share) for share in POINTS]


def _read(store: Store, valid_at: int) -> tuple[float, int]:
    """Return the seconds from a new DuckDB session to all edges in Arrow, and how many they are."""
    begun = time.perf_counter()
    with own.connect(store.opened_log.files()) as session:
        query = "FROM edges_as_of(make_timestamptz($at))"
        edges = session.ready_for(query).sql(query, params={"at": valid_at}).to_arrow_table()
    return time.perf_counter() - begun, edges.num_rows


def _agree(history: History, store: Store, edges: int) -> None:
    """Compare with the generator's own intervals: as many edges at the end, or the figures mean nothing."""
    at = _instants(store)[-1] // 1000
    query = "SELECT count(*) FROM read_parquet($file) WHERE sys_to = max_ms AND valid_from <= $at AND valid_to > $at"
    query = query.replace("max_ms", "253402300799000")
    ((expected,),) = duckdb.execute(query, {"file": str(history.intervals), "at": at}).fetchall()
    if edges != expected:
        raise SystemExit(f"{edges} edges as of the end, the history's maker says {expected}")


def cold_cli(work: Path) -> dict[str, Any]:
    """Measure fresh processes: one answer of the command line, and a Python that does nothing."""
    machine.tell("a fresh process to its first answer ...")
    sample = ROOT / "lineage_tt" / "sample" / "retail.jsonl"
    store = str(work / "sample")
    machine.seconds([machine.cli(), "ingest", str(sample), "--store", store, "--no-progress"])
    node = _a_node(Store.open(store))
    asked, bare = [], []
    for _ in range(RUNS):
        asked.append(machine.seconds([machine.cli(), "--store", store, "lineage", node]))
        bare.append(machine.seconds([sys.executable, "-c", "pass"]))
    return {
        "cold_cli_s": machine.median(asked),
        "cold_cli_vs_python": machine.median([a / b for a, b in zip(asked, bare, strict=True)]),
    }


def _a_node(store: Store) -> str:
    """Return the target column with the most edges into it, the first by name: the same on every machine."""
    edges = store.as_of().edges()
    targets = [edge.target for edge in edges if "#" in edge.target]
    return min(set(targets), key=lambda node: (-targets.count(node), node))
