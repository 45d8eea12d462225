"""Which of two things of one name is meant: a select item or a column, a row or a column, clause by clause.

As engines were seen to have it: DuckDB, Postgres, MariaDB, SQLite, Spark and ClickHouse were asked, with rows that tell
the two apart; BigQuery's own way is in ZetaSQL's tests of its analyser. In ORDER BY a name alone is an item's in all.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Precedence:
    """A dialect's rules.

    ``items_first`` are the clauses in which a select item goes before a column of its name, ``order`` standing for
    expressions in ORDER BY and ``group`` for a name alone in GROUP BY; ``items_settle`` those in which it is meant at
    least where several sources have such a column. With ``items_anywhere`` an item goes first in every clause, before
    its own place, too; with ``rows_first`` an alias in FROM, for the whole row, goes before a column; with
    ``first_source`` a column of several sources is the first one's. With ``rows_are_values`` an alias alone may be
    the whole row; elsewhere it is a column of that name.
    """

    items_first: frozenset[str] = frozenset(["order"])
    items_settle: frozenset[str] = frozenset()
    items_anywhere: bool = False
    rows_first: bool = False
    first_source: bool = False
    rows_are_values: bool = False


PLAIN: Final = Precedence()
#: A select item's name goes before a column's in no clause; a name alone in ORDER BY is an item's all the same.
COLUMNS_IN_ORDER: Final = Precedence(items_first=frozenset())
#: The same of engines that take a table's name for its row.
ROWS_IN_ORDER: Final = Precedence(items_first=frozenset(), rows_are_values=True)
