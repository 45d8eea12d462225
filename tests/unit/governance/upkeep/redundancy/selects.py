"""Statements over one table or two, as values."""

from __future__ import annotations

from typing import Any

from lineage_tt.governance.upkeep.redundancy.statements import COLUMN, Expression, Rows, Statement, normal_form


def col(name: str, table: int = 0) -> Expression:
    """A column of a table of the statement."""
    return (COLUMN, table, name)


def over(name: str, number: int) -> Expression:
    """A condition: a column of the first table is greater than a number."""
    return normal_form("GT", [col(name), ("number", str(number))])


def select(dataset: str, source: str, columns: dict[str, Expression], dialect: str = "spark", **rows: Any) -> Statement:
    """A statement that makes a dataset of one source."""
    return Statement(f"make {dataset}", dataset, Rows((source,), **rows), columns, dialect=dialect)


def copy(dataset: str, source: str, *names: str) -> Statement:
    """A statement that copies columns of one source."""
    return select(dataset, source, {name: col(name) for name in names})
