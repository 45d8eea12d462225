"""What GROUP BY groups by: what it lists, or with ALL (Trino: AUTO) all of the select list that is no aggregate."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from sqlglot import exp

from ingest.sql.aggregates import children, is_aggregate


def grouping(select: Any, dialect: str) -> list[Any]:
    """Return the expressions by which a SELECT with a GROUP BY groups its rows."""
    group = select.args["group"]
    listed = list(group.expressions)
    for key in ("grouping_sets", "cube", "rollup"):
        value = group.args.get(key)
        listed.extend(value if isinstance(value, list) else [])
    by_all = dialect == "trino" and len(listed) == 1 and _is_word(listed[0], "auto")
    if not by_all and (listed or not group.args.get("all")):
        return listed
    return [part for item in select.expressions for part in _ungrouped(item.unalias())]


def _is_word(node: Any, word: str) -> bool:
    return isinstance(node, exp.Column) and len(node.parts) == 1 and not node.this.quoted and node.name.lower() == word


def _ungrouped(node: Any) -> Iterator[Any]:
    """Yield the largest parts of an output that hold no aggregate, as Spark groups by them; literals name no column."""
    if isinstance(node, exp.Literal) or _is_whole(node):
        return
    if _holds_aggregate(node):
        for child in children(node):
            yield from _ungrouped(child)
    else:
        yield node


def _holds_aggregate(node: Any) -> bool:
    """Whether an expression holds an aggregate or window of its own query, not of a subquery's."""
    if isinstance(node, exp.Query):
        return False
    return _is_whole(node) or any(_holds_aggregate(child) for child in children(node))


def _is_whole(node: Any) -> bool:
    return isinstance(node, exp.Window | exp.Filter) or is_aggregate(node)
