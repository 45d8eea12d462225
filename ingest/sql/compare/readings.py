"""A text as its statements, each with its query, the columns that it fills, and how it writes them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, Final, NamedTuple

from sqlglot import exp
from sqlglot.tokens import Token

from ingest.sql.binder.query.query import QueryWalk
from ingest.sql.binder.relations.catalog import Catalog
from ingest.sql.compare.definitions import NOTHING, Definition, definition_of
from ingest.sql.compare.frame import folded, frame_of, opened_everywhere, said
from ingest.sql.compare.untraced import as_written, untraced
from ingest.sql.dialects.dialects import Names, UnknownDialectError
from ingest.sql.dialects.registry import rules_or_standard
from ingest.sql.parser.before.engines.client import without_client_lines
from ingest.sql.parser.before.unnests import explicit_everywhere
from ingest.sql.parser.parse import parse
from ingest.sql.parser.parsed import Parsed
from ingest.sql.parser.tokenize import tokenize
from ingest.sql.sqlglot_errors import SQLGLOT_ERRORS
from ingest.sql.statements.inserts import insert_names, partition_names
from ingest.sql.text.guard import inspect_sql
from ingest.sql.text.regions import region_scanner
from ingest.sql.text.templates import neutralise
from lineage_tt.impact.texts import Side
from lineage_tt.model.edges import name_of


class Statement(NamedTuple):
    """One statement: how it writes what, its text without its query, and the query with the columns that it fills.

    ``dynamic`` are the dynamic partition columns of an insert by position into unknown columns (else None); ``order``
    is the order of rows that are stored, which no column's values depend on. ``defines`` is what it does to tables
    and views themselves, ``tokens`` is what its tree was made from.
    """

    kind: str
    dataset: str | None
    shell: str
    query: Any
    names: tuple[str, ...] | None
    whole: str
    types: tuple[tuple[str, str], ...] = ()
    dynamic: tuple[str, ...] | None = None
    order: str = ""
    defines: Definition = NOTHING
    tokens: tuple[Token, ...] = ()


class Reading(NamedTuple):
    """A text that was read: its statements, with what they were read under.

    ``template`` is what its template parts say beside the statements, '' for a plain text; ``settings`` are pairs of
    how many statements come before a SET, and its text; ``frame`` are the words that no statement's tree holds.
    """

    side: Side
    names: Names
    statements: list[Statement]
    template: str
    settings: tuple[tuple[int, str], ...] = ()
    frame: tuple[str, ...] = ()


def read(side: Side) -> Reading | None:
    """Return a text's statements, None where it must not or cannot be read.

    The lines of the engine's client, which may run other scripts, are compared as they are written.
    """
    script = without_client_lines(side.sql, rules_or_standard(side.dialect))
    if not script.lines:
        return _read(side)
    reading = _read(replace(side, sql=script.text, params=script.sets | dict(side.params)))
    return reading and reading._replace(template="\n".join([reading.template, *script.lines]))


def _read(side: Side) -> Reading | None:
    if inspect_sql(side.sql, dialect=side.dialect) is not None:
        return None
    try:
        names = Names(side.dialect, side.namespace, side.default_database)
    except UnknownDialectError:
        return None
    this = name_of(side.target) if side.target else ""
    marked = neutralise(side.sql, side.params, dialect=side.dialect, this=this, marked=True)
    if marked.text is side.sql:
        return _read_plain(side, side.sql, names, "")
    regions = list(region_scanner(side.dialect, templated=True).regions(side.sql))
    if marked.branches == 1 and not marked.lossy:
        reading = _read_plain(side, marked.text, names, "\n".join(untraced(side.sql, regions, marked.parts)))
        if reading is not None:
            return reading
        names = Names(side.dialect, side.namespace, side.default_database)
    # What a template may hold beside the first branch is compared as it is written, layout and comments aside.
    plain = neutralise(side.sql, side.params, dialect=side.dialect, this=this)
    return _read_plain(side, plain.text, names, as_written(side.sql, regions))


def _read_plain(side: Side, text: str, names: Names, template: str) -> Reading | None:
    """Return the statements of a text without template parts, None where it must not or cannot be read."""
    if text is not side.sql and inspect_sql(text, dialect=side.dialect) is not None:
        return None
    tokens, problem = tokenize(text, names.engine)
    if problem is not None:
        return None
    statements: list[Statement] = []
    settings: list[tuple[int, str]] = []
    tokens = opened_everywhere(tokens, names.engine)
    items = list(parse(text, tokens, names.engine))
    for item in items:
        if item.problem is not None or not isinstance(item.node, exp.Expr):
            return None
        if isinstance(item.node, exp.Semicolon):
            continue
        if isinstance(item.node, exp.Set):
            settings.append((len(statements), item.node.sql(names.dialect, comments=False)))
            continue
        if isinstance(item.node, exp.Use):
            names.follow_use(item.node)
        if names.rules.implicit_unnests:
            explicit_everywhere(item.node)
        try:
            statement = _statement(item, names, side)
            statements.append(statement._replace(defines=definition_of(item.node, names)))
        except SQLGLOT_ERRORS:
            return None
    return Reading(side, names, statements, template, tuple(settings), frame_of(text, tokens, items, names))


def _statement(item: Parsed, names: Names, side: Side) -> Statement:
    node = item.node
    if isinstance(node, exp.Command):  # its tree holds little of it, or all as it is laid out
        whole = said(item.tokens, names)
        return Statement("other", None, whole, None, None, whole)
    return _of_tree(node, names, side)._replace(tokens=tuple(item.tokens))


def _of_tree(node: exp.Expr, names: Names, side: Side) -> Statement:
    whole = node.sql(names.dialect, comments=False)
    if isinstance(node, exp.Query):
        return Statement("select", side.target, "", node, None, whole)
    query = node.args.get("expression")
    if isinstance(node, exp.Create) and isinstance(node.this, exp.Schema) and query is None:
        return Statement("other", None, whole, None, None, whole, tuple(_declared(node.this, names)))
    if not isinstance(node, exp.Insert | exp.Create) or not isinstance(query, exp.Query):
        return Statement("other", None, whole, None, None, whole)
    query = _with_clause_of(node, query)
    table = node.this.this if isinstance(node.this, exp.Schema) else node.this
    if query is None or not isinstance(table, exp.Table):
        return Statement("other", None, whole, None, None, whole)
    listed = [names.spell(item) for item in node.this.expressions] if isinstance(node.this, exp.Schema) else []
    filled = _filled(node, table, listed, names, side)
    kind = "overwrite" if node.args.get("overwrite") else "insert"
    dynamic = None
    if isinstance(node, exp.Create):
        kind = "view" if node.kind == "VIEW" else "ctas"
    elif filled is None and not node.args.get("by_name"):
        dynamic = tuple(partition_names(QueryWalk(names, Catalog(side.columns)), _partition(node, table))[1])
    order = ""
    if kind != "view":
        query, order = _without_order(query, names)
    return Statement(kind, names.dataset(table), _shell(node, names), query, filled, whole, (), dynamic, order)


#: Clauses of a query that say in which order, or in which files, its rows are stored.
_ORDERING: Final = ("order", "sort", "cluster", "distribute")


def _without_order(query: exp.Expr, names: Names) -> tuple[Any, str]:
    """Return a query without the order in which its rows are stored, and that order as text."""
    clauses = [clause for key in _ORDERING if (clause := query.args.get(key)) is not None]
    if not clauses or any(query.args.get(key) is not None for key in ("limit", "offset", "fetch")):
        return query, ""
    order = " ".join(clause.sql(names.dialect, comments=False) for clause in clauses)
    query = query.copy()
    for key in _ORDERING:
        query.set(key, None)
    return query, order


def _partition(node: exp.Expr, table: exp.Expr) -> Any:
    return table.args.get("partition") or node.args.get("partition")


def _declared(schema: exp.Expr, names: Names) -> Iterator[tuple[str, str]]:
    for item in schema.expressions:
        if isinstance(item, exp.ColumnDef) and item.args.get("kind") is not None:
            yield names.spell(item).lower(), item.args["kind"].sql()


def _with_clause_of(node: exp.Expr, query: exp.Expr) -> Any:
    """Return the query with the WITH clause before the statement, None where both have one."""
    clause = node.args.get("with_")
    if clause is None:
        return query
    if query.args.get("with_") is not None:
        return None
    query = query.copy()
    query.set("with_", clause.copy())
    return query


def _filled(node: Any, table: Any, listed: list[str], names: Names, side: Side) -> tuple[str, ...] | None:
    if isinstance(node, exp.Create):
        return tuple(listed) or None
    if node.args.get("by_name"):
        return None
    walk = QueryWalk(names, Catalog(side.columns))
    filled = insert_names(walk, names.dataset(table), listed, _partition(node, table))
    return tuple(filled) if filled is not None else None


def _shell(node: exp.Expr, names: Names) -> str:
    """Return a statement without its query and its column list: how it writes, and where."""
    copy = node.copy()
    copy.set("expression", exp.select("1"))
    copy.set("with_", None)
    if isinstance(copy.this, exp.Schema):
        copy.set("this", copy.this.this)
    return folded(copy.sql(names.dialect, comments=False), names)
