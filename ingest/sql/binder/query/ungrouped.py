"""Columns of a grouped query that are in no aggregate and in nothing it groups by: most engines reject such a text.

Only what is sure is reported. A column that occurs in any expression of GROUP BY may be a part of it, and a function
that is not known may be an aggregate.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Set
from typing import Any, Final

from sqlglot import exp

from ingest.sql.binder.expressions.aggregates import is_aggregate
from ingest.sql.binder.names.ports import Binder
from ingest.sql.binder.names.scope import Scope, Source
from ingest.sql.binder.query.misplaced import holds_own_aggregate, is_item

#: What is not looked into: other queries, windows, and calls of which it is not known what they make of rows.
_CLOSED: Final = (exp.Query, exp.Window, exp.Filter, exp.Lambda, exp.Anonymous, exp.Columns, exp.Star)


def check_grouped(walk: Binder, node: exp.Expr, scope: Scope, listed: Iterable[exp.Expr]) -> None:
    """Report one such column of a SELECT, the first by name; it groups by the expressions that are ``listed``."""
    args, items = node.args, [item.unalias() for item in node.expressions]
    having = [args["having"].this] if args.get("having") is not None else []
    ordered = [each.this for each in args["order"].expressions] if args.get("order") is not None else []
    listed = list(listed)
    rules = walk.rules.grouping
    if not (rules.strict or (rules.strict_whole and not args.get("group"))):
        return
    if any(isinstance(each, exp.Literal) for each in listed):
        return  # a number may be the place of an item that a star brings
    if not (args.get("group") or having or any(holds_own_aggregate(item, scope) for item in (*items, *ordered))):
        return
    named = {item.alias.lower(): item.this for item in node.expressions if isinstance(item, exp.Alias)}
    outputs = {item.alias_or_name.lower() for item in node.expressions}
    homes: dict[str, Set[Source | None]] = {}
    for column in _columns(walk, listed, named):
        name = column.name.lower()
        is_output = not column.table and name in outputs  # then it may be the item's column that is meant
        homes[name] = {*homes.get(name, ()), None if is_output else _home(column, scope)}
    sorting = [each for each in ordered if not (isinstance(each, exp.Column) and each.name.lower() in outputs)]
    ungrouped = {name for item in items for name in _starred(item, scope) if name not in homes}
    for part in (*items, *having, *sorting):
        for column in _bare(walk, part):
            name = column.name.lower()
            grouped_by = homes.get(name, frozenset())
            if {None, _home(column, scope)} & grouped_by or not _is_own(column, scope) or is_item(walk, column, scope):
                continue
            ungrouped.add(name)
    if ungrouped:
        name = min(ungrouped)
        walk.report("ungrouped-column", f"{name} is in no aggregate, and is not grouped by", name)


def check_distinct(walk: Binder, node: exp.Expr, scope: Scope) -> None:
    """Report a column by which SELECT DISTINCT sorts though no item has it: after that, rows have it no more."""
    distinct, order = node.args.get("distinct"), node.args.get("order")
    if not (distinct and order) or distinct.args.get("on") or not walk.rules.grouping.distinct_orders_by_items:
        return
    if any(isinstance(part, exp.Star | exp.Columns) for item in node.expressions for part in item.walk()):
        return
    selected = {column.name.lower() for column in _columns(walk, node.expressions, {})}
    selected |= {item.alias_or_name.lower() for item in node.expressions}
    for column in (column for each in order.expressions for column in _bare(walk, each.this)):
        if selected.isdisjoint(part.name.lower() for part in column.parts) and _is_own(column, scope):
            detail = f"ORDER BY names {column.name}, which SELECT DISTINCT does not select"
            walk.report("ungrouped-column", detail, column.name)
            return


def _starred(item: exp.Expr, scope: Scope) -> list[str]:
    """Return the names of the columns that a star brings, none where they are not all known."""
    if (
        not isinstance(item, exp.Star)
        or any(item.args.values())
        or any(source.relation.is_open for source in scope.sources)
    ):
        return []
    return [column.name.lower() for source in scope.sources for column in source.relation.visible()]


def _home(column: exp.Column, scope: Scope) -> Source | None:
    """Return the source whose column it is; None where that is not known, or where two are one by USING."""
    homes = scope.homes(column)
    return homes[0] if len(homes) == 1 and column.name.lower() not in scope.merged else None


def _is_own(column: exp.Column, scope: Scope) -> bool:
    """Whether it is surely a column of this SELECT, and one alone."""
    homes = scope.homes(column)
    return len(homes) == 1 or (len(homes) > 1 and column.name.lower() in scope.merged)


def _columns(walk: Binder, listed: Iterable[exp.Expr], named: dict[str, Any]) -> Iterator[exp.Column]:
    """Yield all columns in what GROUP BY lists, and in items of their names: some engines prefer these to columns."""
    for each in listed:
        for column in each.find_all(exp.Column):
            yield from _replaced(walk, column)
            item = named.get(column.name.lower())
            yield from item.find_all(exp.Column) if item is not None else ()


def _bare(walk: Binder, node: exp.Expr) -> Iterator[exp.Column]:
    """Yield the columns of an expression that are outside of aggregates."""
    for each in node.walk(prune=lambda inner: isinstance(inner, _CLOSED) or is_aggregate(inner)):
        if isinstance(each, exp.Column) and not isinstance(each.this, exp.Star):
            yield from _replaced(walk, each)


def _replaced(walk: Binder, column: exp.Column) -> Iterator[exp.Column]:
    """Yield a column, or those that a marker in a long array was put for."""
    names = walk.markers.get(column.name)
    if names is None:
        yield column
    for parts in names or ():
        yield exp.column(parts[-1], table=parts[-2] if len(parts) > 1 else None)
