"""Arrays that a text writes out, ``[(…), (…)]``: their elements laid over each other.

A text may list thousands of rows. Behind the first ones, those without structs inside are walked once, field by field;
they have no expressions of their own.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

from sqlglot import exp

from ingest.sql.flow import IDENTITY, TRANSFORMATION, Column, Flow, Once, Part, add, known_fields, through, union_parts
from ingest.sql.scope import Scope

if TYPE_CHECKING:
    from ingest.sql.values import Values

# So many elements have expressions of their own, whatever they are.
_SHOWN = 50

_PLAIN = (exp.Literal, exp.Column, exp.Dot)
#: the elements with expressions of their own, and the sources of all the others by the place of the field
Split = tuple[list[Any], list[Flow]]
Fields = Callable[["Values", Any, Scope], "list[Column] | None"]


def collect_array(values: Values, node: Any, scope: Scope, by: int, out: Flow) -> None:
    """Add the sources of an array to ``out``."""
    by = through(TRANSFORMATION, by)
    if len(node.expressions) <= _SHOWN:
        values.below(node, scope, by, out)
        return
    own, flows = _split(values, node, scope)
    for item in own:
        values.collect(item, scope, by, out)
    for flow in flows:
        add(out, flow, by)


def elements(values: Values, node: Any, scope: Scope, fields_of: Fields) -> list[Column] | None:
    """Return the fields of an array's elements, those of all elements together; None where they are not known."""
    own, flows = _split(values, node, scope) if len(node.expressions) > _SHOWN else (node.expressions, [])
    known = [fields_of(values, item, scope) for item in own]
    names = next(([column.name for column in row] for row in known if row), None)
    if names is None:
        return None
    rows = [
        row if row is not None else [values.column(item, scope, "").field(name) for name in names]
        for item, row in zip(own, known, strict=True)
    ]
    if flows:
        rows.append([Column(name, (Part(flow, "…"),)) for name, flow in zip(names, flows, strict=False)])
    return _laid(rows)


def value_of(item: Any) -> Any:
    """Return what a struct's field holds, without its name."""
    return item.expression if isinstance(item, exp.PropertyEQ) else item.unalias()


def _split(values: Values, node: Any, scope: Scope) -> Split:
    key = id(node), id(scope)
    found = values.arrays.get(key)
    if found is None:
        found = values.arrays[key] = node, scope, _walked(values, node.expressions, scope)
    return found[2]


def _walked(values: Values, listed: list[Any], scope: Scope) -> Split:
    own = listed[:_SHOWN]
    flows: list[Flow] = []
    for item in listed[_SHOWN:]:
        row = [value_of(field) for field in item.expressions] if isinstance(item, exp.Tuple | exp.Struct) else []
        if not row or not all(isinstance(v, _PLAIN) or values.fields(v, scope) is None for v in row):
            own.append(item)
            continue
        flows.extend({} for _ in row[len(flows) :])
        for value, flow in zip(row, flows, strict=False):
            if value.__class__ is not exp.Literal:
                values.collect(value, scope, IDENTITY, flow)
    return own, flows


def _laid(rows: list[list[Column]]) -> list[Column]:
    """Return structs laid over each other, by position, and the structs inside them."""
    if len(rows) == 1:
        return rows[0]
    return [
        Column(group[0].name, union_parts(group), fields=Once(partial(_laid_fields, group)))
        for group in zip(*rows, strict=False)
    ]


def _laid_fields(columns: tuple[Column, ...]) -> list[Column] | None:
    known = [known_fields(column) for column in columns]
    names = next(([field.name for field in fields] for fields in known if fields), None)
    if names is None:
        return None
    return _laid(
        [
            fields if fields is not None else [column.field(name) for name in names]
            for column, fields in zip(columns, known, strict=True)
        ]
    )
