"""The temporal graph: the store's rectangles in memory; a question about any point in time costs the same.

>>> graph = store.graph()                                                        # doctest: +SKIP
>>> graph.as_of("2026-03-01T00:00:00Z").upstream("hive:ads.sales#revenue")       # doctest: +SKIP

A reader takes the current arrays and keeps them; ``refresh`` replaces them with newer arrays. So any number of threads
may read while one refreshes, and an answer at a basis stays the same whatever is appended later.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import partial

from lineage_tt.graph.arrays import loading
from lineage_tt.graph.arrays.dictionary import Dictionary
from lineage_tt.graph.arrays.names import Longs
from lineage_tt.graph.arrays.pairing import rectangles
from lineage_tt.graph.arrays.state import State, build, rectangles_of
from lineage_tt.graph.load import coverage, from_snapshot, tail
from lineage_tt.graph.overlay import Overlay, overlaid
from lineage_tt.graph.queries import GraphQueries
from lineage_tt.graph.store_backed import GraphedStore
from lineage_tt.log import retention, verify
from lineage_tt.read.questions import Instant
from lineage_tt.read.snapshots.snapshot import Snapshot


class Graph(GraphQueries):
    """All edges of a store at all times; ``refresh`` takes in what was appended since."""

    def __init__(
        self,
        store: GraphedStore,
        names: Dictionary,
        state: State,
        system_times: Longs,
        max_tail: int,
        snapshot: Snapshot | None,
    ) -> None:
        super().__init__(store, names, state, system_times, snapshot)
        self._max_tail = max_tail
        #: the epoch of the texts that it holds, which grows whenever the store's texts are rewritten
        self.epoch = store.texts.epoch

    @classmethod
    def load(cls, store: GraphedStore, *, max_tail: int = tail.MAX_TAIL) -> Graph:
        """Read all rectangles of a store, at its version, into memory.

        Rectangles appended later are linked to these; when they exceed ``max_tail`` and a share of all rectangles, they
        are sorted in.
        """
        return verify.retried(store.opened_log, partial(cls._loaded, store, max_tail))

    @classmethod
    def _loaded(cls, store: GraphedStore, max_tail: int) -> Graph:
        names, version = Dictionary(), store.version
        snapshot = Snapshot.of(store.opened_log)
        if snapshot is not None and snapshot.version > version:
            snapshot = None  # it covers more of the log than this store has read
        if snapshot is None:
            changes, times = loading.joined(list(loading.read(verify.verified_files(store.opened_log), 0, names)))
            base, left = rectangles(changes)
            if len(left):
                raise loading.unpaired(int(changes.version[left[0]]))
            return cls(store, names, build(base, names, version), times, max_tail, None)
        state, times = from_snapshot.load(snapshot, names)
        graph = cls(store, names, state, times, max_tail, snapshot)
        graph._take_in()
        return graph

    def refresh(self) -> int:
        """Take in what was appended to the store, by any process; return the last version."""
        with self._refreshing:
            self.store.refresh()
            verify.retried(self.store.opened_log, self._follow)
        return self._state.version

    def _follow(self) -> None:
        if self.store.texts.epoch != self.epoch:
            self._reload()
        elif self.store.version > self._state.version:
            self._take_in()

    def _take_in(self) -> None:
        """Advance to the version of the log; readers see the old state until the new one is complete.

        Everything is read before anything is changed. So if a file is gone and the log is read again, nothing is added
        twice to the state's arrays, to which ``tail.advance`` writes.
        """
        state, log = self._state, self.store.opened_log
        files = verify.verified_files(log, state.version)
        changes, times = loading.joined(list(loading.read(files, state.version, self.names)))
        upto = state.version + len(times)  # another thread may advance the log meanwhile
        gaps, statements = self._gaps, self._statements
        if gaps is not None:
            gaps = coverage.extended(gaps, log, state.version, upto)
        if statements is not None:
            statements = statements.extended(log, state.version, upto, self.names)
        fresh = tail.advance(state, changes, upto, self.names)
        self._system_times = tail.extended_times(self._system_times, state.version, times)
        self._horizon = retention.horizon_of(log, self._snapshot)
        self._gaps, self._statements, self._state = gaps, statements, fresh
        if tail.too_long(fresh, self._max_tail):
            self._state = build(rectangles_of(fresh), self.names, upto)

    def _reload(self) -> None:
        """Read the whole log after its texts were rewritten: edges that differed in a literal may now be equal."""
        log, epoch = self.store.opened_log, self.store.texts.epoch
        changes, self._system_times = loading.joined(list(loading.read(verify.verified_files(log), 0, self.names)))
        base, _ = rectangles(changes)
        with self._asking:
            self._gaps = self._plain = None
        self._masks.clear()
        self._statements, self._snapshot = None, None
        self._state = build(base, self.names, len(self._system_times))
        self.epoch = epoch

    def with_(
        self, replacements: Mapping[str, Iterable[Sequence[str]] | None], valid_from: Instant | None = None
    ) -> Overlay:
        """Return the graph as it would be if these tasks had these edges from ``valid_from`` on (None: always).

        The store is not changed. A task with None, or without edges, has no edges. The result stays at this version.
        """
        return overlaid(self, replacements, None if valid_from is None else self.store.instant(valid_from))
