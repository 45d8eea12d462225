"""Views of files, sinks, and what a materialized view says of its rows."""

from __future__ import annotations

import pytest
from token_texts import text_of, tokens_in

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
