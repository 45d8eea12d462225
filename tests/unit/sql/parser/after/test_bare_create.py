"""CREATE without the clauses that the parser does not know."""

from __future__ import annotations

import pytest
from token_texts import text_of, tokens_in

from ingest.sql import extract
from ingest.sql.parser.after.bare_create import bare_create


@pytest.mark.parametrize(
    ("sql", "plain"),
    [("create table t (a int) strange clause as select 1", "create table t ( a int ) as select 1"),
     ("create table t strange clause as with c as (select a from b) select a from c",
      "create table t as with c as ( select a from b ) select a from c"),
     ("create table t (a int, b int generated always as (a)) strange clause",
      "create table t ( a int , b int generated always as ( a ) )"),
     ("create table t (a int) strange clause stored as orc", "create table t ( a int )"),
     ("create table t (a clob) lob (a) store as b", "create table t ( a clob )"),
     ("create table t strange clause as values (1, 2)", "create table t as values ( 1 , 2 )"),
     ("create table t strange clause as table u", "create table t as table u"),
     ("create table t strange clause", "create table t")],
)  # fmt: skip
def test_clauses_are_left_out(sql: str, plain: str) -> None:
    """Columns and the query stay; an AS inside brackets, or before a format, begins no query."""
    assert text_of(bare_create(tokens_in(sql, "hive"))) == plain


@pytest.mark.parametrize("dialect", ["spark", "trino", "duckdb", "snowflake", "bigquery", "postgres", "mysql", "tsql"])
@pytest.mark.parametrize(
    "sql",
    ["CREATE TABLE t AS SELEKT 1",
     "CREATE TABLE t AS SELEKT a FRM b",
     "CREATE TABLE t (a int) AS SELEKT 1",
     "CREATE OR REPLACE TABLE t AS SELEKT a FRM b",
     "CREATE TABLE t strange clause AS WIHT c AS (SELECT a FROM b) SELECT a FROM c",
     "CREATE TABLE t SELEKT 1",
     "CREATE TABLE t FRM b",
     "CREATE TABLE t LIKE",
     "CREATE TABLE t (a int) INHERITS (b) strange clause",
     "CREATE TABLE t PARTITION OF b (a strange clause) DEFAULT",
     "CREATE TABLE t CLONE"],
)  # fmt: skip
def test_a_query_with_a_slip_or_a_parent_is_not_left_out(sql: str, dialect: str) -> None:
    """The statement cannot be read; it does not count as a table without rows, of which all is known."""
    found = extract(sql, dialect=dialect, namespace="lake", default_database="dw")

    assert found.coverage == "opaque"
    assert {problem.code for problem in found.problems} & {"unsupported-statement", "syntax"}
