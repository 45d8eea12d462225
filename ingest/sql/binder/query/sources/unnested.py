"""UNNEST: the elements of arrays as rows, each array a column, or its structs' fields."""

from __future__ import annotations

from itertools import islice
from typing import Any

from sqlglot import exp

from ingest.sql.binder.names.ports import Binder
from ingest.sql.binder.names.scope import Scope, Source
from ingest.sql.binder.relations.flow import TRANSFORMATION, Column, Flow, Part, add, known_fields
from ingest.sql.binder.relations.relations import of_elements
from ingest.sql.binder.relations.types import unnested_width
from ingest.sql.dialects.generators import has_plain_elements, is_plain_array, width


def unnested(walk: Binder, node: exp.Expr, scope: Scope) -> Source:
    """UNNEST: one column for each array, or the elements' own fields, which a name may pick."""
    rules = walk.rules
    alias = node.args.get("alias")
    spelt = [walk.names.spell(name) for name in alias.columns] if alias is not None else []
    table = alias.name if alias is not None else ""
    arrays = [_array(item, scope) for item in node.expressions]
    values = [walk.values.column(item, scope, "") for item in arrays]
    offset = node.args.get("offset")
    columns = []
    pairs = zip(arrays, values, strict=True)
    widths = [width(item) or unnested_width(value.kind) for item, value in pairs]
    if widths.count(None) == 1 and len(spelt) > len(values):
        widths[widths.index(None)] = len(spelt) - sum(known or 0 for known in widths)
    spread = _spread(walk, values, widths, spelt)
    if spread is not None:
        columns = spread
    elif len(spelt) == len(values):
        # an array's element is the array's value: its fields are the array's fields
        columns = [value.renamed(name) for name, value in zip(spelt, values, strict=True)]
    elif spelt:
        merged: Flow = {}
        for value in values:
            add(merged, value.flow(), TRANSFORMATION)
        columns = [Column(name, (Part(merged, name),)) for name in spelt]
        if len(values) > 1:
            detail = f"which array {', '.join(spelt)} of UNNEST come from depends on types that are not known"
            walk.report("unknown-columns", detail)
    if not spelt and not rules.unnest_alias_is_element:
        columns = [
            column
            for value, known in zip(values, widths, strict=True)
            for column in _unnamed(walk, value, known, table)
        ]
    elif len(values) == 1 and rules.unnest_alias_is_element:
        known = known_fields(values[0])
        if known is not None:
            for column in columns:
                column.hidden = True
            columns.extend(known)
        elif not has_plain_elements(arrays[0]) and not is_plain_array(values[0].kind):
            columns.append(Column("*", values[0].field("*").parts, hidden=bool(spelt)))
        table = table or (spelt[0] if spelt else "")
    if isinstance(offset, exp.Identifier):
        columns.append(Column(walk.names.spell(offset), (Part({}, "offset"),)))
    elif offset:
        name = rules.unnest_offset
        columns.append(Column(name, (Part({}, name),), position=len(columns) if rules.unnamed_by_place else None))
    elements: Flow = {}
    for value in values:
        add(elements, value.flow())
    return Source(table, (), of_elements(columns, elements))


def laid_out(walk: Binder, node: exp.Expr, scope: Scope) -> Source | None:
    """Redshift's ``FROM t, UNPIVOT t.c AS v AT k``: a row for each field of an object; None for another pivot."""
    named = node.this if isinstance(node, exp.Pivot) and node.args.get("unpivot") else None
    key = named.expression if isinstance(named, exp.AtIndex) else None
    value = named.this if isinstance(named, exp.AtIndex) else named
    alias = value.args.get("alias") if isinstance(value, exp.Alias | exp.Table) else None
    if alias is None:
        return None
    whole = value.to_column() if isinstance(value, exp.Table) else value
    column = walk.values.column(whole.this if isinstance(whole, exp.Alias) else whole, scope, "")
    part = Part(walk.values.seen(column), f"UNPIVOT({column.text})")
    names = [alias.this if isinstance(alias, exp.TableAlias) else alias, *([key] if key is not None else [])]
    columns = [Column(walk.names.spell(name), (part,)) for name in names]
    return Source(columns[0].name, (), of_elements(columns, part.flow))


def _spread(
    walk: Binder, values: list[Column], widths: list[int | None], spelt: list[str]
) -> list[Column] | None:  # fmt: skip
    """Return the columns that arrays come apart into, by position; None where the names do not fit their types."""
    rules = walk.rules
    whole = rules.unnest_keeps_structs or rules.unnest_alias_is_element
    if whole or not spelt or None in widths or sum(known or 0 for known in widths) != len(spelt):
        return None
    names = iter(spelt)
    result: list[Column] = []
    for value, known in zip(values, widths, strict=True):
        fields = known_fields(value) or []
        if len(fields) == known:
            result += [field.renamed(next(names)) for field in fields]
        elif len(spelt) == len(values):  # an element is the array's value, not a computed one
            result.append(value.renamed(next(names)))
        else:
            taken = islice(names, known)
            result += [Column(name, (Part(walk.values.seen(value), name),)) for name in taken]
    return result


def _unnamed(walk: Binder, value: Column, width: int | None, table: str) -> list[Column]:
    """Return the columns of an array without given names: a struct's fields have their own.

    A plain element's is ``unnest``, or called as the source is.
    """
    rules = walk.rules
    name = (table if rules.unnest_takes_alias else "") or "unnest"
    fields = known_fields(value)
    if fields is not None:
        return [value.renamed(name)] if rules.unnest_keeps_structs else fields
    if width is None:
        unknown = Column("*", value.field("*").parts, hidden=rules.unnest_names_element)
        return [value.renamed(name), unknown] if unknown.hidden else [unknown]
    names = [name] if width == 1 and not rules.unnamed_by_place else [f"_col{n}" for n in range(width)]
    return [Column(name, (Part(walk.values.seen(value), value.text),), position=n) for n, name in enumerate(names)]


def _array(item: exp.Expr, scope: Scope) -> Any:
    """Return the array that UNNEST takes: in ``FROM events, UNNEST(events)`` the column: a row is not an array."""
    if not isinstance(item, exp.Column) or len(item.parts) > 1:
        return item
    source = next((named for level in scope.chain() if (named := level.by_alias.get(item.name.lower()))), None)
    if source is None or not source.relation.is_open or source.relation.get(item.name) is not None:
        return item
    return exp.Column(this=item.this.copy(), table=item.this.copy())
