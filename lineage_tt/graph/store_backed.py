"""What a graph reads from its store on demand, in addition to the edges in memory: gaps, statements, facts."""

from __future__ import annotations

import threading
from collections.abc import Collection, Iterable, Sequence
from functools import partial
from typing import Any, Protocol

from lineage_tt.graph.arrays.dictionary import Dictionary
from lineage_tt.graph.arrays.names import Bytes
from lineage_tt.graph.arrays.state import State
from lineage_tt.graph.load import coverage, statements
from lineage_tt.graph.walks.filters import MAX_MASKS, Filter, mask_of
from lineage_tt.log import verify
from lineage_tt.log.log import Log
from lineage_tt.model.answers import Basis
from lineage_tt.model.completeness.gaps import Gaps
from lineage_tt.model.redaction.policy import TextState
from lineage_tt.read.questions import Instant
from lineage_tt.read.view import View
from lineage_tt.storage.place import Place


class GraphedStore(Protocol):
    """A store, as far as its graph reads it."""

    opened_log: Log

    @property
    def log_path(self) -> Place:
        """The folder of the log's Delta table."""

    @property
    def version(self) -> int:
        """The last version, 0 for an empty store."""

    @property
    def texts(self) -> TextState:
        """How much of the texts is kept, and since when."""
        ...

    def refresh(self) -> int:
        """Take in what other processes committed; return the last version."""

    def instant(self, moment: Instant) -> int:
        """Return an instant in UTC microseconds."""

    def as_of(
        self, valid_at: Instant | None = None, system_at: Instant | None = None, *, version: int | None = None
    ) -> View:
        """Return the lineage as of a valid time and a system time or version."""

    def unknown_nodes(self, nodes: Iterable[str]) -> list[str]:
        """Return those of the nodes that no edge, fact or statement ever named."""


class StoreBacked:
    """The part of a graph that queries its store, one thread at a time, and caches the answers."""

    def __init__(self, store: GraphedStore, names: Dictionary, state: State) -> None:
        self.store = store
        self.names = names
        self._state = state
        self._refreshing, self._asking = threading.Lock(), threading.Lock()
        self._masks: dict[tuple[Any, ...], Bytes] = {}
        self._gaps: Gaps | None = None
        self._statements: statements.Statements | None = None

    @property
    def version(self) -> int:
        """The last version taken in."""
        return self._state.version

    def mask(self, where: Filter, state: State, basis: Basis) -> Bytes:
        """Return which nodes pass a filter; the result is cached."""
        key = (where[:4], state.nodes, len(state.record), basis if where.labels else None)
        mask = self._masks.get(key)
        if mask is None:
            mask = mask_of(
                where, self.names, state.nodes, len(state.record), lambda labels: self.labelled(basis, labels)
            )
            while len(self._masks) >= MAX_MASKS:
                self._masks.pop(next(iter(self._masks)), None)
            self._masks[key] = mask
        return mask

    @property
    def gaps(self) -> Gaps:
        """The tasks that were ever incomplete; read from the log at first use."""
        result = self._gaps
        if result is None:
            with self._refreshing:  # one thread at a time advances the log
                if self._gaps is None:
                    log = self.store.opened_log
                    self._gaps = verify.retried(log, partial(coverage.read, log, self.version))
                result = self._gaps
        return result

    @property
    def statements(self) -> statements.Statements:
        """The messages of all tasks, by which edges are attributed; read from the log at first use."""
        result = self._statements
        if result is None:
            with self._refreshing:  # one thread at a time assigns numbers to names
                if self._statements is None:
                    log = self.store.opened_log
                    self._statements = verify.retried(log, partial(statements.read, log, self.version, self.names))
                result = self._statements
        return result

    def versions_stated(self, tasks: Sequence[str], upto: int) -> list[int]:
        """Return the versions up to ``upto`` at which these tasks themselves stated something."""
        return self.statements.versions_stated(self.names.tasks.find_all(tasks), upto)

    def stated_columns(self, basis: Basis, nodes: Collection[str]) -> dict[str, set[str]]:
        """Return, by dataset, the names of the columns of these nodes' datasets declared or written as of a basis."""
        with self._asking:  # DuckDB's session is one for all threads
            return self.store.as_of(basis.valid_at, version=basis.version).stated_columns(nodes)

    def known_columns(self, basis: Basis, nodes: Collection[str]) -> set[str]:
        """Return those nodes that are columns known as of a basis, whether an edge named them or not."""
        with self._asking:
            return self.store.as_of(basis.valid_at, version=basis.version).known_columns(nodes)

    def labelled(self, basis: Basis, labels: tuple[str, ...]) -> set[str]:
        """Return the nodes that carry any of these labels as of a basis."""
        with self._asking:  # DuckDB's session is one for all threads
            facts = self.store.as_of(basis.valid_at, version=basis.version).facts(key="label")
        return {fact.node for fact in facts if fact.value in labels}
