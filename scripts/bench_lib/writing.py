"""Writing measured: batches against the peer, memory, one message alone, the real stream."""

from __future__ import annotations

import shutil
import statistics
import time
from itertools import islice
from pathlib import Path
from typing import Any

import duckdb

from bench_lib import machine
from bench_lib.history import History, shared_folder
from ingest.messages.native import parse_message
from lineage_tt.model.messages import TaskChange
from lineage_tt.store import Store

SINGLES = 50
COLD = 15


def batch(history: History, work: Path, rounds: int) -> dict[str, Any]:
    """Measure the ingest of a history, SQLite at the same, and memory; leaves the last store in ``work/store``."""
    ours, peer, bare = [], [], []
    for number in range(rounds):
        machine.tell(f"batch: ingest and SQLite, round {number + 1} of {rounds} ...")
        shutil.rmtree(work / "store", ignore_errors=True)
        ours.append(_ingest(history.messages, work / "store"))
        peer.append(_peer(history, work))
        bare.append(_peer(history, work, "--bare"))
    machine.tell("memory at a tenth of the history ...")
    tenth = _ingest(history.tenth, work / "tenth")
    found = {"batch_messages_per_s": _median(ours, "messages_per_s"), "batch_cpu_s": _median(ours, "cpu_s")}
    for name, runs in (("sqlite", peer), ("sqlite_bare", bare)):
        ratios = [a["messages_per_s"] / b["messages_per_s"] for a, b in zip(ours, runs, strict=True)]
        found[f"batch_vs_{name}"] = machine.median(ratios)
        found[f"{name}_messages_per_s"] = _median(runs, "messages_per_s")
        found[f"{name}_cpu_s"] = _median(runs, "cpu_s")
    return found | {
        "ingest_rss_mib": _median(ours, "rss_mib"),
        "ingest_rss_growth": machine.rounded(_median(ours, "rss_mib") / tenth["rss_mib"]),
        "ingest_child_rss_mib": _median(ours, "child_rss_mib"),
    }


def _median(runs: list[dict[str, Any]], key: str) -> float:
    return machine.median([run[key] for run in runs])


def _ingest(path: Path, store: Path) -> dict[str, Any]:
    run = machine.measured_in_a_process("bench_lib.ingesting", str(path), str(store))
    if run["rejected"] or not run["accepted"]:
        raise SystemExit(f"the ingest of {path} refused messages: {run}")
    return run


def _peer(history: History, work: Path, *options: str) -> dict[str, Any]:
    for old in work.glob("peer.db*"):
        old.unlink()
    run = machine.measured_in_a_process(
        "bench_lib.peers.peer_sqlite", str(history.messages), str(work / "peer.db"), *options
    )
    if run["edges_now"] != history.facts["edges_now"]:
        raise SystemExit(f"the peer's bookkeeping is wrong: {run}")
    return run


def single(history: History, work: Path) -> dict[str, Any]:
    """Measure messages that come alone, after the whole history; each is then found by a DuckDB of its own.

    A writer that has been at work knows the tasks it met: first of all it is sent a message of every task. The same
    for tasks that it does not remember, whose past it has to read back from the log.
    """
    machine.tell("one message alone ...")
    store = Store.open(work / "store")
    lines = [line.rstrip() for line in islice(history.tail(), SINGLES + COLD)]
    met = [line.replace(b'"event_id":"x', b'"event_id":"met-x') for line in lines[:SINGLES]]
    store.append([parse_message(line) for line in met])
    warm = [_alone(store, work, line) for line in lines[:SINGLES]]
    cold = [_alone(store, work, line) for line in lines[SINGLES:]]
    spent = [acknowledged for acknowledged, _ in warm]
    return {
        "single_message_ms": machine.median(spent),
        "single_message_p99_ms": machine.rounded(statistics.quantiles(spent, n=100)[98]),
        "single_message_read_back_ms": machine.median([found for _, found in warm]),
        "single_message_cold_task_ms": machine.median([acknowledged for acknowledged, _ in cold]),
    }


def _alone(store: Store, work: Path, line: bytes) -> tuple[float, float]:
    """Append one message; return the milliseconds until it is durable, and until a fresh DuckDB has read it."""
    begun = time.perf_counter()
    message = parse_message(line)
    receipt = store.append([message])[0]
    acknowledged = time.perf_counter()
    newest = str(Store.open(work / "store")._log.files()[-1])
    with duckdb.connect() as connection:
        query = "SELECT len(edges) FROM read_parquet($file) WHERE version = $version"
        seen = connection.execute(query, {"file": newest, "version": receipt.version}).fetchone()
    if not isinstance(message, TaskChange) or not message.lineage or seen != (len(message.lineage.edges),):
        raise SystemExit(f"version {receipt.version} was acknowledged and is not there")
    return (acknowledged - begun) * 1000, (time.perf_counter() - begun) * 1000


def real_stream(work: Path) -> dict[str, Any]:
    """Measure the command line over the six real years, parse included."""
    machine.tell("the real stream ...")
    files = sorted((shared_folder() / "data" / "bqetl_stream").glob("messages-*.jsonl.gz"))
    command = [machine.cli(), "ingest", *map(str, files), "--store", str(work / "real"), "--no-progress"]
    command += ["--mapping", "bqetl_stream", "--system-time-from", "recorded_at", "--workers", "2"]
    return {"real_stream_s": machine.rounded(machine.seconds(command))}
