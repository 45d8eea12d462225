"""Forms of queries that the parser reads in every dialect, and that the engine of this one rejects."""

from __future__ import annotations

from sqlglot import exp

from ingest.sql.binder.expressions.aggregates import parts_of
from ingest.sql.binder.names.ports import Binder
from ingest.sql.dialects.generators import is_generator


def check_select(walk: Binder, node: exp.Expr) -> None:
    """Report what the engine takes in no SELECT."""
    accepted = walk.rules.accepted
    distinct = node.args.get("distinct")
    if not accepted.distinct_on and distinct is not None and distinct.args.get("on") is not None:
        walk.report("syntax", "the engine has no DISTINCT ON")
    if not accepted.star_changes and any(map(_changes_star, node.expressions)):
        walk.report("syntax", "a star of the engine leaves out, replaces or renames no columns")
    qualify = node.args.get("qualify")
    if not accepted.plain_qualify and qualify is not None and not _may_hold_window(walk, node, qualify):
        walk.report("syntax", "QUALIFY needs a window function, in it or in the select list")
    if not accepted.several_generators and sum(is_generator(item.unalias()) for item in node.expressions) > 1:
        walk.report("syntax", "a select list has several functions that make rows")


def check_set_operations(walk: Binder, operations: list[exp.Expr]) -> None:
    """Report what the engine takes in no row of set operations; brackets make another row.

    The parser puts INTERSECT, which binds more, into brackets of its own.
    """
    accepted = walk.rules.accepted
    if not accepted.set_operations_by_name and any(each.args.get("by_name") for each in operations):
        walk.report("syntax", "the engine has no set operation BY NAME")
    kinds = {(type(each), bool(each.args.get("distinct"))) for each in operations}
    if not accepted.mixed_set_operations and len(kinds) > 1:
        walk.report("syntax", "different set operations in a row need brackets")


def _changes_star(item: exp.Expr) -> bool:
    star = item.this if isinstance(item, exp.Column) else item
    return isinstance(star, exp.Star) and any(star.args.get(key) for key in ("except_", "replace", "rename"))


def _may_hold_window(walk: Binder, node: exp.Expr, qualify: exp.Expr) -> bool:
    """Whether QUALIFY or an item holds a window function of its query, or something that may be one.

    Such are a part of a template without a value, a value that the caller passes, and a macro.
    """
    if walk.lacks_parts:
        return True
    called = (exp.Anonymous,) if walk.rules.accepted.windows_in_macros else ()
    kinds = (exp.Window, exp.Placeholder, *called)
    return any(isinstance(part, kinds) for item in (*node.expressions, qualify.this) for part in parts_of(item))
