"""Bulk import measured: against an ingest in process on the same cores, and its parse stage on one worker and on two.

Run as a module it measures one way of parsing or importing, in a process of its own, and prints what it found. Starting
Spark, Python workers and parsers is left out: each way does a little of the same before the clock runs.
"""

from __future__ import annotations

import gzip
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import orjson

from bench_lib import machine
from bench_lib.history import shared_folder

CORES = len(os.sched_getaffinity(0))
#: key → (what is asked, unit)
WANTED = {
    "import_vs_inprocess": ("≥ 0.9", "times"),
    "parse_stage_vs_pool": ("", "times"),
    "two_workers_speedup": ("≥ 1.7", "times"),
}
#: The files of the real stream that a scale takes.
YEARS = {"tiny": ["2019"], "S": ["2019", "2020", "2021"], "L": ["2019", "2020", "2021", "2022", "2023", "2024"]}
ROUNDS = 3
EXECUTOR = {"spark.executor.memory": "1g", "spark.executor.cores": "1"}


def measured(scale: str) -> dict[str, Any]:
    """Return the figures of the import, medians of rounds in which the ways take turns."""
    sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
    from scripts.cluster_lib.standalone import Cluster

    rounds = 1 if scale == "tiny" else ROUNDS
    found: dict[str, list[float]] = {}
    with tempfile.TemporaryDirectory() as folder:
        with Cluster(Path(folder), workers=2, memory="1200M") as cluster:
            for number in range(rounds):
                machine.tell(f"two workers and one, round {number + 1} of {rounds} ...")
                for name, cores in (("one", "1"), ("two", "2")):
                    run = _way("parse", scale, cluster.url, cores)
                    found.setdefault(f"parse_{name}_s", []).append(run["seconds"])
        for number in range(rounds):
            machine.tell(f"import and ingest, round {number + 1} of {rounds} ...")
            for name, way in (
                ("pool_parse", "pool"),
                ("here_parse", "parse"),
                ("ingest", "ingest"),
                ("import", "import"),
            ):
                run = _way(way, scale, f"local[{CORES},4]", str(CORES))
                found.setdefault(f"{name}_s", []).append(run["seconds"])
                if name == "import":
                    found.setdefault("import_texts_parsed", []).append(run["parsed"])
                    messages = run["messages"]
    figures = {name: machine.rounded(statistics.median(values)) for name, values in found.items()}
    return {
        "import_vs_inprocess": machine.rounded(figures["ingest_s"] / figures["import_s"]),
        "parse_stage_vs_pool": machine.rounded(figures["pool_parse_s"] / figures["here_parse_s"]),
        "two_workers_speedup": machine.rounded(figures["parse_one_s"] / figures["parse_two_s"]),
        "import_messages": messages,
        "import_messages_per_s_and_core": machine.rounded(messages / figures["import_s"] / CORES),
        **figures,
    }


def _way(way: str, scale: str, master: str, cores: str) -> dict[str, Any]:
    return machine.measured_in_a_process("bench_lib.importing", way, scale, master, cores)


def files(scale: str) -> list[str]:
    """Return the files of the real stream that a scale takes."""
    folder = shared_folder() / "data" / "bqetl_stream"
    return [str(folder / f"messages-{year}.jsonl.gz") for year in YEARS[scale]]


def jobs(scale: str) -> list[Any]:
    """Return a job for each text of the stream."""
    from ingest.sql.jobs import ExtractionJob

    return [
        ExtractionJob(m["sql"], "bigquery", "bigquery", m["task_id"].split(".")[0], f"bigquery:{m['target']}")
        for m in _messages(scale)
        if m["sql"]
    ]


def _messages(scale: str) -> Iterator[dict[str, Any]]:
    for path in files(scale):
        with gzip.open(path, "rb") as lines:
            yield from map(orjson.loads, lines)


def parse(scale: str, master: str, cores: str) -> dict[str, Any]:
    """Parse every text once, in tasks of Spark."""
    from ingest.spark.pool import SparkPool

    pool = SparkPool(_session(master, cores), least=0)
    given = jobs(scale)
    pool.map(given[:: max(1, len(given) // 64)])
    begun = time.perf_counter()
    found = pool.map(given)
    return {"seconds": time.perf_counter() - begun, "messages": len(found), "skew": pool.stage.skew}


def pool(scale: str, master: str, cores: str) -> dict[str, Any]:
    """Parse every text once, in worker processes of this one."""
    from ingest.workers.pool import ExtractionPool

    given = jobs(scale)
    with ExtractionPool(int(cores)) as workers:
        workers.map(given[:: max(1, len(given) // 64)])
        begun = time.perf_counter()
        found = workers.map(given)
        return {"seconds": time.perf_counter() - begun, "messages": len(found)}


def ingest(scale: str, master: str, cores: str) -> dict[str, Any]:
    """Ingest the stream in process."""
    from ingest.messages.mapping import load_mapping
    from ingest.pipeline import Ingester
    from lineage_tt.store import Store

    with tempfile.TemporaryDirectory() as folder:
        few = _few(Path(folder))
        store = Store.create(Path(folder) / "store")
        with Ingester(
            store, mapping=load_mapping("bqetl_stream"), workers=int(cores), system_times="recorded_at"
        ) as ingester:
            ingester.ingest_file(few)
            begun = time.perf_counter()
            summaries = [ingester.ingest_file(path) for path in files(scale)]
            seconds = time.perf_counter() - begun
    return {"seconds": seconds, "messages": sum(s.received for s in summaries), "version": store.version}


def import_(scale: str, master: str, cores: str) -> dict[str, Any]:
    """Import the stream through Spark."""
    from ingest.messages.mapping import load_mapping
    from ingest.spark.importing import Importer
    from ingest.spark.sources import sources_of
    from lineage_tt.store import Store

    with tempfile.TemporaryDirectory() as folder:
        few, more = _few(Path(folder)), _few(Path(folder), "more")
        spark = _session(master, cores)
        store = Store.create(Path(folder) / "store")
        mapping = load_mapping("bqetl_stream")
        with Importer(store, spark, mapping=mapping, system_times="recorded_at", least_sql=0) as importer:
            importer.run(sources_of([few]))
        with Importer(store, spark, mapping=mapping, system_times="recorded_at") as importer:
            importer.run(sources_of([more]))  # few enough to be parsed here
            begun = time.perf_counter()
            report = importer.run(sources_of(files(scale)))
            seconds = time.perf_counter() - begun
    received = sum(summary.received for summary in report.summaries)
    return {"seconds": seconds, "messages": received, "parsed": report.parsed, "version": store.version}


def _few(folder: Path, name: str = "few") -> str:
    """Write a few messages of tasks of their own, recorded before the stream, so that everything has been started."""
    path = folder / f"{name}.jsonl"
    made = [message for message in _messages("tiny") if message["sql"]][:60]
    for number, message in enumerate(made):
        message |= {"event_id": f"{name}-{number}", "task_id": f"warm.{name}.t{number}"}
        message |= {"target": f"warm.{name}.t{number}"}
        message |= dict.fromkeys(("recorded_at", "occurred_at"), "2010-01-01T00:00:00Z")
    path.write_bytes(b"".join(orjson.dumps(message) + b"\n" for message in made))
    return str(path)


def _session(master: str, cores: str) -> Any:
    from lineage_tt.spark.session import spark_session

    settings = EXECUTOR | {"spark.cores.max": cores} if master.startswith("spark:") else {}
    return spark_session(master, settings=settings)


def main() -> None:
    way, scale, master, cores = sys.argv[1:]
    ways = {"parse": parse, "pool": pool, "ingest": ingest, "import": import_}
    sys.stdout.write(orjson.dumps(ways[way](scale, master, cores)).decode())


if __name__ == "__main__":
    main()
