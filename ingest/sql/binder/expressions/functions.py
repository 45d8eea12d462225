"""Functions that a script defines in SQL: calls are looked through to what their bodies make of the arguments."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any

from sqlglot import exp
from sqlglot.errors import SqlglotError

from ingest.sql.binder.expressions.structs import typed_fields
from ingest.sql.binder.names.ports import Binder
from ingest.sql.binder.names.scope import Scope
from ingest.sql.binder.relations.flow import Column, Fields, Part
from ingest.sql.binder.relations.relations import Relation
from ingest.sql.dialects.function_registry import Function, Registry
from ingest.sql.sqlglot_errors import SQLGLOT_ERRORS

_DEEPEST_CALL = 20


@dataclass(slots=True)
class SqlFunction:
    """A function's parameters and body: an expression, or a query where it returns a table."""

    parameters: tuple[str, ...]
    body: Any
    columns: tuple[str, ...] = ()
    outer: Scope | None = None
    types: tuple[Any, ...] = ()


class Functions:
    """The functions of one script, by lower-case name. Those with another language's body only pass columns through."""

    def __init__(self, walk: Binder) -> None:
        self.walk = walk
        self._known: dict[str, SqlFunction] = {}
        self._depth = 0
        self.registry: Registry | None = None
        self._classes: dict[type, Function] | None = None
        #: Names of functions that the parser knows and the script defines, by the classes of their calls.
        self.redefined: dict[type, str] = {}

    def registered(self, name: str) -> Function | None:
        """Return what ``functions.toml`` says of a called name, None for nothing."""
        return self.registry.find(name, self.walk.rules.name) if self.registry is not None else None

    def registered_class(self, kind: type) -> Function | None:
        """Return what ``functions.toml`` says of a function that the parser knows, by the class of its calls."""
        if self._classes is None:
            self._classes = {}
            dialect = self.walk.names.dialect
            for name in self.registry.by_last_part if self.registry is not None else ():
                function = self.registered(name) if name.upper() in dialect.parser_class.FUNCTIONS else None
                if function is not None:
                    self._classes |= dict.fromkeys(_classes_of(name, dialect), function)
        return self._classes.get(kind)

    def define(self, node: exp.Expr, body: exp.Expr, properties: Any = None, outer: Scope | None = None) -> None:
        """Register what CREATE FUNCTION, CREATE MACRO or WITH FUNCTION defines."""
        name = node.this.name.lower() if isinstance(node, exp.UserDefinedFunction) else node.name.lower()
        parameters = tuple(parameter.name for parameter in node.expressions)
        body = body.this if isinstance(body, exp.Return) else body
        if body is None or isinstance(body, exp.Literal | exp.Heredoc | exp.RawString | exp.Block):
            self._known.pop(name, None)
            return
        _join_own_name(name, parameters, body)
        dialect = self.walk.names.dialect
        if name.upper() in dialect.parser_class.FUNCTIONS and not isinstance(body, exp.Select):  # rows are in FROM
            self.redefined |= dict.fromkeys(_classes_of(name, dialect), name)
        types = tuple(p.args.get("kind") if isinstance(p, exp.ColumnDef) else None for p in node.expressions)
        self._known[name] = SqlFunction(parameters, body, _declared(properties), outer, types)

    def call(self, name: str, arguments: list[exp.Expr], scope: Scope) -> Column | None:
        """Return what a scalar function's body makes of the arguments, None where the body is not known."""
        function = self._named(name)
        if function is None or self._depth > _DEEPEST_CALL:
            return None
        self._depth += 1
        try:
            inner = self._bind(name, function, arguments, scope)
            column = self.walk.values.column(function.body, inner, name)
            scope.effects.add(inner.effects)
            return column
        finally:
            self._depth -= 1

    def table(self, name: str, arguments: list[exp.Expr], scope: Scope) -> Relation | None:
        """Return the rows that a table function's query makes of the arguments."""
        function = self._named(name)
        if function is None or self._depth > _DEEPEST_CALL or not isinstance(function.body, exp.Query):
            return None
        self._depth += 1
        try:
            relation = self.walk.query(function.body, self._bind(name, function, arguments, scope))
            return self.walk.sources.with_names(relation, [exp.to_identifier(c) for c in function.columns])
        finally:
            self._depth -= 1

    def knows(self, name: str) -> bool:
        """Return whether the script defines a function of a name, whatever is in front of it."""
        return self._named(name) is not None

    def _named(self, name: str) -> SqlFunction | None:
        """Return the function of a name; the package in front of it is not compared."""
        return self._known.get(name.lower().rpartition(".")[2])

    def _bind(self, name: str, function: SqlFunction, arguments: list[exp.Expr], scope: Scope) -> Scope:
        called = name.lower().rpartition(".")[2]
        # a parameter that gets no argument has its default, a constant
        bound = {name.lower(): Column(name, (Part({}, "?"),)) for name in function.parameters}
        for place, argument in enumerate(arguments):
            name = function.parameters[place] if place < len(function.parameters) else ""
            if isinstance(argument, exp.Kwarg | exp.PropertyEQ):  # ``x => a``, ``x := a``
                name, argument = argument.this.name, argument.expression
            kind = function.types[place] if place < len(function.types) else None
            bound[name.lower()] = _typed(self.walk.values.column(argument, scope, name), kind)
        bound |= {f"{called}.{name}": column for name, column in bound.items()}
        return Scope(parent=function.outer, parameters=bound)


def _classes_of(name: str, dialect: Any) -> set[type]:
    """Return the classes that the parser makes of calls of a function with one to three arguments."""
    classes = set()
    for arguments in ("a", "a, b", "a, b, c"):
        try:
            tree = dialect.parse(f"SELECT {name}({arguments})")[0]
        except (SqlglotError, *SQLGLOT_ERRORS):
            continue
        classes.add(type(tree.expressions[0]))
    return classes - {exp.Anonymous}


def _join_own_name(name: str, parameters: tuple[str, ...], body: exp.Expr) -> None:
    """``f.x`` in the body of ``f`` is its parameter, whatever the sources there have: one word, as it is bound."""
    own = {parameter.lower() for parameter in parameters}
    if name in own or any(name in _called(source) for source in body.find_all(exp.Table, exp.TableAlias)):
        return
    for column in list(body.find_all(exp.Column)):
        if column.table.lower() == name and not column.args.get("db") and column.name.lower() in own:
            column.this.set("this", f"{name}.{column.name}".lower())
            column.set("table", None)


def _called(source: exp.Expr) -> set[str]:
    """Return what a table, or the alias of any other source, may be called in front of a column."""
    return {source.name.lower(), *(column.name.lower() for column in source.args.get("columns") or ())}


def _typed(column: Column, kind: Any) -> Column:
    """Return an argument with the fields that its parameter's type names."""
    inner = column.fields
    if kind is None:
        return column
    fields = partial(_typed_fields, column, inner, kind)
    return Column(column.name, column.parts, fields=fields)


def _typed_fields(column: Column, inner: Fields | None, kind: exp.Expr) -> list[Column] | None:
    return typed_fields(kind, inner() if inner is not None else None, column.flow)


def _declared(properties: Any) -> tuple[str, ...]:
    """Return the columns of RETURNS TABLE (…), where they are declared."""
    if properties is None:
        return ()
    for item in properties.expressions:
        if isinstance(item, exp.ReturnsProperty) and isinstance(item.this, exp.Schema):
            return tuple(column.name for column in item.this.expressions)
    return ()
