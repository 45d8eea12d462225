"""The text of an expression: literals are masked wherever they stand, so that editing one is not a change."""

from __future__ import annotations

import pytest


@pytest.mark.parametrize(
    ("expression", "other", "dialect"),
    [
        ("get_json_object(a, '$.x')", "get_json_object(a, '$.y[0].z')", "spark"),
        ("get_json_object(t.a, '$.x')", "get_json_object(t.a, '$')", "hive"),
        ("JSON_EXTRACT(a, '$.x')", "JSON_EXTRACT(a, '$.y')", "bigquery"),
        ("JSON_EXTRACT(a, '$.x', '$.y')", "JSON_EXTRACT(a, '$.z', '$.y')", "mysql"),
        ("JSON_VALUE(a, '$.x')", "JSON_VALUE(a, '$.y')", "tsql"),
        ("JSON_EXTRACT_SCALAR(a, '$.x')", "JSON_EXTRACT_SCALAR(a, '$.y')", "trino"),
        ("a -> 'x' ->> 'y'", "a -> 'z' ->> 'it''s'", "postgres"),
        ("a -> '$.x'", "a -> '$.y'", "duckdb"),
        ("JSONExtractString(a, 'x', 'y')", "JSONExtractString(a, 'z', 'y')", "clickhouse"),
        ("get_path(a, 'q.r')", "get_path(a, 'q.s')", "snowflake"),
        ("concat(a, x'1F')", "concat(a, x'2F')", "mysql"),
        ("concat(a, b'abc')", "concat(a, b'abd')", "bigquery"),
        ("a || $$abc$$", "a || $$abd$$", "postgres"),
        ("coalesce(a, true)", "coalesce(a, false)", "bigquery"),
        ("a + interval '1 day'", "a + interval '2 day'", "postgres"),
    ],
)
def test_editing_a_literal_is_no_change(lineage, expression, other, dialect):
    """Two expressions that differ in a literal only have the same edges, and the text shows a question mark."""
    before, after = (
        lineage(f"SELECT {text} AS z FROM t", dialect, target="n:d.o").found for text in (expression, other)
    )

    assert before.edges == after.edges
    assert all("?" in edge.expression for edge in before.edges)


@pytest.mark.parametrize("dialect", ["snowflake", "databricks"])
def test_a_path_of_names_stays_in_the_text(lineage, dialect):
    """``b:x.y`` names a field and is not a literal: another field is another edge."""
    one, other = (lineage(f"SELECT a:x.{name} AS z FROM t", dialect).found.edges for name in ("y", "k"))

    assert one != other
    assert "x.y" in one[0].expression
    assert "'" not in one[0].expression


def test_athena_has_an_answer(lineage):
    """Athena's generator only chooses between two others; expressions are written in Trino's way."""
    assert lineage("SELECT a + 1 AS z FROM t", "athena").expression("z") == "d.t.a + ?"
