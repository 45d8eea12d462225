"""The columns that an expression takes its value from, and how each of them gets there.

One recursive walk. ``by`` is what has been done to the value so far, seen from the output: nothing (IDENTITY), some
expression, an aggregate; or it is a decision (CONDITIONAL, WINDOW, a predicate), which stays a decision.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial
from typing import Any

from sqlglot import exp

from ingest.sql.binder.expressions import aggregates, called, choices, units, widths, windows
from ingest.sql.binder.expressions.arrays import collect_array
from ingest.sql.binder.expressions.column_sets import all_chosen
from ingest.sql.binder.expressions.structs import fields_of
from ingest.sql.binder.names import named_tables, variables
from ingest.sql.binder.names.lookup import Lookup, path_parts
from ingest.sql.binder.names.methods import called_on
from ingest.sql.binder.names.ports import ArraySources, Binder
from ingest.sql.binder.names.scope import Scope
from ingest.sql.binder.relations.flow import (
    AGGREGATION,
    IDENTITY,
    TRANSFORMATION,
    Column,
    Flow,
    Once,
    Part,
    add,
    through,
)
from ingest.sql.binder.relations.relations import Relation
from ingest.sql.binder.relations.types import is_map

_ATOMS = (
    exp.Literal, exp.DataType, exp.Identifier, exp.Null, exp.Boolean, exp.Var, exp.Pseudocolumn, exp.SessionParameter,
)  # fmt: skip
_OPERANDS = ("this", "expression")
_NAMES = (exp.Column, exp.Dot)


class Values:
    """Walks expressions for a query walk."""

    def __init__(self, walk: Binder) -> None:
        self.walk = walk
        self.lookup = Lookup(walk)
        self.plain = self.lookup.plain
        # What subqueries and arrays were resolved to, by identity; holding the node keeps its identity unique.
        self._relations: dict[int, tuple[Any, Relation]] = {}
        self.arrays: dict[tuple[int, int], tuple[exp.Expr, Scope, ArraySources]] = {}

    def column(self, node: exp.Expr, scope: Scope, name: str, position: int | None = None) -> Column:
        """Return the column of a select item: a plain column keeps its derivations, anything else is a new one."""
        inner = node.unnest() if isinstance(node, exp.Paren) else node
        if isinstance(inner, _NAMES):
            plain = self.plain(inner, scope)
            if plain is not None:
                column = Column(name, plain.parts, position=position, fields=plain.fields)
                column.kind = plain.kind
                return column
        if isinstance(inner, exp.Subquery | exp.Select):
            relation = self.subquery(inner, scope)
            columns = relation.visible()
            if len(columns) == 1 and not columns[0].is_open:
                return Column(name, columns[0].parts, position=position, fields=columns[0].fields)
        part = Part(self.flow(inner, scope, IDENTITY), partial(self.walk.render, inner, self))
        return Column(name, (part,), position=position, fields=Once(partial(self.fields, inner, scope)))

    def fields(self, node: exp.Expr, scope: Scope) -> list[Column] | None:
        """Return the fields of a struct, or of an array's structs, None where they are not known."""
        return fields_of(self, node, scope)

    def is_map(self, node: exp.Expr, scope: Scope) -> bool:
        """Whether an expression is a column that was declared as a map."""
        return isinstance(node, exp.Column | exp.Dot) and is_map(self.plain(node, scope))

    def seen(self, column: Column) -> Flow:
        """Return a column's sources as those of something computed from it."""
        out: Flow = {}
        add(out, column.flow(), TRANSFORMATION)
        return out

    def flow(self, node: exp.Expr, scope: Scope, by: int) -> Flow:
        """Return everything an expression depends on, as ``by``."""
        out: Flow = {}
        self.collect(node, scope, by, out)
        return out

    def collect(self, node: Any, scope: Scope, by: int, out: Flow) -> None:
        """Add the sources of ``node`` to ``out``."""
        rule = _rule(node.__class__)
        while rule is None:  # a AND b AND c … leans to the left, deeply
            by = through(TRANSFORMATION, by)
            self.collect(node.expression, scope, by, out)
            if len(node.args) > 2:  # a function of more than two, ``json_extract_path(a, b, c)``; mostly switches
                for key, value in node.args.items():
                    if key not in _OPERANDS:
                        self._each(value, scope, by, out)
            node = node.this
            rule = _rule(node.__class__)
        rule(self, node, scope, by, out)

    def below(self, node: exp.Expr, scope: Scope, by: int, out: Flow) -> None:
        """Add the sources of what is below ``node`` to ``out``."""
        for value in node.args.values():
            self._each(value, scope, by, out)

    def _each(self, value: Any, scope: Scope, by: int, out: Flow) -> None:
        for child in value if value.__class__ is list else (value,):
            rule = _rule(child.__class__)
            if rule is None:
                self.collect(child, scope, by, out)
            elif rule is not _NOTHING:
                rule(self, child, scope, by, out)

    def _computed(self, node: exp.Expr, scope: Scope, by: int, out: Flow) -> None:
        if called.built_in(self, node, scope, by, out):
            return
        self.below(node, scope, through(TRANSFORMATION, by), out)

    def relation_at(self, node: exp.Expr) -> Relation | None:
        """Return what a subquery in the tree was resolved to."""
        return self._relations.get(id(node), (None, None))[1]

    # Rules, one for each kind of node that is more than the sum of what is below it

    def _name(self, node: exp.Expr, scope: Scope, by: int, out: Flow) -> None:
        if isinstance(node.this, exp.Star):
            self._star(node, scope, by, out)
            return
        column = self.plain(node, scope)
        if column is not None:
            for part in column.parts:
                add(out, part.flow, by)
        else:
            variables.field_by_place(self, node, scope, by, out)

    def _dot(self, node: exp.Expr, scope: Scope, by: int, out: Flow) -> None:
        """A field of a column, of an array's element, or of what a function returns."""
        plain = self.plain(node, scope) or variables.of_bound_row(self, node, scope)
        if plain is not None:
            add(out, plain.flow(), by)
            return
        by = through(TRANSFORMATION, by)
        fields: list[str] = []
        while isinstance(node, exp.Dot | exp.Bracket | exp.Paren):
            if isinstance(node, exp.Dot):
                if isinstance(node.expression, exp.Star):
                    self.collect(node.this, scope, by, out)
                    return
                if not isinstance(node.expression, exp.Identifier):
                    if called.with_schema(self, node, scope, by, out):
                        return
                    owner = called_on(node, scope, self.walk.rules, self.walk.names.touched)
                    if owner is not None:
                        self.collect(owner, scope, by, out)
                    self.collect(node.expression, scope, by, out)
                    return
                fields.append(node.expression.name)
            elif isinstance(node, exp.Bracket):
                for index in node.expressions:
                    self.collect(index, scope, by, out)
            node = node.this
        if isinstance(node, exp.Star):
            self.walk.report("syntax", f"a name after a star is not understood: *.{'.'.join(reversed(fields))}")
        parts = path_parts(node)
        if parts is None or isinstance(node.this, exp.Star):
            value = self.column(node, scope, "")
            add(out, (self._field(value, fields) if value.fields else value).flow(), by)
            return
        root = self.plain(node, scope)
        if root is not None:
            add(out, self._field(root, fields).flow(), by)

    def _field(self, value: Column, fields: list[str]) -> Column:
        """Return the field of a value that a path leads to, given from its end; the value itself for none."""
        path = fields[::-1]
        return self.lookup.checked(value.field(".".join(path)), path) if path else value

    def _star(self, node: exp.Expr, scope: Scope, by: int, out: Flow) -> None:
        for column in self.walk.stars.expand(node, scope):
            add(out, column.flow(), through(TRANSFORMATION, by))

    def _placed(self, node: exp.Expr, scope: Scope, by: int, out: Flow) -> None:
        column = self.walk.stars.placed(node, scope)
        if column is not None:
            add(out, column.flow(), by)

    def _named_value(self, node: exp.Expr, scope: Scope, by: int, out: Flow) -> None:
        """``a := b``, ``a => b``, ``b AS a`` inside a function: the name is not a column; a map's key may be one."""
        value = node.this if isinstance(node, exp.Alias) else node.expression
        self.collect(value, scope, by, out)
        if isinstance(node, exp.PropertyEQ) and isinstance(node.this, exp.Column):
            self.collect(node.this, scope, by, out)

    def _function(self, node: exp.Expr, scope: Scope, by: int, out: Flow) -> None:
        name = str(node.this).lower() if isinstance(node.this, str) else node.name.lower()
        if variables.called(self, node, name, scope, by, out):
            return
        called.check_query(self, node, name)
        inlined = self.walk.functions.call(name, node.expressions, scope)
        if inlined is not None:
            add(out, inlined.flow(), through(TRANSFORMATION, by))
            return
        registered = self.walk.functions.registered(name)
        if registered is not None:
            called.collect_registered(self, registered, node.expressions, scope, by, out)
            return
        if named_tables.looked_up(self, name, node, scope, by, out):
            return
        if name in choices.CONDITIONAL_NAMES and node.expressions:
            choices.decide_then(self, name, node.expressions, scope, through(TRANSFORMATION, by), out)
            return
        self.below(node, scope, through(AGGREGATION if aggregates.is_aggregate(node) else TRANSFORMATION, by), out)

    def _nothing(self, node: exp.Expr, scope: Scope, by: int, out: Flow) -> None:
        return

    def _scalar(self, node: exp.Expr, scope: Scope, by: int, out: Flow) -> None:
        relation = self.subquery(node, scope)
        widths.check_width(self.walk, node, relation)
        for column in relation.visible():
            add(out, column.flow(), through(TRANSFORMATION, by))

    def subquery(self, node: exp.Expr, scope: Scope, *, decides: bool = True) -> Relation:
        """Evaluate a query inside an expression; what filters it is among what filters the SELECT around it.

        Unless ``decides``: then the caller adds what does.
        """
        relation = self.walk.query(node, scope)
        if decides:
            scope.effects.add(relation.effects)
        self._relations[id(node)] = (node, relation)
        return relation


_Rule = Callable[[Values, Any, Scope, int, Flow], None]
_NOTHING: _Rule = Values._nothing
_RULES: dict[type, _Rule] = {
    exp.Column: Values._name,
    exp.Dot: Values._dot,
    exp.Bracket: Values._dot,
    exp.Star: Values._star,
    exp.PositionalColumn: Values._placed,
    exp.Array: collect_array,
    exp.Columns: all_chosen,
    exp.Count: aggregates.count,
    exp.Case: choices.case,
    exp.If: choices.either,
    exp.Nvl2: choices.either,
    exp.Grouping: choices.grouping,
    exp.GroupingId: choices.grouping,
    exp.Nullif: choices.null_if,
    exp.DecodeCase: choices.decode,
    exp.Filter: aggregates.filtered,
    exp.Order: aggregates.ordered,
    exp.Window: windows.over,
    exp.Lambda: variables.in_lambda,
    exp.Comprehension: variables.in_comprehension,
    exp.Exists: choices.exists,
    exp.In: named_tables.in_table,
    exp.Tuple: widths.row,
    exp.PropertyEQ: Values._named_value,
    exp.Kwarg: Values._named_value,
    exp.Alias: Values._named_value,
    exp.Parameter: variables.by_place,
    exp.Placeholder: variables.bound,
    exp.Anonymous: Values._function,
    exp.AnonymousAggFunc: Values._function,
    exp.CombinedAggFunc: choices.combined,
    exp.WithinGroup: aggregates.aggregate,
    exp.RowNumber: aggregates.aggregate,
    **dict.fromkeys((exp.Interval, exp.Paren), Values.below),
    **variables.RULES,
    **dict.fromkeys(units.WITH_UNIT, units.with_unit),
    **dict.fromkeys(_ATOMS, _NOTHING),
}


@cache
def _rule(kind: type) -> _Rule | None:
    """Return how nodes of a class are walked; None for operators, of which there may be thousands in a row.

    Other values in a tree, texts and switches, are not walked.
    """
    if kind in _RULES or not issubclass(kind, exp.Expr):
        return _RULES.get(kind, _NOTHING)
    if issubclass(kind, exp.Query):
        return Values._scalar
    if issubclass(kind, exp.AggFunc):
        return aggregates.aggregate
    return None if issubclass(kind, exp.Binary) else Values._computed
