"""Queries handed to another database as text: BigQuery's EXTERNAL_QUERY, PostgreSQL's dblink, SQL Server's OPENQUERY.

The text is a query like others, over tables of the connection: ``external:connection.table``. Its select list says
which columns come back, so that nothing need be known of those tables, unless it holds a star.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlglot import exp
from sqlglot.errors import SqlglotError

from ingest.sql.dialects import Names
from ingest.sql.relations import Relation

if TYPE_CHECKING:
    from ingest.sql.query import QueryWalk

EXTERNAL_FUNCTIONS = frozenset(["external_query", "dblink", "openquery"])
NAMESPACE = "external"
_DIALECTS = ("mysql", "postgres", "bigquery")


def external(walk: QueryWalk, call: Any) -> Relation | None:
    """Return the rows that a query text sent to another database gives, None where it cannot be read."""
    arguments = call.expressions
    if len(arguments) < 2 or not isinstance(arguments[1], exp.Literal):
        return None
    connection = arguments[0].name or "unknown"
    for dialect in _DIALECTS:
        names = Names(dialect, NAMESPACE, "")
        names.keep_under(connection)
        try:
            found = names.dialect.parse(arguments[1].name)
        except (SqlglotError, RecursionError):
            continue
        if len(found) == 1 and isinstance(found[0], exp.Query):
            return _relation(walk, names, found[0])
    return None


def _relation(walk: QueryWalk, names: Names, query: Any) -> Relation:
    outer_names, walk.names = walk.names, names
    outer_problems, walk.problems = walk.problems, {}
    try:
        relation = walk.query(query, None)
    finally:
        walk.names = outer_names
        told, walk.problems = walk.problems, outer_problems
    starred = any(column.is_open for column in relation.visible())
    walk.problems.update({problem: None for problem in told if starred or problem.code != "unknown-columns"})
    return relation
