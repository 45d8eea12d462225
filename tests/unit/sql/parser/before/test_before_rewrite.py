"""A statement in plainer form, by the rules of its dialect."""

from __future__ import annotations

import pytest
from token_texts import text_of, tokens_in

from ingest.sql.dialects.engine import engine_of
from ingest.sql.dialects.registry import rules_or_standard
from ingest.sql.parser.before.rewrite import bracketed_aliases, rewritten


@pytest.mark.parametrize(
    ("dialect", "sql", "plain"),
    [("hive", "table t", "SELECT * FROM t"),
     ("hive", "insert into table o table t", "insert into table o SELECT * FROM t"),
     ("postgres", "select f(table t)", "select f ( table t )"),
     ("snowflake", "select a from identifier('d.' || 't')", "select a from d . t"),
     ("snowflake", "select a from identifier($x)", "select a from ${x}"),
     ("clickhouse", "alter table d.t on cluster c delete where a", "delete FROM d . t where a"),
     ("clickhouse", "alter table t update a = 1 where b", "update t SET a = 1 where b"),
     ("bigquery", "select p.d.f(a) from t", "select p.d.f ( a ) from t"),
     ("hive", "select array(('a', b, (1, 2)), (c, 3))", "select array ( ( 'a' , b , 1 ) , ( c , 3 ) )"),
     ("hive", "select a in (1, 2), f(b, (1, 2)) from t", "select a in ( 1 , 2 ) , f ( b , ( 1 , 2 ) ) from t"),
     ("bigquery", "from t |> select a", "SELECT a FROM ( SELECT * from t ) AS __pipe"),
     ("duckdb", "select apply(a, f), b.reduce(g)", "select list_apply ( a , f ) , b . list_reduce ( g )"),
     ("duckdb", "create macro apply(a) as a", "create macro apply ( a ) as a"),
     ("duckdb", "select apply, reduce from apply(1)", "select apply , reduce from apply ( 1 )"),
     ("spark", "select reduce(a, 0, f) from t", "select reduce ( a , 0 , f ) from t"),
     ("hive", "select a from t", "select a from t")],
)  # fmt: skip
def test_a_statement_is_put_into_plainer_form(dialect: str, sql: str, plain: str) -> None:
    """What represents one value stays one; arguments and lists of IN are not rows."""
    assert text_of(rewritten(tokens_in(sql, dialect), engine_of(rules_or_standard(dialect)))) == plain


def test_names_after_a_scripts_as_come_in_brackets() -> None:
    """Those that are there stay; another AS names one column."""
    texts = {
        "select transform (a) using 'x' as b, c from t": "select transform ( a ) using 'x' as ( b , c ) from t",
        "select transform (a) using 'x' as (b) from t": "select transform ( a ) using 'x' as ( b ) from t",
        "select a as b, c from t": "select a as b , c from t",
    }

    assert {sql: text_of(bracketed_aliases(tokens_in(sql))) for sql in texts} == texts


@pytest.mark.parametrize(
    "call",
    [
        "apply(arr, x -> x + y)",
        "apply(arr, lambda x: x + y)",
        "arr.apply(lambda x: x + y)",
        "list_sort(arr).apply(lambda x: x + y)",
        "coalesce(NULL, apply(arr, x -> x + y))",
        "1 + len(apply(arr, x -> x + y))",
        "reduce(arr, lambda p, q: p + q + y)",
        "reduce(arr, (p, q) -> p + q, y)",
    ],
)
def test_duckdbs_functions_of_lists_take_their_arguments(lineage, call: str) -> None:
    """The words are a clause and another engine's function elsewhere."""
    result = lineage(f"SELECT {call} AS z FROM w", dialect="duckdb")

    assert result.names() == {"z": "w#arr w#y"}
    assert result.found.coverage == "complete"


@pytest.mark.parametrize(
    "sql",
    [
        "INSERT INTO d.{name} (a) SELECT b FROM t",
        "CREATE VIEW d.{name} (a) AS SELECT b FROM t",
        "CREATE TABLE {name} (a INT); INSERT INTO {name} SELECT b FROM t",
        "CREATE TABLE IF NOT EXISTS d.{name} (a INT); INSERT INTO d.{name} SELECT b FROM t",
    ],
)
@pytest.mark.parametrize("name", ["apply", "reduce"])
def test_duckdbs_tables_may_be_called_as_its_functions(lineage, sql: str, name: str) -> None:
    """With their columns in brackets, which are no arguments."""
    result = lineage(sql.format(name=name), dialect="duckdb")

    assert result.found.writes == (f"n:d.{name}",)
    assert result.names(f"d.{name}") == {"a": "t#b"}
    assert result.found.coverage == "complete"


@pytest.mark.parametrize("name", ["apply", "d.reduce"])
def test_a_copy_fills_the_table_of_its_name(lineage, name: str) -> None:
    """DuckDB's COPY, with columns."""
    result = lineage(f"COPY {name} (a) FROM 'x.csv'", dialect="duckdb")
    assert [written.rpartition(".")[2] for written in result.found.writes] == [name.rpartition(".")[2]]


@pytest.mark.parametrize(
    "sql",
    [
        "WITH reduce (a) AS (SELECT b FROM t) SELECT a FROM reduce",
        "WITH RECURSIVE apply (a) AS MATERIALIZED (SELECT b FROM t) SELECT a FROM apply",
        "WITH q AS (SELECT 1), apply (a) AS (SELECT b FROM t) SELECT a FROM apply",
        "WITH q AS (SELECT 1), apply (a) AS NOT MATERIALIZED (SELECT b FROM t) SELECT a FROM apply",
        "SELECT apply.a FROM (SELECT b FROM t) AS apply (a)",
        "SELECT apply.a FROM (SELECT b FROM t) apply (a)",
    ],
)
def test_duckdbs_queries_and_aliases_may_be_called_as_its_functions(lineage, sql: str) -> None:
    """A name in WITH or in FROM has columns after it, too."""
    result = lineage(sql, dialect="duckdb")

    assert result.names() == {"a": "t#b"}
    assert result.found.coverage == "complete"
