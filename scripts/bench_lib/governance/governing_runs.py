"""Root causes, chains and backfills measured on a made history: its messages have edges, and no texts."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Final

import orjson
import pyarrow.parquet as pq

from bench_lib.history import History, node
from lineage_tt.governance.governance import Governance
from lineage_tt.model.answers import Basis
from lineage_tt.model.errors import InvalidRequestError

#: key → (what is asked, unit)
WANTED: Final = {
    "root_cause_ms": ("≤ 200", "ms"),
    "root_cause_p95_ms": ("", "ms"),
    "root_cause_suspects": ("", ""),
    "core_chain_ms": ("", "ms"),
    "backfill_ms": ("", "ms"),
}
QUESTIONS: Final = 40
PLANS: Final = 5
WEEK: Final = 7 * 86_400_000_000


def measured(asks: Governance, history: History) -> dict[str, Any]:
    """Return the figures: of a number of columns that the history's own questions name, at the end of the history."""
    queries = orjson.loads((history.folder / "queries.json").read_bytes())["Q1"]
    names = pq.read_table(history.folder / "columns.parquet", columns=["name"])["name"].to_pylist()
    known = [name for query in queries if asks.points.graph.knows(name := node(names[query["seed"]]))][:QUESTIONS]
    end = int(history.facts["history_end"]) * 1000
    basis = asks.basis(end)
    asks.root_cause(known[0], basis, end - WEEK)  # the messages' index is read from the log once
    suspects: list[int] = []

    def cause(column: str) -> None:
        found = asks.root_cause(column, basis, end - WEEK)
        suspects.append(len(found.suspects) + found.omitted)

    took = _milliseconds(cause, known)
    asks.points.at(basis)
    chains = _milliseconds(lambda column: asks.core(column, basis), known[:3])
    plans = _plans(asks, known, basis)
    return {
        "root_cause_ms": statistics.median(took),
        "root_cause_p95_ms": sorted(took)[int(len(took) * 0.95)],
        "root_cause_suspects": statistics.mean(suspects),
        "core_chain_ms": statistics.median(chains),
        "backfill_ms": statistics.median(plans),
    }


def _plans(asks: Governance, columns: list[str], basis: Basis) -> list[float]:
    """Return the milliseconds of the first five plans of a week that are not too large to be made."""
    took: list[float] = []
    for column in columns:
        with suppress(InvalidRequestError):
            took += _milliseconds(
                lambda name: asks.backfill([name], basis.valid_at - WEEK, basis.valid_at, basis), [column]
            )
        if len(took) == PLANS:
            break
    return took


def _milliseconds(work: Callable[[str], object], columns: list[str]) -> list[float]:
    took = []
    for column in columns:
        begun = time.perf_counter()
        work(column)
        took.append((time.perf_counter() - begun) * 1000)
    return took
