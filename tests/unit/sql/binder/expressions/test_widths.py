"""How many columns a query inside an expression may give."""

from __future__ import annotations

import re

import pytest
from bound import Bound

from ingest.sql.binder.expressions.widths import check_width
from ingest.sql.binder.relations.flow import Column
from ingest.sql.binder.relations.relations import Relation

COLUMNS = {"n:d.t": ("a", "b", "c"), "n:d.u": ("k", "m"), "n:d.w": ("k",)}
ONE, TWO = "in place of 1", "in place of 2"


@pytest.mark.parametrize(
    ("dialect", "text", "place"),
    [
        ("spark", "a IN (SELECT k FROM u)", ""),
        ("spark", "a IN (SELECT * FROM u)", ONE),
        ("spark", "a NOT IN (SELECT * FROM u)", ONE),
        ("spark", "(a, b) IN (SELECT * FROM u)", ""),
        ("spark", "(a, b) IN (SELECT *, 1 FROM u)", TWO),
        ("postgres", "(1, t.*) IN (SELECT *, 1, 2 FROM u)", ""),
        ("spark", "a = (SELECT * FROM u)", ONE),
        ("spark", "(SELECT * FROM u) < a + 1", ONE),
        ("postgres", "(a, b) = (SELECT * FROM u)", ""),
        ("postgres", "a > ANY (SELECT * FROM u)", ONE),
        ("postgres", "a + (SELECT k, m FROM u)", ONE),
        ("postgres", "coalesce(a, (SELECT * FROM u))", ONE),
        ("postgres", "CASE WHEN a = 1 THEN (SELECT * FROM u) END", ONE),
        ("postgres", "EXISTS (SELECT * FROM u)", ""),
        ("postgres", "a IN (SELECT * FROM w)", ""),
        ("postgres", "a IN (SELECT * FROM free)", ""),
        ("postgres", "row_to_json((SELECT x FROM u x))", ""),
        ("bigquery", "(SELECT AS STRUCT k, m FROM u)", ""),
        ("bigquery", "ARRAY(SELECT AS STRUCT k, m FROM u)", ""),
        ("trino", "(SELECT k, m FROM u)", ""),
        ("clickhouse", "(SELECT k, m FROM u)", ""),
        ("clickhouse", "a IN (SELECT k, m FROM u)", ONE),
        ("clickhouse", "tuple(a, b) IN (SELECT k, m FROM u)", ""),
    ],
)
def test_a_query_gives_as_many_columns_as_there_is_place_for(dialect: str, text: str, place: str) -> None:
    """One as a value, as many as the row has that it is compared with; some engines make a row of several."""
    bound = Bound("t", dialect, COLUMNS)
    bound.ways(text)
    found = [problem.detail for problem in bound.walk.problems if problem.code == "column-count"]

    assert [detail.rpartition("columns ")[2] for detail in found] == ([place] if place else [])


@pytest.mark.parametrize(
    ("dialect", "text", "lengths"),
    [
        ("spark", "(a, b) = (1, 2)", ""),
        ("spark", "(a, b) = (1, 2, 3)", "2, 3"),
        ("duckdb", "(a, b) < (1, 2, 3)", "2, 3"),
        ("postgres", "(a, b, c) <> (1, 2)", "3, 2"),
        ("trino", "(a, b) IN ((1, 2), (3, 4))", ""),
        ("trino", "(a, b) IN ((1, 2), (3, 4, 5))", "2, 3"),
        ("mysql", "NOT (a, b) IN ((1, 2, 3))", "2, 3"),
        ("postgres", "CASE WHEN (a, b) IN ((1, 2, 3), (1, 2, 4)) THEN 1 END", "2, 3"),
        ("postgres", "(a, b) = (c, 2)", ""),
        ("clickhouse", "(a, b) IN (1, 2)", ""),
        ("clickhouse", "((1, a), (3, b), (5, c)) IN ((1, 2), (3, 4), (5, 6))", ""),
        ("clickhouse", "(*) = (1, 2, 3)", ""),
        ("postgres", "(a, t.*) = (1, 2, 3)", ""),
        ("postgres", "(a, b) = (1, t.*)", ""),
        ("spark", "(a, b) = (struct(1, 2, 3), 2)", ""),
    ],
)
def test_rows_are_as_long_as_those_that_they_are_compared_with(dialect: str, text: str, lengths: str) -> None:
    """Once for each list; what may be a list of rows is not counted."""
    bound = Bound("t", dialect, COLUMNS)
    bound.ways(text)
    details = [problem.detail for problem in bound.walk.problems if problem.code == "column-count"]

    assert [", ".join(re.findall(r"\d+", detail)) for detail in details] == ([lengths] if lengths else [])


def test_columns_are_counted_where_all_are_known() -> None:
    """An open one may be none or many."""
    bound = Bound("t", "spark", COLUMNS)
    node = bound.item("a IN (SELECT k FROM u)").args["query"]

    check_width(bound.walk, node, Relation([Column("k", ()), Column("*", ())]))
    assert bound.problems() == []
    check_width(bound.walk, node, Relation([Column("k", ()), Column("m", ())]))
    assert [code for code, _ in bound.problems()] == ["column-count"]
