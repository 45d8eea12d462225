"""The fields of struct values that a query makes itself: by name, each with its own sources.

BigQuery queries are written with them all over (``STRUCT(…)``, ``SELECT AS STRUCT``, ``ARRAY_AGG(t)[OFFSET(0)].*``).
In other dialects a field counts as coming from the whole struct, as their engines say of themselves.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from sqlglot import exp

from ingest.sql.arrays import elements, value_of
from ingest.sql.flow import (
    AGGREGATION,
    CONDITIONAL,
    IDENTITY,
    TRANSFORMATION,
    Column,
    Flow,
    Part,
    add,
    known_fields,
)

if TYPE_CHECKING:
    from ingest.sql.scope import Scope
    from ingest.sql.values import Values

# Functions whose value has the fields of their first argument (or of its elements).
_AGGREGATES = (exp.ArrayAgg, exp.AnyValue, exp.First, exp.Last, exp.FirstValue, exp.LastValue, exp.ArrayConcatAgg)
_SAME_FIELDS = (
    exp.Paren,
    exp.Bracket,
    exp.Order,
    exp.Limit,
    exp.Distinct,
    exp.IgnoreNulls,
    exp.RespectNulls,
    exp.HavingMax,
    exp.Window,
    exp.ArrayConcat,
    exp.ArrayReverse,
    exp.Lag,
    exp.Lead,
    exp.Filter,
    *_AGGREGATES,
)


def fields_of(values: Values, node: Any, scope: Scope) -> list[Column] | None:
    """Return the fields of a struct (or of an array's structs), None where they are not known."""
    found = _fields(values, node, scope)
    if found is None or values.walk.names.precise_structs:
        return found
    whole: Flow = {}
    values.collect(node, scope, TRANSFORMATION, whole)
    return [Column(column.name, (Part(whole, column.name),)) for column in found]


def _fields(values: Values, node: Any, scope: Scope) -> list[Column] | None:
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
    if isinstance(node, exp.Array):
        return elements(values, node, scope, _fields)
    if isinstance(node, exp.Column | exp.Dot):
        return _named_fields(values, node, scope)
    if isinstance(node, _SAME_FIELDS):
        inner = node.this if node.this is not None else (node.expressions or [None])[0]
        found = _fields(values, inner, scope) if inner is not None else None
        return _seen(found, AGGREGATION if isinstance(node, _AGGREGATES) else IDENTITY)
    if isinstance(node, exp.Case | exp.If | exp.Coalesce):
        return _branches(values, node, scope)
    return None


def typed_fields(kind: Any, inner: list[Column] | None, whole: Callable[[], Flow]) -> list[Column] | None:
    """Return the fields that a STRUCT type (or an array of one) names, by position those of the value."""
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


def _named_fields(values: Values, node: Any, scope: Scope) -> list[Column] | None:
    """Return the fields of a name, or of a field of a computed struct."""
    column = values.plain(node, scope)
    if column is None and isinstance(node, exp.Dot) and isinstance(node.expression, exp.Identifier):
        wanted = node.expression.name.lower()
        column = next((c for c in _fields(values, node.this, scope) or () if c.name.lower() == wanted), None)
    return known_fields(column)


def _field(values: Values, item: Any, scope: Scope, place: int) -> Column:
    if isinstance(item, exp.PropertyEQ):
        name = item.this.name
    elif isinstance(item, exp.Alias | exp.Column | exp.Dot):
        name = item.alias_or_name
    else:
        name = f"_field_{place + 1}"
    return values.column(value_of(item), scope, name)


def _seen(columns: list[Column] | None, by: int) -> list[Column] | None:
    if columns is None or by == IDENTITY:
        return columns
    found = []
    for column in columns:
        flow: Flow = {}
        add(flow, column.flow(), by)
        found.append(Column(column.name, (Part(flow, column.text),), fields=column.fields))
    return found


def _branches(values: Values, node: Any, scope: Scope) -> list[Column] | None:
    """CASE, IF and COALESCE: the branches' fields by position, the conditions deciding about each."""
    if isinstance(node, exp.Coalesce):
        chosen, conditions = [node.this, *node.expressions], []
    elif isinstance(node, exp.If):
        chosen, conditions = [node.args.get("true"), node.args.get("false")], [node.this]
    else:
        ifs = node.args.get("ifs") or []
        chosen = [*(branch.args["true"] for branch in ifs), node.args.get("default")]
        conditions = [*(branch.this for branch in ifs), *([node.this] if node.this is not None else [])]
    structs = [found for branch in chosen if branch is not None and (found := _fields(values, branch, scope))]
    if not structs:
        return None
    deciding: Flow = {}
    for condition in conditions:
        values.collect(condition, scope, CONDITIONAL, deciding)
    merged = []
    for place, column in enumerate(structs[0]):
        flow = dict(deciding)
        for struct in structs:
            if place < len(struct):
                add(flow, struct[place].flow(), TRANSFORMATION)
        merged.append(Column(column.name, (Part(flow, column.text),)))
    return merged
