"""The temporal graph: the store's rectangles in memory, any point in time answered at the same cost.

>>> graph = store.graph()                                                        # doctest: +SKIP
>>> graph.as_of("2026-03-01T00:00:00Z").upstream("hive:ads.sales#revenue")       # doctest: +SKIP

A reader takes the state there is and keeps it; ``refresh`` puts a newer one in its place. So any number of threads may
read while one refreshes, and an answer at a basis stays the same whatever comes later.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from lineage_tt.graph.answers.stats import GraphStats
from lineage_tt.graph.arrays import loading
from lineage_tt.graph.arrays.dictionary import Dictionary
from lineage_tt.graph.arrays.differences import changed_edges
from lineage_tt.graph.arrays.names import Ints, Longs
from lineage_tt.graph.arrays.near import nearest
from lineage_tt.graph.arrays.pairing import rectangles
from lineage_tt.graph.arrays.state import State, build, edge_texts, rectangles_of
from lineage_tt.graph.batch import Batch, walk_batch
from lineage_tt.graph.beside import BesideEdges, GraphedStore
from lineage_tt.graph.load import coverage, from_snapshot, tail
from lineage_tt.graph.view import GraphView
from lineage_tt.graph.walks.filters import Filter
from lineage_tt.graph.walks.scratch import Scratches
from lineage_tt.graph.walks.unnamed import Unnamed, knows_star
from lineage_tt.log import retention, verify
from lineage_tt.model.answers import Basis, Difference, Direction, Level
from lineage_tt.model.completeness.rules import of_diff
from lineage_tt.model.edges import DIRECT, REJECTED, column_of, dataset_of, is_column, star_of
from lineage_tt.model.errors import InvalidRequestError, UnknownNodeError, VersionNotReachedError
from lineage_tt.read.questions import Instant
from lineage_tt.read.snapshots.snapshot import Snapshot


class Graph(BesideEdges):
    """All edges of a store at all times."""

    def __init__(
        self,
        store: GraphedStore,
        names: Dictionary,
        state: State,
        system_times: Longs,
        tail_kept: int,
        snapshot: Snapshot | None,
    ) -> None:
        super().__init__(store, names)
        self._tail_kept = tail_kept
        self._snapshot = snapshot
        self._horizon = retention.horizon_of(store.opened_log, snapshot)
        self._epoch = store.texts.epoch
        self.scratches = Scratches()
        self._state = state
        self._system_times = system_times
        self._plain: tuple[State, Unnamed] | None = None

    @classmethod
    def load(cls, store: GraphedStore, *, tail_kept: int = tail.TAIL_KEPT) -> Graph:
        """Read a store's rectangles into memory: all that it knows at its version.

        What is appended later is linked to it, up to ``tail_kept`` rectangles and a share of all; then sorted in.
        """
        names, version = Dictionary(), store.version
        snapshot = Snapshot.of(store.opened_log)
        if snapshot is not None and snapshot.version > version:
            snapshot = None  # of a log that this store has not read yet
        if snapshot is None:
            changes, times = loading.joined(list(loading.read(verify.verified_files(store.opened_log), 0, names)))
            found, left = rectangles(changes)
            if len(left):
                raise loading.unpaired(int(changes.version[left[0]]))
            return cls(store, names, build(found, names, version), times, tail_kept, None)
        state, times = from_snapshot.load(snapshot, names)
        graph = cls(store, names, state, times, tail_kept, snapshot)
        graph._take_in(version)
        return graph

    @property
    def version(self) -> int:
        """The last version taken in."""
        return self._state.version

    @property
    def state(self) -> State:
        """The arrays as they are now."""
        return self._state

    def refresh(self) -> int:
        """Take in what was appended to the store, by any process; return the last version."""
        with self._refreshing:
            version = self.store.refresh()
            if self.store.texts.epoch != self._epoch:
                self._read_again(version)
            elif version > self._state.version:
                self._take_in(version)
        return self._state.version

    def _take_in(self, version: int) -> None:
        """Go on to a version from the log; readers see the old state until the new one stands."""
        state = self._state
        files = verify.verified_files(self.store.opened_log, state.version)
        changes, times = loading.joined(list(loading.read(files, state.version, self.names)))
        fresh = tail.advance(state, changes, version, self.names)
        self._system_times = tail.extended_times(self._system_times, state.version, times)
        self._horizon = retention.horizon_of(self.store.opened_log, self._snapshot)
        with self._asking:
            if self._gaps is not None:
                self._gaps = coverage.extended(self._gaps, self.store.opened_log, state.version)
        if self._statements is not None:
            self._statements = self._statements.extended(self.store.opened_log, state.version, self.names)
        self._state = fresh
        if tail.too_long(fresh, self._tail_kept):
            self._state = build(rectangles_of(fresh), self.names, version)

    def _read_again(self, version: int) -> None:
        """Read the whole log again, whose texts were rewritten: edges that differed in a literal may be one now."""
        log = self.store.opened_log
        changes, self._system_times = loading.joined(list(loading.read(verify.verified_files(log), 0, self.names)))
        found, _ = rectangles(changes)
        with self._asking:
            self._gaps = self._plain = None
        self._masks.clear()
        self._statements, self._snapshot, self._epoch = None, None, self.store.texts.epoch
        self._state = build(found, self.names, version)

    # --- points -------------------------------------------------------------------------------------------------

    def basis(
        self, valid_at: Instant | None = None, system_at: Instant | None = None, version: int | None = None
    ) -> Basis:
        """Return the point for a question, as ``Store.basis`` does, of the versions this graph holds."""
        last = self._state.version
        times = self._system_times[:last]
        valid = self.store.instant("now" if valid_at is None else valid_at)
        if version is not None and system_at is not None:
            raise InvalidRequestError("give a system time or a version, not both")
        if version is not None and not 0 <= version <= last:
            raise VersionNotReachedError(
                f"version {version} is not there: the graph is at version {last}",
                hint="ask for a version from 0 on up to that one, or wait for it",
            )
        if version is None:
            version = last
            if system_at is not None:
                version = int(np.searchsorted(times, self.store.instant(system_at), side="right"))
        found = Basis(valid, version, int(times[version - 1]) if version else 0)
        return found if version == last else retention.refuse(found, self._horizon)

    def as_of(
        self, valid_at: Instant | None = None, system_at: Instant | None = None, *, version: int | None = None
    ) -> GraphView:
        """Return the lineage as of a valid time and a system time or version (default: now, as known now)."""
        return self.view(self.basis(valid_at, system_at, version))

    def view(self, basis: Basis) -> GraphView:
        """Return the lineage as of a basis; VersionNotReachedError where the graph has not come to it."""
        return GraphView(self, self.state_at(basis), basis)

    def state_at(self, basis: Basis) -> State:
        """Return the newest arrays; VersionNotReachedError where the graph has not come to the basis."""
        state = self._state
        if basis.version > state.version:
            raise VersionNotReachedError(
                f"version {basis.version} is not there: the graph is at version {state.version}",
                hint="refresh the graph, or wait for it",
            )
        return state

    # --- questions over time ------------------------------------------------------------------------------------

    def diff(self, first: Basis, second: Basis, node: str | None = None) -> Difference:
        """Return the edges in force at one point and not at the other; with ``node`` those that touch it."""
        if node is not None:
            self.check_nodes([node])
        state = self.view(max(first, second, key=lambda basis: basis.version)).state
        found = changed_edges(state, first[:2], second[:2])
        if node is not None:
            wanted, owners = self.names.nodes.find(node), self.names.datasets_from(0)
            ends = found[:, 1:3]
            touching = (ends == wanted) | (owners[ends] == wanted)
            if is_column(node):  # the star edges of its dataset touch a column
                touching |= (ends == self.names.nodes.find(star_of(node))) & ~self._leaving_out(found, node)[:, None]
            found = found[touching.any(axis=1)] if wanted >= 0 or is_column(node) else found[:0]
        sides = []
        for sign in (0, 1):
            columns = edge_texts(found[found[:, 0] == sign][:, 1:], self.names)
            sides.append(tuple(sorted(zip(*columns, strict=True))))
        tasks = {edge[0] for side in sides for edge in side}
        one, other = (self.gaps.at(basis.valid_at, basis.version) for basis in (first, second))
        return Difference(first, second, sides[0], sides[1], of_diff(one, other, tasks, node))

    def _leaving_out(self, found: Ints, node: str) -> npt.NDArray[np.bool_]:
        """Return which of some edges, as numbers, leave a column out."""
        word, left = self.names.stars.words.find(column_of(node) or ""), self._state.stars.left
        return np.isin(self.names.payloads[found[:, 3] >> 1, 2], left[left[:, 1] == word, 0])

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
        """Walk from every node at every basis in one call; the nodes reached, with their steps."""
        views = [self.view(basis) for basis in bases]
        return walk_batch(self, views, nodes, direction, depth, level, direct_only, where)

    def with_(
        self, replacements: Mapping[str, Iterable[Sequence[str]] | None], valid_from: Instant | None = None
    ) -> Graph:
        """Return the graph as it would be if these tasks had these edges from ``valid_from`` on (None: always).

        The store is not touched. A task without edges, or with None, has none. The result stays at this version.
        """
        from lineage_tt.graph.overlay import overlaid

        return overlaid(self, replacements, None if valid_from is None else self.store.instant(valid_from))

    def unnamed(self, state: State) -> Unnamed:
        """Return the nodes of one answer; a state without star nodes has none but its own, for all answers."""
        if state.stars.total:
            return Unnamed(self.names, state)
        held = self._plain
        if held is None or held[0] is not state:
            self._plain = held = (state, Unnamed(self.names, state))
        return held[1]

    # --- names and memory ---------------------------------------------------------------------------------------

    @property
    def rejects(self) -> bool:
        """Whether people ever rejected an edge."""
        return (DIRECT, REJECTED) in self.names.kind_words

    def knows(self, node: str) -> bool:
        """Say whether any edge ever named a node, or a column of it; or a column's dataset has a star node."""
        known = 0 <= self.names.nodes.find(node) < self._state.nodes
        return known or knows_star(self.names, self._state, node)

    def check_nodes(self, nodes: Iterable[str]) -> None:
        """Raise UnknownNodeError, with the nearest names, for a node that no edge ever named.

        Those are known, too, that a task which was not complete touches without an edge, and what facts or statements
        state beside edges.
        """
        missing = [node for node in nodes if not self.knows(node) and not self.is_only_touched(dataset_of(node))]
        if missing:
            with self._asking:
                missing = self.store.unknown_nodes(missing)
        if missing:
            raise UnknownNodeError(missing[0], nearest(missing[0], self.names))

    def is_only_touched(self, dataset: str) -> bool:
        """Say whether a task which was not complete touches a dataset that no edge ever named."""
        return dataset in self.gaps.touched and not self.knows(dataset)

    def node_names(self) -> pa.LargeStringArray:
        """Return the names of all columns and datasets; a name's place is its number."""
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
