"""Window functions: the function's own values, and what its window partitions and orders by."""

from __future__ import annotations

from typing import Any, Final

from sqlglot import exp

from ingest.sql.binder.names.ports import Expressions
from ingest.sql.binder.names.scope import Scope
from ingest.sql.binder.relations.flow import TRANSFORMATION, WINDOW, Flow, add, through

#: Functions that give another row's value, not one of many rows.
_ROW_FUNCTIONS: Final = (exp.Lag, exp.Lead, exp.FirstValue, exp.LastValue, exp.NthValue, exp.First, exp.Last)


def over(values: Expressions, node: exp.Expr, scope: Scope, by: int, out: Flow) -> None:
    """``f(a) OVER (PARTITION BY b ORDER BY c)``."""
    function = row_function(node)
    if function is not None:
        values.below(function, scope, through(TRANSFORMATION, by), out)
    else:
        values.collect(node.this, scope, by, out)
    specified(values, node, scope, through(WINDOW, by), out)


def row_function(node: exp.Expr) -> Any:
    """Return the function over a window that gives another row's value, None for one that is made of many rows."""
    function = node.this
    while isinstance(function, exp.IgnoreNulls | exp.RespectNulls):
        function = function.this
    return function if isinstance(function, _ROW_FUNCTIONS) else None


def specified(values: Expressions, node: exp.Expr, scope: Scope, by: int, out: Flow) -> None:
    """Add what a window partitions and orders by."""
    _specified(values, node, scope, by, out, set())


def _specified(values: Expressions, node: Any, scope: Scope, by: int, out: Flow, seen: set[str]) -> None:
    """Add what a window or a named one says; ``seen`` are the names on the way."""
    for expression in node.args.get("partition_by") or ():
        values.collect(expression, scope, by, out)
    if node.args.get("order") is not None:
        values.collect(node.args["order"], scope, by, out)
    frame = node.args.get("spec")
    for key in ("start", "end") if frame is not None else ():
        if isinstance(frame.args.get(key), exp.Expr):  # Trino's may be any expression
            values.collect(frame.args[key], scope, by, out)
    named = node.args.get("alias")
    name = named.name.lower() if named is not None else ""
    if not name or name in seen:
        return
    place = len(scope.aliases) if scope.lateral_aliases else 0  # an alias may mean something in the next item
    known = scope.window_flows.get((name, by, place)) if not seen else None
    if known is None:
        known = {}
        definition = scope.window(name)
        if definition is not None:
            _specified(values, definition, scope, by, known, {*seen, name})
        if not seen:  # whole: one inside another's definition leaves out what is around it
            scope.window_flows[name, by, place] = known
    add(out, known)
