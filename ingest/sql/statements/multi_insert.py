"""One source, several targets: Hive's ``FROM … INSERT … SELECT … INSERT …`` and Snowflake's and Oracle's INSERT ALL."""

from __future__ import annotations

from typing import Any

from sqlglot import exp

from ingest.sql.binder.names.scope import Scope
from ingest.sql.binder.relations.flow import FILTER
from ingest.sql.binder.relations.relations import Relation
from ingest.sql.statements.changed.updated import value_at
from ingest.sql.statements.run import Outcome, Run


def multi_insert(run: Run, node: exp.Expr) -> Outcome:
    """Resolve the source once, then each insert's own SELECT over it."""
    holder = Scope()
    run.walk.with_clause(node, holder)
    base = Scope(parent=holder)
    run.walk.sources.bring(node.args["source"], base)
    whole = run.outcome("insert")
    earlier: list[exp.Expr] = []
    deciding: list[exp.Expr] = []
    for item in node.expressions:
        if isinstance(item, exp.ConditionalInsert):
            condition = item.expression
            if condition is not None or item.args.get("else_"):  # else a further INTO of the same branch
                is_last = condition is None or node.args.get("kind") == "FIRST"
                deciding = [*(earlier if is_last else ()), *([] if condition is None else [condition])]
                earlier += [] if condition is None else [condition]
            whole.add(_conditional(run, item.this, deciding, base))
        elif isinstance(item, exp.Insert) and item.expression is not None:
            relation = run.walk.query(item.expression, holder, top=True, base=base)
            whole.add(run.insert_rows(item, relation))
        else:
            run.walk.report("unsupported-statement", "INSERT without a table or without rows")
    return whole


def _conditional(run: Run, insert: Any, deciding: list[exp.Expr], base: Scope) -> Outcome:
    """``WHEN … THEN INTO t (…) VALUES (…)``: what is ``deciding`` filters; without VALUES all columns are taken.

    A row gets to ELSE, or on in INSERT FIRST, where none of the conditions before holds: these decide, too.
    """
    scope = base.copy()
    for condition in deciding:
        run.walk.values.collect(condition, scope, FILTER, scope.effects.predicates)
    rows: list[Any] = insert.expression.expressions if insert.expression is not None else []
    if len(rows) == 1 and isinstance(rows[0], exp.Tuple):
        columns = [value_at(run, cell, place, scope) for place, cell in enumerate(list(rows[0].expressions))]
    elif rows:
        columns = run.walk.sources.rows_of_values(insert.expression, scope).columns
    else:
        columns = run.walk.stars.expand(exp.Star(), scope)
    return run.insert_rows(insert, Relation(columns, scope.effects, scope.rows()))
