"""The questions that a graph answers from its arrays: points, views, differences, batches, names."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from lineage_tt.graph.answers.stats import GraphStats
from lineage_tt.graph.arrays.dictionary import Dictionary
from lineage_tt.graph.arrays.differences import changed_edges
from lineage_tt.graph.arrays.names import Ints, Longs
from lineage_tt.graph.arrays.similar_names import nearest
from lineage_tt.graph.arrays.state import State, edge_texts
from lineage_tt.graph.asof.batch import Batch, walk_batch
from lineage_tt.graph.asof.view import GraphView
from lineage_tt.graph.store_backed import GraphedStore, StoreBacked
from lineage_tt.graph.walks.filters import Filter
from lineage_tt.graph.walks.scratch import Scratches
from lineage_tt.graph.walks.unnamed import Unnamed, knows_star
from lineage_tt.log import retention
from lineage_tt.model.answers import Basis, Difference, Direction, Level
from lineage_tt.model.completeness.rules import of_diff
from lineage_tt.model.edges import column_of, dataset_of, is_column, star_of
from lineage_tt.model.errors import InvalidRequestError, UnknownNodeError, VersionNotReachedError
from lineage_tt.read.questions import Instant
from lineage_tt.read.snapshots.snapshot import Snapshot


class GraphQueries(StoreBacked):
    """A graph at its current version; subclasses define whether and how it moves to later versions."""

    def __init__(
        self, store: GraphedStore, names: Dictionary, state: State, system_times: Longs, snapshot: Snapshot | None
    ) -> None:
        super().__init__(store, names, state)
        self._snapshot = snapshot
        self._horizon = retention.horizon_of(store.opened_log, snapshot)
        self.scratches = Scratches()
        self._system_times = system_times
        self._plain: tuple[State, Unnamed] | None = None

    @property
    def state(self) -> State:
        """The current arrays."""
        return self._state

    # --- points -------------------------------------------------------------------------------------------------

    def basis(
        self, valid_at: Instant | None = None, system_at: Instant | None = None, version: int | None = None
    ) -> Basis:
        """Return the point for a question, as ``Store.basis`` does, for the versions that this graph holds."""
        last = self._state.version
        times = self._system_times[:last]
        valid = self.store.instant("now" if valid_at is None else valid_at)
        if version is not None and system_at is not None:
            raise InvalidRequestError("give a system time or a version, not both")
        if version is not None and not 0 <= version <= last:
            raise VersionNotReachedError(
                f"version {version} does not exist: the graph is at version {last}",
                hint="ask for a version from 0 to that one, or wait for it",
            )
        if version is None:
            version = last
            if system_at is not None:
                version = int(np.searchsorted(times, self.store.instant(system_at), side="right"))
        point = Basis(valid, version, int(times[version - 1]) if version else 0)
        return point if version == last else retention.refuse(point, self._horizon)

    def as_of(
        self, valid_at: Instant | None = None, system_at: Instant | None = None, *, version: int | None = None
    ) -> GraphView:
        """Return the lineage as of a valid time and a system time or version (default: now, as known now)."""
        return self.view(self.basis(valid_at, system_at, version))

    def view(self, basis: Basis) -> GraphView:
        """Return the lineage as of a basis; VersionNotReachedError where the graph has not reached it."""
        return GraphView(self, self.state_at(basis), basis)

    def state_at(self, basis: Basis) -> State:
        """Return the newest arrays; VersionNotReachedError where the graph has not reached the basis."""
        state = self._state
        if basis.version > state.version:
            raise VersionNotReachedError(
                f"version {basis.version} does not exist: the graph is at version {state.version}",
                hint="refresh the graph, or wait for it",
            )
        return state

    # --- questions over time ------------------------------------------------------------------------------------

    def diff(self, first: Basis, second: Basis, node: str | None = None) -> Difference:
        """Return the edges in force at one point and not at the other; with ``node`` those that touch it."""
        if node is not None:
            self.check_nodes([node])
        state = self.view(max(first, second, key=lambda basis: basis.version)).state
        edges = changed_edges(state, first[:2], second[:2])
        if node is not None:
            number, owners = self.names.nodes.find(node), self.names.datasets_from(0)
            ends = edges[:, 1:3]
            touching = (ends == number) | (owners[ends] == number)
            if is_column(node):  # the star edges of its dataset touch a column
                touching |= (ends == self.names.nodes.find(star_of(node))) & ~self._leaving_out(edges, node)[:, None]
            edges = edges[touching.any(axis=1)] if number >= 0 or is_column(node) else edges[:0]
        sides = []
        for sign in (0, 1):
            columns = edge_texts(edges[edges[:, 0] == sign][:, 1:], self.names)
            sides.append(tuple(sorted(zip(*columns, strict=True))))
        tasks = {edge[0] for side in sides for edge in side}
        one, other = (self.gaps.at(basis.valid_at, basis.version) for basis in (first, second))
        return Difference(first, second, sides[0], sides[1], of_diff(one, other, tasks, node))

    def _leaving_out(self, edges: Ints, node: str) -> npt.NDArray[np.bool_]:
        """Return a mask of the edges (as numbers) that leave a column out."""
        word, left = self.names.stars.words.find(column_of(node) or ""), self._state.stars.left
        return np.isin(self.names.payloads[edges[:, 3] >> 1, 2], left[left[:, 1] == word, 0])

    def batch(
        self,
        nodes: Sequence[str],
        bases: Sequence[Basis],
        *,
        direction: Direction = "down",
        depth: int | None = None,
        level: Level = "column",
        direct_only: bool = False,
        where: Filter | None = None,
    ) -> Batch:
        """Walk from every node at every basis in one call; return the nodes reached, with their steps."""
        views = [self.view(basis) for basis in bases]
        return walk_batch(self, views, nodes, direction, depth, level, direct_only, where)

    def unnamed(self, state: State) -> Unnamed:
        """Return the nodes of one answer; without star nodes, all answers share the state's own nodes."""
        if state.stars.total:
            return Unnamed(self.names, state)
        cached = self._plain
        if cached is None or cached[0] is not state:
            self._plain = cached = (state, Unnamed(self.names, state))
        return cached[1]

    # --- names and memory ---------------------------------------------------------------------------------------

    @property
    def rejects(self) -> bool:
        """Whether people ever rejected an edge."""
        return self.names.rejects

    def knows(self, node: str) -> bool:
        """Return whether any edge ever named a node or a column of it, or a column's dataset has a star node."""
        known = 0 <= self.names.nodes.find(node) < self._state.nodes
        return known or knows_star(self.names, self._state, node)

    def check_nodes(self, nodes: Iterable[str]) -> None:
        """Raise UnknownNodeError, with the nearest names, for a node that no edge ever named.

        Nodes that an incomplete task reads or writes without an edge, and nodes that only facts or statements name, are
        known too.
        """
        missing = [node for node in nodes if not self.knows(node) and not self.is_only_touched(dataset_of(node))]
        if missing:
            with self._asking:
                missing = self.store.unknown_nodes(missing)
        if missing:
            raise UnknownNodeError(missing[0], nearest(missing[0], self.names))

    def is_only_touched(self, dataset: str) -> bool:
        """Return whether only an incomplete task reads or writes a dataset, which no edge ever named."""
        return dataset in self.gaps.touched and not self.knows(dataset)

    def node_names(self) -> pa.LargeStringArray:
        """Return the names of all columns and datasets; a name's position is its number."""
        return self.names.nodes.arrow().slice(0, self._state.nodes)

    def task_names(self) -> pa.LargeStringArray:
        """Return the ids of all tasks that ever had an edge."""
        return self.names.tasks.arrow()

    def stats(self) -> GraphStats:
        """Return how much is in memory."""
        state = self._state
        owners = self.names.datasets_from(0)[: state.nodes]
        return GraphStats(
            state.version,
            state.rows,
            state.tails,
            state.nodes,
            int(np.count_nonzero(owners == np.arange(len(owners)))),
            len(self.names.tasks),
            len(self.names.payloads),
            state.row_bytes,
            state.node_bytes,
            state.changes.nbytes,
            state.instants.nbytes + 8 * state.version + (self._statements.nbytes if self._statements else 0),
            self.names.nbytes,
        )

    def __repr__(self) -> str:
        return f"<Graph at version {self.version}: {self._state.rows:,} rectangles, {self._state.nodes:,} nodes>"
