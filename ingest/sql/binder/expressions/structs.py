"""The fields of struct values that a query makes itself: by name, each with its own sources.

BigQuery queries use them everywhere (``STRUCT(…)``, ``SELECT AS STRUCT``, ``ARRAY_AGG(t)[OFFSET(0)].*``).
In Hive, Spark, Trino and others a field counts as coming from the whole struct, as the engines report it.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from sqlglot import exp

from ingest.sql.binder.expressions import windows
from ingest.sql.binder.expressions.aggregates import children
from ingest.sql.binder.expressions.arrays import elements, together, value_of
from ingest.sql.binder.names.ports import Expressions
from ingest.sql.binder.names.scope import Scope
from ingest.sql.binder.relations.flow import (
    AGGREGATION,
    CONDITIONAL,
    IDENTITY,
    SORT,
    TRANSFORMATION,
    WINDOW,
    Column,
    Flow,
    Once,
    Part,
    add,
    known_fields,
)
from ingest.sql.binder.relations.written_types import written_type

_AGGREGATES = (exp.ArrayAgg, exp.AnyValue, exp.First, exp.Last, exp.FirstValue, exp.LastValue, exp.ArrayConcatAgg)
# Expressions with the fields of their first argument (or of its elements); other arguments are part of each field.
_SAME_FIELDS = (
    exp.Paren,
    exp.Bracket,
    exp.Limit,
    exp.Distinct,
    exp.IgnoreNulls,
    exp.RespectNulls,
    exp.HavingMax,
    exp.ArrayReverse,
    *_AGGREGATES,
)

#: The structs that an expression is one of, as what it has their fields, and what else it is made of or decided by.
Carried = tuple[list[Any], int, list[tuple[Any, int]]]


def fields_of(values: Expressions, node: Any, scope: Scope) -> list[Column] | None:
    """Return the fields of a struct (or of an array's structs), None where they are not known."""
    fields = _fields(values, node, scope)
    if fields is None or values.walk.rules.struct_fields_are_apart:
        return fields
    whole: Flow = {}
    values.collect(node, scope, TRANSFORMATION, whole)
    return [Column(column.name, (Part(whole, column.name),), position=column.position) for column in fields]


def _fields(values: Expressions, node: Any, scope: Scope) -> list[Column] | None:
    if isinstance(node, exp.Struct):
        return [_field(values, item, scope, place) for place, item in enumerate(node.expressions)]
    if isinstance(node, exp.Query):
        relation = values.subquery(node, scope)
        select = node.unnest() if isinstance(node, exp.Subquery) else node
        if select.args.get("kind") == "STRUCT":
            return relation.visible()
        columns = relation.visible()
        column = columns[0] if len(columns) == 1 else None
        return known_fields(relation.value or column)
    if isinstance(node, exp.Tuple | exp.ArraysZip):
        return [_field(values, item, scope, place) for place, item in enumerate(node.expressions)]
    if isinstance(node, exp.Cast):
        inner = _fields(values, node.this, scope)
        return typed_fields(node.args["to"], inner, lambda: values.flow(node.this, scope, TRANSFORMATION))
    if isinstance(node, exp.FromJson):
        kind = written_type(node.expression, values.walk.names.dialect)
        return typed_fields(kind, None, lambda: values.flow(node.this, scope, TRANSFORMATION))
    if isinstance(node, exp.Array):
        return elements(values, node, scope, _fields)
    if isinstance(node, exp.Column | exp.Dot):
        return _named_fields(values, node, scope)
    carried, by, beside = _carried(node)
    fields = together(values, carried, scope, _fields) if carried else None
    if fields is None:
        return None
    shared: Flow = {}
    for other, kind in beside:
        values.collect(other, scope, kind, shared)
    if isinstance(node, exp.Window):
        windows.specified(values, node, scope, WINDOW, shared)
    return [_seen(column, by, shared) for column in fields] if shared or by != IDENTITY else fields


def _carried(node: Any) -> Carried:
    if isinstance(node, exp.Window):
        function = windows.row_function(node)
        if function is None:
            return [node.this], IDENTITY, []
        chosen, _, beside = _carried(function)
        return chosen, TRANSFORMATION, beside
    if isinstance(node, exp.Order):
        return [node.this], IDENTITY, [(key, SORT) for key in node.expressions]
    if isinstance(node, exp.Filter):
        return [node.this], IDENTITY, [(node.expression, CONDITIONAL)]
    if isinstance(node, exp.Lag | exp.Lead):
        chosen = [node.this, node.args.get("default")]
        return _present(chosen), TRANSFORMATION, _others(node, chosen)
    if isinstance(node, exp.Coalesce):
        return [node.this, *node.expressions], TRANSFORMATION, []
    if isinstance(node, exp.ArrayConcat):
        return [node.this, *node.expressions], IDENTITY, []
    if isinstance(node, exp.Nullif):
        return [node.this], TRANSFORMATION, [(node.expression, CONDITIONAL)]
    if isinstance(node, exp.If):
        return _present([node.args["true"], node.args.get("false")]), TRANSFORMATION, [(node.this, CONDITIONAL)]
    if isinstance(node, exp.Case):
        ifs = node.args["ifs"]
        conditions = _present([node.this, *(branch.this for branch in ifs)])
        chosen = _present([*(branch.args["true"] for branch in ifs), node.args.get("default")])
        return chosen, TRANSFORMATION, [(condition, CONDITIONAL) for condition in conditions]
    if isinstance(node, _SAME_FIELDS):
        chosen = [node.this if node.this is not None else (node.expressions or [None])[0]]
        by = AGGREGATION if isinstance(node, _AGGREGATES) else IDENTITY
        return _present(chosen), by, _others(node, chosen)
    return [], IDENTITY, []


def _present(nodes: list[Any]) -> list[Any]:
    return [node for node in nodes if node is not None]


def _others(node: Any, chosen: list[Any]) -> list[tuple[Any, int]]:
    return [(child, TRANSFORMATION) for child in children(node) if not any(child is one for one in chosen)]


def typed_fields(kind: Any, inner: list[Column] | None, whole: Callable[[], Flow]) -> list[Column] | None:
    """Return the fields that a STRUCT type (or an array of one) names, matched by position to those of the value."""
    while isinstance(kind, exp.DataType) and kind.this == exp.DType.ARRAY and kind.expressions:
        kind = kind.expressions[0]
    if not isinstance(kind, exp.DataType) or kind.this != exp.DType.STRUCT:
        return inner
    names = [item.name for item in kind.expressions if isinstance(item, exp.ColumnDef)]
    if len(names) != len(kind.expressions):
        return inner
    if inner is not None and len(inner) == len(names):
        return [column.renamed(name) for name, column in zip(names, inner, strict=True)]
    flow = whole()
    return [Column(name, (Part(flow, name),)) for name in names]


def _named_fields(values: Expressions, node: Any, scope: Scope) -> list[Column] | None:
    """Return the fields of a name, or of a field of a computed struct."""
    column = values.plain(node, scope)
    if column is None and isinstance(node, exp.Dot) and isinstance(node.expression, exp.Identifier):
        name = node.expression.name.lower()
        column = next((c for c in _fields(values, node.this, scope) or () if c.name.lower() == name), None)
    return known_fields(column)


def _field(values: Expressions, item: Any, scope: Scope, place: int) -> Column:
    if isinstance(item, exp.PropertyEQ):
        name = item.this.name
    elif isinstance(item, exp.Alias | exp.Column | exp.Dot):
        name = item.alias_or_name
    else:
        name = f"_field_{place + 1}"
    is_named = not values.walk.rules.unnamed_by_place or isinstance(item, exp.PropertyEQ | exp.Alias)
    return values.column(value_of(item), scope, name, None if is_named else place)


def _seen(column: Column, by: int, shared: Flow) -> Column:
    """Return a field of a struct that something was done to: used as ``by``, and ``shared`` with all its fields."""
    flow = dict(shared)
    add(flow, column.flow(), by)
    return Column(
        column.name,
        (Part(flow, lambda: column.text),),
        hidden=column.hidden,
        excluded=column.excluded,
        fields=Once(partial(_seen_inside, column, by, shared)) if column.fields is not None else None,
    )


def _seen_inside(column: Column, by: int, shared: Flow) -> list[Column] | None:
    known = known_fields(column)
    return [_seen(field, by, shared) for field in known] if known is not None else None
