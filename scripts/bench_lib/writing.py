"""Writing measured: batches against the peer, memory, one message alone, the real stream."""

from __future__ import annotations

import shutil
import statistics
import time
from pathlib import Path
from typing import Any

import duckdb

from bench_lib import machine
from bench_lib.history import History, shared_folder
from ingest.messages import parse_message
from lineage_tt.messages import TaskChange
from lineage_tt.store import Store

SINGLES = 50


def batch(history: History, work: Path, rounds: int) -> dict[str, Any]:
    """Measure the ingest of a history, SQLite at the same, and memory; leaves the last store in ``work/store``."""
    ours, cached, plain = [], [], []
    for number in range(rounds):
        machine.tell(f"batch: ingest and SQLite, round {number + 1} of {rounds} ...")
        shutil.rmtree(work / "store", ignore_errors=True)
        ours.append(_ingest(history.messages, work / "store"))
        cached.append(_peer(history, work))
        plain.append(_peer(history, work, "--plain"))
    found = {
        "batch_messages_per_s": machine.median([run["messages_per_s"] for run in ours]),
        "sqlite_messages_per_s": machine.median([run["messages_per_s"] for run in cached]),
        "sqlite_plain_messages_per_s": machine.median([run["messages_per_s"] for run in plain]),
        "batch_cpu_s": machine.median([run["cpu_s"] for run in ours]),
        "sqlite_cpu_s": machine.median([min(a["cpu_s"], b["cpu_s"]) for a, b in zip(cached, plain, strict=True)]),
    }
    peers = [max(a["messages_per_s"], b["messages_per_s"]) for a, b in zip(cached, plain, strict=True)]
    ratios = [run["messages_per_s"] / peer for run, peer in zip(ours, peers, strict=True)]
    found["batch_vs_sqlite"] = machine.median(ratios)
    machine.tell("memory at a tenth of the history ...")
    tenth = _ingest(history.tenth, work / "tenth")
    rss = machine.median([run["rss_mib"] for run in ours])
    found |= {
        "ingest_rss_mib": rss,
        "ingest_rss_growth": machine.rounded(rss / tenth["rss_mib"]),
        "ingest_child_rss_mib": machine.median([run["child_rss_mib"] for run in ours]),
    }
    return found


def _ingest(path: Path, store: Path) -> dict[str, Any]:
    run = machine.measured_in_a_process("bench_lib.ingesting", str(path), str(store))
    if run["rejected"] or not run["accepted"]:
        raise SystemExit(f"the ingest of {path} refused messages: {run}")
    return run


def _peer(history: History, work: Path, *options: str) -> dict[str, Any]:
    for old in work.glob("peer.db*"):
        old.unlink()
    run = machine.measured_in_a_process("bench_lib.peer_sqlite", str(history.messages), str(work / "peer.db"), *options)
    if run["edges_now"] != history.facts["edges_now"]:
        raise SystemExit(f"the peer's bookkeeping is wrong: {run}")
    return run


def single(history: History, work: Path) -> dict[str, Any]:
    """Measure messages that come alone, behind the whole history; each is then found by a DuckDB of its own."""
    machine.tell("one message alone ...")
    store = Store.open(work / "store")
    spent, found = [], []
    for number, line in enumerate(history.tail()):
        if number == SINGLES + 5:
            break
        begun = time.perf_counter()
        message = parse_message(line.rstrip())
        assert isinstance(message, TaskChange)
        receipt = store.append([message])[0]
        acknowledged = time.perf_counter()
        newest = str(Store.open(work / "store")._log.files()[-1])
        with duckdb.connect() as connection:
            query = "SELECT len(edges) FROM read_parquet($file) WHERE version = $version"
            seen = connection.execute(query, {"file": newest, "version": receipt.version}).fetchone()
        if not seen or seen[0] != len(message.lineage.edges if message.lineage else ()):
            raise SystemExit(f"version {receipt.version} was acknowledged and is not there")
        spent.append((acknowledged - begun) * 1000)
        found.append((time.perf_counter() - begun) * 1000)
    spent, found = spent[5:], found[5:]  # the first ones read the catalog
    return {
        "single_message_ms": machine.median(spent),
        "single_message_p99_ms": machine.rounded(statistics.quantiles(spent, n=100)[98]),
        "single_message_read_back_ms": machine.median(found),
    }


def real_stream(work: Path) -> dict[str, Any]:
    """Measure the command line over the six real years, parse included."""
    machine.tell("the real stream ...")
    files = sorted((shared_folder() / "data" / "bqetl_stream").glob("messages-*.jsonl.gz"))
    command = [machine.cli(), "ingest", *map(str, files), "--store", str(work / "real"), "--no-progress"]
    command += ["--mapping", "bqetl_stream", "--system-time-from", "recorded_at", "--workers", "2"]
    return {"real_stream_s": machine.rounded(machine.seconds(command))}
