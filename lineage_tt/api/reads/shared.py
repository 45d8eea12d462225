"""The files of one version, for many threads at once: one DuckDB database, and a connection for each thread."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Final, TypeVar

from lineage_tt.model.errors import LineageError
from lineage_tt.read.macros import session
from lineage_tt.read.reader import Reader

if TYPE_CHECKING:
    import duckdb

    from lineage_tt.log.retention import Horizon
    from lineage_tt.model.completeness.gaps import TaskCoverage
    from lineage_tt.read.macros.own import Session
    from lineage_tt.read.ports import LogAt
    from lineage_tt.read.snapshots.hops import Hops
    from lineage_tt.read.snapshots.snapshot import Snapshot

T = TypeVar("T")

#: The macros and the view of most questions.
FREQUENT: Final = "edges_as_of tasks_as_of nodes"


class StoppedError(Exception):
    """The query was interrupted, because nobody waits for its answer."""


class SharedFiles:
    """The DuckDB database over a frozen log's files, opened when a thread first needs it."""

    def __init__(self, log: LogAt) -> None:
        self._reader = Reader(log)
        self._lock = threading.Lock()

    @property
    def moves(self) -> int:
        """How often files were removed, and their replacements opened, by whatever was asked."""
        return self._reader.moves

    @property
    def snapshot(self) -> Snapshot | None:
        """The snapshot that answers come from; None if they come from the log alone."""
        with self._lock:
            return self._reader.snapshot

    @property
    def horizon(self) -> Horizon | None:
        """The oldest point that is kept; None if all are kept."""
        with self._lock:
            return self._reader.horizon

    def setup_sql(self) -> str:
        """Return the SQL that sets up the same views and macros."""
        with self._lock:
            return self._reader.setup_sql()

    def database(self) -> Session:
        """Return the database; its views and macros are created as queries need them, from any thread."""
        with self._lock:
            return self._reader.database()

    def connect(self) -> tuple[Session, duckdb.DuckDBPyConnection]:
        """Return the database and a new connection to it for the caller: when files are replaced, both are."""
        database = self.database()
        cursor = database.another()
        cursor.execute("SET TimeZone = 'UTC'")  # a setting of the session, not of the database
        return database, cursor

    def coverages(self) -> Mapping[str, TaskCoverage]:
        """Return the coverage of each task that was ever not complete, read once for all threads."""
        with self._lock:
            return self._reader.coverages()

    def hops(self) -> Hops:
        """Return an object for walks over the files, for the caller alone."""
        with self._lock:
            return self._reader.hops()

    def moved(self, moves: int) -> bool:
        """Return whether files were replaced since ``moves``; open the replacements if no thread has done so."""
        with self._lock:
            if self._reader.moves == moves:
                self._reader.moved()
            return self._reader.moves > moves


class SharedSource:
    """The source of one thread over shared files; another thread may ``interrupt`` its query."""

    def __init__(self, shared: SharedFiles) -> None:
        self._shared = shared
        self._moves = shared.moves
        self._database: Session | None = None
        self._cursor: duckdb.DuckDBPyConnection | None = None
        self._hops: Hops | None = None
        self._interrupted = False

    def another(self) -> SharedSource:
        """Return a source over the same files for another thread."""
        return SharedSource(self._shared)

    @property
    def snapshot(self) -> Snapshot | None:
        """The snapshot that answers come from; None if they come from the log alone."""
        return self._shared.snapshot

    @property
    def horizon(self) -> Horizon | None:
        """The oldest point that is kept; None if all are kept."""
        return self._shared.horizon

    def database(self) -> Session:
        """Return the database over the files, for all threads."""
        self.go_on()
        return self._shared.database()

    def warm(self) -> None:
        """Create what most questions need, before the first one is asked."""
        self._ready_for(FREQUENT)

    def connection(self) -> duckdb.DuckDBPyConnection:
        """Return this thread's connection for users' queries, which may name any view or macro."""
        database, connection = self._connected()
        database.ready_for_any()
        return connection

    def _ready_for(self, query: str) -> duckdb.DuckDBPyConnection:
        database, connection = self._connected()
        database.ready_for(query)
        return connection

    def _connected(self) -> tuple[Session, duckdb.DuckDBPyConnection]:
        if self._database is None or self._cursor is None:
            self._database, self._cursor = self._shared.connect()
        self.go_on()
        return self._database, self._cursor

    def fetch(self, query: str, parameters: dict[str, Any]) -> list[tuple[Any, ...]]:
        """Run an internal query."""
        return self.retried(lambda: session.fetch(self._ready_for(query), query, parameters))

    def ask(self, query: str, parameters: dict[str, Any]) -> list[tuple[Any, ...]]:
        """Run a user's query with bound parameters; return instants as datetimes."""
        return self.retried(lambda: session.ask(self.connection(), query, parameters))

    def run(self, query: str) -> tuple[list[str], list[tuple[Any, ...]]]:
        """Run a user's query; return column names and rows."""
        return self.retried(lambda: session.run(self.connection(), query))

    def coverages(self) -> Mapping[str, TaskCoverage]:
        """Return the coverage of each task that was ever not complete."""
        return self.retried(self._shared.coverages)

    def with_hops(self, ask: Callable[[Hops], T]) -> T:
        """Call a function with the object for walks over the files."""
        return self.retried(lambda: ask(self._opened_hops()))

    def setup_sql(self) -> str:
        """Return the SQL that sets up the same views and macros."""
        return self._shared.setup_sql()

    def portions(self, query: str, size: int, parameters: dict[str, Any]) -> Iterator[list[tuple[Any, ...]]]:
        """Yield a query's rows in batches of ``size``, so that no call holds the interpreter for long."""
        begun = self.retried(lambda: session.begun(self._ready_for(query), query, parameters))
        for rows in session.portions(begun, size):
            self.go_on()
            yield rows

    def go_on(self) -> None:
        """Raise StoppedError if ``interrupt`` was called."""
        if self._interrupted:
            raise StoppedError

    def interrupt(self) -> None:
        """End the running query, and prevent others from starting."""
        self._interrupted = True
        for running in (self._cursor, self._hops):
            if running is not None:
                running.interrupt()

    def close(self) -> None:
        """Close the connections."""
        for opened in (self._cursor, self._hops):
            if opened is not None:
                opened.close()
        self._database = self._cursor = self._hops = None

    def _opened_hops(self) -> Hops:
        if self._hops is None:
            self._hops = self._shared.hops()
        self.go_on()
        return self._hops

    def retried(self, ask: Callable[[], T]) -> T:
        """Call a function; if files that it read were replaced meanwhile, repeat the call once with the new files."""
        try:
            return ask()
        except LineageError as error:
            if not session.is_of_files(error):
                raise
            self.close()
            if not self._shared.moved(self._moves):
                raise
            self._moves = self._shared.moves
            return ask()
