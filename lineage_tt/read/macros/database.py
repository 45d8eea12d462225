"""An in-memory database that a process opens once: opening one takes longer than most queries over few files."""

from __future__ import annotations

import os
import threading
import weakref
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    import duckdb

#: The first connection to each database that this process opened.
_first_connections: Final[weakref.WeakSet[Any]] = weakref.WeakSet()
#: The most connections to one database; DuckDB keeps a note of each, also of those that are closed.
MAX_CONNECTIONS: Final = 10_000


def opened(config: Mapping[str, str] | None = None) -> duckdb.DuckDBPyConnection:
    """Open a database in memory. A forked process never closes it: the threads that closing waits for are not there."""
    import duckdb

    connection = duckdb.connect(config=dict(config or {}))
    _first_connections.add(connection)
    return connection


def _leave_open() -> None:
    """Add a reference to each connection that this process took over when it was forked, so that none is closed."""
    connections = list(_first_connections)
    if connections:
        import ctypes

        for connection in connections:
            ctypes.pythonapi.Py_IncRef(ctypes.py_object(connection))


@dataclass
class _Opened:
    """A database, and the number of connections that may still be made to it."""

    first: duckdb.DuckDBPyConnection
    left: int


class Database:
    """A database of this process for queries that read files and create nothing that outlives their connection."""

    def __init__(self, config: Mapping[str, str]) -> None:
        """Take DuckDB's settings for the whole database; it is opened when a connection is first needed."""
        self._config = dict(config)
        #: By process: a forked child keeps its parent's, since it must not end the parent's threads.
        self._opened: dict[int, _Opened] = {}
        self._lock = threading.Lock()
        _databases.add(self)

    def connection(self) -> duckdb.DuckDBPyConnection:
        """Return a new connection, with settings and temporary views of its own; for one thread."""
        with self._lock:
            shared = self._opened.get(os.getpid())
            if shared is None or not shared.left:
                shared = self._opened[os.getpid()] = _Opened(opened(self._config), MAX_CONNECTIONS)
            shared.left -= 1
            return shared.first.cursor()

    def forget(self) -> None:
        """Open another database for the next connection: after some errors DuckDB answers nothing more."""
        with self._lock:
            self._opened.pop(os.getpid(), None)


_databases: Final[weakref.WeakSet[Database]] = weakref.WeakSet()


def _after_fork() -> None:
    _leave_open()
    for each in _databases:
        each._lock = threading.Lock()  # another thread of the parent may have held it


os.register_at_fork(after_in_child=_after_fork)

#: Files of a store never change. What was read of one is not kept: a writer must not grow with what it once read.
FILES: Final = Database(
    {
        "enable_external_access": "true",
        "preserve_insertion_order": "false",
        "enable_external_file_cache": "false",
    }
)
