"""The names of SQL dialects, without loading the parser: whether one is known, and which known one comes nearest."""

from __future__ import annotations

import difflib
from typing import Final

_PARSED: Final = """
    athena bigquery clickhouse databricks dax doris dremio drill druid duckdb dune exasol fabric hive materialize mysql
    oracle postgres presto prql redshift risingwave snowflake solr spark spark2 sqlite starrocks tableau teradata trino
    tsql
"""
#: The dialects that the parser reads. A test compares them with the parser's own list.
PARSED: Final = frozenset(_PARSED.split())
#: Names that other tools use, each with the dialect that is read instead; "" is standard SQL.
ALIASES: Final = {
    "": "",
    "ansi": "",
    "sparksql": "spark",
    "greenplum": "postgres",
    "postgresql": "postgres",
    "mariadb": "mysql",
    "vertica": "postgres",
    "impala": "hive",
    "mssql": "tsql",
    "db2": "",
}


def is_known(dialect: str) -> bool:
    """Say whether a dialect's name is known, in any case of its letters."""
    return dialect.lower() in PARSED or dialect.lower() in ALIASES


def nearest(dialect: str) -> str | None:
    """Return the known name that is spelt most like this one, None where none is."""
    return next(iter(difflib.get_close_matches(dialect.lower(), known_names(), n=1, cutoff=0.6)), None)


def known_names() -> tuple[str, ...]:
    """Return every name that is known, in order."""
    return tuple(sorted(name for name in PARSED | ALIASES.keys() if name))


def unknown_words(dialect: str) -> str:
    """Return that a dialect is not known, in words, with the nearest name where there is one."""
    near = nearest(dialect)
    return f"no dialect {dialect!r}" + (f"; did you mean {near!r}?" if near else "")
