"""Queries handed to another database as text, and tables there that a function names.

EXTERNAL_QUERY of BigQuery, dblink of PostgreSQL, OPENQUERY and OPENROWSET of SQL Server, and ``postgres_query`` and
``mysql_query`` of DuckDB take a text. ClickHouse's ``mysql('host', 'database', 'table', …)`` and DuckDB's
``postgres_scan('host=h', 'schema', 'table')`` name a table.

The text is a query like others, over tables of the connection: ``external:connection.table``. Those of a connector's
``TABLE(catalog.system.query(query => '…'))``, in Trino, are tables of the catalog there, too. The select list says
which columns come back, so that nothing need be known of those tables, unless it holds a star.
"""

from __future__ import annotations

import re

from sqlglot import exp
from sqlglot.errors import SqlglotError

from ingest.sql.binder.names.ports import Binder
from ingest.sql.binder.relations.relations import Relation
from ingest.sql.dialects.dialects import Names
from ingest.sql.dialects.foreign import FOREIGN_QUERIES
from ingest.sql.sqlglot_errors import SQLGLOT_ERRORS
from lineage_tt.model.edges import dataset_node

_QUERIES = frozenset(["external_query", "dblink", "openquery", "openrowset", "postgres_query", "mysql_query"])
NAMESPACE = "external"
_SETTING = re.compile(r"(\w+)\s*=\s*('[^']*'|[^\s;]+)")
_OF_SERVER = ("service", "host", "hostaddr", "server", "dbname", "database")


def external(walk: Binder, call: exp.Expr) -> Relation | None:
    """Return the rows that a query text for another database gives, or a table there.

    None for any other function, and where what it names is not known.
    """
    name = call.name.lower() if isinstance(call, exp.Anonymous) else ""
    size = dict(walk.rules.foreign_tables).get(name, 0)
    if size:
        return _table(walk, call.expressions[:size], size)
    arguments = call.expressions[1:] if name == "openrowset" else call.expressions  # how the connection is made
    if name not in _QUERIES or len(arguments) < 2 or not isinstance(arguments[1], exp.Literal):
        return None
    return _read(walk, NAMESPACE, server_of(arguments[0].name) or "unknown", arguments[1].name)


def _table(walk: Binder, named: list[exp.Expr], size: int) -> Relation | None:
    """Return the rows of the table that a connection and the names after it say; None where a value says them."""
    if len(named) < size or not all(isinstance(each, exp.Literal) for each in named):
        return None
    place = ".".join([server_of(named[0].name) or "unknown", *(each.name for each in named[1:])])
    return walk.dataset(dataset_node(NAMESPACE, place))


def server_of(connection: str) -> str:
    """Return what of a connection's name or address says which server it is: never a user or a password."""
    if "://" in connection:
        place = connection.partition("://")[2].partition("?")[0].partition("#")[0]
        return place.rpartition("@")[2].strip("/")
    if "=" not in connection:
        return connection
    settings = {key.lower(): value for key, value in _SETTING.findall(connection)}
    return "/".join(settings[key].strip("'") for key in _OF_SERVER if key in settings)


def passed_through(walk: Binder, call: exp.Expr) -> Relation | None:
    """Return the rows of Trino's ``catalog.system.query(query => '…')``, None for any other call."""
    if (
        not isinstance(call, exp.Dot)
        or call.expression.name.lower() != "query"
        or len(call.expression.expressions) != 1
    ):
        return None
    argument = call.expression.expressions[0]
    text = argument.expression if isinstance(argument, exp.Kwarg) else argument
    catalog = next(call.find_all(exp.Identifier), None)
    if not isinstance(text, exp.Literal) or catalog is None:
        return None
    return _read(walk, walk.names.namespace, catalog.name, text.name)


def _read(walk: Binder, namespace: str, connection: str, text: str) -> Relation | None:
    for dialect in FOREIGN_QUERIES:
        names = Names(dialect, namespace, "")
        names.keep_under(connection)
        try:
            trees = names.dialect.parse(text)
        except (SqlglotError, *SQLGLOT_ERRORS):
            continue
        if len(trees) == 1 and isinstance(trees[0], exp.Query):
            return _relation(walk, names, trees[0])
    return None


def _relation(walk: Binder, names: Names, query: exp.Expr) -> Relation:
    outer_names, walk.names = walk.names, names
    outer_problems, walk.problems = walk.problems, {}
    try:
        relation = walk.query(query, None)
    finally:
        walk.names = outer_names
        reported, walk.problems = walk.problems, outer_problems
    starred = any(column.is_open for column in relation.visible())
    walk.problems.update({problem: None for problem in reported if starred or problem.code != "unknown-columns"})
    return relation
