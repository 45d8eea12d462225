"""The declared types of columns, as far as names depend on them: a struct's fields, and that a map has keys."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from functools import lru_cache, partial
from typing import Any, Final, NamedTuple

from sqlglot import exp
from sqlglot.errors import ParseError, TokenError

from ingest.sql.binder.relations.flow import Column, Once, field_part
from ingest.sql.dialects.foreign import TYPES_OF_FIELDS
from lineage_tt.model.facts import WITH_PARTS


class Kind(NamedTuple):
    """A column's declared type: its text, and its tree where it has parts that a query may name."""

    text: str
    tree: Any


#: Declared types by the names of columns.
Kinds = Mapping[str, Kind]


@lru_cache(maxsize=256)
def parsed_type(text: str, dialect: str) -> Any:
    """Return a type's tree where it has parts, None for a plain or unreadable one.

    One with names in backticks is read as BigQuery's: so the store recognises those that are made up of fields.
    """
    if not text.lower().lstrip().startswith(WITH_PARTS):
        return None
    with suppress(ParseError, TokenError, ValueError):
        return exp.DataType.build(text, dialect=TYPES_OF_FIELDS if "`" in text else dialect)
    return None


def has_parts(kind: exp.Expr) -> bool:
    """Whether a type's tree has parts that a query may name."""
    return isinstance(kind, exp.DataType) and bool(kind.expressions) and kind.this in _WITH_PARTS


def typed(column: Column, kind: Any) -> Column:
    """Return a column that knows its type, and the fields of a struct or of an array's structs."""
    if not has_parts(kind):
        return column
    column.kind = kind
    if column.fields is None and _struct(kind) is not None:
        column.fields = Once(partial(_fields, column, _struct(kind)))
    return column


def is_map(column: Column | None) -> bool:
    """Whether a column is known to be a map."""
    return column is not None and column.kind is not None and column.kind.this == exp.DType.MAP


def is_struct_type(kind: exp.Expr) -> bool:
    """Whether a declared type's tree is a struct's."""
    return isinstance(kind, exp.DataType) and kind.this == exp.DType.STRUCT


def unnested_width(kind: exp.Expr) -> int | None:
    """Return how many columns UNNEST makes of a value of a type, None where the type is not known."""
    if kind is None:
        return None
    if kind.this == exp.DType.MAP:
        return 2
    if kind.this != exp.DType.ARRAY or not kind.expressions:
        return None
    element = kind.expressions[0]
    return len(element.expressions) if element.this == exp.DType.STRUCT else 1


def _struct(kind: exp.Expr) -> Any:
    while isinstance(kind, exp.DataType) and kind.this == exp.DType.ARRAY and kind.expressions:
        kind = kind.expressions[0]
    return kind if isinstance(kind, exp.DataType) and kind.this == exp.DType.STRUCT else None


def _fields(column: Column, struct: exp.Expr) -> list[Column] | None:
    named = [item for item in struct.expressions if isinstance(item, exp.ColumnDef)]
    if not named or len(named) != len(struct.expressions):
        return None
    return [
        typed(Column(item.name, tuple(field_part(part, item.name) for part in column.parts)), item.args.get("kind"))
        for item in named
    ]


_WITH_PARTS: Final = (exp.DType.STRUCT, exp.DType.ARRAY, exp.DType.MAP)
