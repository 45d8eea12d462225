"""DuckDB's ``unnest(x)`` in a select list: lists come apart into rows, structs into columns, to the depth it is given.

Without a depth it takes off one list, or lays out one struct. ``max_depth := 2`` does it twice, ``recursive := true``
to the bottom: first the lists around a struct, then the structs inside it, whose own lists stay. What an alias says
counts only where one column is made.
"""

from __future__ import annotations

import sys
from functools import partial
from typing import Any, Final

from sqlglot import exp

from ingest.sql.binder.expressions.arrays import value_of
from ingest.sql.binder.expressions.structs import fields_of
from ingest.sql.binder.names.ports import Binder
from ingest.sql.binder.names.scope import Scope
from ingest.sql.binder.relations.flow import TRANSFORMATION, Column, Part, known_fields
from ingest.sql.binder.relations.types import is_struct_type, typed

_TO_THE_BOTTOM: Final = sys.maxsize
_DIGITS: Final = 9
_PLAIN: Final = (exp.Literal, exp.Boolean, exp.Null, exp.Binary, exp.Unary)


def spread(walk: Binder, item: exp.Expr, scope: Scope) -> list[Column] | None:
    """Return the columns that UNNEST as an item makes, None where it is one that is called as any other item."""
    call = item.unalias()
    if not isinstance(call, exp.Explode):
        return None
    depth, column = _depth(call.expressions), _value(walk, call.this, scope)
    kind, left = column.kind, depth
    while left and _is_list(kind):
        kind, left = (kind.expressions or [None])[0], left - 1
    if is_struct_type(kind):
        return _laid_out(column, kind, left) if left else None
    if kind is not None or depth == 1:  # of a value whose type is not known UNNEST mostly takes off a list
        return None
    fields = known_fields(column)
    return fields if fields is not None else _unknown(walk, item, column, scope)


def _depth(options: list[exp.Expr]) -> int:
    """Return how many levels are taken off; more than a type can have where that is not a constant."""
    given = {option.this.name.lower(): option.expression for option in options if isinstance(option, exp.Binary)}
    deepest, recursive = given.get("max_depth"), given.get("recursive")
    if deepest is not None:
        return int(deepest.name) if deepest.name.isdecimal() and len(deepest.name) < _DIGITS else _TO_THE_BOTTOM
    return 1 if recursive is None or recursive == exp.false() else _TO_THE_BOTTOM


def _value(walk: Binder, node: exp.Expr, scope: Scope) -> Column:
    """Return what is unnested, with its type where that is known."""
    if isinstance(node, exp.Column | exp.Dot) and (plain := walk.values.plain(node, scope)) is not None:
        return plain
    part = Part(walk.values.flow(node, scope, TRANSFORMATION), partial(walk.render, node, walk.values))
    made = typed(Column("", (part,)), _kind(walk, node, scope))
    apart = fields_of(walk.values, node, scope) if isinstance(node, exp.Struct) else None
    known = known_fields(made)
    if apart and known and len(apart) == len(known):  # each has the sources of its own value, and the type's kind
        fields = [_of_kind(own, field) for own, field in zip(apart, known, strict=True)]
        made.fields = lambda: fields
    return made


def _of_kind(own: Column, typed_field: Column) -> Column:
    column = Column(typed_field.name, own.parts, fields=own.fields or typed_field.fields)
    column.kind = typed_field.kind
    return column


def _kind(walk: Binder, node: Any, scope: Scope) -> Any:
    """Return the type of a value that is written out, None where it is not known."""
    if isinstance(node, exp.Paren):
        return _kind(walk, node.this, scope)
    if isinstance(node, exp.Cast):
        return node.args["to"]
    if isinstance(node, exp.Array):
        kinds = (_kind(walk, each, scope) for each in node.expressions if not isinstance(each, exp.Null))
        element = next(kinds, None)
        return exp.DataType(this=exp.DType.ARRAY, expressions=[element] if element is not None else [], nested=True)
    if isinstance(node, exp.Struct) and all(isinstance(field, exp.PropertyEQ) for field in node.expressions):
        named = [(field.this.name, _kind(walk, value_of(field), scope)) for field in node.expressions]
        fields = [exp.ColumnDef(this=exp.to_identifier(name, quoted=True), kind=kind) for name, kind in named]
        return exp.DataType(this=exp.DType.STRUCT, expressions=fields, nested=True)
    if isinstance(node, exp.Column | exp.Dot):
        column = walk.values.plain(node, scope)
        return column.kind.copy() if column is not None and column.kind is not None else None
    return exp.DataType(this=exp.DType.UNKNOWN) if isinstance(node, _PLAIN) else None


def _is_list(kind: Any) -> bool:
    return isinstance(kind, exp.DataType) and kind.this in (exp.DType.ARRAY, exp.DType.LIST)


def _laid_out(column: Column, kind: Any, depth: int) -> list[Column]:
    """Return a struct's fields, and in the place of those that are structs theirs, to a depth."""
    fields = known_fields(column) if depth and is_struct_type(kind) else None
    if fields is None:
        return [column]
    return [each for field in fields for each in _laid_out(field, field.kind, depth - 1)]


def _unknown(walk: Binder, item: exp.Expr, column: Column, scope: Scope) -> list[Column]:
    """Return what several levels of an unknown type make: columns that nobody knows, or the one that an alias names."""
    fields = column.field("*").parts
    if not isinstance(item, exp.Alias):
        return [Column("*", fields)]
    name = walk.names.spell(item.args["alias"])
    detail = f"whether UNNEST makes {name}, or a column of each field, depends on a type that is not known"
    walk.report("unknown-columns", detail, subject=name)
    return [walk.values.column(item.this, scope, name), Column("*", fields, hidden=True)]
