"""A statement as a value that can be compared: which rows of which tables it gives, and what each column holds.

An expression is a nested tuple: an operator's name and its parts; ``("column", i, name)`` is a column of the i-th table
of the statement. Two expressions are equal only if they are the same computation over the same columns.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, NamedTuple

#: A nested tuple of texts, numbers and such tuples.
Expression = tuple[Any, ...]
COLUMN: Final = "column"
#: Commutative operators.
EITHER_WAY: Final = frozenset(["And", "Or", "Mul", "EQ", "NEQ"])


class Rows(NamedTuple):
    """Which rows a statement gives: the datasets, how they are joined, and the conditions on the rows.

    ``joins`` has a tuple for each table after the first: how it is joined, and the conditions.
    """

    tables: tuple[str, ...]
    joins: tuple[tuple[str, frozenset[Expression]], ...] = ()
    where: frozenset[Expression] = frozenset()
    group: frozenset[Expression] | None = None
    having: frozenset[Expression] = frozenset()
    distinct: bool = False

    @property
    def keeps_all(self) -> bool:
        """Whether it gives each row of one dataset once."""
        return len(self.tables) == 1 and not (self.where or self.having or self.distinct) and self.group is None


class Statement(NamedTuple):
    """What one task writes to one dataset: its rows, and the expression of each column that can be compared.

    ``aggregates`` says that a column is computed from many rows. ``dialect`` is that of the text.
    """

    task_id: str
    dataset: str
    rows: Rows
    columns: Mapping[str, Expression]
    aggregates: bool = False
    dialect: str = ""


class Text(NamedTuple):
    """The text of a task in force, the datasets that it reads, and the dataset that it writes with its columns.

    ``columns`` are in their declared order, or empty if they are not declared.
    """

    task_id: str
    sql: str
    dialect: str
    sources: frozenset[str]
    target: str
    columns: tuple[str, ...] = ()


#: Parses texts, in order; None for each that a statement here cannot represent.
Define = Callable[[Sequence[Text]], "Sequence[Statement | None]"]


def normal_form(operator: str, parts: Sequence[Any]) -> Expression:
    """Return an expression in normal form: the sides of commutative operators are sorted."""
    if operator in EITHER_WAY and len(parts) == 2:
        parts = sorted(parts, key=repr)
    return (operator, *parts)


def moved(expression: Any, change: Callable[[int, str], Any]) -> Any:
    """Return an expression with each column replaced by what ``change`` gives for its table's place and its name."""
    if not isinstance(expression, tuple):
        return expression
    if len(expression) == 3 and expression[0] == COLUMN:
        return change(expression[1], expression[2])
    parts = [moved(part, change) for part in expression[1:]]
    return (
        normal_form(expression[0], parts)
        if expression and isinstance(expression[0], str)
        else tuple(moved(part, change) for part in expression)
    )


def columns_in(expression: Any) -> set[tuple[int, str]]:
    """Return the columns of an expression as (table's place, name)."""
    if not isinstance(expression, tuple):
        return set()
    if len(expression) == 3 and expression[0] == COLUMN:
        return {(expression[1], expression[2])}
    return {column for part in expression for column in columns_in(part)}
