"""Views of files, sinks, and what a materialized view says of its rows."""

from __future__ import annotations

import pytest
from token_texts import text_of, tokens_in

from ingest.sql import extract
from ingest.sql.parser.before import views


def test_a_view_of_files_selects_from_them() -> None:
    """Spark names the format, and the path among the options; TEMPORARY TABLE is the view's older name."""
    for made in ("view v using parquet", "view v using excel", "table v using csv"):
        sql = f"create temporary {made} options (path '/x')"
        view = " ".join(made.split()[:2])

        assert (
            text_of(views.of_files(tokens_in(sql, "spark"))) == f"create temporary {view} AS SELECT * FROM parquet . /x"
        )


@pytest.mark.parametrize(
    ("sql", "plain"),
    [
        (
            "create table t using org.apache.spark.sql.parquet location '/x'",
            "create table t using parquet location '/x'",
        ),
        ("create table t using parquet", "create table t using parquet"),
        ("create table t as select a from u join v using (b)", "create table t as select a from u join v using ( b )"),
        ("create procedure p ( ) merge into t using d.u on a", "create procedure p ( ) merge into t using d . u on a"),
        (
            "create or replace global temporary view v using a.csv",
            "create or replace global temporary view v using csv",
        ),
    ],
)
def test_a_class_that_names_a_format_is_the_format(sql: str, plain: str) -> None:
    """The parser took a dotted name for no statement at all, or lost a part of it."""
    assert text_of(views.named_format(tokens_in(sql, "spark"))) == plain


@pytest.mark.parametrize(
    ("sql", "plain"),
    [
        ("create sink s as select a from t with (connector = 'x')", "CREATE VIEW s AS select a from t"),
        ("create sink s from t with (connector = 'x')", "CREATE VIEW s AS SELECT * FROM t"),
        ("create sink s into u as select a from t", "INSERT INTO u select a from t"),
        ("create table s (a int)", "create table s ( a int )"),
    ],
)
def test_a_sink_is_a_view_or_fills_a_table(sql: str, plain: str) -> None:
    """Its options say nothing of columns."""
    assert text_of(views.plain_sink(tokens_in(sql, "postgres"))) == plain


@pytest.mark.parametrize(
    "said",
    ["build immediate refresh fast on demand", "populate", "grace period interval '1' hour", "when stale inline"],
)
def test_when_rows_are_made_moves_no_column(said: str) -> None:
    """Neither when a view is filled nor how old its rows may be."""
    tokens = tokens_in(f"create materialized view v {said} as select a from t", "oracle")

    assert (
        text_of(views.without_grace(views.without_options(tokens))) == "create materialized view v as select a from t"
    )


@pytest.mark.parametrize(
    "sql",
    [
        "create temporary table o as select a from t join u using ( a ) where path = '/x'",
        "create temporary table o select a from t join u using ( a ) where path = '/x'",
        "create view o as select a from t join u using ( a ) where path = '/x'",
    ],
)
def test_the_using_of_a_join_names_no_format(sql: str) -> None:
    """The rest of the query was taken for options, because it has a column ``path``."""
    assert text_of(views.of_files(tokens_in(sql, "spark"))) == sql


@pytest.mark.parametrize(
    ("dialect", "sql", "expected"),
    [
        ("tsql", "ALTER VIEW v WITH SCHEMABINDING AS SELECT a FROM dbo.u", {"dbo.u#a v#a"}),
        ("tsql", "ALTER VIEW v WITH SCHEMABINDING, VIEW_METADATA AS WITH q AS (SELECT a FROM u) SELECT a FROM q",
         {"u#a v#a"}),
        ("tsql", "ALTER VIEW v (x, y) AS SELECT a, b FROM u WITH CHECK OPTION", {"u#a v#x", "u#b v#y"}),
        ("mysql", "ALTER ALGORITHM = MERGE VIEW v AS SELECT a FROM u", {"u#a v#a"}),
        ("mysql", "ALTER ALGORITHM = MERGE DEFINER = 'r'@'%' SQL SECURITY INVOKER VIEW d.v (x) AS SELECT a FROM u",
         {"u#a d.v#x"}),
        ("mysql", "ALTER DEFINER = CURRENT_USER VIEW v AS (SELECT a FROM u) WITH LOCAL CHECK OPTION", {"u#a v#a"}),
        ("mysql", "ALTER SQL SECURITY DEFINER VIEW v AS SELECT a FROM u", {"u#a v#a"}),
        ("impala", "ALTER VIEW v (x COMMENT 'as it is') AS SELECT a FROM u", {"u#a v#x"}),
        ("doris", "ALTER VIEW v (x COMMENT 'x', y) COMMENT 'y' AS SELECT a, b FROM u", {"u#a v#x", "u#b v#y"}),
        ("starrocks", "ALTER VIEW v (x, y) AS SELECT a, b FROM u", {"u#a v#x", "u#b v#y"}),
    ],
)  # fmt: skip
def test_a_view_that_is_altered_has_the_rows_of_its_new_query(dialect: str, sql: str, expected: set[str]) -> None:
    """With a clause or a list of columns it was one command, without an edge."""
    found = extract(sql, dialect=dialect, namespace="n")

    assert {f"{edge.source} {edge.target}".replace("n:", "") for edge in found.edges} == expected
    assert found.coverage == "complete"


@pytest.mark.parametrize(
    "sql",
    [
        "alter view v as select a from t",
        "alter view v rename to w",
        "alter view v alter column a set default 3",
        "alter view v compile",
        "alter view v with schemabinding as",
        "alter view",
        "alter table t add view int",
        "alter session set x = 1",
    ],
)
def test_what_the_parser_knows_of_a_view_stays(sql: str) -> None:
    """So does what is no query of a view."""
    assert text_of(views.replaced(tokens_in(sql, "tsql"))) == sql


@pytest.mark.parametrize(
    ("sql", "plain"),
    [
        (
            "create or replace recursive view d.v (n, m) as select 1",
            "create or replace view d . v as WITH RECURSIVE v ( n , m ) as ( select 1 ) SELECT n , m FROM v",
        ),
        ("create view v (n) as select recursive from t", "create view v ( n ) as select recursive from t"),
        ("create recursive view v as select 1", "create recursive view v as select 1"),
    ],
)
def test_a_recursive_view_is_a_view_of_a_recursive_query(sql: str, plain: str) -> None:
    """It must list its columns."""
    assert text_of(views.of_recursive(tokens_in(sql, "postgres"))) == plain
