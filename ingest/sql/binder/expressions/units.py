"""``date_trunc(c, d)``: a column in the place of a unit, which the parser takes for the unit's name."""

from __future__ import annotations

from typing import Final

from sqlglot import exp

from ingest.sql.binder.expressions.aggregates import children
from ingest.sql.binder.names.lookup import DATE_PARTS
from ingest.sql.binder.names.ports import Expressions
from ingest.sql.binder.names.resolving import known_column
from ingest.sql.binder.names.scope import Scope
from ingest.sql.binder.relations.flow import TRANSFORMATION, Flow, add, through
from ingest.sql.words import words

#: Nodes with a unit that some engine lets a column say.
WITH_UNIT: Final = (exp.TimestampTrunc, exp.DateTrunc, exp.DateAdd, exp.DateSub, exp.DateDiff, exp.DateBin)
UNITS: Final = DATE_PARTS | words(
    """y yyy yyyy years q qq qtr quarters m mon months w ww wk weeks d days h hours n minutes s seconds milliseconds us
    microseconds ns nanoseconds decades centuries millennium millennia weekday yearofweek iyyy iw cc scc syyyy ddd dy"""
)


def with_unit(values: Expressions, node: exp.Expr, scope: Scope, by: int, out: Flow) -> None:
    """A function of a time and a unit: both are its value where the unit is a column that a source is known to have."""
    by = through(TRANSFORMATION, by)
    for child in children(node):
        values.collect(child, scope, by, out)
    unit = node.args.get("unit")
    if isinstance(node, exp.DateBin) and isinstance(unit, exp.Var):  # where its bins begin: no unit at all
        node.set("unit", exp.column(unit.name.lower()))
        values.collect(node.args["unit"], scope, by, out)
    elif isinstance(unit, exp.Var | exp.Literal) and unit.name.lower() not in UNITS:
        name = values.walk.names.spell(exp.to_identifier(unit.name.lower()))
        column = known_column(scope, name)
        if column is not None:
            add(out, column.flow(), by)
