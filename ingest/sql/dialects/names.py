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


#: Dialects that the parser has no rules for, each with the one that reads most of it.
SIMILAR: Final = {
    **dict.fromkeys(("flink", "flinksql", "kyuubi", "emr", "glue", "iceberg", "delta", "pyspark"), "spark"),
    **dict.fromkeys(("odps", "maxcompute", "inceptor"), "hive"),
    **dict.fromkeys(("hologres", "gaussdb", "kingbase", "cockroachdb", "yugabytedb", "timescaledb", "pg"), "postgres"),
    **dict.fromkeys(("tidb", "oceanbase", "polardb", "analyticdb", "adb", "gbase", "memsql"), "mysql"),
    **dict.fromkeys(("synapse", "sqlserver", "azure", "sybase"), "tsql"),
    **dict.fromkeys(("dm", "dameng", "plsql"), "oracle"),
    **dict.fromkeys(("selectdb", "palo"), "doris"),
    **dict.fromkeys(("starburst", "prestosql", "prestodb", "galaxy"), "trino"),
    **dict.fromkeys(("bq", "gbq", "googlesql", "zetasql"), "bigquery"),
    **dict.fromkeys(("ch", "chdb"), "clickhouse"),
}


def is_known(dialect: str) -> bool:
    """Say whether a dialect's name is known, in any case of its letters."""
    return dialect.lower() in PARSED or dialect.lower() in ALIASES


def nearest(dialect: str) -> str | None:
    """Return the known name for a dialect that is read most like this one, or is spelt so; None where none is."""
    similar = SIMILAR.get(dialect.lower().replace("_", "").replace("-", "").replace(" ", ""))
    if similar is not None:
        return similar
    return next(iter(difflib.get_close_matches(dialect.lower(), known_names(), n=1, cutoff=0.6)), None)


def known_names() -> tuple[str, ...]:
    """Return every name that is known, in order."""
    return tuple(sorted(name for name in PARSED | ALIASES.keys() if name))


def unknown_words(dialect: str) -> str:
    """Return that a dialect is not known, in words, with the nearest name where there is one."""
    near = nearest(dialect)
    return f"no dialect {dialect!r}" + (f"; did you mean {near!r}?" if near else "")
