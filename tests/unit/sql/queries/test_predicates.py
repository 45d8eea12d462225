"""Columns that decide which rows there are: INDIRECT edges to the dataset."""

from __future__ import annotations

import pytest


@pytest.mark.parametrize(
    ("sql", "expected"),
    [
        ("SELECT a FROM t WHERE b > 1 AND c = 2", {"FILTER": "t#b t#c"}),
        ("SELECT t.b FROM t JOIN u ON t.a = u.a", {"JOIN": "t#a u#a"}),
        ("SELECT b FROM t JOIN u USING (a)", {"JOIN": "t#a u#a"}),
        ("SELECT b FROM t NATURAL JOIN u", {"JOIN": "t#a u#a"}),
        ("SELECT a, sum(b) s FROM t GROUP BY a HAVING sum(c) > 1", {"GROUP_BY": "t#a", "FILTER": "t#c"}),
        ("SELECT a AS k, sum(b) FROM t GROUP BY 1", {"GROUP_BY": "t#a"}),
        ("SELECT a + b AS k, sum(c) FROM t GROUP BY k", {"GROUP_BY": "t#a t#b"}),
        ("SELECT a, b, sum(c) FROM t GROUP BY GROUPING SETS ((a), (b))", {"GROUP_BY": "t#a t#b"}),
        ("SELECT a, b, sum(c) FROM t GROUP BY GROUPING SETS ((1), (1, 2))", {"GROUP_BY": "t#a t#b"}),
        ("SELECT a, b, sum(c) FROM t GROUP BY 1, ROLLUP((2, d))", {"GROUP_BY": "t#a t#b t#d"}),
        ("SELECT a, b, sum(c) FROM t GROUP BY CUBE(1, 2)", {"GROUP_BY": "t#a t#b"}),
        ("SELECT a FROM t ORDER BY b", {"SORT": "t#b"}),
        ("SELECT a FROM t QUALIFY row_number() OVER (PARTITION BY b ORDER BY c) = 1", {"FILTER": "t#b t#c"}),
        ("SELECT a FROM t UNION SELECT d FROM u ORDER BY a", {"SORT": "t#a u#d"}),
        ("SELECT q.a FROM (SELECT a FROM t WHERE b = 1) q", {"FILTER": "t#b"}),
        ("WITH q AS (SELECT a FROM t WHERE b = 1) SELECT a FROM q", {"FILTER": "t#b"}),
        ("SELECT a FROM t WHERE EXISTS (SELECT d FROM u WHERE u.a = t.b)", {"FILTER": "t#b u#a"}),
        ("SELECT a FROM t WHERE b IN (SELECT d FROM u)", {"FILTER": "t#b u#d"}),
        ("SELECT a FROM t LEFT SEMI JOIN u ON t.a = u.d", {"JOIN": "t#a u#d"}),
        ("SELECT a FROM t EXCEPT SELECT d FROM u", {"FILTER": "u#d"}),
        ("SELECT a FROM t WHERE EXISTS (SELECT t.b EXCEPT SELECT t.c)", {"FILTER": "t#b t#c"}),
        ("SELECT a FROM t WHERE NOT EXISTS ((SELECT t.b) INTERSECT (SELECT d FROM u))", {"FILTER": "t#b u#d"}),
        (
            "SELECT t.a FROM t JOIN u ON EXISTS (SELECT t.b INTERSECT SELECT u.d WHERE u.e > 1)",
            {"JOIN": "t#b u#d", "FILTER": "u#e"},
        ),
        ("SELECT a FROM t WHERE EXISTS (SELECT d FROM u UNION SELECT x FROM w)", {}),
    ],
)
def test_row_decisions_end_at_the_dataset(lineage, sql, expected):
    """Filters, joins, grouping and order, wherever in the query they stand, are edges to the written dataset."""
    assert expected == lineage(sql).decisions()


@pytest.mark.parametrize(
    ("dialect", "sql", "expected"),
    [
        ("duckdb", "SELECT a, b FROM t ORDER BY ALL", {"SORT": "t#a t#b"}),
        ("spark", "SELECT a, b FROM t ORDER BY ALL DESC", {"SORT": "t#a t#b"}),
        ("clickhouse", "SELECT a, b FROM t ORDER BY ALL", {"SORT": "t#a t#b"}),
        ("clickhouse", "SELECT a, b FROM t ORDER BY `ALL`", {"SORT": "t#ALL"}),
        ("clickhouse", "SELECT a, c AS all FROM t ORDER BY all", {"SORT": "t#c"}),
        ("clickhouse", "SELECT a, c AS ALL FROM t ORDER BY ALL", {"SORT": "t#c"}),
        ("clickhouse", "SELECT a, c AS all FROM t ORDER BY ALL", {"SORT": "t#a t#c"}),
        ("duckdb", "SELECT a FROM t UNION ALL SELECT d FROM u ORDER BY ALL", {"SORT": "t#a u#d"}),
        ("postgres", "SELECT DISTINCT ON (1, b) a, c FROM t", {"GROUP_BY": "t#a t#b"}),
        (
            "duckdb",
            "SELECT q.b FROM (SELECT DISTINCT ON (a) a, b FROM t ORDER BY a, c) q",
            {"GROUP_BY": "t#a", "SORT": "t#a t#c"},
        ),
        (
            "postgres",
            "SELECT a FROM t WHERE b IN (SELECT DISTINCT ON (a) d FROM u ORDER BY a, e)",
            {"FILTER": "t#b u#d", "GROUP_BY": "u#a", "SORT": "u#a u#e"},
        ),
        ("duckdb", "SELECT c, b FROM t ORDER BY #2", {"SORT": "t#b"}),
        ("duckdb", "SELECT q.c FROM (SELECT c, b FROM t ORDER BY #2 DESC, #1 LIMIT 1) q", {"SORT": "t#b t#c"}),
        ("duckdb", "SELECT sum(c) AS s FROM t GROUP BY #2", {"GROUP_BY": "t#b"}),
        ("clickhouse", "SELECT a FROM t ORDER BY b LIMIT 2 BY c", {"SORT": "t#b", "GROUP_BY": "t#c"}),
        ("clickhouse", "SELECT a FROM t LIMIT 1, 2 BY 1, c", {"GROUP_BY": "t#a t#c"}),
        ("clickhouse", "SELECT a FROM t LIMIT 1 BY c LIMIT 5, 6 SETTINGS max_threads = 1", {"GROUP_BY": "t#c"}),
        (
            "clickhouse",
            "SELECT a FROM (SELECT a FROM t LIMIT 1 BY c LIMIT 5) UNION ALL SELECT d FROM u LIMIT 1 BY a LIMIT 2",
            {"GROUP_BY": "t#c u#a"},
        ),
        ("duckdb", "SELECT a FROM t LIMIT (SELECT max(d) FROM u)", {"FILTER": "u#d"}),
        ("postgres", "SELECT a FROM t UNION SELECT d FROM u OFFSET (SELECT max(a) FROM u)", {"FILTER": "u#a"}),
        (
            "trino",
            "SELECT m FROM t MATCH_RECOGNIZE"
            " (PARTITION BY a ORDER BY b MEASURES last(c) AS m PATTERN (x y+) DEFINE y AS d > 1)",
            {"GROUP_BY": "t#a", "SORT": "t#b", "FILTER": "t#d"},
        ),
    ],
)
def test_row_decisions_of_one_engine(lineage, dialect, sql, expected):
    """Words and clauses that only some engines have: ORDER BY ALL, LIMIT … BY, limits that are queries."""
    told = lineage(sql, dialect=dialect)
    assert expected == told.decisions()
    assert "syntax" not in told.codes()


@pytest.mark.parametrize(
    "sql",
    [
        "WITH q AS (SELECT a FROM t WHERE b = 1) SELECT d FROM u",
        "SELECT a FROM (SELECT a FROM t ORDER BY c) q",
        "SELECT a FROM t DISTRIBUTE BY b",
        "SELECT a FROM t LIMIT 3",
    ],
)
def test_what_does_not_decide_makes_no_edge(lineage, sql):
    """A CTE that nobody reads, an inner order without a limit, a distribution: none of them decides about rows."""
    assert lineage(sql).decisions() == {}


def test_a_table_that_gives_nothing_else_keeps_one_edge(lineage):
    """A table that is only joined on nothing still feeds the target, dataset to dataset."""
    found = lineage("SELECT t.a FROM t CROSS JOIN u")

    assert {("t", "o"), ("u", "o")} == found.tables()


def test_a_count_keeps_the_table_in_sight(lineage):
    """count(*) reads no column: the edge starts at the dataset."""
    assert lineage("SELECT count(*) AS k FROM t").columns() == {"k": {"t": "AGGREGATION"}}
