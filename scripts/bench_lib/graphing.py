"""The graph measured: walks, differences, a batch, loading, memory; SQLite in the same run, on the same data."""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import orjson
import pyarrow.parquet as pq

from bench_lib import graph_growth, machine
from bench_lib.graph_store import check, compacted_store
from bench_lib.history import SCALES, History, made_history, node
from bench_lib.peers import peer_graph
from lineage_tt.graph import Graph
from lineage_tt.graph.arrays.differences import changed_edges
from lineage_tt.model.answers import Basis
from lineage_tt.store import Store

RUNS = 5
LAST_INSTANT = 253402300799999999


class Question(NamedTuple):
    """A walk that both engines are asked for."""

    hot: bool
    name: str
    basis: Basis
    known: dict[str, int]


class Timed(NamedTuple):
    """The best of some runs, for us and for SQLite, in milliseconds."""

    hot: bool
    ours: float
    peer: float


def measured(scale: str, tasks: int | None) -> dict[str, Any]:
    """Return every figure at a scale; ``tasks`` cuts the history down."""
    history = made_history(scale, tasks)
    folder = compacted_store(history)
    found = _fresh_process(folder, history)
    store = Store.open(folder)
    check(store, history)
    graph, peer = store.graph(), peer_graph.Peer(history.folder)
    queries = orjson.loads((history.folder / "queries.json").read_bytes())
    names = pq.read_table(history.folder / "columns.parquet", columns=["name"])["name"].to_pylist()
    machine.tell("walks ...")
    first, second = (_questions(graph, queries[kind], names) for kind in ("Q1", "Q2"))
    found |= _walks("hops3", graph, peer, first, 3, peer_graph.HOPS)
    found |= _walks("all", graph, peer, second, None, peer_graph.ALL)
    found |= _named(graph, peer, first)
    found |= _differences(graph, peer, queries["Q4"])
    found |= _batch(graph, first + second)
    stats = graph.stats()
    found["bytes_per_rectangle"] = machine.rounded(stats.bytes_per_rectangle)
    found["bytes_of_orders_per_rectangle"] = machine.rounded(stats.index_bytes / stats.rectangles)
    found["bytes_of_names_per_rectangle"] = machine.rounded(stats.name_bytes / stats.rectangles)
    machine.tell("growth ...")
    found |= graph_growth.measured(history, tasks or SCALES[scale])
    return {"rectangles": graph.stats().rectangles, **found}


def _questions(graph: Graph, queries: Sequence[dict[str, Any]], names: Sequence[str]) -> list[Question]:
    result = []
    for query in queries:
        valid_at, system_at = query["vt"] * 1000, min(query["st"] * 1000, LAST_INSTANT)
        basis = graph.basis(valid_at, system_at)
        known = {"seed": query["seed"], "vt": query["vt"], "st": query["st"]}
        name = node(names[query["seed"]])
        if graph.knows(name):
            result.append(Question(query["hot"], name, basis, known))
    return result


def _best(call: Callable[[], Any], runs: int = RUNS) -> float:
    return min(machine.timed(call) for _ in range(runs)) * 1000


def _walks(
    key: str, graph: Graph, peer: peer_graph.Peer, questions: list[Question], depth: int | None, query: str
) -> dict[str, float]:
    """Measure ids only, from every seed; both must reach as many nodes."""
    timed = []
    for question in questions:
        known = question.known | ({"depth": depth} if depth else {})
        reached = graph.view(question.basis).reach(question.name, depth=depth)
        expected = peer.fetch(query, known)
        back = sum(1 for row in expected if row[0] == question.known["seed"])
        if len(reached) != len(expected) - back:
            raise SystemExit(f"{question}: {len(reached)} nodes, SQLite reaches {len(expected) - back}")
        ours = _best(lambda q=question: graph.view(q.basis).reach(q.name, depth=depth))  # type: ignore[misc]
        timed.append(Timed(question.hot, ours, _best(lambda k=known: peer.fetch(query, k))))  # type: ignore[misc]
    hot, cold = [t for t in timed if t.hot], [t for t in timed if not t.hot]
    result: dict[str, float] = {}
    for name, ours, theirs in (
        ("hot", statistics.median(t.ours for t in hot), statistics.median(t.peer for t in hot)),
        ("cold", statistics.median(t.ours for t in cold), statistics.median(t.peer for t in cold)),
        ("p99", _p99([t.ours for t in timed]), _p99([t.peer for t in timed])),
    ):
        result[f"{key}_{name}_ms"] = machine.rounded(ours)
        result[f"{key}_{name}_vs_sqlite"] = machine.rounded(theirs / ours)
        result[f"sqlite_{key}_{name}_ms"] = machine.rounded(theirs)
    return result


def _p99(values: list[float]) -> float:
    return statistics.quantiles(values, n=100, method="inclusive")[98]


def _named(graph: Graph, peer: peer_graph.Peer, questions: list[Question]) -> dict[str, float]:
    """Measure three hops from hot columns with edges, tasks, names, valid interval and version, as Python tuples."""
    timed = []
    for question in (question for question in questions if question.hot):
        known = question.known | {"depth": 3}
        ours, theirs = _named_rows(graph, question), peer.fetch(peer_graph.NAMED, known)
        if sorted(row[1:5] for row in ours) != sorted(row[1:5] for row in theirs):
            raise SystemExit(f"{question}: the edges are not those of SQLite")
        mine = _best(lambda q=question: _named_rows(graph, q), 3)  # type: ignore[misc]
        timed.append((mine, _best(lambda k=known: peer.fetch(peer_graph.NAMED, k), 3)))  # type: ignore[misc]
    ours, theirs = (statistics.median(column) for column in zip(*timed, strict=True))
    return {
        "named_hot_ms": machine.rounded(ours),
        "named_vs_sqlite": machine.rounded(theirs / ours),
        "sqlite_named_hot_ms": machine.rounded(theirs),
    }


def _named_rows(graph: Graph, question: Question) -> list[tuple[Any, ...]]:
    return graph.view(question.basis).downstream(question.name, depth=3).unordered_rows()


def _differences(graph: Graph, peer: peer_graph.Peer, queries: Sequence[dict[str, int]]) -> dict[str, float]:
    """Measure the difference of all edges between two instants a day apart, as known now, as numbers."""
    timed, version = [], graph.version
    for query in queries:
        points = (query["t1"] * 1000, version), (query["t2"] * 1000, version)
        known = {"a": query["t1"], "b": query["t2"], "st": query["st"]}
        found, expected = changed_edges(graph.state, *points), peer.fetch(peer_graph.DIFF, known)
        if len(found) != len(expected):
            raise SystemExit(f"{query}: {len(found)} edges differ, SQLite says {len(expected)}")
        ours = _best(lambda p=points: changed_edges(graph.state, *p), 3)  # type: ignore[misc]
        timed.append((ours, _best(lambda k=known: peer.fetch(peer_graph.DIFF, k), 3), len(found)))  # type: ignore[misc]
    ours, theirs, edges = (statistics.median(column) for column in zip(*timed, strict=True))
    return {
        "diff_ms": machine.rounded(ours),
        "diff_vs_sqlite": machine.rounded(theirs / ours),
        "sqlite_diff_ms": machine.rounded(theirs),
        "diff_edges": edges,
    }


def _batch(graph: Graph, questions: list[Question]) -> dict[str, float]:
    """Measure 400 columns, half of them hot, at three instants in one call, all hops down."""
    names = [question.name for question in questions][:400]
    bases = [graph.basis(question.basis.valid_at) for question in questions[:3]]
    whole = graph.batch(names, bases)
    nodes = sum(whole.count(i, j) for i in range(len(names)) for j in range(len(bases)))
    return {"batch_ms": machine.rounded(_best(lambda: graph.batch(names, bases))), "batch_nodes": float(nodes)}


def _fresh_process(store: Path, history: History) -> dict[str, float]:
    """Measure loading, and the first answer from the files, in processes of their own; the kernels are compiled."""
    machine.tell("loading ...")
    query = orjson.loads((history.folder / "queries.json").read_bytes())["Q1"][-1]
    names = pq.read_table(history.folder / "columns.parquet", columns=["name"])["name"].to_pylist()
    words = (str(store), node(names[query["seed"]]), str(query["vt"] * 1000))
    machine.measured_in_a_process("bench_lib.graphing", "load", *words)
    loads = [machine.measured_in_a_process("bench_lib.graphing", "load", *words)["seconds"] for _ in range(3)]
    firsts = [machine.measured_in_a_process("bench_lib.graphing", "first", *words)["seconds"] for _ in range(3)]
    return {"load_s": machine.median(loads), "first_answer_s": machine.median(firsts)}


def main() -> None:
    """``load`` the graph and walk, or answer ``first`` from the files; print the seconds since the store was opened."""
    what, folder, name, valid_at = sys.argv[1:]
    begun = time.perf_counter()
    store = Store.open(folder)
    if what == "load":
        store.graph().as_of(int(valid_at)).downstream(name, depth=3).rows  # noqa: B018  made when looked at
    else:
        store.as_of(int(valid_at)).downstream(name, depth=3)
    sys.stdout.buffer.write(orjson.dumps({"seconds": time.perf_counter() - begun}))


if __name__ == "__main__":
    main()
