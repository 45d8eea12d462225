"""Variables of rows: records, whose fields the columns of a row fill by position, and what is done with a whole one."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from sqlglot import exp

from ingest.sql.binder.relations.flow import Column
from ingest.sql.binder.relations.relations import Effects, Relation
from ingest.sql.parser.scripts.records import Typed
from ingest.sql.statements.inserts import Pairs, by_position
from ingest.sql.statements.run import Run


def declare(run: Run, names: Iterable[str], typed: Iterable[Typed]) -> None:
    """Note of which types variables are; what an earlier block said of one of these names is forgotten."""
    for name in names:
        run.walk.types.pop(name.lower(), None)
        run.walk.row_variables.pop(name.lower(), None)
    for each in typed:
        run.walk.types[f"type {each.name.lower()}" if each.is_type else each.name.lower()] = each


def filled(run: Run, name: str, row: Relation) -> Relation:
    """Return a row as the variable ``name`` holds it: with the names of its fields, where these are known."""
    fields = _fields(run, name)
    if not fields:
        return row
    columns = row.visible()
    if not any(column.is_open for column in columns) and len(columns) != len(fields):
        run.walk.report("column-count", f"{len(columns)} columns go to the {len(fields)} fields of {name}", name)
    return run.walk.sources.with_names(row, [exp.to_identifier(field) for field in fields])


def _fields(run: Run, name: str) -> tuple[str, ...]:
    """Return the fields of a variable, none where its type does not say them."""
    typed = run.walk.types.get(name.lower())
    seen: set[str] = set()
    while typed is not None and typed.of and typed.of.lower() not in seen:
        seen.add(typed.of.lower())
        typed = run.walk.types.get(f"type {typed.of.lower()}")
    if typed is None or not typed.like:
        return typed.fields if typed is not None else ()
    cursor = run.walk.rows_named(typed.like)
    if cursor is not None:
        return () if cursor.is_open else tuple(column.name for column in cursor.visible())
    table = exp.to_table(typed.like, dialect=run.walk.names.dialect)
    return run.walk.catalog.all_columns(run.walk.names.dataset(table)) or ()


def row_in(run: Run, value: Any) -> Relation | None:
    """Return the row that a name, or ``l(i)``, holds as a whole; None for any other value."""
    is_name = isinstance(value, exp.Column) and not value.table
    name = value.name if is_name or isinstance(value, exp.Anonymous | exp.Var) else ""
    return run.walk.rows_named(name) if name.lower() in run.walk.declared else None


def assigned_row(run: Run, item: exp.Expr) -> Relation | None:
    """Return the record of ``SET ROW = r``, None for any other assignment."""
    target = item.this if isinstance(item, exp.EQ) and run.walk.rules.values_take_records else None
    is_row = isinstance(target, exp.Column) and len(target.parts) == 1 and not target.this.args.get("quoted")
    row = row_in(run, item.expression) if is_row and target is not None and target.name.lower() == "row" else None
    if row is not None:
        run.walk.values.lookup.note(item.expression)
        run.walk.values.lookup.note(target)
    return row


def row_pairs(run: Run, dataset: str, row: Relation) -> Pairs:
    """Return what a whole record gives the columns of a table, in their order; nothing where these are not known."""
    names = run.walk.catalog.all_columns(dataset)
    if names is None:
        run.walk.report_unknown([dataset])
        return []
    run.walk.count_all(run.walk.dataset(dataset))
    return by_position(run.walk, dataset, row.visible(), list(names))


def set_field(run: Run, name: str, field: str, column: Column, effects: Effects) -> None:
    """Give one field of a record a value; the others stay as they are."""
    spelt = run.walk.names.spell(exp.to_identifier(field))
    unset = [Column(run.walk.names.spell(exp.to_identifier(each)), ()) for each in _fields(run, name)]
    row = run.walk.rows_named(name) or Relation(unset)
    kept = [each for each in row.columns if each.is_open or each.name.lower() != spelt.lower()]
    changed = Relation([*kept, column.renamed(spelt)], rows=row.rows)
    changed.effects.add(row.effects)
    changed.effects.add(effects)
    run.walk.row_variables[name.lower()] = changed


def assigned_field(run: Run, target: exp.Expr) -> tuple[str, str]:
    """Return the record and the field that ``r.a`` or ``l(i).a`` names on the left of ``:=``, "" for other targets."""
    if isinstance(target, exp.Column) and len(target.parts) == 2:
        owner, field = target.table, target.name
    elif isinstance(target, exp.Dot) and isinstance(target.this, exp.Anonymous):
        owner, field = target.this.name, target.expression.name
    else:
        return "", ""
    return (owner, field) if owner.lower() in run.walk.declared else ("", "")
