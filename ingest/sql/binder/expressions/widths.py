"""How many columns a query inside an expression may give, and values a row: as many as what it is compared with has."""

from __future__ import annotations

from typing import Any, Final

from sqlglot import exp

from ingest.sql.binder.names.ports import Binder, Expressions
from ingest.sql.binder.names.scope import Scope
from ingest.sql.binder.relations.flow import TRANSFORMATION, Flow, through
from ingest.sql.binder.relations.relations import Relation

_COMPARISONS: Final = (exp.EQ, exp.NEQ, exp.GT, exp.GTE, exp.LT, exp.LTE, exp.NullSafeEQ, exp.NullSafeNEQ)
#: Where a query is one value; what functions of the engine make of several columns is theirs.
_ONE_VALUE: Final = (exp.Alias, exp.Binary, exp.Coalesce, exp.Cast, exp.If, exp.Not, exp.Select, exp.Where)
_SINGLE: Final = (exp.AggFunc, exp.Binary, exp.Case, exp.Cast, exp.Coalesce, exp.Column, exp.If, exp.Literal, exp.Unary)
_AROUND: Final = (exp.Paren, exp.Subquery, exp.Any, exp.All)


def check_width(walk: Binder, node: exp.Expr, relation: Relation) -> None:
    """Report a query that gives more columns than there is place for: a star in it may have brought another one."""
    columns = relation.visible()
    if len(columns) < 2 or any(column.is_open for column in columns):
        return
    select = node.find(exp.Select)
    if select is not None and select.args.get("kind"):  # BigQuery's SELECT AS STRUCT
        return
    expected = _expected(walk, node)
    if expected is not None and len(columns) > expected:
        walk.report("column-count", f"a query in an expression gives {len(columns)} columns in place of {expected}")


def check_row(walk: Binder, node: exp.Tuple) -> None:
    """Report a row that is compared with a row of another length; of a row of rows, ClickHouse may see a list."""
    outer, length = node.parent, _length(node)
    if length is None or any(isinstance(value, exp.Tuple) for value in node.expressions):
        return
    if isinstance(outer, exp.In) and outer.this is node:
        rows = outer.expressions
    elif isinstance(outer, _COMPARISONS) and outer.this is node:
        rows = [outer.expression]
    else:
        return
    others = (_length(row) for row in rows if isinstance(row, exp.Tuple))
    other = next((other for other in others if other not in (length, None)), None)
    if other is not None:
        walk.report("column-count", f"a row of {length} values is compared with one of {other}")


def row(values: Expressions, node: exp.Tuple, scope: Scope, by: int, out: Flow) -> None:
    """Add the sources of a row, whose length is checked."""
    check_row(values.walk, node)
    values.below(node, scope, through(TRANSFORMATION, by), out)


def _length(row: exp.Tuple) -> int | None:
    """Return how many values a row has, None where a star brings some of them."""
    return None if any(value.is_star for value in row.expressions) else len(row.expressions)


def _expected(walk: Binder, node: exp.Expr) -> int | None:
    """Return how many columns a query may have where it is, None where that is not known."""
    inner, outer = node, node.parent
    while isinstance(outer, _AROUND):
        inner, outer = outer, outer.parent
    if isinstance(outer, exp.In) and outer.args.get("query") is inner:
        return _width(outer.this)
    if walk.rules.subqueries_make_rows:
        return None
    if isinstance(outer, _COMPARISONS):
        return _width(outer.expression if outer.this is inner else outer.this)
    return 1 if isinstance(outer, _ONE_VALUE) else None


def _width(node: Any) -> int | None:
    """Return how many values an operand has, None where it may be a row of any number."""
    while isinstance(node, exp.Paren | exp.Subquery):
        node = node.this
    if isinstance(node, exp.Tuple):
        return _length(node)
    if isinstance(node, exp.Select) and not node.is_star:
        return len(node.expressions)
    return 1 if isinstance(node, _SINGLE) else None
