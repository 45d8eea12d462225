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
    ``first_source`` a column of several sources is the first one's.
    """

    items_first: frozenset[str] = frozenset(["order"])
    items_settle: frozenset[str] = frozenset()
    items_anywhere: bool = False
    rows_first: bool = False
    first_source: bool = False


PLAIN: Final = Precedence()
_COLUMNS_IN_ORDER: Final = Precedence(frozenset())
_SPARK: Final = Precedence(frozenset(["order", "qualify"]), frozenset(["having"]))
_CLICKHOUSE: Final = frozenset(["prewhere", "where", "having", "qualify", "group", "order"])

BY_DIALECT: Final = {
    "bigquery": Precedence(frozenset(["group", "having", "qualify", "order"]), rows_first=True),
    "clickhouse": Precedence(_CLICKHOUSE, items_anywhere=True, first_source=True),
    "spark": _SPARK,
    "databricks": _SPARK,
    "mysql": Precedence(frozenset(), frozenset(["group", "having"])),
    **dict.fromkeys(("duckdb", "postgres", "redshift", "sqlite", "tsql", "fabric"), _COLUMNS_IN_ORDER),
}
