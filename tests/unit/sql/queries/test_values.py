"""Which columns an output's value comes from, and in what way."""

from __future__ import annotations

import pytest


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("a", {"t#a": "IDENTITY"}),
        ("(a)", {"t#a": "IDENTITY"}),
        ("t.a", {"t#a": "IDENTITY"}),
        ("d.t.a", {"t#a": "IDENTITY"}),
        ("a + b", {"t#a": "TRANSFORMATION", "t#b": "TRANSFORMATION"}),
        ("CAST(a AS string)", {"t#a": "TRANSFORMATION"}),
        ("sum(a) + max(b)", {"t#a": "AGGREGATION", "t#b": "AGGREGATION"}),
        ("sum(a + 1) * b", {"t#a": "AGGREGATION", "t#b": "TRANSFORMATION"}),
        ("my_function(a, b)", {"t#a": "TRANSFORMATION", "t#b": "TRANSFORMATION"}),
        ("collect_list(a)", {"t#a": "AGGREGATION"}),
        ("count(*)", {"t": "AGGREGATION"}),
        ("count(1)", {"t": "AGGREGATION"}),
        ("count(CAST(1 AS INT))", {"t": "AGGREGATION"}),
        ("count((-1))", {"t": "AGGREGATION"}),
        ("count(TRUE)", {"t": "AGGREGATION"}),
        ("count(CAST(a AS INT))", {"t#a": "AGGREGATION"}),
        ("count(a)", {"t#a": "AGGREGATION"}),
        ("count(DISTINCT *)", {"t#a": "AGGREGATION", "t#b": "AGGREGATION", "t#c": "AGGREGATION"}),
        ("struct(*)", {"t#a": "TRANSFORMATION", "t#b": "TRANSFORMATION", "t#c": "TRANSFORMATION"}),
        ("coalesce(a, b)", {"t#a": "TRANSFORMATION", "t#b": "TRANSFORMATION"}),
        ("max_by(a, b)", {"t#a": "AGGREGATION", "t#b": "AGGREGATION"}),
        ("percentile_cont(0.5) WITHIN GROUP (ORDER BY c)", {"t#c": "AGGREGATION"}),
    ],
)
def test_values_come_from_every_column_of_the_expression(lineage, expression, expected):
    """A plain column is an identity, an aggregate's argument an aggregation, all else a transformation."""
    assert {"z": expected} == lineage(f"SELECT {expression} AS z FROM t").columns()


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("CASE WHEN a > 1 THEN b ELSE c END", {"t#a": "CONDITIONAL", "t#b": "TRANSFORMATION", "t#c": "TRANSFORMATION"}),
        ("CASE a WHEN b THEN c END", {"t#a": "CONDITIONAL", "t#b": "CONDITIONAL", "t#c": "TRANSFORMATION"}),
        ("if(a > 1, b, a)", {"t#a": "CONDITIONAL+TRANSFORMATION", "t#b": "TRANSFORMATION"}),
        ("nullif(a, b)", {"t#a": "TRANSFORMATION", "t#b": "CONDITIONAL"}),
        ("decode(a, b, c, 1)", {"t#a": "CONDITIONAL", "t#b": "CONDITIONAL", "t#c": "TRANSFORMATION"}),
        ("sum(a) FILTER (WHERE b > 1)", {"t#a": "AGGREGATION", "t#b": "CONDITIONAL"}),
        ("sum(CASE WHEN a > 1 THEN b END)", {"t#a": "CONDITIONAL", "t#b": "AGGREGATION"}),
        ("sum(a) OVER (PARTITION BY b ORDER BY c)", {"t#a": "AGGREGATION", "t#b": "WINDOW", "t#c": "WINDOW"}),
        ("lag(a) OVER (ORDER BY c)", {"t#a": "TRANSFORMATION", "t#c": "WINDOW"}),
        ("array_agg(a ORDER BY c)", {"t#a": "AGGREGATION", "t#c": "SORT"}),
        ("listagg(a, ',') WITHIN GROUP (ORDER BY c)", {"t#a": "AGGREGATION", "t#c": "SORT"}),
        ("row_number() OVER (PARTITION BY b ORDER BY c)", {"t#b": "WINDOW", "t#c": "WINDOW"}),
    ],
)
def test_what_only_decides_about_one_value_is_indirect_to_that_column(lineage, expression, expected):
    """Conditions and windows inside an output's own expression end at that column, as INDIRECT edges."""
    assert {"z": expected} == lineage(f"SELECT {expression} AS z FROM t").columns()


@pytest.mark.parametrize(
    ("dialect", "expression"),
    [
        ("postgres", "json_extract_path(a, b, c)"),
        ("postgres", "array_position(a, b, c)"),
        ("clickhouse", "JSONExtractString(a, b, c)"),
        ("duckdb", "MAP {a: b + c}"),
        ("spark", "regexp_like(a, concat(b, c))"),
    ],
)
def test_no_argument_of_a_function_is_left_out(lineage, dialect, expression):
    """Those after the second of what the parser takes for an operator, and the keys of a map."""
    told = lineage(f"SELECT {expression} AS z FROM t", dialect=dialect)
    assert told.columns() == {"z": dict.fromkeys(("t#a", "t#b", "t#c"), "TRANSFORMATION")}


def test_a_condition_stays_a_condition_through_an_inner_query(lineage):
    """What decided about a value in a subquery still only decides when an outer query computes with it."""
    found = lineage("SELECT sum(k) AS z FROM (SELECT CASE WHEN a > 1 THEN b END AS k FROM t) q")

    assert found.columns() == {"z": {"t#a": "CONDITIONAL", "t#b": "AGGREGATION"}}


def test_expressions_are_told_in_terms_of_their_sources(lineage):
    """An expression's text looks through subqueries and shows literals as question marks."""
    found = lineage("SELECT q.k * 2 AS z FROM (SELECT a + 1 AS k FROM t) q")

    assert found.expression("z") == "(d.t.a + ?) * ?"


@pytest.mark.parametrize(
    "edited",
    [
        "select a+1 as z from t",
        "SELECT a + 1 AS z -- why\nFROM t",
        "SELECT t.a + 2 AS z FROM d.t",
        "WITH q AS (SELECT * FROM t) SELECT a + 7 AS z FROM q",
    ],
)
def test_cosmetic_edits_change_no_edge(lineage, edited):
    """Comments, layout, letter case, literals and the way to the same source leave the edges as they are."""
    assert lineage("SELECT a + 1 AS z FROM t").found.edges == lineage(edited).found.edges


def test_long_expressions_are_cut_with_a_hash(lineage):
    """An expression's text has at most 2,000 characters and still tells two long ones apart."""
    one = lineage("SELECT concat(" + ", ".join(["a", "b"] * 400) + ") AS z FROM t").expression("z")
    other = lineage("SELECT concat(" + ", ".join(["a", "b"] * 401) + ") AS z FROM t").expression("z")

    assert len(one) <= 2000
    assert one != other
