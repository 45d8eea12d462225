"""In-memory databases that a process opens once: opening one takes longer than most queries over few files."""

from __future__ import annotations

import os
import threading
import weakref
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final, Generic, TypeVar

from lineage_tt.read.macros.session import read_failure

if TYPE_CHECKING:
    import duckdb

T = TypeVar("T")
Result = TypeVar("Result")

#: The most connections to one database; DuckDB keeps a note of each, also of those that are closed.
MAX_CONNECTIONS: Final = 10_000
#: The first connection to each database that this process opened.
_first_connections: Final[weakref.WeakSet[Any]] = weakref.WeakSet()
_of_this_process: Final[weakref.WeakSet[PerProcess[Any]]] = weakref.WeakSet()


class PerProcess(Generic[T]):
    """A value that each process makes for itself when it first needs it; another one follows after ``most`` uses."""

    def __init__(self, make: Callable[[], T], most: int) -> None:
        self._make = make
        self._most = most
        self._left = 0
        self._lock = threading.Lock()
        #: The value; None before the first use.
        self.value: T | None = None
        _of_this_process.add(self)

    def use(self, work: Callable[[T], Result]) -> Result:
        """Return what ``work`` returns for the value; one thread at a time."""
        with self._lock:
            if self.value is None or not self._left:
                self.value, self._left = self._make(), self._most
            self._left -= 1
            return work(self.value)

    def forget(self) -> None:
        """Make another value for the next use: after some errors DuckDB answers nothing more."""
        with self._lock:
            self.value = None

    def leave_to_parent(self) -> None:
        """Forget the value and the lock, which another thread of the parent may have held, in a forked process."""
        self._lock = threading.Lock()
        self.value = None


def opened(config: Mapping[str, str] | None = None) -> duckdb.DuckDBPyConnection:
    """Open a database in memory. A forked process never closes it: the threads that closing waits for are not there."""
    import duckdb

    connection = duckdb.connect(config=dict(config or {}))
    _first_connections.add(connection)
    return connection


def _after_fork() -> None:
    """Close no database of the parent, since each has one reference more than is dropped, and use none of them."""
    connections = list(_first_connections)
    if connections:
        import ctypes

        for connection in connections:
            ctypes.pythonapi.Py_IncRef(ctypes.py_object(connection))
    for each in _of_this_process:
        each.leave_to_parent()


os.register_at_fork(after_in_child=_after_fork)


class Database(PerProcess["duckdb.DuckDBPyConnection"]):
    """A database for queries that read files and create nothing that outlives their connection."""

    def __init__(self, config: Mapping[str, str]) -> None:
        """Take DuckDB's settings for the whole database."""
        super().__init__(lambda: opened(config), MAX_CONNECTIONS)

    def connection(self) -> duckdb.DuckDBPyConnection:
        """Return a new connection, with settings and temporary views of its own; for one thread."""
        return self.use(lambda first: first.cursor())


#: Files of a store never change. What was read of one is not kept: a writer must not grow with what it once read.
FILES: Final = Database(
    {"enable_external_access": "true", "preserve_insertion_order": "false", "enable_external_file_cache": "false"}
)


@contextmanager
def reading_files() -> Iterator[duckdb.DuckDBPyConnection]:
    """Yield a connection for queries over a store's files; DuckDB's errors become ours."""
    import duckdb

    try:
        with FILES.connection() as connection:
            yield connection
    except duckdb.Error as error:
        FILES.forget()
        raise read_failure(error) from error
