"""Variables that a block declares, and what statements set them from."""

from __future__ import annotations

from typing import Any

from sqlglot import exp

from ingest.sql.binder.relations.flow import Column
from ingest.sql.parser.scripts.blocks import Declared, Fetched
from ingest.sql.statements.run import Outcome, Run


def declared_targets(run: Run, into: Any) -> tuple[str, ...] | None:
    """Return the variables of a SELECT's INTO where all its names are declared ones, None where it makes a table."""
    listed = into.expressions or [into.this]
    names = tuple(item.name for item in listed if isinstance(item, exp.Expr))
    known = names and all(name.lower() in run.walk.declared for name in names)
    return names if known and not (isinstance(into.this, exp.Table) and into.this.db) else None


def set_from(run: Run, names: tuple[str, ...], node: exp.Expr) -> Outcome:
    """Set variables from a query with an INTO."""
    query = node.copy()
    query.set("into", None)
    return fetch(run, Fetched(names, query=query))


def declare(run: Run, node: Declared) -> Outcome:
    """Make names variables."""
    for name in node.names:
        run.walk.declared.add(name.lower())
        run.walk.hold(name, Column(name, ()))
    return run.outcome("other")


def fetch(run: Run, node: Fetched) -> Outcome:
    """Set variables from a cursor's row or from a query's."""
    relation = run.walk.rows_named(node.cursor) if node.cursor else None
    if node.query is not None:
        relation = run.walk.query(node.query, None, top=True)
    if relation is None:
        detail = f"which rows the cursor {node.cursor} goes over is not known"
        run.walk.report("unknown-source", detail, subject=node.cursor)
        return run.outcome("other")
    columns = relation.visible()
    for place, name in enumerate(node.names):
        run.walk.declared.add(name.lower())
        column = columns[place] if len(columns) >= len(node.names) else Column(name, ())
        run.walk.hold(name, column.without_text(name), relation.effects)
        whole = len(columns) > 1 or any(each.is_open for each in columns)
        if len(node.names) == 1 and whole:  # one variable for the row
            run.walk.row_variables[name.lower()] = relation
    return run.outcome("other")
