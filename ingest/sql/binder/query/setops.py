"""UNION, INTERSECT and EXCEPT: columns laid over each other by position or by name."""

from __future__ import annotations

from sqlglot import exp

from ingest.sql.binder.names.ports import Binder
from ingest.sql.binder.relations.flow import CONDITIONAL, FILTER, TRANSFORMATION, Column, Flow, Part, add
from ingest.sql.binder.relations.overlay import laid_by_name, laid_by_position, laid_over
from ingest.sql.binder.relations.relations import Effects, Relation


def combined(walk: Binder, node: exp.Expr, left: Relation, right: Relation) -> Relation:
    """Return the relation of one set operation."""
    result = _combined(walk, node, left, right)
    if not isinstance(node, exp.Union):
        result.compared = (left, right)
    return result


def _combined(walk: Binder, node: exp.Expr, left: Relation, right: Relation) -> Relation:
    """Return what a set operation makes of its sides.

    EXCEPT and INTERSECT keep values of their left side only (that of INTERSECT's right side is the same value, and
    Spark and Hive count the left); the right side decides which rows stay: it filters. Trino counts both sides: there
    INTERSECT's right side is a value too, and EXCEPT's a condition of each column.
    """
    effects = Effects()
    effects.add(left.effects)
    effects.add(right.effects)
    rows = left.rows | right.rows
    if not isinstance(node, exp.Union):
        for column in right.visible():
            add(effects.predicates, column.flow(), FILTER)
        if not walk.rules.set_operations_count_both:
            return Relation(left.columns, effects, rows)
        if isinstance(node, exp.Except):
            right = Relation([_deciding(column) for column in right.visible()], right.effects, right.rows)
    if node.args.get("by_name"):
        return Relation(laid_by_name(left.visible(), right.visible()), effects, rows)
    return Relation(_laid(walk, left, right), effects, rows)


def _deciding(column: Column) -> Column:
    """Return a column of EXCEPT's right side as what decides about the left one's values."""
    flow: Flow = {}
    add(flow, column.flow(), CONDITIONAL)
    return Column(column.name, (Part(flow, column.text),))


def _laid(walk: Binder, left: Relation, right: Relation) -> list[Column]:
    mine, theirs = left.visible(), right.visible()
    if not left.is_open and not right.is_open:
        if len(mine) != len(theirs):
            walk.report("column-count", f"a union lays {len(theirs)} columns over {len(mine)}")
        return laid_by_position((mine, theirs)) + mine[len(theirs) :]
    if left.rows != right.rows:  # names are the left side's: which columns of the right are under them is not known
        walk.report_open(theirs if right.is_open else mine)
    if [c.is_open for c in mine] == [c.is_open for c in theirs]:
        return laid_by_position((mine, theirs))
    return _around_star(mine, theirs, left, right)


def _around_star(mine: list[Column], theirs: list[Column], left: Relation, right: Relation) -> list[Column]:
    """One side has columns that are not known: lay the known ends over each other, report the middle by dataset."""
    before = 0
    while before < min(len(mine), len(theirs)) and not (mine[before].is_open or theirs[before].is_open):
        before += 1
    after = 0
    while after < min(len(mine), len(theirs)) - before and not (mine[-1 - after].is_open or theirs[-1 - after].is_open):
        after += 1
    laid = laid_by_position((mine[:before], theirs[:before]))
    tail = laid_by_position((mine[len(mine) - after :], theirs[len(theirs) - after :]))
    middle = mine[before : len(mine) - after]
    others = theirs[before : len(theirs) - after]
    if any(column.is_open for column in middle) and not any(column.is_open for column in others):
        middle, others, right = others, middle, left
    flow: Flow = dict.fromkeys(sorted(right.rows), TRANSFORMATION)
    unknown = Column("*", (Part(flow, "?"),))
    return [*laid, *(laid_over((column, unknown)) for column in middle), *tail]
