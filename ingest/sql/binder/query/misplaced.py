"""Aggregates and window functions in clauses that no engine takes them in: such a text fails when it is run.

WHERE, join conditions and GROUP BY come before there are groups, and HAVING before there are windows.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from sqlglot import exp

from ingest.sql.binder.expressions.aggregates import MISPLACED, called_as, parts_of
from ingest.sql.binder.names.ports import Binder
from ingest.sql.binder.names.scope import Scope

#: Of several arguments these are functions of one row.
_OF_ROWS: Final = (exp.Max, exp.Min)


def check_clause(
    walk: Binder, nodes: Iterable[exp.Expr], scope: Scope, clause: str, *, items: Iterable[exp.Expr] = (),
    aggregates: bool = True,
) -> None:  # fmt: skip
    """Report the first window function of a clause, and the first aggregate where ``aggregates`` are out of place, too.

    A name that was resolved to one of the ``items`` counts as what the item holds.
    """
    named = {item.alias.lower(): item.this for item in items if isinstance(item, exp.Alias)}
    for node in nodes:
        found = _first(node, scope, aggregates=aggregates)
        for column in node.find_all(exp.Column) if found is None and named else ():
            name = column.name.lower()
            if name in named and is_item(walk, column, scope):
                found = found or _first(named[name], scope, aggregates=aggregates)
        if found is not None:
            kind = "a window function" if isinstance(found, exp.Window) else "an aggregate"
            called = found.this if isinstance(found, exp.Window) else found
            walk.report(MISPLACED, f"{clause} cannot hold {kind} ({called_as(called)})")
            return


def holds_own_aggregate(node: exp.Expr, scope: Scope) -> bool:
    """Whether an expression has an aggregate of this query, outside of subqueries and windows."""
    return any(not isinstance(each, exp.Window) for each in _own(node, scope))


def _first(node: exp.Expr, scope: Scope, *, aggregates: bool) -> exp.Expr | None:
    """Return the first window function, or with ``aggregates`` the first of both."""
    return next((each for each in _own(node, scope) if aggregates or isinstance(each, exp.Window)), None)


def _own(node: exp.Expr, scope: Scope) -> Iterator[exp.Expr]:
    """Yield the window functions and the aggregates of this query in an expression, outside of subqueries."""
    if node.find(exp.AggFunc, exp.Window) is None:  # in compiled code: of nearly every expression
        return
    for each in parts_of(node):
        if isinstance(each, exp.Window) or (_is_aggregate(each) and _is_own(each, scope)):
            yield each


def _is_aggregate(node: exp.Expr) -> bool:
    return isinstance(node, exp.AggFunc) and not (isinstance(node, _OF_ROWS) and node.expressions)


def _is_own(node: exp.Expr, scope: Scope) -> bool:
    """Whether an aggregate is of this query: one of outer columns alone is of the query around it."""
    columns = list(node.find_all(exp.Column))
    around = scope.parent is not None and any(level.sources for level in scope.parent.chain())
    return not around or not columns or any(map(scope.homes, columns))


def is_item(walk: Binder, column: exp.Column, scope: Scope) -> bool:
    """Whether a name was resolved to an item of the select list."""
    item = scope.aliases.get(scope.item_name(column.name))
    return item is not None and not column.table and walk.values.lookup.column_at(column) is item
