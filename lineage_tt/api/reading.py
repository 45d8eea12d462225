"""The store as of one version, read by many threads at once."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from lineage_tt import history, session
from lineage_tt.store import Store

if TYPE_CHECKING:
    import duckdb

    from lineage_tt.clock import Clock
    from lineage_tt.storage import Place


class FrozenLog:
    """What a reader needs of the log, as it was when the log came to ``version``; it never moves on."""

    def __init__(self, store: Store) -> None:
        log = store._log
        self.version = log.version
        self.system_time = log.system_time
        self.path = log.path
        self.verified = log.verified
        self._files = log.files()

    def files(self) -> Sequence[Place]:
        """Return the data files in version order."""
        return self._files


class Shared:
    """The DuckDB database over a frozen log's files, opened when somebody first asks."""

    def __init__(self, log: FrozenLog) -> None:
        self._log = log
        self._lock = threading.Lock()
        self._database: duckdb.DuckDBPyConnection | None = None

    def cursor(self) -> duckdb.DuckDBPyConnection:
        """Return a connection of the caller's own; the files are verified before the first."""
        with self._lock:
            if self._database is None:
                self._database = session.connect(history.verified_files(self._log))  # type: ignore[arg-type]
            return self._database.cursor()


class Reading(Store):
    """A store that stands still: every question of ``Store`` at one version, for one thread at a time.

    ``again`` gives another thread its own; all share the files. ``interrupt`` ends what is running from outside.
    """

    def __init__(self, log: FrozenLog, clock: Clock, shared: Shared | None = None) -> None:
        super().__init__(log, clock)  # type: ignore[arg-type]
        self.frozen = log
        self._shared = shared or Shared(log)
        self._cursor: duckdb.DuckDBPyConnection | None = None
        self._interrupted = False

    @classmethod
    def of(cls, store: Store) -> Reading:
        """Return the store as of now."""
        return cls(FrozenLog(store), store._clock)

    def again(self) -> Reading:
        """Return a reading of the same version for another thread."""
        return Reading(self.frozen, self._clock, self._shared)

    @property
    def system_time(self) -> int:
        """The system time of the version."""
        return self.frozen.system_time

    def interrupt(self) -> None:
        """End the query that runs, and let none begin."""
        self._interrupted = True
        if self._cursor is not None:
            self._cursor.interrupt()

    @property
    def _connection(self) -> duckdb.DuckDBPyConnection:
        if self._cursor is None:
            self._cursor = self._shared.cursor()
        if self._interrupted:
            self._cursor.interrupt()
            raise InterruptedError
        return self._cursor

    def _fetch(self, query: str, **parameters: Any) -> list[tuple[Any, ...]]:
        return session.fetch(self._connection, query, parameters)

    def close(self) -> None:
        """Give the connection back."""
        if self._cursor is not None:
            self._cursor.close()
            self._cursor = None
