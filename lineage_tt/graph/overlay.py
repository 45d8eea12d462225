"""A graph as it would be with other edges for some tasks; the store and the graph in memory are not changed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NoReturn

import numpy as np
import pyarrow as pa

from lineage_tt.graph.arrays.dictionary import Dictionary
from lineage_tt.graph.arrays.names import Bytes
from lineage_tt.graph.arrays.pairing import never
from lineage_tt.graph.arrays.rows import FOREVER, Rectangles
from lineage_tt.graph.arrays.state import NOTHING_HIDDEN, State
from lineage_tt.graph.asof.view import GraphView
from lineage_tt.graph.load.statements import Statements
from lineage_tt.graph.load.tail import with_nodes, with_rows
from lineage_tt.graph.queries import GraphQueries
from lineage_tt.model.answers import Basis, Difference
from lineage_tt.model.completeness.gaps import Gaps
from lineage_tt.model.completeness.rules import of_diff
from lineage_tt.model.edges import Edge, dataset_of, is_column, leaves_out, star_of
from lineage_tt.model.errors import InvalidRequestError
from lineage_tt.model.times import FIRST
from lineage_tt.read.questions import Instant


class Overlay(GraphQueries):
    """A graph with some tasks' edges replaced from a valid time on; it stays at the version of that graph."""

    def __init__(
        self, graph: GraphQueries, names: Dictionary, state: State, replaced: State, since: int, tasks: Iterable[str]
    ) -> None:
        super().__init__(graph.store, names, state, graph._system_times, graph._snapshot)
        self._replaced = replaced
        self._since = since
        self._below, self._tasks = graph, frozenset(tasks)

    @property
    def gaps(self) -> Gaps:
        """The tasks that were ever incomplete, as in the underlying graph."""
        return self._below.gaps

    @property
    def statements(self) -> Statements:
        """The messages of all tasks, as in the underlying graph."""
        return self._below.statements

    def refresh(self) -> int:
        """Return the version; an overlay belongs to one version, so there is nothing to take in."""
        return self.version

    def with_(
        self, replacements: Mapping[str, Iterable[Sequence[str]] | None], valid_from: Instant | None = None
    ) -> NoReturn:
        """Raise InvalidRequestError: an overlay can only be made from a graph, not from another overlay."""
        raise InvalidRequestError("an overlay cannot be changed again", hint="give all changes at once")

    def state_at(self, basis: Basis) -> State:
        """Return the replaced arrays if the basis is at the graph's version and not before the change."""
        plain = super().state_at(basis)
        return self._replaced if self._is_replaced(basis) else plain

    def view(self, basis: Basis) -> GraphView:
        """Return the lineage as of a basis; where the arrays are replaced, the replaced tasks are ``supposed``."""
        view = super().view(basis)
        if self._is_replaced(basis):
            view.supposed = self._tasks
        return view

    def _is_replaced(self, basis: Basis) -> bool:
        return basis.version >= self.version and basis.valid_at >= self._since

    def diff(self, first: Basis, second: Basis, node: str | None = None) -> Difference:
        """Return the edges in force at one point and not at the other, from all edges of both."""
        if node is not None:
            self.check_nodes([node])
        one, other = ({edge[:6] for edge in self.view(basis).edges(marks=True)} for basis in (first, second))
        touching = (
            {edge for edge in side if node is None or _touches(edge, node)} for side in (one - other, other - one)
        )
        removed, added = (tuple(sorted(side)) for side in touching)
        tasks = {edge[0] for edge in (*removed, *added)}
        before, after = (self.view(basis).gaps for basis in (first, second))
        return Difference(first, second, removed, added, of_diff(before, after, tasks, node))


def overlaid(
    graph: GraphQueries, replacements: Mapping[str, Iterable[Sequence[str]] | None], since: int | None
) -> Overlay:
    """Return the graph with these tasks' edges replaced from a valid time on; see ``Graph.with_``."""
    state, names = graph.state, graph.names.copy()
    rows = [(task, Edge(*edge)) for task, edges in replacements.items() for edge in edges or ()]
    rows = list(dict.fromkeys(rows))
    column = [pa.array([getattr(edge, name) for _, edge in rows], pa.string()) for name in Edge._fields]
    source, target = names.nodes.intern(column[0]), names.nodes.intern(column[1])
    names.note_datasets()
    tasks = names.tasks.add(task for task, _ in rows)
    payload_count = len(names.payloads)
    hidden: Bytes = np.zeros(payload_count + len(rows) + 2, np.uint8)
    replaced = names.tasks.find_all(list(replacements)) if replacements else np.zeros(0, np.int32)
    hidden[:payload_count] = np.isin(names.payloads[:, 0], replaced)
    payload = names.append_payloads(tasks, names.kinds(column[2], column[3]), names.expressions.intern(column[4]))
    first = FIRST if since is None else since
    size = len(rows)
    opened = np.full(size, state.version, np.int32)
    valid_from, valid_to = np.full(size, first, np.int64), np.full(size, FOREVER, np.int64)
    private = state._replace(
        record=state.record.copy(), heads=state.heads.copy(), tail=state.tail[: state.tails].copy(),
        times=state.times[: state.tails].copy(), hidden=hidden, supposed=payload_count,
    )  # fmt: skip
    private = with_nodes(private, names)
    plain = private._replace(heads=private.heads.copy(), hidden=NOTHING_HIDDEN)
    private = with_rows(private, Rectangles(source, target, payload, valid_from, valid_to, opened, never(size)))
    return Overlay(graph, names, plain, private, first, replacements)


def _touches(edge: Sequence[str], node: str) -> bool:
    star = star_of(node) if is_column(node) and not leaves_out(edge[1:], node) else None
    return any(node in (end, dataset_of(end)) or end == star for end in edge[1:3])
