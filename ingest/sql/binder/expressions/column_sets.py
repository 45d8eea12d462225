"""Several columns named at once: COLUMNS(…) of DuckDB and ClickHouse, alone or inside an expression, ``* LIKE 'a%'``.

An expression over COLUMNS expands to one for each column, each with one of them in its place.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from fnmatch import fnmatchcase
from typing import Any, Final

from sqlglot import exp

from ingest.sql.binder.expressions.aggregates import names_aggregate
from ingest.sql.binder.names.ports import Binder, Expressions
from ingest.sql.binder.names.scope import Scope
from ingest.sql.binder.names.stars import like
from ingest.sql.binder.relations.flow import AGGREGATION, TRANSFORMATION, Column, Flow, Part, add, through
from ingest.sql.render import text_of

Matches = Callable[[str], bool]
_OVER_STAR: Final = (exp.Like, exp.ILike, exp.Glob, exp.SimilarTo)
_GROUP: Final = re.compile(r"\\(\d)")


def named_at_once(walk: Binder, item: exp.Expr, scope: Scope) -> list[Column] | None:
    """Return the columns of a select item that names several at once, None for any other."""
    inner = item.unalias()
    if isinstance(inner, exp.Dot) and isinstance(inner.expression, exp.Anonymous) and _is_columns(inner.expression):
        of_table = exp.Column(this=exp.Star(), table=inner.this.copy())
        return _matching(walk, of_table, inner.expression.expressions[0], scope)
    if isinstance(inner, exp.Apply):
        return _applied(walk, inner, scope)
    if isinstance(inner, exp.Columns):
        return [_called(item, inner, column) for column in chosen(walk, inner, scope)]
    if isinstance(inner, _OVER_STAR) and _is_star(inner.this):
        return [_called(item, inner, column) for column in _matching(walk, inner.this, inner, scope)]
    columns_call = next((node for node in inner.find_all(exp.Columns) if not node.args.get("unpack")), None)
    if columns_call is None or columns_call.find_ancestor(exp.Query) is not inner.find_ancestor(exp.Query):
        return None
    return [_in_place(walk, item, columns_call, column, scope) for column in chosen(walk, columns_call, scope)]


def chosen(walk: Binder, node: exp.Expr, scope: Scope) -> list[Column]:
    """Return the columns that COLUMNS(…) expands to."""
    argument = node.this
    return walk.stars.expand(argument, scope) if _is_star(argument) else _matching(walk, exp.Star(), argument, scope)


def _matching(walk: Binder, star: exp.Expr, pattern: Any, scope: Scope) -> list[Column]:
    """Return the columns of a star that a pattern picks; unknown ones may be among them."""
    matches = _pattern(walk, pattern)
    return [column for column in walk.stars.expand(star, scope) if column.is_open or matches(column.name)]


def all_chosen(values: Expressions, node: exp.Expr, scope: Scope, by: int, out: Flow) -> None:
    """Add the sources of COLUMNS(…) where it is read as one value: in a condition, or as ``f(*COLUMNS(…))``."""
    for column in chosen(values.walk, node, scope):
        add(out, column.flow(), through(TRANSFORMATION, by))


def _applied(walk: Binder, node: exp.Expr, scope: Scope) -> list[Column]:
    """ClickHouse's ``* APPLY(f)``: a column for each one, called ``f(a)``."""
    function = node.expression.name
    by = AGGREGATION if names_aggregate(function) else TRANSFORMATION
    result = []
    for column in walk.items.columns_of(node.this, scope):
        flow: Flow = {}
        add(flow, column.flow(), by)
        name = column.name if column.is_open else f"{function}({column.name})"
        result.append(Column(name, (Part(flow, f"{function}({column.text})"),)))
    return result


def _is_columns(call: exp.Expr) -> bool:
    return call.name.upper() == "COLUMNS" and len(call.expressions) == 1


def _is_star(node: exp.Expr) -> bool:
    return isinstance(node, exp.Star | exp.Column) and node.is_star


def _pattern(walk: Binder, node: exp.Expr) -> Matches:
    """Return which names a pattern, a list of names or a function of the name picks."""
    if isinstance(node, exp.Literal):
        return _regular(walk, node.name)
    if isinstance(node, exp.Array):
        listed = {item.name.lower() for item in node.expressions}
        return lambda name: name.lower() in listed
    condition = node.this if isinstance(node, exp.Lambda) else node
    if isinstance(condition, _OVER_STAR) and isinstance(condition.expression, exp.Literal):
        matches = _like(walk, condition, condition.expression.name)
        return (lambda name: not matches(name)) if condition.args.get("negate") else matches
    walk.report(
        "unsupported-statement", "which columns COLUMNS picks by a function is not worked out: all are reported"
    )
    return lambda name: True


def _like(walk: Binder, node: exp.Expr, pattern: str) -> Matches:
    if isinstance(node, exp.Glob):
        return lambda name: fnmatchcase(name, pattern)
    if isinstance(node, exp.SimilarTo):
        return _regular(walk, f"^(?:{pattern})$")  # the whole name, as DuckDB 2.0.1 and SQL have it
    compiled = like(pattern, any_case=isinstance(node, exp.ILike))
    return lambda name: compiled.fullmatch(name) is not None


def _regular(walk: Binder, pattern: str) -> Matches:
    try:
        compiled = re.compile(pattern)
    except re.error:
        walk.report("unsupported-statement", f"a pattern over column names is not understood: {pattern}")
        return lambda name: True
    return lambda name: compiled.search(name) is not None


def _called(item: exp.Expr, node: exp.Expr, column: Column) -> Column:
    """Return a column under the item's alias, which may have the name, or parts of it that its pattern matched."""
    if not isinstance(item, exp.Alias):
        return column
    alias = item.alias
    if "\\" in alias:
        if column.is_open:
            return column
        pattern = node.expression if isinstance(node, exp.SimilarTo) else node.this
        match = re.search(pattern.name, column.name) if isinstance(pattern, exp.Literal) else None
        parts = (match[0], *match.groups("")) if match is not None else (column.name,)
        alias = _GROUP.sub(lambda sign: parts[int(sign[1])] if int(sign[1]) < len(parts) else "", alias)
    return column.renamed(alias)


def _in_place(walk: Binder, item: exp.Expr, columns_call: Any, column: Column, scope: Scope) -> Column:
    """Return an item with a column in the place of each COLUMNS."""
    name = f"columns {len(scope.parameters)}"  # of no source
    scope.parameters[name] = column
    called = column.name
    if isinstance(item, exp.Alias):
        called = _called(item, columns_call, column).name
    elif not walk.rules.column_set_keeps_names and not column.is_open:
        called = text_of(_with(item, column.name), walk.names.dialect)
    value = walk.values.column(_with(item, exp.to_identifier(name, quoted=True)).unalias(), scope, called)
    return Column(called, value.parts, excluded=column.excluded)


def _with(item: Any, name: Any) -> Any:
    """Return a copy of an item that names a column where it has COLUMNS."""
    return item.transform(lambda node: exp.column(name) if isinstance(node, exp.Columns) else node)
