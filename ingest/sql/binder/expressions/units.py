"""``date_trunc(c, d)``: a column in the place of a unit, which the parser takes for the unit's name."""

from __future__ import annotations

from typing import Any, Final

from sqlglot import exp

from ingest.sql.binder.expressions import called
from ingest.sql.binder.expressions.aggregates import children
from ingest.sql.binder.names.ports import Expressions
from ingest.sql.binder.names.resolving import known_column
from ingest.sql.binder.names.scope import Scope
from ingest.sql.binder.relations.flow import TRANSFORMATION, Flow, add, through
from ingest.sql.dialects.calls import WORD
from ingest.sql.dialects.parts.time_units import UNITS

_FUNCTIONS: Final[list[Any]] = [e for e in vars(exp).values() if isinstance(e, type) and issubclass(e, exp.Func)]
#: Nodes with a unit, which may be a column's name in some engine, or another argument where the parser errs.
WITH_UNIT: Final[tuple[Any, ...]] = tuple(
    each for each in _FUNCTIONS if "unit" in each.arg_types or each is exp.Extract
)


def with_unit(values: Expressions, node: exp.Expr, scope: Scope, by: int, out: Flow) -> None:
    """A function of a time and a unit: both are its value where the unit is a column's name and not a unit's.

    What names no unit is a column where a source is known to have it, or where one may have it and no word is meant.
    """
    if called.built_in(values, node, scope, by, out):
        return
    by = through(TRANSFORMATION, by)
    for child in children(node):
        values.collect(child, scope, by, out)
    unit = node.this if isinstance(node, exp.Extract) else node.args.get("unit")
    if isinstance(node, exp.DateBin) and isinstance(unit, exp.Var):  # where its bins begin: no unit at all
        node.set("unit", exp.column(unit.name.lower()))
        values.collect(node.args["unit"], scope, by, out)
    elif isinstance(unit, exp.Var | exp.Literal) and unit.name.lower() not in UNITS:
        written = node.meta.get(WORD)
        name = written.this if written is not None else exp.to_identifier(unit.name.lower())
        column = known_column(scope, values.walk.names.spell(name))
        if column is not None:
            add(out, column.flow(), by)
        elif written is not None and any(source.relation.is_open for source in scope.sources):
            values.collect(written, scope, by, out)
