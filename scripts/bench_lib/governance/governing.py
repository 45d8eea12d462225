"""Governance measured: labels and rules over a made history, networkx and DuckDB in the same run on the same edges.

Labels are stated in memory, of one in ten of the columns that no task makes, so that the kept store stays as it is. All
three start from arrays of the edges in force and make their own graph of them: each point in time has another one. Then
they spread labels once more over the graphs that are there.
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
from bench_lib.history import History, made_history
from lineage_tt.governance.governance import Governance
from lineage_tt.governance.labels.labelled import Labelled
from lineage_tt.governance.labels.moving import moved_to
from lineage_tt.governance.labels.scene import Scene
from lineage_tt.governance.points.graphed import point_of
from lineage_tt.governance.ports import PointGraph
from lineage_tt.graph.arrays.rows import CLOSED, FAR, FROM, OPENED, TO
from lineage_tt.model.answers import Basis, FactAsOf
from lineage_tt.store import Store

LABELS: Final = ("pii", "gdpr", "secret", "finance", "health", "minor", "staff", "key")
RUNS: Final = 3
DAY: Final = 86_400_000_000
_FROM_FILES: Final = """
    WITH RECURSIVE edge AS MATERIALIZED (
        SELECT DISTINCT source, target FROM edges_as_of({point}) WHERE "type" = 'DIRECT'
    ), has(node, label) AS (
        SELECT node, label FROM stated UNION SELECT e.target, h.label FROM has AS h JOIN edge AS e ON e.source = h.node
    ) SELECT count(*) FROM has"""
_LOADED: Final = """
    WITH RECURSIVE edge AS MATERIALIZED (
        SELECT DISTINCT source, target FROM held
        WHERE since <= {at} AND {at} < until AND opened <= {version} AND {version} < closed
    ), has(node, label) AS (
        SELECT node, label FROM stated UNION SELECT e.target, h.label FROM has AS h JOIN edge AS e ON e.source = h.node
    ) SELECT count(*) FROM has"""
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
    found["labels_all_vs_duckdb"] = _from_files(store, governance, basis, facts) / found["labels_all_s"]
    found["labels_all_vs_duckdb_loaded"] = _from_memory(governance, basis, facts) / found["labels_all_s"]
    machine.tell("rules ...")
    found["rules_all_s"] = _best(lambda: _fresh_rules(governance, basis))
    edges = len(governance.points.at(basis).source)
    return {"edges": edges, "stated": len(facts), **{key: machine.rounded(value) for key, value in found.items()}}


def growth(
    found: dict[str, Any], tenth: History, worth: Callable[[Governance, History], dict[str, Any]]
) -> dict[str, Any]:  # fmt: skip
    """Return how many times as long each question over all nodes takes as with a tenth of the tasks, and the worst."""
    machine.tell("a tenth ...")
    store = Store.open(compacted_store(tenth))
    governance = Governance(store, store.graph())
    basis = governance.basis(int(tenth.facts["history_end"]) * 1000)
    facts = _stated(governance.points.at(basis))
    _labelled(governance, basis, facts)
    small = {
        "labels_all_s": _best(lambda: _labelled(governance, basis, facts)),
        "rules_all_s": _best(lambda: _fresh_rules(governance, basis)),
    }
    small |= worth(governance, tenth)
    result = {f"growth_{key.removesuffix('_s')}": found[key] / seconds for key, seconds in small.items()}
    return {key: machine.rounded(value) for key, value in (result | {"growth": max(result.values())}).items()}


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
    _counted(result)
    return result


def _counted(labelled: Labelled) -> int:
    """Return how many labels all nodes have together: what the peers' queries answer, too."""
    return sum(int(np.bitwise_count(word[labelled.point.live]).sum()) for word in labelled.have)


def _day(governance: Governance, basis: Basis, facts: Sequence[FactAsOf]) -> float:
    """Return the seconds that the difference of a day takes from labels that are there, as a service has them."""
    labelled = _labelled(governance, basis._replace(valid_at=basis.valid_at - DAY), facts)
    graph = governance.points.graph
    graph.diff(labelled.point.basis, basis)  # the orders of rows are made when they are first asked for

    def once() -> None:
        changed = moved_to(governance.points, labelled, basis, facts)
        if changed is None:
            raise SystemExit("the difference of a day was not followed")

    return _best(once)


class _Peers:
    """The same edges and labels for networkx and DuckDB: as arrays, or in the form that each walks over."""

    def __init__(self, labelled: Labelled) -> None:
        point = labelled.point
        carried = np.flatnonzero(labelled.carries)
        self._edges = np.stack([point.source[carried], point.target[carried]], axis=1)
        self._stated = [
            (point.number(fact.node), fact.value) for facts in labelled.stated.labels.values() for fact in facts
        ]
        self._graph = nx.DiGraph()
        self._connection = connection = duckdb.connect()
        columns = {"source": self._edges[:, 0], "target": self._edges[:, 1]}
        connection.register("arrow_edges", pa.table({name: pa.array(column) for name, column in columns.items()}))
        connection.execute("CREATE TABLE stated (node INTEGER, label VARCHAR)")
        nodes, labels = zip(*self._stated, strict=True)
        connection.register("arrow_stated", pa.table({"node": pa.array(nodes, pa.int32()), "label": pa.array(labels)}))
        connection.execute("INSERT INTO stated FROM arrow_stated")

    def prepare(self, peer: str) -> None:
        """Make the form that a peer walks over, new."""
        if peer == "networkx":
            self._graph = nx.DiGraph()
            self._graph.add_edges_from(self._edges.tolist())
        else:
            self._connection.execute("CREATE OR REPLACE TABLE edge AS SELECT DISTINCT source, target FROM arrow_edges")

    def walk(self, peer: str) -> int:
        """Spread the labels; return how many there are."""
        if peer == "duckdb":
            return int(self._connection.execute(_RECURSIVE).fetchall()[0][0])
        self._graph.add_edges_from(
            (label, node) for node, label in self._stated
        )  # one walk a label, from all that have
        count = sum(len(nx.descendants(self._graph, label)) for label in LABELS)
        self._graph.remove_nodes_from(LABELS)
        return count


def _peers(governance: Governance, basis: Basis, facts: Sequence[FactAsOf]) -> dict[str, float]:
    """Return how many times sooner labels spread than with networkx and with DuckDB; all find as many.

    Twice: from arrays of the edges in force on, of which each makes the form that it walks over; and with that form
    there, as for a second question at the same point.
    """
    labelled = _labelled(governance, basis, facts)
    point = labelled.point

    def spread_again() -> None:
        again = Labelled(point, Scene(), labelled.lattice, labelled.stated)
        again.stated_bits = labelled.stated_bits  # as numbers, as the others have them
        _ = again.have

    def from_arrays() -> None:
        point.derived.clear()
        point.starts = None  # as the others: edges as pairs, not yet by source
        spread_again()

    result = {"labels_spread_s": _best(from_arrays), "labels_ready_s": _best(spread_again)}
    count = _counted(labelled)
    peers = _Peers(labelled)
    for name in ("networkx", "duckdb"):
        preparing = _best(lambda name=name: peers.prepare(name))
        walking = _best(lambda name=name: _same(name, peers.walk(name), count))
        result[f"labels_vs_{name}"] = (preparing + walking) / result["labels_spread_s"]
        result[f"labels_ready_vs_{name}"] = walking / result["labels_ready_s"]
    return result


def _from_files(store: Store, governance: Governance, basis: Basis, facts: Sequence[FactAsOf]) -> float:
    """Return the seconds that DuckDB takes for the same labels from the store's own files, as of the point."""
    connection = store.connection()
    columns = {"node": [fact.node for fact in facts], "label": [fact.value for fact in facts]}
    connection.register("stated", pa.table(columns))
    labelled = _labelled(governance, basis, facts)
    count = _counted(labelled)
    point = f"make_timestamptz({basis.valid_at}), make_timestamptz({basis.system_time})"
    query = _FROM_FILES.replace("{point}", point)
    took = _best(lambda: _same("duckdb on the files", int(connection.execute(query).fetchall()[0][0]), count), 2)
    connection.unregister("stated")
    return took


def _from_memory(governance: Governance, basis: Basis, facts: Sequence[FactAsOf]) -> float:
    """Return the seconds that DuckDB takes for them from all ever believed, in memory as numbers."""
    labelled = _labelled(governance, basis, facts)
    point, state = labelled.point, governance.points.graph.view(basis).state
    rows, instants = state.out, np.append(state.instants, np.iinfo(np.int64).max)
    closed = np.where(rows[:, CLOSED] < 0, ~rows[:, CLOSED], rows[:, CLOSED])
    columns = {
        "source": np.repeat(np.arange(state.nodes, dtype=np.int32), np.diff(state.record[: state.nodes + 1, 0])),
        "target": rows[:, FAR], "since": instants[rows[:, FROM]],
        "until": instants[np.minimum(rows[:, TO], len(state.instants))], "opened": rows[:, OPENED], "closed": closed,
    }  # fmt: skip
    connection = duckdb.connect()
    connection.register("arrow_held", pa.table({name: pa.array(each) for name, each in columns.items()}))
    connection.execute("CREATE TABLE held AS FROM arrow_held")
    numbers = point.numbers([fact.node for fact in facts])
    connection.register("arrow_stated", pa.table({"node": numbers, "label": [fact.value for fact in facts]}))
    connection.execute("CREATE TABLE stated AS FROM arrow_stated")
    query = _LOADED.replace("{at}", str(basis.valid_at)).replace("{version}", str(basis.version))
    count = _counted(labelled)
    return _best(lambda: _same("duckdb in memory", int(connection.execute(query).fetchall()[0][0]), count))


def _same(name: str, found: int, count: int) -> None:
    if found != count:
        raise SystemExit(f"{name} finds {found} labels, the product {count}")


def _fresh_rules(governance: Governance, basis: Basis) -> None:
    from lineage_tt.governance.rules.engine import check

    check(point_of(governance.points, basis), governance.config)
