"""Brackets that the parser needs and engines do not."""

from __future__ import annotations

import pytest
from token_texts import text_of, tokens_in

from ingest.sql import extract
from ingest.sql.parser.after.bracketed import computed_columns, prior_items


@pytest.mark.parametrize(
    ("sql", "plain"),
    [
        ("create external table t (d date as f(a, b), e int as (c))",
         "create external table t ( d date as ( f ( a , b ) ) , e int as ( c ) )"),
        ("create or replace external table s.t (d date as (v:a)::date not null, e int) location=@x",
         "create or replace external table s . t ( d date as ( ( v : a ) :: date ) not null , e int ) location = @ x"),
        ("create external table t (d date as (a))", None),
        ("create table t (d date as f(a))", None),
        ("create external table t as select 1", None),
        ("select 1", None),
    ],
)  # fmt: skip
def test_the_expression_of_a_computed_column_is_put_in_brackets(sql: str, plain: str | None) -> None:
    """All of it, and no other part; one in brackets stays, as tables that are not external do."""
    assert text_of(computed_columns(tokens_in(sql, "snowflake"))) == plain


@pytest.mark.parametrize(
    ("sql", "plain"),
    [
        ("select a, prior b.c as d, f(prior e) from t", "select a , prior ( b . c ) as d , f ( prior ( e ) ) from t"),
        ("select a from t connect by prior a = b", None),
        ("select prior from t", None),
        ("select prior + 1 from t", None),
    ],
)
def test_prior_in_an_item_is_read_as_a_call(sql: str, plain: str | None) -> None:
    """In CONNECT BY the parser knows the word; a column may be called so."""
    assert text_of(prior_items(tokens_in(sql, "snowflake"))) == plain


def test_statements_with_either_are_understood() -> None:
    """PRIOR is of the row above, whose column feeds the item."""
    found = extract(
        "CREATE TABLE o AS SELECT id, PRIOR id AS pr FROM a START WITH id = 1 CONNECT BY pid = PRIOR id;"
        "CREATE EXTERNAL TABLE e (d DATE AS TO_DATE(metadata$filename), v INT AS (value:c1::int)) LOCATION = @p",
        dialect="snowflake",
        namespace="n",
    )

    assert {(edge.source, edge.target) for edge in found.edges if edge.type == "DIRECT"} == {
        ("n:A#ID", "n:O#ID"),
        ("n:A#ID", "n:O#PR"),
    }
    assert dict(found.outputs)["n:E"] == ("D", "V")
    assert found.problems == ()
