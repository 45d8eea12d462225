"""Functions in FROM: rows that a function makes of its arguments, of tables that it is given, or of files."""

from __future__ import annotations

from collections.abc import Sequence

from sqlglot import exp

from ingest.sql.binder.expressions.called import rows_of
from ingest.sql.binder.expressions.structs import fields_of
from ingest.sql.binder.names.ports import Binder
from ingest.sql.binder.names.scope import Scope
from ingest.sql.binder.query.sources.external import external, passed_through
from ingest.sql.binder.query.sources.models import modelled
from ingest.sql.binder.query.sources.polymorphic import Invocation, called_in_table, invocation, plain_window, windowed
from ingest.sql.binder.relations.flow import IDENTITY, TRANSFORMATION, Column, Flow, Part, add
from ingest.sql.binder.relations.overlay import laid_by_name
from ingest.sql.binder.relations.relations import Relation, of_elements
from ingest.sql.dialects.dialects import path_dataset
from ingest.sql.dialects.generators import (
    FILE_FUNCTIONS,
    ROW_FUNCTIONS,
    counted,
    fixed_columns,
    function_name,
    generated_names,
    inlined_array,
    named_path,
    stacked,
)

_ORDINALITY = "ordinality"
# What Databricks' table_changes says about each row.
_OF_CHANGES = ("_change_type", "_commit_version", "_commit_timestamp")


class TableFunctions:
    """Evaluates the functions of FROM for a query walk."""

    def __init__(self, walk: Binder) -> None:
        self.walk = walk

    def rows(self, node: exp.Expr, scope: Scope) -> Relation:
        """A function in FROM: its arguments feed its rows; an unknown one may read other tables."""
        call = node.this
        known_rows = self.registered(call, scope, [])
        if known_rows is not None:
            return known_rows
        if isinstance(call, exp.ReadCSV | exp.ReadParquet) or call.name.lower() in FILE_FUNCTIONS:
            argument = call.this if isinstance(call.this, exp.Expr) else (call.expressions or [None])[0]
            paths = argument.expressions if isinstance(argument, exp.Array) else [named_path(call) or argument]
            files = [path_dataset(path.name) for path in paths if isinstance(path, exp.Literal)]
            if files:
                return self._files(files)
        if self.walk.rules.views_take_arguments and (view := _view_with_arguments(node)) is not None:
            return self.walk.dataset(self.walk.names.dataset(view))
        if call.name.lower() in self.walk.rules.change_functions and (changed := self._changed(call)) is not None:
            return changed
        if call.name.lower() in self.walk.rules.window_tables and (window := plain_window(call)) is not None:
            return windowed(self.walk, window, self._inputs(window.tables, scope))
        standard = invocation(call)
        if standard is not None:
            return self._invoked(standard, scope)
        inner = called_in_table(call)
        if inner is not None:
            foreign = passed_through(self.walk, inner)
            if foreign is not None:
                return foreign
            self.look_into(inner.name)
        made = modelled(self.walk, call, lambda tables: self._inputs(tables, scope))
        if made is not None:
            return made
        name = call.name if isinstance(call, exp.Anonymous) else call.key
        known = function_name(call) in ROW_FUNCTIONS
        queries = [q for q in call.find_all(exp.Query, exp.Table) if q.parent is call and not known]
        foreign = external(self.walk, call)
        if foreign is not None:
            return foreign
        if isinstance(call, exp.Anonymous):
            self.look_into(name)
        return self._of_tables(name, queries, scope) if queries else self.called(node, call, scope)

    def registered(self, call: exp.Expr, scope: Scope, names: list[exp.Expr]) -> Relation | None:
        """Return the rows of a table function that ``functions.toml`` has the columns of, None for any other."""
        if self.walk.functions.registry is None or not isinstance(call, exp.Anonymous):
            return None
        function = self.walk.functions.registered(call.name)
        if function is None or not function.columns:
            return None
        spelt = [self.walk.names.spell(name) for name in names]
        return rows_of(self.walk.values, function, call.expressions, spelt, scope)

    def _changed(self, call: exp.Expr) -> Relation | None:
        """Return the rows of the table that a text names, with what says how each changed; None without a text."""
        named = call.expressions[0] if call.expressions else None
        if not isinstance(named, exp.Literal) or not named.is_string:
            return None
        table = exp.to_table(named.name, dialect=self.walk.names.dialect)
        rows = self.walk.dataset(self.walk.names.dataset(table))
        change_columns = [Column(name, (Part({}, name),)) for name in _OF_CHANGES]
        return Relation([*rows.columns, *change_columns], rows.effects, rows.rows)

    def _files(self, files: list[str]) -> Relation:
        """Return the rows of files that are read as one: columns of one name are one."""
        first, *others = [self.walk.dataset(file) for file in files]
        for other in others:
            self.walk.count_all(other)
            columns = laid_by_name(first.columns, other.columns)
            first.effects.add(other.effects)
            first = Relation(columns, first.effects, first.rows | other.rows)
        return first

    def look_into(self, name: str) -> None:
        """Report that what a table function reads is not known, unless it is one that only makes rows."""
        if name.lower() not in ROW_FUNCTIONS:
            self.walk.report("opaque-call", f"the table function {name} is not looked into", subject=name)

    def _invoked(self, call: Invocation, scope: Scope) -> Relation:
        """``TABLE(f(…))``: what the two that are known make, and what any other one may."""
        if call.name == "sequence":
            return Relation([Column("sequential_number", (Part({}, "sequential_number"),))])
        if call.name == "exclude_columns":
            inner = self._inputs(call.tables, scope)
            columns = self.walk.stars.expand(exp.Star(), inner)
            left = [column for column in columns if column.name.lower() not in call.described]
            return Relation(left, inner.effects, inner.rows())
        if call.name in self.walk.rules.window_tables:
            return windowed(self.walk, call, self._inputs(call.tables, scope))
        self.look_into(call.name)
        return self._of_tables(call.name, call.tables, scope)

    def _inputs(self, tables: list[exp.Expr], scope: Scope) -> Scope:
        """Return a scope of what a function is given: tables and queries."""
        inner = Scope(parent=scope.beside())
        for item in tables:
            self.walk.sources.bring(item if isinstance(item, exp.Table) else exp.Subquery(this=item), inner)
        return inner

    def _of_tables(self, name: str, tables: list[exp.Expr], scope: Scope) -> Relation:
        """What a function makes of tables: these columns as they are, and more that come from them."""
        inner = self._inputs(tables, scope)
        columns = self.walk.stars.expand(exp.Star(), inner)
        flow: Flow = {}
        for column in columns:
            add(flow, column.flow(), TRANSFORMATION)
        return Relation([*columns, Column("*", (Part(flow, f"{name}(?)"),))], inner.effects, inner.rows())

    def called(self, node: exp.Expr, call: exp.Expr, scope: Scope) -> Relation:
        """Return the rows of a call in FROM, ``node``, of which the alias may name the column."""
        name = function_name(call)
        if name not in self.walk.rules.rows_take_alias:
            made = self.generated(call, scope, [])
        else:
            names = list(dict.fromkeys(filter(None, (node.alias, name))))
            made = self.generated(call, scope, [exp.to_identifier(each) for each in names])
            for column in made.columns[1:]:  # the function's own name may be used, too
                column.hidden = True
        if node.args.get("ordinality") and not made.open_columns():
            made.columns.append(Column(_ORDINALITY, (Part({}, _ORDINALITY),)))
        return made

    def side_by_side(self, node: exp.Expr, scope: Scope) -> Relation:
        """Postgres' ``ROWS FROM (f(…), g(…)) WITH ORDINALITY``: the columns of each function, and the rows' places.

        A function of unknown columns has one where the alias names as many as there are functions.
        """
        alias, ordinal = node.args.get("alias"), bool(node.args.get("ordinality"))
        calls = node.args["rows_from"]
        listed = len(alias.columns) if alias is not None else 0
        whole = Relation([])
        for call in calls:
            inner = Scope(parent=scope)
            self.walk.sources.bring(call, inner)
            whole.effects.add(inner.effects)
            columns = [column for source in inner.sources for column in source.relation.columns]
            is_open = any(column.is_open and not column.hidden for column in columns)
            if is_open and listed in (len(calls), len(calls) + ordinal):
                flow: Flow = {}
                for column in columns:
                    add(flow, column.flow(), TRANSFORMATION)
                columns = [Column("?", (Part(flow, "?"),))]
            whole.columns += columns
        if ordinal:
            whole.columns.append(Column(_ORDINALITY, (Part({}, _ORDINALITY),)))
        return whole

    def generated(self, node: exp.Expr, scope: Scope, names: list[exp.Expr]) -> Relation:
        """Rows that a function makes of its arguments: each column comes from all of them."""
        flow = self.walk.values.flow(node, scope, TRANSFORMATION)
        part = Part(flow, lambda: self.walk.render(node, self.walk.values))
        is_map = self.walk.values.is_map(node.this, scope)
        fixed = fixed_columns(node, self.walk.rules)
        listed = names or (fixed if fixed is not None else generated_names(node, self.walk.rules, is_map=is_map))
        spelt = [self.walk.names.spell(name) for name in listed]
        array = inlined_array(node)
        if not spelt and array is not None:
            spelt = [column.name for column in fields_of(self.walk.values, array, scope) or ()]
        cells = stacked(node)
        if cells and len(cells) == len(spelt):
            rows = [of_cells(self.walk, name, column, scope) for name, column in zip(spelt, cells, strict=True)]
            return Relation(rows)
        columns = [Column(name, (part,)) for name in spelt]
        for place, counts in enumerate(counted(node)):  # the number of a row is made of no column's value
            if counts and place < len(columns):
                columns[place] = Column(spelt[place], (Part({}, spelt[place]),))
        if not spelt and self.walk.rules.elements_column:  # of a collection of plain values
            columns.append(Column(self.walk.rules.elements_column, (part,), hidden=True))
        if not names and fixed is None:  # what the function calls its columns is a guess where it depends on a type
            columns.append(Column("*", (part,), hidden=bool(spelt)))
        return of_elements(columns, flow)


def _view_with_arguments(node: exp.Expr) -> exp.Table | None:
    """Return the view of ClickHouse's ``v(a = 1, b = 'x')``, None for another call: their arguments are constants."""
    given = node.this.expressions
    named = (isinstance(each, exp.EQ) and isinstance(each.this, exp.Column) and not each.this.table for each in given)
    if not isinstance(node.this, exp.Anonymous) or not given or not all(named):
        return None
    return exp.Table(this=exp.to_identifier(node.this.name), db=node.args.get("db"), catalog=node.args.get("catalog"))


def of_cells(walk: Binder, name: str, cells: Sequence[exp.Expr], scope: Scope) -> Column:
    """Return a column that has one of these values in each row."""
    flow: Flow = {}
    for cell in cells:
        walk.values.collect(cell, scope, IDENTITY, flow)
    return Column(name, (Part(flow, lambda: ", ".join(walk.render(cell, walk.values) for cell in cells)),))
