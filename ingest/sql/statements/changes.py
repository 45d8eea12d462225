"""UPDATE and DELETE, and what an upsert assigns: values, and conditions that decide about rows of the target."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from sqlglot import exp

from ingest.sql.binder.names.scope import Scope, Source
from ingest.sql.binder.query.groups import holds_aggregate
from ingest.sql.binder.query.misplaced import check_clause
from ingest.sql.binder.relations.flow import FILTER, JOIN, SORT, Column, add, picked
from ingest.sql.binder.relations.relations import Relation
from ingest.sql.statements import records
from ingest.sql.statements.changed import updated
from ingest.sql.statements.emit import Write
from ingest.sql.statements.inserts import Pairs, check_targets
from ingest.sql.statements.run import Outcome, Run


def update(run: Run, node: exp.Expr) -> Outcome:
    """UPDATE t SET … FROM …; the target may be an alias of a table in FROM, or one of several joined ones."""
    scope = Scope(before_groups=True)
    run.walk.with_clause(node, scope)
    _check_where(run, node)
    dataset = _open_target(run, node.this, scope, node.args.get("from_"))
    several = bool(node.this.args.get("joins"))
    pairs: dict[str, Pairs] = {}
    items = updated.assignments(run, node.expressions, scope, node.this)
    for item in items:
        if (row := records.assigned_row(run, item)) is not None:
            pairs.setdefault(dataset, []).extend(records.row_pairs(run, dataset, row))
            scope.effects.add(row.effects)
            continue
        for target, (name, column) in zip(updated.targets(item), updated.assigned(run, item, scope), strict=False):
            changed = updated.target_of(run, target, name, dataset, scope, node.this, several=several)
            if changed is not None:
                pairs.setdefault(changed[0], []).append((changed[1], column))
    updated.check_once(run, dataset, items)
    check_clause(run.walk, (item.expression for item in items if isinstance(item, exp.EQ)), scope, "SET")
    if not pairs and dataset:
        pairs[dataset] = []
    done = run.outcome("update")
    scope.effects.reads -= pairs.keys()
    for table, assigned in pairs.items():
        check_targets(run.walk, table, (name for name, _ in assigned))
        done.add(run.write("update", _finish(run, node, table, assigned, scope)))
    return done


def delete(run: Run, node: exp.Expr) -> Outcome:
    """DELETE FROM t USING … WHERE …"""
    scope = Scope(before_groups=True)
    run.walk.with_clause(node, scope)
    _check_where(run, node)
    tables = node.args.get("tables")
    if node.this is None and not tables:
        return run.outcome("delete")
    dataset = _open_target(run, tables[0] if tables else node.this, scope, node.this if tables else None)
    if not dataset:
        run.walk.report("not-understood", "which table's rows the DELETE removes is not known")
        return run.outcome("delete")
    using = node.args.get("using")
    for item in using if isinstance(using, list) else [using] if isinstance(using, exp.Expr) else []:
        run.walk.sources.bring(item, scope)
    done = run.write("delete", _finish(run, node, dataset, [], scope))
    for table in (tables or ())[1:]:  # MySQL's DELETE a, b FROM …
        other = _among(run, table, node.this, scope) or run.walk.names.dataset(table)
        done.add(run.write("delete", Write(other, [], scope.effects)))
    return done


def _check_where(run: Run, node: exp.Expr) -> None:
    """Report a change of all rows where the engine needs a condition; a part of a template may hold it."""
    if run.walk.rules.accepted.changes_without_where or run.walk.lacks_parts:
        return
    if node.args.get("where") is None:
        run.walk.report("syntax", f"the engine takes no {node.key.upper()} without WHERE")


def _finish(run: Run, node: exp.Expr, dataset: str, pairs: Pairs, scope: Scope) -> Write:
    if node.args.get("where") is not None:
        run.walk.values.collect(node.args["where"].this, scope, FILTER, scope.effects.predicates)
        check_clause(run.walk, [node.args["where"].this], scope, "WHERE")
    order = node.args.get("order")
    for item in order.expressions if order is not None else ():  # MySQL's, which decides where there is a limit
        flow = run.walk.values.flow(item, scope, SORT)
        if node.args.get("limit") is not None:
            add(scope.effects.predicates, flow)
    scope.effects.reads.discard(dataset)
    return Write(dataset, pairs, scope.effects)


def _open_target(run: Run, table: Any, scope: Scope, source: Any) -> str:
    """Bring FROM and the target into sight; return the dataset that is changed."""
    origin = source.this if isinstance(source, exp.From) else source
    for item in origin if isinstance(origin, list) else [origin] if isinstance(origin, exp.Expr) else []:
        run.walk.sources.bring(item, scope)
    if not isinstance(table, exp.Table):
        return run.walk.names.dataset_of_parts([table.name])
    there = _among(run, table, source, scope)
    if there:
        return there
    named = scope.cte(table.name) if not (table.db or run.walk.rules.changes_tables_only) else None
    relation = run.walk.sources.cte(named) if named is not None else None
    if relation is not None and relation.rows:  # T-SQL changes the table that a named query reads, or one of those
        scope.add_source(Source(table.alias or table.name, (), relation))
        return next(iter(relation.rows)) if len(relation.rows) == 1 else ""
    dataset = run.walk.names.dataset(table)
    updated.bring_target(run, table, dataset, scope)
    for join in table.args.get("joins") or ():
        run.walk.joins.join(join, scope)
    return dataset


def _among(run: Run, table: exp.Expr, source: Any, scope: Scope) -> str:
    """Return the dataset of a target that is named as a source is, "" for none: a temporary table, or a stored one."""
    name = table.name.lower()
    alone = not table.args.get("db") and not table.args.get("alias")
    same = scope.by_alias.get(name) if alone else None
    if same is None:
        return ""
    named = next((t for t in _tables(source) if t.alias_or_name.lower() == name and t.name), None)
    dataset = run.walk.names.dataset(named) if named is not None else ""
    if dataset and run.catalog.holds_content(dataset):
        return dataset
    return next(iter(same.relation.rows)) if len(same.relation.rows) == 1 else ""


def _tables(source: Any) -> Iterator[exp.Table]:
    for item in source if isinstance(source, list) else [source] if isinstance(source, exp.Expr) else []:
        yield from item.find_all(exp.Table)


def filter_target(run: Run, node: exp.Expr, table: exp.Expr, dataset: str, relation: Relation) -> None:
    """Add the target's columns that an INSERT's own condition names to what decides about its rows."""
    scope = Scope()
    updated.bring_target(run, table, dataset, scope)
    scope.effects.reads.discard(dataset)
    run.walk.values.collect(node.args["where"], scope, FILTER, scope.effects.predicates)
    relation.effects.add(scope.effects)


def match_target(run: Run, node: exp.Expr, dataset: str, pairs: Pairs, relation: Relation) -> None:
    """Add the columns by which an INSERT finds the rows that it replaces: the target's, and what fills them."""
    known = {name.lower(): name for name in run.catalog.columns(dataset) or ()}
    filled = {name.lower(): column for name, column in pairs if not column.is_open}
    for item in node.args["using"]:
        name = run.walk.names.spell(item)
        source = filled.get(name.lower()) or picked((column for _, column in pairs), name)
        add(relation.effects.predicates, run.walk.base_column(dataset, known.get(name.lower(), name)).flow(), JOIN)
        if source is None:
            detail = f"nothing fills {name}, by which rows of {dataset} are replaced"
            run.walk.report("unknown-column", detail, subject=name)
        else:
            add(relation.effects.predicates, source.flow(), JOIN)


def conflict_pairs(run: Run, node: exp.Expr, dataset: str, pairs: Pairs, relation: Relation) -> Pairs:
    """Return what ON CONFLICT DO UPDATE and ON DUPLICATE KEY UPDATE assign; ``excluded`` is the row not inserted.

    A name alone is the target's; Postgres takes it for that of either row, and rejects it. MySQL's may be one of the
    sources of the query that gives the rows, ``relation``, too. What its WHERE and its subqueries
    read goes to the effects of that query.
    """
    scope = Scope()
    table = node.this.this if isinstance(node.this, exp.Schema) else node.this
    updated.bring_target(run, table, dataset, scope)
    scope.effects.reads.discard(dataset)
    excluded = Source("excluded", (), Relation([Column(name, column.parts) for name, column in pairs]))
    row = _called_row(node, pairs)
    if run.walk.rules.conflict_row_in_sight:
        scope.add_source(excluded)
    elif row is not None and node.expression.args["alias"].columns:
        scope.add_source(row)
    for source in (row or excluded, excluded, *relation.inside.values()):
        scope.by_alias.setdefault(source.alias.lower(), source)
    if run.walk.rules.conflict_sources_in_sight and _is_plain(node.expression):
        scope.sources.extend(relation.inside.values())
    conflict = node.args["conflict"]
    for call in list(conflict.find_all(exp.Anonymous)):
        if call.name.upper() == "VALUES" and len(call.expressions) == 1:  # MySQL's word for it
            call.replace(exp.column(call.expressions[0].name, table="excluded"))
    updated.check_once(run, dataset, conflict.expressions)
    assigned = [pair for item in conflict.expressions for pair in updated.assigned(run, item, scope)]
    keys = [key.this if isinstance(key, exp.Ordered) else key for key in conflict.args.get("conflict_keys") or ()]
    partial = conflict.args.get("index_predicate")  # ``(id) WHERE …`` names an index over some of the rows
    keys = [*keys, *(partial.find_all(exp.Column) if partial is not None else ())]
    unique = [updated.target_name(run, key, scope) for key in keys if isinstance(key, exp.Column | exp.Identifier)]
    check_targets(run.walk, dataset, (*unique, *(name for name, _ in assigned)))
    if conflict.args.get("where") is not None:
        run.walk.values.collect(conflict.args["where"].this, scope, FILTER, scope.effects.predicates)
    relation.effects.add(scope.effects)
    return assigned


def _is_plain(query: exp.Expr) -> bool:
    """Whether a query groups nothing: of one that groups, MySQL no longer has the sources in sight."""
    if not isinstance(query, exp.Select) or query.args.get("group") is not None:
        return False
    return not any(holds_aggregate(item) for item in query.expressions)


def _called_row(node: exp.Expr, pairs: Pairs) -> Source | None:
    """``VALUES (…) AS new(p, q)``: MySQL's names for the row that is not inserted."""
    alias = node.expression.args.get("alias") if isinstance(node.expression, exp.Values) else None
    if alias is None:
        return None
    names = [name.name for name in alias.columns] or [name for name, _ in pairs]
    columns = [Column(name, column.parts) for name, (_, column) in zip(names, pairs, strict=False)]
    return Source(alias.name, (), Relation(columns))
