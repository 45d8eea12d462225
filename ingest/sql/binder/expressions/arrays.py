"""Arrays that a text writes out, ``[(…), (…)]``: their elements laid over each other.

A text may list thousands of rows. After the first ones, those without structs inside are walked once, field by field;
they have no expressions of their own.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from sqlglot import exp

from ingest.sql.binder.names.ports import ArraySources, Expressions
from ingest.sql.binder.names.scope import Scope
from ingest.sql.binder.relations.flow import IDENTITY, SORT, TRANSFORMATION, Column, Flow, Part, add, through
from ingest.sql.binder.relations.overlay import laid_over, structs
from ingest.sql.parser.before.long_arrays import SHOWN

_PLAIN = (exp.Literal, exp.Column, exp.Dot)
Fields = Callable[[Expressions, Any, Scope], "list[Column] | None"]


def collect_array(values: Expressions, node: exp.Expr, scope: Scope, by: int, out: Flow) -> None:
    """Add the sources of an array to ``out``."""
    by = through(TRANSFORMATION, by)
    if len(node.expressions) <= SHOWN:
        values.below(node, scope, by, out)
        if len(node.expressions) == 1 and isinstance(node.expressions[0], exp.Select | exp.SetOperation):
            rows = values.relation_at(node.expressions[0])  # ARRAY(SELECT …) has the query's rows in their order
            add(out, rows.idle_order if rows is not None else {}, through(SORT, by))
        return
    own, flows = _split(values, node, scope)
    for item in own:
        values.collect(item, scope, by, out)
    for flow in flows:
        add(out, flow, by)


def elements(values: Expressions, node: exp.Expr, scope: Scope, fields_of: Fields) -> list[Column] | None:
    """Return the fields of an array's elements, those of all elements together; None where they are not known."""
    own, flows = _split(values, node, scope) if len(node.expressions) > SHOWN else (node.expressions, [])
    rest = [Column("", (Part(flow, "…"),)) for flow in flows]
    return together(values, own, scope, fields_of, rest)


def together(
    values: Expressions, nodes: list[exp.Expr], scope: Scope, fields_of: Fields, rest: Sequence[Column] = ()
) -> list[Column] | None:
    """Return the fields of structs, any of which may be the value; ``rest`` are the columns of one more, by place."""
    options = [node for node in nodes if not isinstance(node, exp.Null)]
    rows = [fields_of(values, node, scope) for node in options]
    if any(rows) and rest:
        rows.append(list(rest))
    return structs(
        rows, lambda place: values.column(options[place], scope, "") if place < len(options) else laid_over(rest)
    )


def value_of(item: exp.Expr) -> Any:
    """Return what a struct's field holds, without its name."""
    return item.expression if isinstance(item, exp.PropertyEQ) else item.unalias()


def _split(values: Expressions, node: exp.Expr, scope: Scope) -> ArraySources:
    key = id(node), id(scope)
    cached = values.arrays.get(key)
    if cached is None:
        cached = values.arrays[key] = node, scope, _walked(values, node.expressions, scope)
    return cached[2]


def _walked(values: Expressions, listed: list[exp.Expr], scope: Scope) -> ArraySources:
    own = listed[:SHOWN]
    flows: list[Flow] = []
    for item in listed[SHOWN:]:
        row = item.expressions if isinstance(item, exp.Tuple | exp.Struct) else []
        fields = [(place, value_of(f)) for place, f in enumerate(row) if f.__class__ is not exp.Literal]
        if not row or any(not isinstance(v, _PLAIN) and values.fields(v, scope) is not None for _, v in fields):
            own.append(item)
            continue
        flows.extend({} for _ in row[len(flows) :])
        for place, value in fields:
            values.collect(value, scope, IDENTITY, flows[place])
    return own, flows
