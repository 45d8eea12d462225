"""The parts of the binder as they call each other: each part knows these interfaces, and no other part.

A subquery may be in an expression, and an expression in a query: without interfaces each part would import all others.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence, Set
from typing import Any, Protocol

from sqlglot import exp

from ingest.sql.binder.names.context import Context
from ingest.sql.binder.names.scope import Cte, Scope, Source
from ingest.sql.binder.relations.flow import Column, Flow
from ingest.sql.binder.relations.relations import Relation
from ingest.sql.dialects.function_registry import Function, Registry

#: A long array's elements that are walked one by one, and the sources of all others by the position of the field.
ArraySources = tuple[list[exp.Expr], list[Flow]]


class NameLookup(Protocol):
    """Names to columns."""

    def find(self, parts: list[str], scope: Scope) -> Column | None:
        """Resolve a name; one that cannot be resolved is reported, once, and gives None."""

    def column_at(self, node: exp.Expr) -> Column | None:
        """Return what a name in the tree was resolved to."""

    def of_record(self, parts: list[str], scope: Scope) -> Column | None:
        """Return the field of a row that a loop or a FETCH goes over, None for other names."""

    def note(self, node: exp.Expr) -> None:
        """Remember that a name was looked at which denotes no column of its own: a pattern, a word."""

    def knows(self, node: exp.Column) -> bool:
        """Whether a name in the tree, or another at its place in the text, was resolved; True without a place."""

    @property
    def places(self) -> Set[int]:
        """Where the names that were resolved begin in the text."""


class Expressions(Protocol):
    """What expressions take their values from."""

    arrays: dict[tuple[int, int], tuple[exp.Expr, Scope, ArraySources]]

    @property
    def walk(self) -> Binder:
        """The binder of the script."""

    @property
    def lookup(self) -> NameLookup:
        """The names in these expressions."""

    def plain(self, node: exp.Expr, scope: Scope) -> Column | None:
        """Return the column that a name or a field path denotes, None where it is more than that."""

    def column(self, node: exp.Expr, scope: Scope, name: str, position: int | None = None) -> Column:
        """Return the column of a select item."""

    def fields(self, node: exp.Expr, scope: Scope) -> list[Column] | None:
        """Return the fields of a struct, or of an array's structs, None where they are not known."""

    def is_map(self, node: exp.Expr, scope: Scope) -> bool:
        """Whether an expression is a column that was declared as a map."""

    def seen(self, column: Column) -> Flow:
        """Return a column's sources as those of something computed from it."""

    def flow(self, node: exp.Expr, scope: Scope, by: int) -> Flow:
        """Return everything an expression depends on, as ``by``."""

    def collect(self, node: exp.Expr, scope: Scope, by: int, out: Flow) -> None:
        """Add the sources of ``node`` to ``out``."""

    def below(self, node: exp.Expr, scope: Scope, by: int, out: Flow) -> None:
        """Add the sources of what is below ``node`` to ``out``."""

    def relation_at(self, node: exp.Expr) -> Relation | None:
        """Return what a subquery in the tree was resolved to."""

    def subquery(self, node: exp.Expr, scope: Scope, *, decides: bool = True) -> Relation:
        """Evaluate a query inside an expression; unless ``decides``, the caller adds its effects."""


class StarExpansion(Protocol):
    """Stars to columns."""

    def expand(self, node: exp.Expr, scope: Scope) -> list[Column]:
        """Return the columns of ``*``, ``t.*`` or ``t.s.*``, with its EXCEPT, REPLACE and RENAME."""

    def placed(self, node: exp.Expr, scope: Scope) -> Column | None:
        """Return the column of a position, DuckDB's ``#2``; one that is not known is reported."""

    def in_join(self, level: Scope, source: Source, column: Column) -> Column:
        """Return a column of one of a join's sources under the name that the join gives it."""

    def matching(self, node: exp.Expr, scope: Scope) -> list[Column] | None:
        """Return the columns that a quoted name matches as a pattern, None where it is a plain name."""


class FromClause(Protocol):
    """The items of FROM."""

    def bring(self, node: exp.Expr, scope: Scope) -> None:
        """Bring a FROM item, and what is joined to it inside its own brackets, into ``scope``."""

    def check_list(self, called: str, names: int, columns: int) -> None:
        """Report a list of names that engines reject: of more names than columns, or of fewer, which some take."""

    def with_names(self, relation: Relation, names: Sequence[exp.Expr], called: str | None = None) -> Relation:
        """Return a relation whose first columns have the names of a column alias list."""

    def cte(self, entry: Cte) -> Relation:
        """Return the relation of a named query, evaluated once."""

    def rows_of_values(self, node: exp.Expr, scope: Scope) -> Relation:
        """Return the rows of VALUES."""


class JoinClauses(Protocol):
    """JOIN clauses."""

    def join(self, node: exp.Expr, scope: Scope) -> None:
        """Join one more item to what is in ``scope``."""


class SelectList(Protocol):
    """Select lists."""

    def select_list(self, node: exp.Expr, scope: Scope) -> list[Column]:
        """Return the columns of a SELECT; each item may see the names of those before it."""

    def columns_of(self, item: exp.Expr, scope: Scope) -> list[Column]:
        """Return the columns that an item denotes where names are listed."""


class FunctionCalls(Protocol):
    """Functions that the script defines, and those that the user describes."""

    registry: Registry | None
    redefined: dict[type, str]

    def registered(self, name: str) -> Function | None:
        """Return what ``functions.toml`` says of a called name, None for nothing."""

    def registered_class(self, kind: type) -> Function | None:
        """Return what ``functions.toml`` says of a function that the parser knows, by the class of its calls."""

    def knows(self, name: str) -> bool:
        """Return whether the script defines a function of a name, whatever is in front of it."""

    def define(self, node: exp.Expr, body: exp.Expr, properties: Any = None, outer: Scope | None = None) -> None:
        """Register what CREATE FUNCTION, CREATE MACRO or WITH FUNCTION defines."""

    def call(self, name: str, arguments: list[exp.Expr], scope: Scope) -> Column | None:
        """Return what a scalar function's body makes of the arguments, None where the body is not known."""

    def table(self, name: str, arguments: list[exp.Expr], scope: Scope) -> Relation | None:
        """Return the rows that a table function's query makes of the arguments."""


class Binder(Context, ABC):
    """The context of a script, and the parts of the binder that resolve its queries."""

    values: Expressions
    stars: StarExpansion
    sources: FromClause
    joins: JoinClauses
    items: SelectList
    functions: FunctionCalls

    @abstractmethod
    def query(self, node: exp.Expr, outer: Scope | None, *, top: bool = False, base: Scope | None = None) -> Relation:
        """Return the relation of a query.

        ``top`` says that its order is the written table's order; ``base`` holds sources that a SELECT without FROM
        reads.
        """

    @abstractmethod
    def with_clause(self, node: exp.Expr, scope: Scope) -> None:
        """Bring the named queries of a WITH clause into ``scope``."""

    @abstractmethod
    def render(self, node: exp.Expr, values: Expressions) -> str:
        """Return the normalised text of a resolved expression."""
