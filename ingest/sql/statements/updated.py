"""Which table an assignment of an UPDATE changes: of several joined ones, or of the query that is updated."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from sqlglot import exp

from ingest.sql.binder.names.resolving import find_source
from ingest.sql.binder.names.scope import Scope, Source
from ingest.sql.binder.relations.flow import IDENTITY
from ingest.sql.statements.run import Run
from lineage_tt.model.edges import column_of, dataset_of
from lineage_tt.model.names import and_more, repeated


def targets(item: exp.Expr) -> list[Any]:
    """Return what one assignment of SET assigns to, each column by itself."""
    if not isinstance(item, exp.EQ | exp.PropertyEQ):
        return []
    return list(item.this.expressions) if isinstance(item.this, exp.Tuple) else [item.this]


def check_once(run: Run, dataset: str, items: Iterable[exp.Expr]) -> None:
    """Report a column that assignments set twice; elements of one array may be set apart."""
    if run.walk.rules.update_may_repeat_names:
        return
    assigned = (target for item in items for target in targets(item) if isinstance(target, exp.Column))
    if twice := repeated(".".join(_qualified(run, target)) for target in assigned):
        run.walk.report("repeated-column", f"{and_more(twice)} of {dataset} is set twice", subject=dataset)


def target_of(run: Run, node: Any, name: str, opened: str, scope: Scope, *, several: bool) -> tuple[str, str] | None:
    """Return the dataset and the column that an assignment changes, None, with a reason, where it is not known.

    ``opened`` is the dataset that the UPDATE names, "" where that is a query over several; ``several`` says that it
    names joined tables, any of which may be changed.
    """
    qualified = _qualified(run, node)
    source = find_source(scope, qualified)[0] if len(qualified) > 1 else None
    if several:
        source = source or _only_owner(name, opened, scope)
        rows = source.relation.rows if source is not None and source.parts else ()
        return (next(iter(rows)), name) if len(rows) == 1 else (opened, name)
    derived = source if source is not None else scope.sources[-1] if scope.sources else None
    if derived is None or derived.parts:  # a stored table
        return opened, name
    column = derived.relation.get(name)
    origins = [end for end, kinds in column.flow().items() if kinds & IDENTITY] if column is not None else []
    if len(origins) == 1 and column_of(origins[0]) and dataset_of(origins[0]) in derived.relation.rows:
        return dataset_of(origins[0]), column_of(origins[0]) or name
    if opened:
        return opened, name
    run.walk.report("not-understood", f"which table's column {name} is, that the UPDATE sets, is not known", name)
    return None


def _qualified(run: Run, node: Any) -> list[str]:
    """Return the parts of the name that an assignment begins with, a table's in front of its column's."""
    while isinstance(node, exp.Bracket | exp.Dot):
        node = node.this
    return [run.walk.names.spell(part) for part in node.parts] if isinstance(node, exp.Column) else []


def _only_owner(name: str, opened: str, scope: Scope) -> Source | None:
    """Return the one joined table known to have a column that the first is known not to have."""
    first = next((source for source in scope.sources if opened in source.relation.rows), None)
    if first is None or first.relation.is_open or first.relation.get(name) is not None:
        return None
    having = [source for source in scope.sources if source.relation.get(name) is not None]
    return having[0] if len(having) == 1 else None
