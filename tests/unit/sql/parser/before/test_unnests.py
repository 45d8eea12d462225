"""Implicit unnests made explicit."""

from __future__ import annotations

import pytest
from sqlglot import exp, parse_one

from ingest.sql.parser.before.unnests import explicit, explicit_everywhere


@pytest.mark.parametrize(
    ("sql", "plain"),
    [("SELECT 1 FROM t, t.items", "SELECT 1 FROM t, UNNEST(t.items)"),
     ("SELECT 1 FROM d.t AS x, X.items AS i", "SELECT 1 FROM d.t AS x, UNNEST(X.items) AS i"),
     ("SELECT 1 FROM t, t.a AS b, b.c AS e", "SELECT 1 FROM t, UNNEST(t.a) AS b, UNNEST(b.c) AS e"),
     ("SELECT 1 FROM t, u.items", "SELECT 1 FROM t, u.items"),
     ("SELECT 1 FROM t JOIN t.items ON TRUE", "SELECT 1 FROM t JOIN t.items ON TRUE"),
     ("SELECT 1 FROM t, t", "SELECT 1 FROM t, t"),
     ("SELECT 1", "SELECT 1")],
)  # fmt: skip
def test_a_path_into_a_source_before_it_is_an_unnest(sql: str, plain: str) -> None:
    """In any case of its name; a table of another name, or joined by a condition, stays one."""
    node = parse_one(sql)
    explicit(node)

    assert node.sql("bigquery") == plain
    if plain != sql:
        assert node.find(exp.Unnest) is not None


def test_every_query_of_a_statement_is_made_explicit() -> None:
    """Those inside of others see their own sources alone."""
    node = parse_one("SELECT * FROM (SELECT 1 FROM t, t.a) AS u, t.b UNION ALL SELECT 1 FROM v, v.c")
    explicit_everywhere(node)

    assert [unnest.expressions[0].sql() for unnest in node.find_all(exp.Unnest, bfs=False)] == ["t.a", "v.c"]
