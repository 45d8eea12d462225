"""Statements over closed sources: a table that keeps all rows of another is replaced by it, again and again.

So ``a + b`` over a copy is the same as over the original. A table whose statement changes the rows (a filter, a join, a
grouping) remains a source.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Any

from lineage_tt.governance.upkeep.redundancy.statements import COLUMN, Expression, Rows, Statement, columns_in, moved


def closed(statements: Iterable[Statement], writers: Mapping[str, int]) -> dict[str, Statement]:
    """Return each dataset's statement over closed sources.

    ``writers`` counts the tasks in force that write a dataset: a dataset with several writers has no single statement.
    """
    by_dataset: dict[str, list[Statement]] = defaultdict(list)
    for statement in statements:
        by_dataset[statement.dataset].append(statement)
    alone = {
        dataset: listed[0]
        for dataset, listed in by_dataset.items()
        if len(listed) == 1 and writers.get(dataset, 1) == 1 and dataset not in listed[0].rows.tables
    }
    copies = {name: each for name, each in alone.items() if each.rows.keeps_all and not each.aggregates}
    done: dict[str, Statement] = {}
    for dataset, statement in alone.items():
        done[dataset] = _closed(statement, copies)
    return done


def _closed(statement: Statement, copies: Mapping[str, Statement]) -> Statement:
    seen = {statement.dataset}
    while True:
        place = next((i for i, name in enumerate(statement.rows.tables) if _fits(statement, i, name, copies, seen)), -1)
        if place < 0:
            return statement
        seen.add(statement.rows.tables[place])
        statement = _replaced(statement, place, copies[statement.rows.tables[place]])


def _fits(statement: Statement, place: int, name: str, copies: Mapping[str, Statement], seen: set[str]) -> bool:
    """Return whether the table at a place can be replaced: it is a copy, and has all columns that decide about rows."""
    copy = copies.get(name)
    if copy is None or name in seen:
        return False
    if copy.dialect != statement.dialect and any(each[0] != COLUMN for each in copy.columns.values()):
        return False
    needed = {name for at, name in columns_in(_all_of(statement.rows)) if at == place}
    return needed <= copy.columns.keys()


def _all_of(rows: Rows) -> tuple[Any, ...]:
    conditions = [tuple(condition) for _, condition in rows.joins]
    return (*rows.where, *(rows.group or ()), *rows.having, *conditions)


def _replaced(statement: Statement, place: int, copy: Statement) -> Statement:
    """Return a statement that reads the original in place of a copy."""

    def change(at: int, name: str) -> Any:
        if at != place:
            return (COLUMN, at, name)
        return moved(copy.columns[name], lambda _, inner: (COLUMN, place, inner))

    def all_changed(conditions: frozenset[Expression]) -> frozenset[Expression]:
        return frozenset(moved(each, change) for each in conditions)

    rows = statement.rows
    tables = (*rows.tables[:place], copy.rows.tables[0], *rows.tables[place + 1 :])
    columns = {
        name: moved(expression, change)
        for name, expression in statement.columns.items()
        if all(at != place or inner in copy.columns for at, inner in columns_in(expression))
    }
    changed = Rows(
        tables, tuple((kind, all_changed(on)) for kind, on in rows.joins), all_changed(rows.where),
        None if rows.group is None else all_changed(rows.group), all_changed(rows.having), rows.distinct,
    )  # fmt: skip
    return statement._replace(rows=changed, columns=columns)
