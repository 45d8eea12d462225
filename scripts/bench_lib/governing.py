"""Governance measured: labels and rules over a made history, networkx and DuckDB in the same run on the same edges.

Labels are stated in memory, of one in ten of the columns that no task makes, so that the kept store stays as it is. All
three start from arrays of the edges in force and make their own graph of them: each point in time has another one.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any, Final

import duckdb
import networkx as nx
import numpy as np
import pyarrow as pa

from bench_lib import machine
from bench_lib.graph_store import compacted_store
from bench_lib.history import made_history
from lineage_tt.governance.governance import Governance
from lineage_tt.governance.labels.labelled import Labelled
from lineage_tt.governance.labels.moving import moved
from lineage_tt.governance.labels.scene import Scene
from lineage_tt.governance.points.graphed import point_of
from lineage_tt.governance.ports import PointGraph
from lineage_tt.model.answers import Basis, FactAsOf
from lineage_tt.store import Store

LABELS: Final = ("pii", "gdpr", "secret", "finance", "health", "minor", "staff", "key")
RUNS: Final = 3
DAY: Final = 86_400_000_000
_RECURSIVE: Final = """
    WITH RECURSIVE has(node, label) AS (
        SELECT node, label FROM stated UNION SELECT e.target, h.label FROM has AS h JOIN edge AS e ON e.source = h.node
    ) SELECT count(*) FROM has"""


def measured(scale: str, tasks: int | None) -> dict[str, Any]:
    """Return the figures of labels and rules at a scale; ``tasks`` cuts the history down."""
    history = made_history(scale, tasks)
    store = Store.open(compacted_store(history))
    governance = Governance(store, store.graph())
    basis = governance.basis(int(history.facts["history_end"]) * 1000)
    facts = _stated(governance.points.at(basis))
    machine.tell("labels ...")
    _labelled(governance, basis, facts)  # compiled functions are read from their cache
    found = {
        "labels_all_s": _best(lambda: _labelled(governance, basis, facts)),
        "labels_diff_day_ms": 1000 * _day(governance, basis, facts),
    }
    found |= _peers(governance, basis, facts)
    machine.tell("rules ...")
    found["rules_all_s"] = _best(lambda: _fresh_rules(governance, basis))
    edges = len(governance.points.at(basis).source)
    return {"edges": edges, "stated": len(facts), **{key: machine.rounded(value) for key, value in found.items()}}


def _best(call: Callable[[], Any], runs: int = RUNS) -> float:
    times = []
    for _ in range(runs):
        begun = time.perf_counter()
        call()
        times.append(time.perf_counter() - begun)
    return min(times)


def _stated(point: PointGraph) -> list[FactAsOf]:
    """Return the facts that give one in ten of the columns that something is made of, and no task makes, a label."""
    chosen = np.setdiff1d(point.source[point.direct], point.target)[::10]
    return [
        FactAsOf(node, "label", LABELS[at % len(LABELS)], "fact", node, 1, 0, None)
        for at, node in enumerate(point.node_texts(chosen))
    ]


class _Beside:
    """What lies beside a point's edges, with these facts in place of its own."""

    def __init__(self, held: Any, facts: Sequence[FactAsOf]) -> None:
        self._held, self._facts = held, facts

    def facts(self, key: str | None = None) -> Sequence[FactAsOf]:
        """Return the facts given."""
        return [fact for fact in self._facts if key is None or fact.key == key]

    def __getattr__(self, name: str) -> Any:
        return getattr(self._held, name)


def _labelled(governance: Governance, basis: Basis, facts: Sequence[FactAsOf]) -> Labelled:
    """Return the labels of all nodes at a point: from the graph's rows on, nothing kept."""
    point = point_of(governance.points, basis)
    point.beside = _Beside(point.beside, facts)
    result = Labelled(point, Scene())
    _ = result.have
    return result


def _day(governance: Governance, basis: Basis, facts: Sequence[FactAsOf]) -> float:
    """Return the seconds that the difference of a day takes from labels that are there, as a service has them."""
    labelled = _labelled(governance, basis._replace(valid_at=basis.valid_at - DAY), facts)
    graph = governance.points.graph
    graph.diff(labelled.point.basis, basis)  # the orders of rows are made when they are first asked for

    def once() -> None:
        changed = moved(labelled, graph.diff(labelled.point.basis, basis), facts)
        if changed is None:
            raise SystemExit("the difference of a day was not followed")

    return _best(once)


def _peers(governance: Governance, basis: Basis, facts: Sequence[FactAsOf]) -> dict[str, float]:
    """Return how many times sooner labels spread than with networkx and with DuckDB; all find as many."""
    labelled = _labelled(governance, basis, facts)
    point = labelled.point

    def spread_again() -> None:
        again = Labelled(point, Scene(), labelled.lattice)
        again.stated, again.stated_bits = labelled.stated, labelled.stated_bits  # as numbers, as the others have them
        _ = again.have

    ours = _best(spread_again)
    count = sum(int(np.bitwise_count(word[point.live]).sum()) for word in labelled.have)
    carried = np.flatnonzero(labelled.carries)
    edges = np.stack([point.source[carried], point.target[carried]], axis=1)
    stated = [(point.number(fact.node), fact.value) for fact in facts]

    def with_networkx() -> int:
        graph = nx.DiGraph()
        graph.add_edges_from(edges.tolist())
        for node, label in stated:  # one walk a label, from all that have it
            graph.add_edge(label, node)
        return sum(len(nx.descendants(graph, label)) for label in LABELS)

    def with_duckdb() -> int:
        connection.execute("CREATE OR REPLACE TABLE edge AS SELECT DISTINCT source, target FROM arrow_edges")
        return int(connection.execute(_RECURSIVE).fetchall()[0][0])

    connection = duckdb.connect()
    table = {"source": edges[:, 0], "target": edges[:, 1]}
    connection.register("arrow_edges", pa.table({name: pa.array(column) for name, column in table.items()}))
    connection.execute("CREATE TABLE stated (node INTEGER, label VARCHAR)")
    nodes, labels = zip(*stated, strict=True)
    connection.register("arrow_stated", pa.table({"node": pa.array(nodes, pa.int32()), "label": pa.array(labels)}))
    connection.execute("INSERT INTO stated FROM arrow_stated")
    result = {"labels_spread_s": ours}
    for name, peer in (("networkx", with_networkx), ("duckdb", with_duckdb)):
        begun = time.perf_counter()
        others = peer()
        result[f"labels_vs_{name}"] = (time.perf_counter() - begun) / ours
        if others != count:
            raise SystemExit(f"{name} finds {others} labels, the product {count}")
    return result


def _fresh_rules(governance: Governance, basis: Basis) -> None:
    from lineage_tt.governance.rules.engine import check

    check(point_of(governance.points, basis), governance.config)
