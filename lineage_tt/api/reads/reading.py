"""The store as of one version, read by many threads at once."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from lineage_tt.log.log import Log
from lineage_tt.model.errors import CorruptError
from lineage_tt.read import gap_rows
from lineage_tt.read.macros import session
from lineage_tt.read.reader import Reader
from lineage_tt.store import Store

if TYPE_CHECKING:
    import duckdb

    from lineage_tt.model.clock import Clock
    from lineage_tt.model.completeness.gaps import TaskCoverage
    from lineage_tt.read.hops import Hops
    from lineage_tt.storage.location import Place

T = TypeVar("T")


class FrozenLog:
    """What a reader needs of the log, as it was when the log came to ``version``.

    It moves on only where the files it knows are gone, merged by a compaction into others: answers stay the same.
    """

    def __init__(self, log: Log) -> None:
        self.path = log.path
        self._take(log)

    def _take(self, log: Log) -> None:
        self.version = log.version
        self.delta_version = log.delta_version
        self.system_time = log.system_time
        self.checksum = log.checksum
        self.horizon = log.horizon
        self.changed_before_horizon = log.changed_before_horizon
        self.verified = log.verified
        self._files = log.files()

    def files(self) -> Sequence[Place]:
        """Return the data files in version order."""
        return self._files

    def refresh(self) -> None:
        """Move on to the newest commit."""
        fresh = Log.open(self.path)
        fresh.verified = self.verified
        self._take(fresh)


class Shared:
    """The DuckDB database over a frozen log's files, opened when somebody first asks."""

    def __init__(self, log: FrozenLog) -> None:
        self._reader = Reader(log)  # type: ignore[arg-type]
        self._lock = threading.Lock()
        #: How often files put in the place of others were opened instead.
        self.moves = 0
        self.coverages: Mapping[str, TaskCoverage] | None = None

    def cursor(self) -> duckdb.DuckDBPyConnection:
        """Return a connection of the caller's own."""
        with self._lock:
            made = self._reader.connection().cursor()
        made.execute("SET TimeZone = 'UTC'")  # a setting of the session, not of the database
        return made

    def scan(self, query: str, parameters: dict[str, Any]) -> list[tuple[Any, ...]]:
        """Ask what ``Reader.scan`` is for."""
        with self._lock:
            return self._reader.scan(query, parameters)

    def hops(self) -> Hops | None:
        """Return the caller's own walks over the snapshot, None without one."""
        with self._lock:
            return self._reader.hops()

    def moved(self, moves: int) -> bool:
        """Say whether there are other files to ask than those as of ``moves``: somebody moved on, or it is done now."""
        with self._lock:
            if self.moves == moves and self._reader.moved():
                self.moves += 1
            return self.moves > moves


class Reading(Store):
    """A store that stands still: every question of ``Store`` at one version, for one thread at a time.

    ``again`` gives another thread its own; all share the files. ``interrupt`` ends what is running from outside.
    """

    def __init__(self, log: FrozenLog, clock: Clock, shared: Shared | None = None) -> None:
        super().__init__(log, clock)  # type: ignore[arg-type]
        self.frozen = log
        self._shared = shared or Shared(log)
        self._moves = self._shared.moves
        self._cursor: duckdb.DuckDBPyConnection | None = None
        self._hops: Hops | None = None
        self._interrupted = False

    @classmethod
    def of(cls, store: Store) -> Reading:
        """Return the store as of now."""
        return cls(FrozenLog(store._log), store._clock)

    def again(self) -> Reading:
        """Return a reading of the same version for another thread."""
        return Reading(self.frozen, self._clock, self._shared)

    @property
    def system_time(self) -> int:
        """The system time of the version."""
        return self.frozen.system_time

    def warm(self) -> None:
        """Open the files, so that the first question need not; with a snapshot, it reads few of them."""
        if self.snapshot is None:
            self._connection  # noqa: B018 (opened when it is looked at)
            self.close()

    def go_on(self) -> None:
        """Raise InterruptedError where nobody waits for the answer any more."""
        if self._interrupted:
            raise InterruptedError

    def interrupt(self) -> None:
        """End the query that runs, and let none begin."""
        self._interrupted = True
        for running in (self._cursor, self._hops):
            if running is not None:
                running.interrupt()

    @property
    def _connection(self) -> duckdb.DuckDBPyConnection:
        if self._cursor is None:
            self._cursor = self._shared.cursor()
        self.go_on()
        return self._cursor

    def _fetch(self, query: str, **parameters: Any) -> list[tuple[Any, ...]]:
        return self._retried(lambda: session.fetch(self._connection, query, parameters))

    def _scan(self, query: str, **parameters: Any) -> list[tuple[Any, ...]]:
        return self._retried(lambda: self._shared.scan(query, parameters))

    def _coverages(self) -> Mapping[str, TaskCoverage]:
        """Return the coverage of each task that was ever not complete, read once for all who share the files."""
        if self._shared.coverages is None:
            self._shared.coverages = gap_rows.timelines(self._scan, self.version)
        return self._shared.coverages

    def _with_hops(self, ask: Callable[[Hops], T]) -> T | None:
        return self._retried(lambda: ask(hops) if (hops := self._opened_hops()) else None)

    def _opened_hops(self) -> Hops | None:
        if self._hops is None:
            self._hops = self._shared.hops()
        self.go_on()
        return self._hops

    def portions(self, query: str, size: int, **parameters: Any) -> Iterator[list[tuple[Any, ...]]]:
        """Yield a query's rows, so many at a time: the interpreter is not kept from others for long."""
        begun = self._retried(lambda: session.begun(self._connection, query, parameters))
        for rows in session.portions(begun, size):
            self.go_on()
            yield rows

    def _retried(self, ask: Callable[[], T]) -> T:
        """Ask; where a file is gone since a compaction merged it into another, ask that one."""
        try:
            return ask()
        except CorruptError:
            self.close()
            if not self._shared.moved(self._moves):
                raise
            self._moves = self._shared.moves
            return ask()

    def close(self) -> None:
        """Give the connections back."""
        for opened in (self._cursor, self._hops):
            if opened is not None:
                opened.close()
        self._cursor = self._hops = None
