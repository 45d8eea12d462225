"""Points of the temporal graph: the edges in force are taken from its arrays, facts and messages from its store."""

from __future__ import annotations

import threading
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Final

from lineage_tt.governance.points.building import NodeTable, built
from lineage_tt.governance.points.changes import changed
from lineage_tt.governance.points.stars import keep_star_nodes
from lineage_tt.governance.points.uses import Use, uses
from lineage_tt.governance.ports import FOREVER, Bools, ChangedEdges, MessageRecord, PointGraph
from lineage_tt.graph import Graph, GraphView
from lineage_tt.graph.arrays.names import Ints, Longs
from lineage_tt.graph.arrays.rows import Adjacency, columns_of
from lineage_tt.graph.walks.columns import Columns
from lineage_tt.model.answers import Basis, FactAsOf, TaskAsOf
from lineage_tt.model.completeness.summary import GapsAt
from lineage_tt.model.facts import COLUMN
from lineage_tt.model.messages import evidence_in
from lineage_tt.read.questions import Instant, Questions

#: The most points that are kept.
CACHED_POINTS: Final = 4
_COLUMNS: Final = """
    SELECT node, "key", "value", kind, subject, max(version), epoch_us(valid_from), epoch_us(valid_to)
    FROM fact_changes
    WHERE version <= $version AND valid_from <= make_timestamptz($at)
        AND (valid_to IS NULL OR valid_to > make_timestamptz($at)) AND "key" = $key
    GROUP BY node, "key", "value", kind, subject, valid_from, valid_to HAVING sum(sign) = 1 ORDER BY ALL"""
#: All that was ever believed about nodes, except columns: few rows compared with the edges, so they are cached.
_FACTS: Final = """
    SELECT * EXCLUDE (sign) FROM (
        SELECT sign, node, "key", "value", kind, subject, version, lead(version) OVER (
            PARTITION BY node, "key", "value", kind, subject, valid_from, valid_to ORDER BY version) AS closed,
            epoch_us(valid_from), epoch_us(valid_to)
        FROM fact_changes WHERE version <= $version AND "key" <> $key)
    WHERE sign = 1 ORDER BY ALL"""
_DECLARED: Final = """
    SELECT DISTINCT subject FROM log
    WHERE version > $after AND task_id IS NULL AND kind = 'dataset' AND status = 'accepted'"""
_MESSAGES: Final = """
    SELECT version, epoch_us(system_time), task_id, op, epoch_us(effective_at), actor, reason, cause, attributes
    FROM log WHERE version IN (SELECT unnest($versions)) ORDER BY version"""


class Points:
    """The points of a store whose graph is loaded; the last few are kept."""

    def __init__(self, store: Questions, graph: Graph) -> None:
        self.graph = graph
        self._thread = _ThreadStore(store, threading.Lock())
        self._cached: dict[tuple[int, ...], PointGraph] = {}
        self._keeping = threading.Lock()
        #: the epoch of the texts and the version at which the facts were read, and the facts
        self._facts: tuple[tuple[int, int], list[tuple[Any, ...]]] = ((0, -1), [])
        self._columns: tuple[int, Adjacency, Bools] | None = None
        #: the version up to which dataset messages were searched, and their subjects
        self._declared: tuple[int, frozenset[str]] = (0, frozenset())

    @property
    def store(self) -> Questions:
        """The store that this thread reads in addition to the graph."""
        return self._thread.store

    def ask(self, store: Questions) -> None:
        """Use another view of the same store in this thread from now on; all threads share what is cached."""
        self._thread.store, self._thread.lock = store, threading.Lock()

    @contextmanager
    def alone(self) -> Iterator[Questions]:
        """Let one thread at a time ask."""
        with self._thread.lock:
            yield self._thread.store

    def facts(self, basis: Basis) -> list[FactAsOf]:
        """Return all facts in force at a point except those about columns; ``version`` put them in place."""
        at = basis.valid_at
        known = self.known_facts(basis.version)
        return [fact for fact in known if fact.valid_from <= at and (fact.valid_to is None or at < fact.valid_to)]

    def known_facts(self, upto: int) -> list[FactAsOf]:
        """Return all facts except those about columns, of any valid time, as known at a version."""
        (epoch, version), rows = self._facts
        if version < upto or epoch != self.store.texts.epoch:
            epoch, version = self.store.texts.epoch, min(self.graph.version, self.store.version)
            rows = self.fetch(_FACTS, version=version, key=COLUMN)
            self._facts = (epoch, version), rows
        return [
            FactAsOf(node, key, value, kind, subject, opened, since, until)
            for node, key, value, kind, subject, opened, closed, since, until in rows
            if opened <= upto and (closed is None or upto < closed)
        ]

    def columns(self, dataset: Ints) -> tuple[Adjacency, Bools]:
        """Return the columns of each dataset, and which have any; points with the same number of nodes share them."""
        cached = self._columns
        if cached is None or cached[0] != len(dataset):
            columns = columns_of(dataset)
            self._columns = cached = len(dataset), columns, columns.filled
        return cached[1:]

    def declared(self, upto: int) -> frozenset[str]:
        """Return the datasets that have dataset messages, at least those up to a version."""
        version, known = self._declared
        if version < upto:
            latest = min(self.graph.version, self.store.version)
            fresh = self.fetch(_DECLARED, after=version)
            self._declared = latest, known | {subject for (subject,) in fresh}
        return self._declared[1]

    def basis(
        self, valid_at: Instant | None = None, system_at: Instant | None = None, version: int | None = None
    ) -> Basis:
        """Return the point for a question, of the versions that the graph holds."""
        return self.graph.basis(valid_at, system_at, version)

    def fetch(self, query: str, **parameters: Any) -> list[tuple[Any, ...]]:
        """Run one of the product's own queries, one thread at a time."""
        with self.alone() as store:
            return store.fetch(query, **parameters)

    def changed(self, first: Basis, second: Basis) -> ChangedEdges | None:
        """Return the edges in force at one of two points only; None where star edges would have to be joined."""
        return changed(self.graph, first, second)

    def names_of(self, numbers: Sequence[int]) -> list[str]:
        """Return the names of nodes by the store's numbers."""
        return self.graph.names.nodes.texts(list(numbers))

    def uses(self, basis: Basis) -> list[Use]:
        """Return when each dataset was read and fed up to a point."""
        return uses(self.graph, basis)

    def at(self, basis: Basis) -> PointGraph:
        """Return the lineage as of a point; VersionNotReachedError where the graph has not reached it."""
        key = (basis.valid_at, basis.version, self.graph.epoch, self.store.texts.epoch)
        with self._keeping:
            result = self._cached.pop(key, None)
            if result is not None:
                self._cached[key] = result  # last in the order of use
        if result is None:
            result = point_of(self, basis)
            with self._keeping:
                self._cached[key] = result
                while len(self._cached) > CACHED_POINTS:
                    self._cached.pop(next(iter(self._cached)))
        return result


class _ThreadStore(threading.local):
    """The store that a thread reads in addition to the graph, and its lock; the initial ones until it sets its own."""

    def __init__(self, store: Questions, lock: threading.Lock) -> None:
        self.store, self.lock = store, lock


class _Beside:
    """What the store knows at a point apart from edges; read on demand."""

    def __init__(self, points: Points, view: GraphView) -> None:
        self._points, self._view, self._basis = points, view, view.basis
        self._facts: dict[str | None, Sequence[FactAsOf]] = {}

    def facts(self, key: str | None = None) -> Sequence[FactAsOf]:
        """Return the facts in force under a key; ``version`` put them in place."""
        if None not in self._facts and key != COLUMN:
            self._facts[None] = self._points.facts(self._basis)
        if key not in self._facts and key == COLUMN:
            rows = self._points.fetch(_COLUMNS, at=self._basis.valid_at, version=self._basis.version, key=key)
            self._facts[key] = [FactAsOf(*row) for row in rows]
        elif key not in self._facts:
            self._facts[key] = [fact for fact in self._facts[None] if fact.key == key]
        return self._facts[key]

    def messages_of(self, versions: Collection[int]) -> dict[int, MessageRecord]:
        """Return the messages of these versions."""
        listed = sorted(set(versions))
        rows = self._points.fetch(_MESSAGES, versions=listed) if listed else []
        return {row[0]: MessageRecord(*row[:8], evidence_in(row[8])) for row in rows}  # type: ignore[call-arg]

    def tasks(self) -> Sequence[TaskAsOf]:
        """Return the tasks in force."""
        with self._points.alone() as store:
            return store.as_of(self._basis.valid_at, version=self._basis.version).tasks()

    def sourceless(self, others: Collection[str]) -> Sequence[str]:
        """Return the tasks in force that read nothing, and whose lineage is complete."""
        with self._points.alone() as store:
            return store.as_of(self._basis.valid_at, version=self._basis.version).sourceless(others)

    def gaps(self) -> GapsAt:
        """Return the tasks in force whose lineage is not complete."""
        return self._view.gaps

    def began(self, tasks: Ints, since: Longs, versions: Ints) -> Ints:
        """Return the versions of the messages that began edges."""
        return self._view.graph.statements.versions_of(tasks, since, self._basis.version, versions)


def point_of(points: Points, basis: Basis) -> PointGraph:
    """Return the lineage as of a point, new."""
    graph = points.graph
    view = graph.view(basis)
    state, names = view.state, graph.names
    edges = Columns(state, names.payloads, basis.valid_at, basis.version)
    table = NodeTable(names.nodes, names.datasets_from(0)[: state.nodes])
    beside = _Beside(points, view)
    point = built(
        basis, edges, names.kind_words, table, names.tasks, names.expressions, beside, bool(state.stars.total)
    )
    keep_star_nodes(point, state.stars.nodes_below(state.nodes), state.nodes)
    if point.nodes == state.nodes:
        point.columns, point.wholes = points.columns(point.dataset)
    return point


assert FOREVER == 2**63 - 1
