"""Queries in a DuckDB session over a store's files: bound parameters, instants as integers, DuckDB's errors as ours."""

from __future__ import annotations

import errno
import os
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final

from lineage_tt.model.errors import (
    BeyondHorizonError,
    CorruptError,
    InvalidRequestError,
    LineageError,
    UnavailableError,
)
from lineage_tt.model.os_errors import out_of_memory

if TYPE_CHECKING:
    import duckdb

#: What DuckDB's error says where a macro is called with a point before the horizon (``macros.snapshot``).
BEYOND: Final = "beyond horizon:"
_QUERY_HINT: Final = "the tables and macros are listed by: lineage-tt sql --print-setup"
BEYOND_HINT: Final = "ask as known at a later system time"
#: The system's words for what the process or the machine has run out of; such an error is not damage of the store.
_LIMITS: Final = tuple(map(os.strerror, (errno.EMFILE, errno.ENFILE, errno.ENOMEM, errno.EACCES, errno.EPERM)))
#: What the name of every file of a store contains.
_DIGEST: Final = re.compile("[0-9a-f]{64}")
#: The settings of every session. A data file never changes.
SETTINGS: Final = "SET parquet_metadata_cache = true; SET TimeZone = 'UTC';\n"


def connect_with(script: str) -> duckdb.DuckDBPyConnection:
    """Return a connection that a set-up script has run in."""
    import duckdb

    connection = duckdb.connect()
    try:
        run_script(connection, SETTINGS + script)
    except LineageError:
        connection.close()
        raise
    return connection


def run_script(connection: duckdb.DuckDBPyConnection, script: str) -> None:
    """Run statements of our own that return nothing."""
    import duckdb

    try:
        connection.execute(script)
    except duckdb.Error as error:
        raise read_failure(error) from error


def fetch(connection: duckdb.DuckDBPyConnection, query: str, parameters: dict[str, Any]) -> list[tuple[Any, ...]]:
    """Run one of our own queries; DuckDB's errors become ours."""
    import duckdb

    try:
        return connection.execute(query, parameters).fetchall()
    except duckdb.Error as error:
        raise read_failure(error) from error


def begun(connection: duckdb.DuckDBPyConnection, query: str, parameters: dict[str, Any]) -> duckdb.DuckDBPyConnection:
    """Start one of our own queries; its rows are fetched from the result."""
    import duckdb

    try:
        return connection.execute(query, parameters)
    except duckdb.Error as error:
        raise read_failure(error) from error


def portions(begun: duckdb.DuckDBPyConnection, size: int) -> Iterator[list[tuple[Any, ...]]]:
    """Yield the rows of one of our own queries that has started, in batches of ``size``."""
    import duckdb

    try:
        while rows := begun.fetchmany(size):
            yield rows
    except duckdb.Error as error:
        raise read_failure(error) from error


def read_failure(error: duckdb.Error) -> LineageError:
    """Return our error for DuckDB's error in one of our own queries: damage where files cannot be read, or a limit."""
    import duckdb

    if BEYOND in str(error):
        return BeyondHorizonError(str(error).partition(BEYOND)[2].strip(), hint=BEYOND_HINT)
    if isinstance(error, duckdb.OutOfMemoryException):
        return out_of_memory("answer")
    if not isinstance(error, duckdb.IOException):
        return UnavailableError(f"DuckDB could not answer: {error}")
    if any(words in str(error) for words in _LIMITS):
        hint = "raise the limit or fix the permissions, then run the same command again"
        return UnavailableError(f"a data file cannot be read: {error}", hint=hint)
    return CorruptError(f"a data file cannot be read: {error}")


def is_of_files(error: LineageError) -> bool:
    """Return whether an error may be due to data files that are gone; a user's query may also name other files."""
    import duckdb

    if isinstance(error, CorruptError):
        return True
    return isinstance(error.__cause__, duckdb.IOException) and _DIGEST.search(error.message) is not None


def ask(connection: duckdb.DuckDBPyConnection, query: str, parameters: dict[str, Any]) -> list[tuple[Any, ...]]:
    """Run a user's query with bound parameters; instants are datetimes in UTC, wherever they are in a value.

    Raises InvalidRequestError with DuckDB's words where the query is wrong.
    """
    import duckdb

    try:
        relation = connection.sql(query, params=parameters)
        if relation is None:
            return []
        if not any("TIME ZONE" in str(kind) for kind in relation.types):
            return relation.fetchall()
        # DuckDB makes datetimes with pytz, which is not among our dependencies; Arrow does not need it
        columns = [column.to_pylist() for column in relation.to_arrow_table().columns]
        return list(zip(*columns, strict=True))
    except (duckdb.ProgrammingError, duckdb.DataError, duckdb.InvalidInputException) as error:
        if BEYOND in str(error):
            raise read_failure(error) from error
        raise InvalidRequestError(f"the query failed: {error}", hint=_QUERY_HINT) from error
    except duckdb.Error as error:
        raise read_failure(error) from error


def run(connection: duckdb.DuckDBPyConnection, query: str) -> tuple[list[str], list[tuple[Any, ...]]]:
    """Run a user's query; return the column names and rows, instants as text.

    Raises InvalidRequestError with DuckDB's words where the query is wrong.
    """
    import duckdb

    try:
        relation = connection.sql(query)
        if relation is None:
            return [], []
        names, kinds = relation.columns, [str(kind) for kind in relation.types]
        # As text, since DuckDB makes datetimes with pytz, which is not among our dependencies.
        shown = ", ".join(
            f"#{i}::{kind.replace('TIMESTAMP WITH TIME ZONE', 'VARCHAR')}" if "TIME ZONE" in kind else f"#{i}"
            for i, kind in enumerate(kinds, 1)
        )
        return list(names), relation.project(shown).fetchall()
    except duckdb.Error as error:
        if BEYOND in str(error) or isinstance(error, duckdb.OutOfMemoryException):
            raise read_failure(error) from error
        raise InvalidRequestError(f"the query failed: {error}", hint=_QUERY_HINT) from error
