"""SQL extraction: time a statement, wide statements, and the peers on the same statements in the same run."""

from __future__ import annotations

import gc
import gzip
import statistics
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import orjson

from bench_lib import machine
from bench_lib.history import shared_folder
from bench_lib.peers import peers_sql
from ingest.sql import Extraction
from ingest.sql.jobs import ExtractionJob
from ingest.sql.parser.before.unnests import left_to_us
from ingest.sql.statements.script import Script
from ingest.sql.statements.templated import extract_guarded
from ingest.workers.serving import Collector
from lineage_tt.model.edges import dataset_node
from scripts.fuzz_lib.throughput import rate_beside

SAMPLED = 10
#: Which nested texts are beside good statements.
SEED = 1
PS = ("p50", "p99")
WIDE, WIDER = 2_000, 8_000
#: key → (what is asked, unit)
WANTED = {
    "statement_ms_p50": ("≤ 3", "ms"),
    "statement_ms_p99": ("≤ 60", "ms"),
    "statement_ms_p50_hive": ("", "ms"),
    "statement_ms_p99_hive": ("", "ms"),
    "statement_ms_p50_stream": ("", "ms"),
    "statement_ms_p99_stream": ("", "ms"),
    "wide_statement_s": ("≤ 0.5", "s"),
    "wide_growth": ("4 is linear", "times"),
    "rate_beside_nested": ("≥ 0.9", "times"),
    "vs_sqllineage": ("", "times"),
    "vs_sqlglot_lineage": ("", "times"),
}


def measured(*, whole: bool) -> dict[str, Any]:
    """Return every figure; ``whole`` takes all texts of the stream and all statements of the peers, not a sample."""
    job = ExtractionJob(sql="SELECT a FROM t", dialect="hive", namespace="bench", target="bench:o")
    extract_guarded(job)  # imports and the dialect's tables are not a statement's time
    collector = Collector()  # as a worker does
    left_to_us()  # this too
    try:
        return _all_measured(whole, collector)
    finally:
        gc.enable()
        gc.unfreeze()


def _all_measured(whole: bool, collector: Collector) -> dict[str, Any]:
    machine.tell("the Hive cases ...")
    hive = _percentiles([spent for spent, _ in hive_statements()], "hive")
    machine.tell("the real stream ...")
    texts = list(stream_texts(1 if whole else SAMPLED, collector))
    stream = _percentiles([spent / count for spent, count in texts for _ in range(count)], "stream")
    of_texts = _percentiles([spent for spent, _ in texts], "stream", "text")
    worst = {f"statement_ms_{p}": max(hive[f"statement_ms_{p}_hive"], stream[f"statement_ms_{p}_stream"]) for p in PS}
    machine.tell("wide statements ...")
    wide, wider = (min(machine.timed(partial(_wide, columns)) for _ in range(3)) for columns in (WIDE, WIDER))
    machine.tell("good statements beside nested ones ...")
    beside = rate_beside(SEED, machine.facts()["cores"])
    machine.tell("the peers ...")
    cases = [case for _, case in hive_statements() if case is not None]
    return {
        **worst,
        **hive,
        **stream,
        **of_texts,
        "wide_statement_s": machine.rounded(wide),
        "wide_growth": machine.rounded(wider / wide),
        "rate_beside_nested": machine.rounded(beside),
        **peers_sql.compared(cases if whole else cases[::SAMPLED]),
    }


def _percentiles(seconds: list[float], suffix: str, of: str = "statement") -> dict[str, float]:
    hundredths = statistics.quantiles(seconds, n=100, method="inclusive")
    return {
        f"{of}_ms_p50_{suffix}": machine.rounded(hundredths[49] * 1000),
        f"{of}_ms_p99_{suffix}": machine.rounded(hundredths[98] * 1000),
        f"{of}s_{suffix}": len(seconds),
    }


def hive_statements() -> Iterator[tuple[float, peers_sql.Case | None]]:
    """Yield, for each Hive statement with an expected answer, our seconds and what a peer needs to answer it too.

    Each case's earlier statements run before, so that their tables are known. Statements that insert into several
    tables come without a case: the peers see nothing in them.
    """
    with (shared_folder() / "data" / "sql_cases" / "hive.jsonl").open("rb") as lines:
        cases = [orjson.loads(line) for line in lines]
    for case in cases:
        columns = {dataset_node("case", table): list(names) for table, names in case["schema"].items()}
        script = Script(dialect="hive", namespace="case", default_database=case["default_db"], columns=columns)
        for statement in case["statements"]:
            begun = time.perf_counter()
            found = script.run(statement["sql"], "case:<query>")
            spent = time.perf_counter() - begun
            if statement.get("expected_column_edges"):
                single = len(found.writes) == 1
                yield spent, peers_sql.Case(statement["sql"], case["schema"], spent) if single else None


def stream_texts(step: int, collector: Collector) -> Iterator[tuple[float, int]]:
    """Yield the seconds of every ``step``-th text of the real stream, and how many statements it has.

    Guard, templates and extraction count. The columns of tables that earlier texts of the sample wrote are known.
    """
    known: dict[str, tuple[str, ...]] = {}
    for place, message in enumerate(_stream(shared_folder() / "data" / "bqetl_stream")):
        if place % step == 0:
            job = ExtractionJob(
                sql=message["sql"],
                dialect=message["dialect"],
                namespace="bench",
                target=dataset_node("bench", message["target"]),
                columns=known,
            )
            begun = time.perf_counter()
            found: Extraction = extract_guarded(job)
            spent = time.perf_counter() - begun
            collector.read(len(job.sql))
            yield spent, max(1, len(found.statements))
            known.update(found.outputs)


def _stream(folder: Path) -> Iterator[dict[str, Any]]:
    for path in sorted(folder.glob("messages-*.jsonl.gz")):
        with gzip.open(path, "rb") as lines:
            yield from (message for message in map(orjson.loads, lines) if message["sql"])


def _wide(columns: int) -> None:
    """An INSERT of this number of columns over a star and a join, each made of two columns."""
    outputs = ", ".join(f"s.c{n} + coalesce(r.c{n}, 0) AS o{n}" for n in range(columns))
    sql = f"INSERT INTO w.t SELECT {outputs} FROM (SELECT * FROM w.s) s JOIN w.r r ON s.id = r.id WHERE r.day > 1"
    names = ("id", "day", *(f"c{n}" for n in range(columns)))
    known = {"bench:w.s": names, "bench:w.r": names, "bench:w.t": tuple(f"o{n}" for n in range(columns))}
    job = ExtractionJob(sql=sql, dialect="hive", namespace="bench", target=None, columns=known)
    found = extract_guarded(job)
    if found.coverage != "complete" or len(found.edges) != 2 * columns + 3:
        raise SystemExit(f"the wide statement's answer is wrong: {found.coverage}, {len(found.edges)} edges")
