"""Temporary tables: each is replaced, wherever it is read, by what was written to it, and is not in the result."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from sqlglot import exp

from ingest.sql.binder.names.ports import Binder
from ingest.sql.binder.names.scope import Scope, Source
from ingest.sql.binder.relations.catalog import Catalog, TableState
from ingest.sql.binder.relations.flow import TRANSFORMATION, Column, Part, picked
from ingest.sql.binder.relations.overlay import laid_by_name, laid_over
from ingest.sql.binder.relations.relations import Effects, Relation
from ingest.sql.statements.emit import Write


def fill(walk: Binder, write: Write, *, afresh: bool, loads: bool = False) -> None:
    """Make a write part of a temporary table's content, or all of it; files that it ``loads`` fill all columns."""
    catalog = walk.catalog
    columns = [
        Column(name, column.parts, excluded=column.excluded, fields=column.fields) for name, column in write.columns
    ]
    state = catalog.state(write.dataset) or TableState(None)
    before = state.content
    if loads and not columns and before is not None:
        flow = dict.fromkeys(write.effects.reads, TRANSFORMATION)
        columns = [Column(column.name, (Part(flow, column.name),)) for column in before.columns]
    effects = Effects()
    effects.add(write.effects)
    if before is not None and not afresh:
        effects.add(before.effects)
        columns = laid_by_name(before.columns, _once_each(columns))
    rows = frozenset(write.effects.reads) | (before.rows if before is not None else frozenset())
    state.content = Relation(columns, effects, rows)
    formulas = state.formulas
    if formulas:
        state.with_computed = lambda: Relation(_computed(walk, formulas, columns), effects, rows)
    catalog.declare(write.dataset, state)


def _once_each(columns: list[Column]) -> list[Column]:
    """Return the columns that a statement writes, one that several of its branches write laid over itself."""
    by_name: dict[str, list[Column]] = {}
    for column in columns:
        by_name.setdefault(column.name.lower(), []).append(column)
    return [each[0] if len(each) == 1 else laid_over(each) for each in by_name.values()]


def alter(catalog: Catalog, dataset: str, moved: Mapping[str, str], names: Sequence[str] | None) -> None:
    """Give columns of a temporary table the names that ``moved`` has for them.

    The table has the columns ``names`` afterwards, new ones empty; those that it had where these are not known.
    """
    state, content = catalog.state(dataset), catalog.content(dataset)
    if state is None or content is None:
        return
    columns = [column.renamed(moved[column.name]) if column.name in moved else column for column in content.columns]
    if names is not None:
        known = {column.name.lower(): column for column in reversed(columns)}
        columns = [known.get(name.lower()) or Column(name, ()) for name in names]
    else:
        found = {new: picked(columns, old) for old, new in moved.items() if content.get(old) is None}
        others = [each.without(moved) if each.is_open else each for each in columns]
        columns = [*(each.renamed(new) for new, each in found.items() if each is not None), *others]
    state.content = Relation(columns, content.effects, content.rows)


def _computed(walk: Binder, formulas: Mapping[str, exp.Expr], columns: list[Column]) -> list[Column]:
    """Return a table's columns with the computed ones made of the others as they are now."""
    scope = Scope()
    scope.add_source(Source("", (), Relation([column for column in columns if column.name not in formulas])))
    computed = [walk.values.column(formula, scope, name) for name, formula in formulas.items()]
    return laid_by_name(columns, [column.without_text(column.name) for column in computed])


def make_empty(catalog: Catalog, dataset: str, columns: tuple[str, ...]) -> None:
    """Make a temporary table that nothing was written to yet."""
    state = catalog.state(dataset) or TableState(columns)
    state.content, state.with_computed = Relation([Column(name, ()) for name in columns]), None
    catalog.declare(dataset, state)


def ends_with_session(properties: Iterable[exp.Expr]) -> bool:
    """Whether the properties of a CREATE say that what it makes does not outlive the session, or the script."""
    kinds = exp.TemporaryProperty | exp.VolatileProperty | exp.StabilityProperty  # MULTISET VOLATILE is the last one
    return any(isinstance(item, kinds) for item in properties)


def is_temporary_name(table: Any) -> bool:
    """Whether a table's name alone says that it does not outlive the session: ``#t``, ``@t``, ``_SESSION.t``.

    The parser has a schema, as in ``CREATE SCHEMA s``, as a table without a name: that is none.
    """
    name = table.this
    if not isinstance(name, exp.Expr):
        return False
    if isinstance(name, exp.Parameter):
        return True
    return bool(name.args.get("temporary")) or table.name.startswith("#") or table.db.lower() == "_session"
