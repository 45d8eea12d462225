"""The timeline of a store, from its graph and its log: what planning a backfill asks for."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import lru_cache

from lineage_tt.governance.backfill.ports import InForce
from lineage_tt.governance.backfill.untraced import untraced_into, untraced_out
from lineage_tt.governance.cause.messages import Messages
from lineage_tt.graph import Graph
from lineage_tt.graph.walks.moments import moments
from lineage_tt.model.answers import Basis, EdgeAsOf
from lineage_tt.model.completeness.summary import GapsAt
from lineage_tt.read.questions import Questions

_Untraced = Callable[[GapsAt, Collection[str]], Iterator[EdgeAsOf]]


class GraphTimeline:
    """``Timeline`` over a graph; what it has read of the log is kept for the question."""

    def __init__(self, store: Questions, graph: Graph, basis: Basis) -> None:
        self.basis = basis
        self.uncertain: set[str] = set()
        self._store, self._graph = store, graph
        self._messages = Messages(store.fetch, basis.version, graph.versions_stated)
        self._times: dict[str, list[int]] = {}
        self._in_force = lru_cache(None)(self._read_in_force)

    def edges_out(self, nodes: Collection[str], valid_at: int) -> Sequence[EdgeAsOf]:
        """Return the edges out of nodes, for a dataset also out of its columns, and where tasks write untraced."""
        return [*self._beside(nodes, valid_at, "down"), *self._untraced(untraced_out, nodes, valid_at)]

    def edges_into(self, nodes: Collection[str], valid_at: int) -> Sequence[EdgeAsOf]:
        """Return the edges into nodes, for a dataset also those into its columns, and where tasks write untraced."""
        return [*self._beside(nodes, valid_at, "up"), *self._untraced(untraced_into, nodes, valid_at)]

    def _untraced(self, edges_of: _Untraced, nodes: Collection[str], valid_at: int) -> list[EdgeAsOf]:
        edges = list(edges_of(self._graph.view(self.basis._replace(valid_at=valid_at)).gaps, nodes))
        self.uncertain |= {edge.task_id for edge in edges}
        return edges

    def _beside(self, nodes: Collection[str], valid_at: int, way: str) -> list[EdgeAsOf]:
        known = [node for node in sorted(nodes) if self._graph.knows(node)]
        if not known:
            return []
        view = self._graph.view(self.basis._replace(valid_at=valid_at))
        return [step.edge for step in view.lineage(*known, direction=way, depth=1).steps]  # type: ignore[arg-type]

    def change_times(self, datasets: Collection[str], since: int, until: int) -> Mapping[str, Sequence[int]]:
        """Return, by dataset, the valid times in (since, until] at which edges at it begin or end, in order."""
        unread = [dataset for dataset in datasets if dataset not in self._times]
        if unread:
            state = self._graph.state_at(self.basis)
            self._times |= moments(state, self._graph.names, unread, self.basis.version)
            for dataset, times in self._graph.gaps.times(unread, self.basis.version).items():
                self._times[dataset] = sorted({*self._times[dataset], *times})
        return {each: [at for at in self._times[each] if since < at <= until] for each in datasets}

    def read(self, tasks: Collection[str]) -> None:
        """Read all messages of tasks at once that ``in_force`` is then asked about."""
        self._messages.read(tasks)

    def in_force(self, task: str, valid_at: int) -> InForce | None:
        """Return what a task ran at a time, None where it was offline."""
        return self._in_force(task, valid_at)

    def _read_in_force(self, task: str, valid_at: int) -> InForce | None:
        statement = self._messages.in_force(task, valid_at)
        if statement is None or statement.effective_at is None:
            return None
        return InForce(statement.version, statement.effective_at, statement.event_id, statement.sql_sha256)
