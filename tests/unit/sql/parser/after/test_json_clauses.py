"""SQL/JSON functions cut down to their arguments."""

from __future__ import annotations

import pytest
from token_texts import text_of, tokens_in

from ingest.sql.parser.after.json_clauses import plain_json


@pytest.mark.parametrize(
    ("sql", "plain"),
    [("json_value(d, 'p' returning bigint)", "json_value ( d , 'p' )"),
     ("json_value(d, 'p' null on empty error on error)", "json_value ( d , 'p' )"),
     ("json_value(d, 'p' returning decimal(3, 1) default z on empty)", "json_value_default ( d , 'p' , z )"),
     ("json_query(d, 'p' passing x as y with array wrapper)", "json_query_passing ( d , 'p' , x )"),
     ("json_value(f(a) format json, 'p')", "json_value ( f ( a ) , 'p' )"),
     ("json_array(json_value(a, 'p' returning int), b absent on null)", "json_array ( json_value ( a , 'p' ) , b )")],
)  # fmt: skip
def test_arguments_stay_and_clauses_go(sql: str, plain: str) -> None:
    """What is passed, or given by default, is a further argument of a function of another name."""
    assert text_of(plain_json(tokens_in(sql, "trino"))) == plain


@pytest.mark.parametrize("sql", ["json_value(d, 'p')", "f(a returning int)", "select error, format from t", ""])
def test_where_there_are_no_clauses_there_is_no_other_form(sql: str) -> None:
    """The same words outside of such functions are names."""
    assert plain_json(tokens_in(sql, "trino")) is None
