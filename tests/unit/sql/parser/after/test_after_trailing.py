"""What follows a query and is none of its clauses."""

from __future__ import annotations

import pytest
from token_texts import tokens_in

from ingest.sql.dialects.engine import engine_of
from ingest.sql.dialects.registry import rules_or_standard
from ingest.sql.parser.after.trailing import after_query


def said(sql: str, dialect: str = "hive") -> str | None:
    """Return what is reported of a statement."""
    tokens = tokens_in(sql, dialect)
    node = engine_of(rules_or_standard(dialect)).dialect.parser().parse(tokens, sql)[0]
    problem = after_query(node, tokens)
    return None if problem is None else problem.detail


def test_a_condition_after_a_misspelt_where_is_found() -> None:
    """The parser takes the misspelt word for an alias and the condition for an option."""
    assert said("create table t as select a from u whre b = 1") == "b = … after the query is not understood"


@pytest.mark.parametrize(
    "sql",
    ["create table t as select a from u where b = 1", "create table t tblproperties ('b' = 1) as select a as b from u",
     "create table t (b int)", "select a from u"],
)  # fmt: skip
def test_options_before_the_query_are_no_slip(sql: str) -> None:
    """Nor is a statement without a query."""
    assert said(sql) is None
