"""What RETURNING names: columns of the rows that a statement changes, and of the tables beside its target."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from sqlglot import exp

from ingest.sql.binder.names.resolving import find_source
from ingest.sql.binder.names.scope import Scope
from ingest.sql.binder.relations.flow import IDENTITY
from ingest.sql.statements.changed import updated
from ingest.sql.statements.run import Run

#: What the rows before and after a change are called.
_OWN_ROWS: Final = frozenset(["inserted", "deleted", "old", "new", "excluded"])


def returned_scope(run: Run, node: exp.Expr, table: exp.Table) -> Scope:
    """Return what a RETURNING list sees: the target ``table``, then what FROM or USING has beside it."""
    scope = run.walk.beside_change(node)
    updated.bring_target(run, table, run.walk.names.dataset(table), scope)  # never a query in WITH of its name
    for join in table.args.get("joins") or ():
        run.walk.joins.join(join, scope)
    for item in _beside(node) if run.walk.rules.returning_sees_sources else ():
        run.walk.sources.bring(item, scope)
    return scope


def changed_table(node: exp.Expr) -> exp.Table | None:
    """Return the target of an INSERT, UPDATE, DELETE or MERGE; None where it is no table."""
    table = node.this.this if isinstance(node.this, exp.Schema) else node.this
    return table if isinstance(table, exp.Table) else None


def check_returned(run: Run, node: exp.Expr) -> None:
    """Report names in RETURNING that no table has; the rows go to the client and feed nothing.

    Names of the engine's own rows, ``inserted.a`` or ``old.a``, are not looked at.
    """
    returning = node.args.get("returning") if isinstance(node, exp.Insert | exp.Update | exp.Delete) else None
    table = changed_table(node) if returning is not None else None
    if returning is None or table is None:
        return
    scope = returned_scope(run, node, table)
    for name in returning.find_all(exp.Column):
        if name.table.lower() in _OWN_ROWS or isinstance(name.this, exp.Star) or name.find_ancestor(exp.Query):
            continue
        if not name.table or find_source(scope, run.walk.names.spell_path(name.parts))[0] is not None:
            run.walk.values.flow(name, scope, IDENTITY)
        else:
            run.walk.report("unknown-column", f"RETURNING sees no table {name.table}", subject=name.table)


def _beside(node: exp.Expr) -> Iterator[exp.Expr]:
    """Yield what FROM of an UPDATE, or USING of a DELETE or MERGE, names."""
    source, using = node.args.get("from_"), node.args.get("using")
    items = [source.this] if isinstance(source, exp.From) else []
    items += using if isinstance(using, list) else [using]
    yield from (item for item in items if isinstance(item, exp.Expr))
