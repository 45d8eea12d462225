"""Expressions of which some parts decide and others are the value: CASE, IF and their equivalents."""

from __future__ import annotations

import re
from typing import Final

from sqlglot import exp

from ingest.sql.binder.expressions import aggregates
from ingest.sql.binder.names.ports import Expressions
from ingest.sql.binder.names.scope import Scope
from ingest.sql.binder.relations.flow import AGGREGATION, CONDITIONAL, TRANSFORMATION, Flow, add, through
from ingest.sql.binder.relations.relations import Relation
from ingest.sql.words import words

CONDITIONAL_NAMES: Final = words("if iff iif multiif assert_true")
#: ClickHouse's suffixes of aggregates with which the arguments mean what they mean without.
_KEEPING_ARGUMENTS: Final = re.compile(r"(?:state|simplestate|ordefault|ornull)+\Z")


def case(values: Expressions, node: exp.Expr, scope: Scope, by: int, out: Flow) -> None:
    """``CASE``: the conditions decide, the branches are its value."""
    by = through(TRANSFORMATION, by)
    if node.this is not None:
        values.collect(node.this, scope, through(CONDITIONAL, by), out)
        for branch in node.args.get("ifs") or ():
            values.collect(branch.this, scope, through(CONDITIONAL, by), out)
            values.collect(branch.args["true"], scope, by, out)
    else:
        for branch in node.args.get("ifs") or ():
            either(values, branch, scope, by, out)
    if node.args.get("default") is not None:
        values.collect(node.args["default"], scope, by, out)


def exists(values: Expressions, node: exp.Expr, scope: Scope, by: int, out: Flow) -> None:
    """``EXISTS (query)``: what filters the query decides about rows, and its select list feeds nothing.

    That of EXCEPT and INTERSECT is compared, as in ``EXISTS (SELECT a.x EXCEPT SELECT b.x)``: both sides are a value.
    """
    by = through(TRANSFORMATION, by)
    if not isinstance(node.this, exp.Query):
        values.below(node, scope, by, out)
        return
    relation = values.subquery(node.this, scope, decides=False)
    for side in relation.compared or (relation,):
        scope.effects.add(side.effects)
    add(out, _elements(relation, decides=by > AGGREGATION), by)
    for column in (column for side in relation.compared for column in side.visible()):
        add(out, column.flow(), by)


def _elements(relation: Relation, *, decides: bool) -> Flow:
    """Return the arrays of which an element is enough for EXISTS.

    Where it ``decides`` about rows, so do its conditions: an array of which they name fields is among them.
    """
    named = [f"{node}." for node in relation.effects.predicates] if decides else []
    beside = relation.effects.elements_beside(relation.rows)
    return {node: kinds for node, kinds in beside.items() if not any(each.startswith(f"{node}.") for each in named)}


def either(values: Expressions, node: exp.Expr, scope: Scope, by: int, out: Flow) -> None:
    """``if(condition, value, value)``."""
    by = through(TRANSFORMATION, by)
    values.collect(node.this, scope, through(CONDITIONAL, by), out)
    for key in ("true", "false"):
        if node.args.get(key) is not None:
            values.collect(node.args[key], scope, by, out)


def null_if(values: Expressions, node: exp.Expr, scope: Scope, by: int, out: Flow) -> None:
    """``nullif(value, other)``."""
    by = through(TRANSFORMATION, by)
    values.collect(node.this, scope, by, out)
    values.collect(node.expression, scope, through(CONDITIONAL, by), out)


def decode(values: Expressions, node: exp.Expr, scope: Scope, by: int, out: Flow) -> None:
    """``decode(x, when, value, …, default)``."""
    by = through(TRANSFORMATION, by)
    arguments = node.expressions
    for place, value in enumerate(arguments):
        chosen = place > 0 and (place % 2 == 0 or place == len(arguments) - 1)
        values.collect(value, scope, by if chosen else through(CONDITIONAL, by), out)


def decide_then(values: Expressions, name: str, arguments: list[exp.Expr], scope: Scope, by: int, out: Flow) -> None:
    """``iff(condition, value, value)`` and ``multiIf(condition, value, condition, value, …, value)``."""
    alternating = name == "multiif"
    for place, value in enumerate(arguments):
        decides = place == 0 or (alternating and place % 2 == 0 and place < len(arguments) - 1)
        values.collect(value, scope, through(CONDITIONAL, by) if decides else by, out)


def combined(values: Expressions, node: exp.Expr, scope: Scope, by: int, out: Flow) -> None:
    """ClickHouse's aggregates with suffixes: the last argument of ``sumIf(x, condition)`` only decides.

    So does that of ``sumIfState``, but ``sumIfMerge`` has a state alone. ``countState()`` counts rows.
    """
    name, arguments = str(node.this).lower(), node.expressions
    if not arguments and name.startswith("count"):
        aggregates.count_rows(scope, by, out)
        return
    by = through(AGGREGATION, by)
    has_condition = _KEEPING_ARGUMENTS.sub("", name).endswith("if")
    if name.startswith("count") and len(arguments) == 1:  # as of countIf(c), the condition is what is counted
        has_condition = False
    for place, value in enumerate(arguments):
        decides = has_condition and place == len(arguments) - 1
        values.collect(value, scope, through(CONDITIONAL, by) if decides else by, out)


def grouping(values: Expressions, node: exp.Expr, scope: Scope, by: int, out: Flow) -> None:
    """``grouping(a, b)`` shows which of them a row sums over: Trino counts them as inputs, Spark's plan does not."""
    if values.walk.rules.grouping_counts:
        for child in node.expressions:
            values.collect(child, scope, through(CONDITIONAL, by), out)
