"""Table functions that take tables: ``TABLE(f(input => TABLE(t), columns => DESCRIPTOR(c)))``, as SQL:2016 and Trino.

``exclude_columns`` gives its table without the columns described, ``sequence`` numbers; what another function makes of
its tables is not known.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from sqlglot import exp

from ingest.sql.binder.names.ports import Binder
from ingest.sql.binder.names.scope import Scope
from ingest.sql.binder.relations.flow import TRANSFORMATION, Column, Flow, Part, add
from ingest.sql.binder.relations.relations import Relation

# What a window table function adds to the columns of its table.
_WINDOW_COLUMNS: Final = ("window_start", "window_end", "window_time")


class Invocation(NamedTuple):
    """A function's name, the tables and queries it is given, and the columns that are described to it."""

    name: str
    tables: list[Any]
    described: frozenset[str]


def invocation(call: exp.Expr) -> Invocation | None:
    """Return what ``TABLE(f(…))`` in FROM calls, None where it takes no table and its rows are not known."""
    inner = call.expressions[0] if _is(call, "table") and len(call.expressions) == 1 else None
    if isinstance(inner, exp.GenerateSeries):  # what the parser makes of Trino's sequence
        return Invocation("sequence", [], frozenset())
    if not isinstance(inner, exp.Anonymous):
        return None
    tables: list[Any] = []
    described: set[str] = set()
    for item in inner.expressions:
        argument = item.expression if isinstance(item, exp.Kwarg) else item
        if _is(argument, "table"):
            tables += map(_table, argument.expressions)
        elif _is(argument, "descriptor"):
            described |= {column.name.lower() for column in argument.expressions}
    return Invocation(inner.name.lower(), tables, frozenset(described)) if tables else None


def plain_window(call: exp.Expr) -> Invocation | None:
    """Return what ``TUMBLE(t, c, INTERVAL '1' MINUTE)`` in FROM calls: a table's rows by a column (RisingWave)."""
    arguments = call.expressions
    if len(arguments) < 3 or not isinstance(arguments[0], exp.Column) or not isinstance(arguments[1], exp.Column):
        return None
    return Invocation(call.name.lower(), [_table(arguments[0])], frozenset([arguments[1].name.lower()]))


def windowed(walk: Binder, call: Invocation, inner: Scope) -> Relation:
    """Return the rows of a table, each with the borders of its window, which follow from the time column described."""
    flow: Flow = {}
    for name in sorted(call.described):
        column = walk.values.lookup.find([name], inner)
        add(flow, column.flow() if column is not None else {}, TRANSFORMATION)
    borders = [Column(name, (Part(flow, name),)) for name in _WINDOW_COLUMNS]
    return Relation([*walk.stars.expand(exp.Star(), inner), *borders], inner.effects, inner.rows())


def called_in_table(call: exp.Expr) -> Any:
    """Return the call inside ``TABLE(f(…))`` or ``TABLE(a.b.f(…))``, None for anything else."""
    inner = call.expressions[0] if _is(call, "table") and len(call.expressions) == 1 else None
    called = inner.expression if isinstance(inner, exp.Dot) else inner
    return inner if isinstance(called, exp.Anonymous) else None


def _is(node: exp.Expr, name: str) -> bool:
    return isinstance(node, exp.Anonymous) and node.name.lower() == name


def _table(node: exp.Expr) -> Any:
    """Return a table where its name was read as that of a column."""
    if not isinstance(node, exp.Column | exp.Dot):
        return node
    names = list(node.parts)[-3:]
    return exp.Table(**dict(zip(("this", "db", "catalog"), reversed([name.copy() for name in names]), strict=False)))
