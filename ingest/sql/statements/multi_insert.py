"""One source, several targets: Hive's ``FROM … INSERT … SELECT … INSERT …`` and Snowflake's and Oracle's INSERT ALL."""

from __future__ import annotations

from typing import Any

from sqlglot import exp

from ingest.sql.binder.names.scope import Scope
from ingest.sql.binder.relations.flow import FILTER
from ingest.sql.binder.relations.relations import Relation
from ingest.sql.statements.run import Outcome, Run


def multi_insert(run: Run, node: exp.Expr) -> Outcome:
    """Resolve the source once, then each insert's own SELECT over it."""
    holder = Scope()
    run.walk.with_clause(node, holder)
    base = Scope(parent=holder)
    run.walk.sources.bring(node.args["source"], base)
    whole = run.outcome("insert")
    conditions: list[Any] = []
    for item in node.expressions:
        if isinstance(item, exp.ConditionalInsert):
            is_last = item.args.get("else_") or node.args.get("kind") == "FIRST"
            whole.add(_conditional(run, item, conditions if is_last else [], base))
            if item.expression is not None:
                conditions.append(item.expression)
        elif isinstance(item, exp.Insert) and item.expression is not None:
            relation = run.walk.query(item.expression, holder, top=True, base=base)
            whole.add(run.insert_rows(item, relation))
        else:
            run.walk.report("unsupported-statement", "INSERT without a table or without rows")
    return whole


def _conditional(run: Run, node: exp.Expr, before: list[exp.Expr], base: Scope) -> Outcome:
    """``WHEN … THEN INTO t (…) VALUES (…)``: the condition filters; without VALUES the source's columns are taken.

    So do the conditions ``before`` it: a row gets to ELSE, or on in INSERT FIRST, where none of them holds.
    """
    scope = base.copy()
    for condition in (*before, node.expression):
        if condition is not None:
            run.walk.values.collect(condition, scope, FILTER, scope.effects.predicates)
    insert = node.this
    if insert.expression is not None:
        rows = run.walk.sources.rows_of_values(insert.expression, scope)
        relation = Relation(rows.columns, scope.effects, scope.rows())
    else:
        relation = Relation(run.walk.stars.expand(exp.Star(), scope), scope.effects, scope.rows())
    return run.insert_rows(insert, relation)
