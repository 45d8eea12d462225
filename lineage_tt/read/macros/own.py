"""Sessions for our own queries: a view or macro of the set-up is created when a query first names it.

Users' queries run in a database of their store, with all of the set-up: they may name anything, and everyone who shares
a database sees what their statements create.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from lineage_tt.model.errors import UnavailableError
from lineage_tt.read.macros import asof, session
from lineage_tt.read.macros.database import PerProcess, opened
from lineage_tt.read.macros.needed import needed_by

if TYPE_CHECKING:
    import duckdb

#: The text for each ``{field}`` of the set-up, made when it is first needed.
Fields = Mapping[str, Callable[[], str]]

#: The most sessions that share a database of macros; a new database does not remember data files that are gone.
MAX_SESSIONS: Final = 1_000
_VIEW: Final = "CREATE OR REPLACE VIEW"
_FIELD: Final = re.compile(r"\{(\w+)\}")


class Session:
    """A connection that has the views and macros that queries name; for one thread, except for ``ready_for``."""

    def __init__(
        self,
        connection: duckdb.DuckDBPyConnection,
        parts: Mapping[str, str],
        fields: Fields,
        macros: Session | None = None,
        *,
        temporary: bool = True,
    ) -> None:
        """Take the set-up's statements by name; ``macros`` is the session of the database that holds the macros.

        Its views are ``temporary``, or those of its database, which all of its connections see.
        """
        self._connection = connection
        self._parts = parts
        self._fields = dict(fields)
        self._macros = macros
        self._temporary = temporary
        self._created: set[str] = set()
        self._creating = threading.RLock()
        session.run_script(connection, session.SETTINGS)

    def __enter__(self) -> Session:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def fetch(self, query: str, parameters: dict[str, Any]) -> list[tuple[Any, ...]]:
        """Run one of our own queries; DuckDB's errors become ours."""
        return self.fetch_on(self._connection, query, parameters)

    def fetch_on(
        self, connection: duckdb.DuckDBPyConnection, query: str, parameters: dict[str, Any]
    ) -> list[tuple[Any, ...]]:
        """Run one of our own queries on this connection to the same database."""
        self.ready_for(query)
        return session.fetch(connection, query, parameters)

    def ready_for(self, query: str) -> duckdb.DuckDBPyConnection:
        """Return the connection, with the views and macros that a query needs created; call it from any thread."""
        with self._creating:
            for name in needed_by(query, self._parts, self._created):
                if self._macros is None or self._parts[name].startswith(_VIEW):
                    self._make(name)
                else:
                    self._macros.ready_for(name)
                self._created.add(name)
        return self._connection

    def ready_for_any(self) -> duckdb.DuckDBPyConnection:
        """Return the connection, with all views and macros created, for a query that may name any of them."""
        return self.ready_for(" ".join(self._parts))

    def read_from(self, files: Sequence[Path]) -> None:
        """From now on, read other data files of the log."""
        self._fields |= _log_of(files)
        for name in self._created:
            if "{files}" in self._parts[name]:
                self._make(name)

    @property
    def connection(self) -> duckdb.DuckDBPyConnection:
        """The connection, for queries that use nothing of the set-up."""
        return self._connection

    def another(self) -> duckdb.DuckDBPyConnection:
        """Return one more connection to the same database."""
        return self._connection.cursor()

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()

    def _make(self, name: str) -> None:
        statement = _FIELD.sub(lambda field: self._fields[field[1]](), self._parts[name])
        if self._temporary:
            statement = statement.replace(_VIEW, "CREATE OR REPLACE TEMP VIEW", 1)
        session.run_script(self._connection, statement)


def connect(files: Sequence[Path]) -> Session:
    """Return a session over these data files of the log.

    A macro takes longer to create than a view. It is created once per process, in an in-memory database that these
    sessions share; each session has its own views. If DuckDB invalidates that database after an internal error, it is
    replaced.
    """
    import duckdb

    try:
        return _connect(files)
    except (duckdb.Error, UnavailableError):
        _macros.forget()
    return _connect(files)


def connect_alone(parts: Mapping[str, str], fields: Fields) -> Session:
    """Return a session with macros of its own, for example where a snapshot changes them."""
    return Session(opened(), parts, fields)


def database(parts: Mapping[str, str], fields: Fields) -> Session:
    """Return a session over a database of its own: what it creates is there for ``another`` connection, too."""
    return Session(opened(), parts, fields, temporary=False)


def _connect(files: Sequence[Path]) -> Session:
    """Return a session over the process's database of macros."""
    connection, macros = _macros.use(lambda macros: (macros.another(), macros))
    return Session(connection, asof.parts(), _log_of(files), macros)


def _log_of(files: Sequence[Path]) -> dict[str, Callable[[], str]]:
    return {"files": lambda: asof.relation(files)}


def shared_macros() -> PerProcess[Session]:
    """Return the holder of a process's database of macros."""
    return PerProcess(lambda: connect_alone(asof.parts(), _log_of(())), MAX_SESSIONS)


_macros = shared_macros()
