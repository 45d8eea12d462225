"""MATCH_RECOGNIZE: a match becomes one row, or its rows keep their columns, with the measures beside them."""

from __future__ import annotations

from sqlglot import exp

from ingest.sql.binder.names.ports import Binder
from ingest.sql.binder.names.scope import Scope, Source
from ingest.sql.binder.relations.flow import FILTER, GROUP_BY, SORT, add
from ingest.sql.binder.relations.relations import Relation


def matched(walk: Binder, node: exp.Expr, source: Source, outer: Scope) -> Source:
    """Return the source that a MATCH_RECOGNIZE makes of another; pattern variables refer to its rows."""
    scope = Scope(parent=outer.parent, ctes=outer.ctes)
    scope.add_source(source)
    measures = [measure.this for measure in node.args.get("measures") or ()]
    conditions = list(node.args.get("define") or ())
    for item in (*measures, *conditions):
        for column in item.find_all(exp.Column):
            if column.table:
                scope.by_alias.setdefault(column.table.lower(), source)
    for condition in conditions:
        walk.values.collect(condition.this, scope, FILTER, scope.effects.predicates)
    if node.args.get("order") is not None:
        walk.values.collect(node.args["order"], scope, SORT, scope.effects.predicates)
    partition = [
        column for item in node.args.get("partition_by") or () for column in walk.items.columns_of(item, scope)
    ]
    for column in partition:
        add(scope.effects.predicates, column.flow(), GROUP_BY)
    computed = [walk.values.column(item.this, scope, walk.names.spell(item.args["alias"])) for item in measures]
    rows = node.args.get("rows")
    every_row = rows is not None and rows.name.upper().startswith("ALL")
    if every_row:
        walk.count_all(source.relation)
    carried = source.relation.visible() if every_row else partition
    alias = node.args.get("alias")
    name = alias.name if alias is not None else ""
    return Source(name, (), Relation(carried + computed, scope.effects, source.relation.rows))
