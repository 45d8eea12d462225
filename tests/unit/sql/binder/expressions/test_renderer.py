"""Texts of expressions: columns as their sources, literals hidden, cosmetic edits without a trace."""

from __future__ import annotations

import pytest
from bound import Bound
from sqlglot import exp

from ingest.sql.binder.expressions.renderer import Renderer


def text(sql: str, dialect: str = "spark", given: str = "t") -> str:
    """The text of an expression whose names were resolved."""
    bound = Bound(given, dialect)
    return bound.column(sql).parts[0].text


@pytest.mark.parametrize(
    ("dialect", "given", "sql", "expected"),
    [
        ("spark", "t", "a + 1", "d.t.a + ?"),
        ("spark", "t", "concat(a, 'secret')", "CONCAT(d.t.a, ?)"),
        ("spark", "t", "a = true", "d.t.a = ?"),
        ("spark", "t AS q", "q.a  *  /* twice */ 2", "d.t.a * ?"),
        ("spark", "(SELECT a + b AS k FROM t) q", "k * c2", "(d.t.a + d.t.b) * c2"),
        ("spark", "(SELECT upper(a) AS k FROM t) q", "k || k", "UPPER(d.t.a) || UPPER(d.t.a)"),
        ("spark", "(SELECT upper(a) || lower(b) AS k FROM t) q", "k || 'x'", "(UPPER(d.t.a) || LOWER(d.t.b)) || ?"),
        ("spark", "w", "st.f + 1", "d.w.st.f + ?"),
        ("bigquery", "t", "ARRAY_AGG(a RESPECT NULLS ORDER BY b)", "ARRAY_AGG(d.t.a RESPECT NULLS ORDER BY d.t.b)"),
    ],
)
def test_names_are_sources_and_literals_are_hidden(dialect: str, given: str, sql: str, expected: str) -> None:
    """A computed column stands in brackets inside of another expression, unless it is one name or one call."""
    assert text(sql, dialect, given) == expected


def test_cosmetic_edits_leave_the_text_as_it_was() -> None:
    """Spaces, comments, case of words and aliases of tables."""
    assert text("CASE WHEN a>1 THEN b END") == text("case  when q.a > 2 then q.b /* x */ end", given="t q")


def test_a_subquery_is_its_outputs_and_what_it_reads() -> None:
    """Its filter is not part of the text; one that was not resolved is a question mark."""
    bound = Bound("t")
    node = bound.item("coalesce((SELECT max(d) FROM u WHERE e > 1), 0)")
    column = bound.values.column(node, bound.scope, "z")

    assert column.parts[0].text == "COALESCE((SELECT MAX(d.u.d) FROM d.u), ?)"
    fresh = Bound("t")
    assert fresh.walk.render(fresh.item("1 + (SELECT max(d) FROM u)"), fresh.values) == "? + (SELECT ?)"


def test_a_path_in_quotes_is_a_literal_and_one_of_names_is_not() -> None:
    """Which field it is belongs to the meaning; a text may be anybody's."""
    assert text("get_json_object(a, '$.x')") == "GET_JSON_OBJECT(d.t.a, ?)"
    assert "x.y" in text("a:x.y", "databricks")


def test_what_the_generator_cannot_write_is_named_by_its_kind() -> None:
    """A CAST to nothing: lineage does not depend on the text, and the next one is written as ever."""
    bound = Bound("t")
    renderer = Renderer(bound.walk.names.engine)

    assert renderer.render(exp.Cast(this=exp.column("a")), bound.values) == "CAST"
    assert renderer.render(bound.item("1 + 1"), bound.values) == "? + ?"
