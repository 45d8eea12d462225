"""What the assignments of an UPDATE write, and which table each changes: of several joined ones, or of a query."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from sqlglot import exp

from ingest.sql.binder.names.lookup import path_parts
from ingest.sql.binder.names.resolving import find_source
from ingest.sql.binder.names.scope import Scope, Source
from ingest.sql.binder.relations.flow import IDENTITY, Column
from ingest.sql.parser.after.assignments import COMPOUND
from ingest.sql.statements.inserts import Pairs
from ingest.sql.statements.run import Run
from lineage_tt.model.edges import column_of, dataset_of
from lineage_tt.model.names import and_more, repeated


def targets(item: exp.Expr) -> list[Any]:
    """Return what one assignment of SET assigns to, each column by itself."""
    if not isinstance(item, exp.EQ | exp.PropertyEQ):
        return []
    return list(item.this.expressions) if isinstance(item.this, exp.Tuple) else [item.this]


def assignments(run: Run, items: Iterable[exp.Expr], scope: Scope, table: exp.Expr) -> list[exp.Expr]:
    """Return what a SET does to columns of ``table``, each an assignment of its own; its tree is made plainer.

    T-SQL's ``@v = x`` only sets a variable, which holds the value from here on; ``@v = a = x`` sets a column as well.
    A method called on a column, ``a.WRITE(x, 0, 1)``, gives the column a value made of itself and of the arguments.
    """
    changes: list[exp.Expr] = []
    for item in list(items):
        change = item
        if isinstance(item, exp.EQ) and isinstance(item.this, exp.Parameter):
            inner = item.expression if isinstance(item.expression, exp.EQ) else None
            name, value = item.this.name, item.expression if inner is None else inner.expression
            _own(value, scope, table)
            run.walk.hold(name, run.walk.values.column(value, scope, name).without_text(name), scope.effects)
            if inner is None:
                continue
            change = item.replace(inner)
        elif isinstance(item, exp.EQ):
            _own(item.expression, scope, table)
        changes.append(_called(change, scope, table))
    return changes


def _own(value: Any, scope: Scope, table: exp.Expr) -> None:
    """Say of ``a`` in ``a = a + (b)``, if ``a += b`` was written, that it is the changed table's."""
    if isinstance(value, exp.Binary) and COMPOUND in (value.comments or ()):
        _qualify(value.this, scope, table)


def _qualify(column: Any, scope: Scope, table: exp.Expr) -> None:
    name = table.alias_or_name
    if isinstance(column, exp.Column) and not column.table and name.lower() in scope.by_alias:
        column.set("table", exp.to_identifier(name))


def _called(item: exp.Expr, scope: Scope, table: exp.Expr) -> exp.Expr:
    """Return ``a.WRITE(x, 0, 1)`` as ``a = WRITE(a, x, 0, 1)``, any other assignment as it is."""
    call = item.expression if isinstance(item, exp.Dot) else None
    parts = path_parts(item.this) if isinstance(call, exp.Anonymous) else None
    if call is None or parts is None:
        return item
    column = exp.Column(**dict(zip(("this", "table", "db", "catalog"), reversed(parts), strict=False)))
    _qualify(column, scope, table)
    return exp.EQ(this=column, expression=exp.Anonymous(this=call.name, expressions=[column.copy(), *call.expressions]))


def check_once(run: Run, dataset: str, items: Iterable[exp.Expr]) -> None:
    """Report a column that assignments set twice; elements of one array may be set apart."""
    if run.walk.rules.update_may_repeat_names:
        return
    assigned = (target for item in items for target in targets(item) if isinstance(target, exp.Column))
    if twice := repeated(".".join(_qualified(run, target)) for target in assigned):
        run.walk.report("repeated-column", f"{and_more(twice)} of {dataset} is set twice", subject=dataset)


def target_of(
    run: Run, node: Any, name: str, opened: str, scope: Scope, table: Any, *, several: bool
) -> tuple[str, str] | None:
    """Return the dataset and the column that an assignment changes, None, with a reason, where it is not known.

    ``table`` is what the UPDATE names and ``opened`` its dataset, "" where that is a query over several; ``several``
    says that it names joined tables, any of which may be changed.
    """
    qualified = _qualified(run, node)
    source = find_source(scope, qualified)[0] if len(qualified) > 1 else None
    if several:
        source = source or _only_owner(name, opened, scope)
        rows = source.relation.rows if source is not None and source.parts else ()
        return (next(iter(rows)), name) if len(rows) == 1 else (opened, name)
    derived = source if source is not None else _named_source(table, scope)
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


def _named_source(table: Any, scope: Scope) -> Source | None:
    """Return the source that the name after UPDATE is: a name alone in SET is its column, whatever FROM has beside."""
    named = scope.by_alias.get(table.alias_or_name.lower()) if table.alias or not table.args.get("db") else None
    return named if named is not None else scope.sources[-1] if scope.sources else None


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


def bring_target(run: Run, table: Any, dataset: str, scope: Scope) -> None:
    """Bring the target into sight: its columns may feed its columns."""
    source = Source(table.alias or table.name, run.walk.names.in_front(table), run.walk.dataset(dataset))
    scope.add_source(source)


def assigned(run: Run, item: exp.Expr, scope: Scope) -> Pairs:
    """Return what one assignment of SET writes: ``a = x`` or ``(a, b) = (SELECT x, y …)``."""
    if not isinstance(item, exp.EQ | exp.PropertyEQ):
        return []
    if isinstance(item.this, exp.Tuple):
        names = [target_name(run, target, scope) for target in item.this.expressions]
        if isinstance(item.expression, exp.Query):
            columns = run.walk.values.subquery(item.expression, scope).visible()
            if len(columns) != len(names) and not any(column.is_open for column in columns):
                run.walk.report("column-count", f"{len(columns)} columns are assigned to {len(names)}", names[0])
        else:
            cells = item.expression.expressions or [item.expression]
            columns = [run.walk.values.column(value_of(run, cell), scope, "") for cell in cells]
        return list(zip(names, columns, strict=False))
    name = target_name(run, item.this, scope)
    return [(name, run.walk.values.column(value_of(run, item.expression), scope, name))]


def value_of(run: Run, cell: exp.Expr) -> exp.Expr:
    """Return what is assigned; the word DEFAULT is made a constant in the tree, for it names no column."""
    is_word = isinstance(cell, exp.Column) and not cell.table and not cell.this.args.get("quoted")
    if is_word and cell.name.upper() == "DEFAULT" and not run.walk.rules.default_is_a_name:
        return cell.replace(exp.var(cell.name))
    return cell


def value_at(run: Run, cell: exp.Expr, place: int, scope: Scope) -> Column:
    """Return one of VALUES: it has no name of its own, and is called as the column that it is, or by its place."""
    parts = path_parts(cell)
    name = run.walk.names.spell(parts[-1]) if parts else run.walk.names.of_values(place)
    return run.walk.values.column(value_of(run, cell), scope, name, place)


def target_name(run: Run, node: exp.Expr, scope: Scope) -> str:
    """Return the column, or field path, that an assignment names, without the target's alias and places in arrays."""
    while isinstance(node, exp.Bracket):
        node = node.this
    parts = (
        [run.walk.names.spell(part) for part in node.parts]
        if isinstance(node, exp.Column | exp.Dot)
        else [run.walk.names.spell(node)]
    )
    located = find_source(scope, parts) if len(parts) > 1 else (None, parts)
    if located[0] is not None and located[1]:
        parts = located[1]
    return ".".join(parts)
