"""MaxCompute's functions of other projects."""

from __future__ import annotations

import pytest
from token_texts import text_of, tokens_in

from ingest.sql.parser.before.engines.projects import plain_projects


@pytest.mark.parametrize(
    ("sql", "plain"),
    [
        ("select p:f(a), b from t", "select p . f ( a ) , b from t"),
        ("select u.a from t lateral view p:f(t.c) u as a", "select u . a from t lateral view p . f ( t . c ) u as a"),
        ("select a from t where b = :c", "select a from t where b = : c"),
        ("select f(a) from t", "select f ( a ) from t"),
    ],
)
def test_a_call_of_another_projects_function_has_a_dot(sql: str, plain: str) -> None:
    """A parameter is left as it is."""
    assert text_of(plain_projects(tokens_in(sql, "hive"))) == plain


def test_its_arguments_are_the_source(lineage) -> None:
    """The project was taken for a column, and the argument for the item's name, in a complete answer."""
    result = lineage("INSERT INTO o (x) SELECT tools:clean(a) FROM t", "maxcompute", target=None)

    assert result.names() == {"x": "t#a"}
    assert result.found.coverage == "complete"
