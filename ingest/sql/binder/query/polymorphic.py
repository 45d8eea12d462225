"""Table functions that take tables: ``TABLE(f(input => TABLE(t), columns => DESCRIPTOR(c)))``, as SQL:2016 and Trino.

``exclude_columns`` gives its table without the columns described, ``sequence`` numbers; what another one makes of its
tables only it knows.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from sqlglot import exp


class Invocation(NamedTuple):
    """A function's name, the tables and queries it is given, and the columns that are described to it."""

    name: str
    tables: list[Any]
    described: frozenset[str]


def invocation(call: Any) -> Invocation | None:
    """Return what ``TABLE(f(…))`` in FROM calls, None where it takes no table and its rows are not known."""
    inner = call.expressions[0] if _is(call, "table") and len(call.expressions) == 1 else None
    if isinstance(inner, exp.GenerateSeries):  # what the parser makes of Trino's sequence
        return Invocation("sequence", [], frozenset())
    if not isinstance(inner, exp.Anonymous):
        return None
    tables: list[Any] = []
    described: set[str] = set()
    for given in inner.expressions:
        argument = given.expression if isinstance(given, exp.Kwarg) else given
        if _is(argument, "table"):
            tables += map(_table, argument.expressions)
        elif _is(argument, "descriptor"):
            described |= {column.name.lower() for column in argument.expressions}
    return Invocation(inner.name.lower(), tables, frozenset(described)) if tables else None


def called_in_table(call: Any) -> Any:
    """Return the call inside ``TABLE(f(…))`` or ``TABLE(a.b.f(…))``, None for anything else."""
    inner = call.expressions[0] if _is(call, "table") and len(call.expressions) == 1 else None
    called = inner.expression if isinstance(inner, exp.Dot) else inner
    return inner if isinstance(called, exp.Anonymous) else None


def _is(node: Any, name: str) -> bool:
    return isinstance(node, exp.Anonymous) and node.name.lower() == name


def _table(node: Any) -> Any:
    """Return a table where its name was read as that of a column."""
    if not isinstance(node, exp.Column | exp.Dot):
        return node
    names = list(node.parts)[-3:]
    return exp.Table(**dict(zip(("this", "db", "catalog"), reversed([name.copy() for name in names]), strict=False)))
