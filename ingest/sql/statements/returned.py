"""What RETURNING names: columns of the rows that a statement changes, and of the tables beside its target."""

from __future__ import annotations

from collections.abc import Iterator

from sqlglot import exp

from ingest.sql.binder.names.scope import Scope
from ingest.sql.binder.relations.flow import IDENTITY
from ingest.sql.statements.run import Run


def returned_scope(run: Run, node: exp.Expr, table: exp.Table) -> Scope:
    """Return what a RETURNING list sees: the target ``table``, then what FROM or USING has beside it."""
    scope = Scope()
    run.walk.sources.bring(table, scope)
    for item in _beside(node):
        run.walk.sources.bring(item, scope)
    return scope


def changed_table(node: exp.Expr) -> exp.Table | None:
    """Return the target of an INSERT, UPDATE, DELETE or MERGE; None where it is no table."""
    table = node.this.this if isinstance(node.this, exp.Schema) else node.this
    return table if isinstance(table, exp.Table) else None


def check_returned(run: Run, node: exp.Expr) -> None:
    """Report names in the RETURNING of a statement that no table has; its rows go to the client and feed nothing.

    A name with a table in front may be of one of the engine's own, ``inserted.a`` or ``old.a``: it is not looked at.
    """
    returning = node.args.get("returning") if isinstance(node, exp.Insert | exp.Update | exp.Delete) else None
    table = changed_table(node) if returning is not None else None
    if returning is None or table is None:
        return
    scope = returned_scope(run, node, table)
    for name in returning.find_all(exp.Column):
        if not name.table and not isinstance(name.this, exp.Star) and name.find_ancestor(exp.Query) is None:
            run.walk.values.flow(name, scope, IDENTITY)


def _beside(node: exp.Expr) -> Iterator[exp.Expr]:
    """Yield what FROM of an UPDATE, or USING of a DELETE or MERGE, names."""
    source = node.args.get("from_")
    using = node.args.get("using")
    for item in (
        source.this if isinstance(source, exp.From) else None,
        *(using if isinstance(using, list) else [using]),
    ):
        if isinstance(item, exp.Expr):
            yield item
