"""Columns laid over each other: by unions, by the branches of a CASE, by the elements of an array.

The resulting column has the name of the first and the derivations of all; structs are laid over each other field by
field, and a struct whose fields are not known gives a field of each name.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Final

from ingest.sql.binder.relations.flow import Column, Flow, Once, Part, add, known_fields, picked

# A union of unions could multiply derivations; beyond this many they are reported as one.
MAX_PARTS: Final = 32


def union_parts(columns: Iterable[Column]) -> tuple[Part, ...]:
    """Return the derivations of columns that are laid over each other, equal ones once."""
    distinct: dict[int, Part] = {}
    for column in columns:
        for part in column.parts:
            distinct.setdefault(id(part), part)
    parts = tuple(distinct.values())
    if len(parts) <= MAX_PARTS:
        return parts
    merged: Flow = {}
    for part in parts:
        add(merged, part.flow)
    return (Part(merged, lambda: " | ".join(sorted({part.text for part in parts}))),)


def laid_over(columns: Sequence[Column], name: str | None = None) -> Column:
    """Return the one column that several make together, under the first one's name if no other is given."""
    return Column(
        columns[0].name if name is None else name,
        union_parts(columns),
        excluded=frozenset.intersection(*[column.excluded for column in columns]),
        fields=Once(partial(_fields, columns)) if any(column.fields is not None for column in columns) else None,
    )


def laid_by_position(rows: Sequence[Sequence[Column]]) -> list[Column]:
    """Return columns laid over those at the same place, as many as the shortest row has."""
    return [laid_over(columns) for columns in zip(*rows, strict=False)]


def laid_by_name(left: list[Column], right: list[Column]) -> list[Column]:
    """Return the columns of both sides, those of one name (in any case) laid over each other."""
    others = {column.name.lower(): column for column in right}
    laid = []
    for column in left:
        other = others.pop(column.name.lower(), None)
        laid.append(laid_over((column, other)) if other else column)
    return laid + list(others.values())


def structs(rows: Sequence[list[Column] | None], column_at: Callable[[int], Column]) -> list[Column] | None:
    """Return the fields of structs laid over each other; None where no struct's fields are known.

    Structs whose fields are all known, and equally many, are laid by position; others by name. ``column_at`` gives the
    column of a struct whose fields are not known. The result has the names of the first one: where these are not known,
    a field of another name may be any of them.
    """
    known = [row for row in rows if row]
    if not known:
        return None
    names = _names(known)
    aligned = [
        _aligned(row, names) if row is not None else [column_at(place).field(name) for name in names]
        for place, row in enumerate(rows)
    ]
    laid = [laid_over(columns, name) for name, columns in zip(names, zip(*aligned, strict=True), strict=True)]
    if rows[0] is None:
        laid.append(Column("*", union_parts([column_at(0).field("*"), *laid]), hidden=True))
    return laid


def _names(rows: list[list[Column]]) -> list[str]:
    """Return the fields' names: those of a struct with all fields known, else all names, and a star for the others."""
    closed = next((row for row in rows if not any(field.is_open for field in row)), None)
    if closed is not None:
        return [field.name for field in closed]
    first, *others = rows
    star = next(place for place, field in enumerate(first) if field.is_open)
    named = {field.name.lower(): field.name for row in others for field in row if not field.is_open}
    more = [name for key, name in named.items() if key not in {field.name.lower() for field in first}]
    names = [field.name for field in first]
    return names[:star] + more + names[star:]


def _aligned(row: list[Column], names: list[str]) -> list[Column]:
    opened = [field for field in row if field.is_open]
    if not opened and len(row) == len(names) and "*" not in names:
        return row
    known = {field.name.lower(): field for field in reversed(row)}
    others = laid_over(opened) if opened else _NOTHING
    return [others if name == "*" else known.get(name.lower()) or picked(row, name) or _NOTHING for name in names]


def _fields(columns: Sequence[Column]) -> list[Column] | None:
    return structs([known_fields(column) for column in columns], lambda place: columns[place])


_NOTHING: Final = Column("", ())
