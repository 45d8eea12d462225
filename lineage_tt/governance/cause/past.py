"""The past of a store, from its graph and its log: what the search for a root cause queries."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final

from lineage_tt.governance.cause.messages import Messages
from lineage_tt.governance.cause.ports import Reached, Statement, Text, Way
from lineage_tt.governance.points.graphed import Points
from lineage_tt.graph import Graph, GraphView
from lineage_tt.graph.answers.results import Walk
from lineage_tt.model.answers import Basis, EdgeAsOf, FactAsOf, Step
from lineage_tt.model.completeness.summary import Completeness
from lineage_tt.model.edges import dataset_of
from lineage_tt.model.errors import UnknownNodeError
from lineage_tt.model.facts import CHECK
from lineage_tt.read.questions import Questions

_TEXTS: Final = """
    SELECT version, sql, dialect, namespace, default_database, target,
        list_sort(list_distinct(list_transform(edges, lambda e: e.source))),
        list_distinct(list_transform(edges, lambda e: e.target)) FROM log
    WHERE version IN (SELECT unnest($versions)) AND sql IS NOT NULL"""
_FIELDS: Final = """
    SELECT "column", coalesce("type", '') FROM stated_columns_as_of(make_timestamptz($valid_at),
        make_timestamptz($system_at)) WHERE dataset = $dataset"""


class GraphPast:
    """``Past`` over a graph; what it has read of the log is kept for the question."""

    def __init__(self, store: Questions, graph: Graph, basis: Basis, points: Points | None = None) -> None:
        self.basis = basis
        self._points = points or Points(store, graph)
        self._store, self._graph = store, graph
        self._messages = Messages(store.fetch, basis.version, graph.versions_stated)
        self._walks: dict[tuple[tuple[str, ...], Way, int, int | None], Walk] = {}

    # --- walks ------------------------------------------------------------------------------------------------

    def walk(self, nodes: Sequence[str], way: Way, valid_at: int, depth: int | None = None) -> Sequence[Step]:
        """Return the steps of a walk; none for nodes that are not known at that time."""
        try:
            return self._walk(nodes, way, valid_at, depth).steps
        except UnknownNodeError:
            return ()

    def reached(self, node: str, way: Way, valid_at: int) -> Reached:
        """Return what a walk from a node meets, without its edges; nothing for a node that is not known."""
        try:
            walk = self._walk([node], way, valid_at)
        except UnknownNodeError:
            return Reached({}, ())
        return Reached(walk.nodes, walk.pairs)

    def _walk(self, nodes: Sequence[str], way: Way, valid_at: int, depth: int | None = None) -> Walk:
        """Return a walk, cached because one question may need it more than once. Raises UnknownNodeError."""
        key = tuple(nodes), way, valid_at, depth
        if key not in self._walks:
            self._walks[key] = self._view(valid_at).lineage(*nodes, direction=way, depth=depth)
        return self._walks[key]

    def completeness(self, nodes: Sequence[str], valid_at: int) -> Completeness:
        """Return how complete what feeds the nodes is; UnknownNodeError for a node never named."""
        return self._walk(nodes, "up", valid_at).completeness

    def edges_into(self, nodes: Collection[str], valid_at: int, version: int | None = None) -> Sequence[EdgeAsOf]:
        """Return the edges into some nodes; BeyondHorizonError where the version is no longer kept."""
        if not nodes or version == 0:
            return ()
        basis = self._basis(valid_at) if version is None else self._graph.basis(valid_at, version=version)
        view = self._graph.view(basis)
        known = [node for node in sorted(nodes) if self._graph.knows(node)]
        if not known:
            return ()
        targets = set(nodes)
        steps = view.lineage(*known, direction="up", depth=1).steps
        return [step.edge for step in steps if step.edge.target in targets]

    def untraced(self, datasets: Collection[str], valid_at: int) -> dict[str, frozenset[str]]:
        """Return the tasks of incomplete lineage that write any of these datasets, with what they write."""
        return {gap.task_id: gap.writes for gap in self._view(valid_at).gaps.writing(datasets)}

    def _view(self, valid_at: int) -> GraphView:
        return self._graph.view(self._basis(valid_at))

    def _basis(self, valid_at: int) -> Basis:
        return self.basis._replace(valid_at=valid_at)

    # --- messages ---------------------------------------------------------------------------------------------

    def statements(
        self, tasks: Collection[str], datasets: Collection[str], since: int, until: int
    ) -> Sequence[Statement]:
        """Return what took effect in (since, until], or was recorded in it about an earlier time."""
        self._messages.read(tasks, self._points.declared(self.basis.version) & set(datasets))
        return self._messages.between(since, until)

    def before(self, statement: Statement) -> Statement | None:
        """Return the message of the same subject in force until a statement took effect, None if there was none."""
        return self._messages.before(statement)

    def texts(self, versions: Collection[int]) -> dict[int, Text]:
        """Return the texts of versions that have one."""
        if not versions:
            return {}
        rows = self._store.fetch(_TEXTS, versions=sorted(versions))
        return {
            version: Text(sql, dialect, namespace, database, target, tuple(sources or ()), tuple(targets or ()))
            for version, sql, dialect, namespace, database, target, sources, targets in rows
        }

    # --- facts ------------------------------------------------------------------------------------------------

    def facts(self, valid_at: int, keys: Sequence[str]) -> Sequence[FactAsOf]:
        """Return the facts in force under keys; a key that ends in ``:`` matches all keys with that prefix."""
        begins = tuple(key for key in keys if key[-1] == ":")
        known = self._points.facts(self._basis(valid_at))
        return [fact for fact in known if fact.key in keys or fact.key.startswith(begins)]

    def results(self, nodes: Collection[str]) -> Sequence[FactAsOf]:
        """Return all results of checks of some nodes, for any valid time, as known at the version."""
        known = self._points.known_facts(self.basis.version)
        return [fact for fact in known if fact.node in nodes and fact.key.startswith(CHECK)]

    def fields(self, dataset: str, valid_at: int) -> dict[str, str]:
        """Return the stated columns of a dataset with their types, ordered by name."""
        rows = self._store.fetch(
            _FIELDS, valid_at=valid_at, system_at=self.basis.system_time, dataset=dataset_of(dataset)
        )
        return dict(sorted(rows))
