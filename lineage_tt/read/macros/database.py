"""An in-memory database that a process opens once: opening one takes longer than most queries over few files."""

from __future__ import annotations

import os
import threading
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    import duckdb

#: The most connections to one database; DuckDB keeps a note of each, also of those that are closed.
MAX_CONNECTIONS: Final = 10_000


@dataclass
class _Opened:
    """A database, and the number of connections that may still be made to it."""

    first: duckdb.DuckDBPyConnection
    left: int


class Database:
    """A database of this process for queries that read files and create nothing that outlives their connection."""

    def __init__(self, config: Mapping[str, str]) -> None:
        """Take DuckDB's settings for the whole database; it is opened when a connection is first needed."""
        self._config: dict[str, Any] = dict(config)
        #: By process: a forked child keeps its parent's, since it must not end the parent's threads.
        self._opened: dict[int, _Opened] = {}
        self._lock = threading.Lock()

    def connection(self) -> duckdb.DuckDBPyConnection:
        """Return a new connection, with settings and temporary views of its own; for one thread."""
        import duckdb

        with self._lock:
            opened = self._opened.get(os.getpid())
            if opened is None or not opened.left:
                opened = self._opened[os.getpid()] = _Opened(duckdb.connect(config=self._config), MAX_CONNECTIONS)
            opened.left -= 1
            return opened.first.cursor()

    def forget(self) -> None:
        """Open another database for the next connection: after some errors DuckDB answers nothing more."""
        with self._lock:
            self._opened.pop(os.getpid(), None)


#: Files of a store never change. What was read of one is not kept: a writer must not grow with what it once read.
FILES: Final = Database(
    {
        "enable_external_access": "true",
        "preserve_insertion_order": "false",
        "enable_external_file_cache": "false",
    }
)
