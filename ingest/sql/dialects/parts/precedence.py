"""Which of two things of one name is meant: a select item or a column, a row or a column, clause by clause.

The rules were observed: DuckDB, Postgres, MariaDB, SQLite, Spark and ClickHouse were queried with rows that distinguish
the two; BigQuery's rule is in ZetaSQL's tests of its analyser. In ORDER BY, all take a name alone for an item's.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Precedence:
    """A dialect's rules.

    ``items_first`` are the clauses in which a select item goes before a column of its name, where ``order`` means
    expressions in ORDER BY and ``group`` a name alone in GROUP BY; ``items_settle`` are those in which the item is
    meant at least where several sources have such a column. With ``items_anywhere`` an item goes first in every clause,
    even before its own place; with ``items_keep_case`` one of another case is another's name; with ``rows_first`` an
    alias in FROM, for the whole row, goes before a column; with ``first_source`` a column of several sources is the
    first one's, with ``united_first`` one that USING made goes before another source's, with ``united_alone`` it has no
    source's name in front. With ``rows_are_values`` an alias alone may be the whole row; elsewhere it is a column of
    that name. With ``tables_keep_names`` a table may be named beside its alias, with ``names_have_dots`` a dotted name
    may be one column's. With ``items_out_of_sight`` the select list (but see ``Rules.lateral_aliases``), FROM and WHERE
    may name none of its items, but WHERE may with ``items_in_where``. With ``items_unless_grouped`` HAVING takes a name
    that is not grouped by for an item's, where other engines reject a column of that name.
    """

    items_first: frozenset[str] = frozenset(["order"])
    items_settle: frozenset[str] = frozenset()
    items_anywhere: bool = False
    items_keep_case: bool = False
    rows_first: bool = False
    first_source: bool = False
    united_first: bool = False
    united_alone: bool = False
    rows_are_values: bool = False
    tables_keep_names: bool = False
    names_have_dots: bool = False
    items_out_of_sight: bool = False
    items_in_where: bool = False
    items_unless_grouped: bool = False


PLAIN: Final = Precedence()
#: As most engines have it that name no item before it is made.
LATER: Final = Precedence(items_out_of_sight=True)
#: A select item's name goes before a column's in no clause; a name alone in ORDER BY is an item's all the same.
COLUMNS_IN_ORDER: Final = Precedence(items_first=frozenset(), items_out_of_sight=True)
#: The same for engines that take a table's name for its row.
ROWS_IN_ORDER: Final = Precedence(items_first=frozenset(), rows_are_values=True, items_out_of_sight=True)
