"""How the time of a walk grows: with the size of the graph, and with the length of its history.

Both graphs of a comparison are made straight from the generator's rectangles; no store is needed for that.
"""

from __future__ import annotations

import subprocess
import sys
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import orjson
import pyarrow as pa
import pyarrow.parquet as pq

from bench_lib import machine
from bench_lib.graph_store import FOREVER_MS, intervals
from bench_lib.history import SEED, History, bench_folder, made_history, node, shared_folder
from lineage_tt.graph.arrays.dictionary import Dictionary
from lineage_tt.graph.arrays.names import Ints
from lineage_tt.graph.arrays.rows import FOREVER, NEVER, Rectangles
from lineage_tt.graph.arrays.state import State, build
from lineage_tt.graph.arrays.walking import walk
from lineage_tt.graph.walks.scratch import Scratch

#: how often the walks of one measurement are run; the best time of each counts
RUNS = 5
_NO_MASK = np.zeros(1, np.uint8)


def measured(history: History, tasks: int) -> dict[str, float]:
    """Return the growths: from a tenth of the tasks to all; from these versions to ten times as many (2,000 tasks)."""
    small = made_history("tiny", max(50, tasks // 10))
    size = [_graph(folder) for folder in (small.folder, history.folder)]
    by_row = [
        _seconds(graph, _seeds(folder), "Q2")
        for graph, folder in zip(size, (small.folder, history.folder), strict=True)
    ]
    del size
    count = min(tasks, 2_000)  # of more the generator would replay for half an hour, task by task
    folders = made_history("tiny", count).folder, _long_history(count)
    graphs = [_graph(folder) for folder in folders]
    same = _seeds(folders[0])
    now = [_seconds(graph, same, "now") for graph in graphs]
    past = [_seconds(graph, same, "past") for graph in graphs]
    return {
        "growth_with_size": machine.rounded(_ratio(by_row, "rows")),
        "growth_with_history_now": machine.rounded(_ratio(now, "nodes")),
        "growth_with_history_past": machine.rounded(_ratio(past, "nodes")),
        "history_rectangles": float(graphs[1].rows),
    }


def _ratio(pair: list[dict[str, float]], by: str) -> float:
    return (pair[1]["seconds"] / pair[1][by]) / (pair[0]["seconds"] / pair[0][by])


def _long_history(tasks: int) -> Path:
    """Return the folder of the history of the same tasks with ten times the versions."""
    folder = bench_folder() / f"history-{tasks}x100-{SEED}"
    if not (folder / "intervals.parquet").exists():
        generator = shared_folder() / "tools" / "gen_lineage_history.py"
        command = [sys.executable, str(generator), "--tasks", str(tasks), "--versions", "100", "--seed", str(SEED)]
        subprocess.run([*command, "--out", str(folder)], check=True, timeout=3600)
    return folder


def _graph(folder: Path) -> State:
    """Return the arrays of a graph over the generator's rectangles; versions are the ranks of its system times."""
    columns = intervals(folder)
    names = Dictionary()
    texts = pq.read_table(folder / "columns.parquet", columns=["name"])["name"].to_pylist()
    names.nodes.intern(pa.array(map(node, texts), pa.large_string()))
    names.note_datasets()
    known = np.unique(columns["sys_from"])
    opened = np.searchsorted(known, columns["sys_from"]).astype(np.int32) + 1
    closed = np.searchsorted(known, columns["sys_to"]).astype(np.int32) + 1
    closed[columns["sys_to"] == FOREVER_MS] = NEVER
    until = columns["valid_to"] * 1000
    until[columns["valid_to"] == FOREVER_MS] = FOREVER
    found = Rectangles(
        columns["src"].astype(np.int32), columns["dst"].astype(np.int32), columns["task"].astype(np.int32) << 1,
        columns["valid_from"] * 1000, until, opened, closed,
    )  # fmt: skip
    return build(found, names, len(known))


def _seeds(folder: Path) -> list[dict[str, Any]]:
    queries = orjson.loads((folder / "queries.json").read_bytes())
    result: list[dict[str, Any]] = queries["Q1"] + queries["Q2"]
    return result


def _seconds(state: State, seeds: list[dict[str, Any]], points: str) -> dict[str, float]:
    """Walk all hops down from every seed, as of now or of points throughout the past; return time, rows and nodes."""
    scratch = Scratch(len(state.record), state.rows)
    total = {"seconds": 0.0, "rows": 0.0, "nodes": 0.0}
    rng = np.random.default_rng(7)
    last = int(state.instants[-1])
    for seed in seeds:
        share = rng.random()
        past = int(state.instants[int(len(state.instants) * share)])
        valid_at, version = (last, state.version) if points == "now" else (past, 1 + int(state.version * share))
        start = np.array([seed["seed"]], np.int32)
        best = min(machine.timed(partial(_walk, state, scratch, start, valid_at, version)) for _ in range(RUNS))
        total["seconds"] += best
        total["rows"] += int(scratch.tell[2])
        total["nodes"] += int(scratch.tell[0])
    return total


def _walk(state: State, scratch: Scratch, start: Ints, valid_at: int, version: int) -> None:
    walk(
        start, True, valid_at, version, NEVER, 0, False, False, 0, -1, state.out, state.record, state.instants,
        state.heads, state.tail, state.times, state.tails, state.hidden, _NO_MASK, scratch.mark,
        scratch.next_walks(), scratch.queue, scratch.steps, scratch.edges, scratch.tell,
    )  # fmt: skip
