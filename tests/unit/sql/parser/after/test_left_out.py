"""Statements without clauses and types that move no column."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from token_texts import text_of, tokens_in

from ingest.sql.parser.after import left_out


@pytest.mark.parametrize(
    ("change", "dialect", "sql", "plain"),
    [(left_out.without_snapshot, "bigquery", "create snapshot table t clone u", "create table t clone u"),
     (left_out.without_snapshot, "bigquery", "select snapshot from t", None),
     (left_out.without_lateral, "postgres", "select 1 from t, lateral rows from (f(a)) q, lateral f(a)",
      "select 1 from t , rows from ( f ( a ) ) q , lateral f ( a )"),
     (left_out.without_lateral, "postgres", "select 1 from t, lateral rows", None),
     (left_out.plain_clone, "spark", "create or replace table d.t shallow clone e.s version as of 3",
      "create or replace table d . t clone e . s"),
     (left_out.plain_clone, "spark", "create table t as select 1", None),
     (left_out.without_interval_units, "teradata", "select (a - b) day(4) to second(2) from t",
      "select ( a - b ) from t"),
     (left_out.without_interval_units, "teradata", "select (a - b) day from t", None),
     (left_out.without_column_aggregates, "doris",
      "create table t (k int, a decimal(3, 1) sum default '0', sum int max) aggregate key (k)",
      "create table t ( k int , a decimal ( 3 , 1 ) default '0' , sum int ) aggregate key ( k )"),
     (left_out.without_column_aggregates, "doris", "create table t (k int, a int sum)", None),
     (left_out.without_level, "spark", "with recursive t(n) max recursion level 100 as (select 1) select 2",
      "with recursive t ( n ) as ( select 1 ) select 2"),
     (left_out.without_level, "spark", "select max recursion", None),
     (left_out.without_partitioned_on, "hive", "create view v partitioned on (a) as select a from t",
      "create view v as select a from t"),
     (left_out.without_partitioned_on, "hive", "create table v partitioned on (a)", None),
     (left_out.without_collation, "spark", "create view v default collation unicode as select 1",
      "create view v as select 1"),
     (left_out.without_collation, "spark", "create table t (a int default 1)", None),
     (left_out.without_with_options, "postgres", "create table p partition of t (a with options default 0) default",
      "create table p partition of t ( a default 0 ) default"),
     (left_out.without_with_options, "postgres", "create table t (options int) with (a = 1)", None),
     (left_out.without_watermarks, "databricks", "select a from stream(t) watermark ts delay of interval 1 minute as s",
      "select a from stream ( t ) as s"),
     (left_out.without_watermarks, "databricks", "select a from t watermark ts delay of interval '1 minute' where b",
      "select a from t where b"),
     (left_out.without_watermarks, "databricks", "select a from t watermark x delay of interval '1' hour join u "
      "watermark y delay of interval 2 days on b", "select a from t join u on b"),
     (left_out.without_watermarks, "databricks", "select a from t watermark f(x) as ts delay of interval 1 day", None),
     (left_out.without_watermarks, "databricks", "select watermark from t", None),
     (left_out.called_defaults, "mysql", "update t set a = default(a) + 1, b = f(default(b))",
      "update t set a = DEFAULT ( ) + 1 , b = f ( DEFAULT ( ) )"),
     (left_out.called_defaults, "mysql", "create table t (a int default (1), b int not null default (2))", None),
     (left_out.called_defaults, "mysql", "update t set a = default", None),
     (left_out.plain_unions, "hive", "a uniontype<int, array<int>>, b int", "a string , b int"),
     (left_out.plain_unions, "hive", "a array<uniontype<int>>", "a array < string >"),
     (left_out.plain_unions, "hive", "select uniontype from t", None),
     (left_out.plain_shapes, "spark", "a geometry(any), b geography(any)", "a geometry , b geography"),
     (left_out.plain_shapes, "spark", "select any(a)", None),
     (left_out.without_logged_errors, "oracle", "insert into t select 1 log errors into e ('x') reject limit unlimited",
      "insert into t select 1"),
     (left_out.without_logged_errors, "oracle", "select log from errors", None),
     (left_out.named_target, "oracle", "update (select a from t) q set a = 1",
      "WITH q AS ( select a from t ) update q set a = 1"),
     (left_out.named_target, "oracle", "update (select a from t) set a = 1",
      "WITH updated_query AS ( select a from t ) update updated_query set a = 1"),
     (left_out.named_target, "oracle", "update t set a = 1", None)],
)  # fmt: skip
def test_what_moves_no_column_goes(change: Callable, dialect: str, sql: str, plain: str | None) -> None:
    """None where a statement has nothing of the kind, though it may have the words as names."""
    assert text_of(change(tokens_in(sql, dialect))) == plain


@pytest.mark.parametrize(
    ("sql", "following"),
    [("create table d.t as select 1", "as"), ("create or replace view if not exists v as x", "as"),
     ("create table t", "")],
)  # fmt: skip
def test_the_name_of_what_is_made_ends(sql: str, following: str) -> None:
    """After IF NOT EXISTS and the dots."""
    tokens = tokens_in(sql)
    end = left_out.name_end(tokens)

    assert text_of(tokens[end : end + 1]) == following


@pytest.mark.parametrize("dialect", ["postgres", "snowflake", "spark"])
@pytest.mark.parametrize("value", ["default(a) + 1", "coalesce(a, default(a))"])
def test_elsewhere_default_is_not_called(lineage, dialect: str, value: str) -> None:
    """What it means is not known."""
    assert lineage(f"INSERT INTO o SELECT {value} AS b FROM t", dialect=dialect).codes() == {"syntax"}


@pytest.mark.parametrize(
    "sql",
    [
        "UPDATE t SET b = DEFAULT(c) + 1",
        "INSERT INTO t (a, b) VALUES (1, 2) ON DUPLICATE KEY UPDATE b = DEFAULT(b)",
        "INSERT INTO t (a, b) VALUES (1, DEFAULT(b))",
    ],
)
def test_nothing_flows_from_the_default_of_a_column(lineage, sql: str) -> None:
    """It is a constant of the definition, not a value of the column."""
    result = lineage(sql, dialect="mysql")

    assert (result.names("d.t"), result.found.coverage) == ({}, "complete")
