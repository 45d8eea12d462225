"""What GROUP BY groups by: what it lists, or with ALL (Trino: AUTO) all of the select list that is not an aggregate."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from sqlglot import exp

from ingest.sql.binder.expressions.aggregates import children, is_aggregate
from ingest.sql.dialects.parts.grouping import Grouping

_SETS: Final = (exp.GroupingSets, exp.Cube, exp.Rollup)


def grouping(select: exp.Expr, rules: Grouping) -> tuple[list[Any], bool]:
    """Return the expressions by which a SELECT with a GROUP BY groups its rows, and whether they are listed there."""
    group = select.args["group"]
    items = list(group.expressions)
    for key in ("grouping_sets", "cube", "rollup"):
        value = group.args.get(key)
        items.extend(value if isinstance(value, list) else [])
    apart = (*_SETS, exp.Paren, *((exp.Tuple,) if rules.brackets_list else ()))
    listed = [part for item in items for part in (_in_sets(item) if isinstance(item, apart) else [item])]
    by_all = bool(rules.all_word) and len(listed) == 1 and is_word(listed[0], rules.all_word)
    if not by_all and (listed or not group.args.get("all")):
        return listed, True
    return [part for item in select.expressions for part in _ungrouped(item.unalias())], False


def _in_sets(node: exp.Expr) -> Iterator[Any]:
    """Yield what ROLLUP, CUBE, GROUPING SETS and brackets group by; a number there is a place in the list, too."""
    if isinstance(node, (*_SETS, exp.Tuple)):
        for part in node.expressions:
            yield from _in_sets(part)
    elif isinstance(node, exp.Paren):
        yield from _in_sets(node.this)
    else:
        yield node


def always_null(select: exp.Expr) -> frozenset[str]:
    """Return the texts of what ``GROUP BY a, b GROUPING SETS ((a))`` lists but has in no set: NULL in every row."""
    group = select.args.get("group")
    if group is None or not group.args.get("grouping_sets"):
        return frozenset()
    in_sets = {part.sql() for item in group.args["grouping_sets"] for part in _in_sets(item)}
    return frozenset(item.sql() for item in group.expressions if not isinstance(item, exp.Literal)) - in_sets


def is_word(node: exp.Expr, word: str) -> bool:
    """Whether what was read as a column is a bare word (in lower case), in no quotes."""
    return isinstance(node, exp.Column) and len(node.parts) == 1 and not node.this.quoted and node.name.lower() == word


def _ungrouped(node: exp.Expr) -> Iterator[Any]:
    """Yield the largest parts of an output that hold no aggregate, as Spark groups by them; literals name no column."""
    if isinstance(node, exp.Literal) or _is_whole(node):
        return
    if holds_aggregate(node):
        for child in children(node):
            yield from _ungrouped(child)
    else:
        yield node


def holds_aggregate(node: exp.Expr) -> bool:
    """Whether an expression holds an aggregate or window of its own query, not of a subquery's."""
    if isinstance(node, exp.Query):
        return False
    return _is_whole(node) or any(holds_aggregate(child) for child in children(node))


def _is_whole(node: exp.Expr) -> bool:
    return isinstance(node, exp.Window | exp.Filter) or is_aggregate(node)
