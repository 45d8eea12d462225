"""Pipes, generators, structs and patterns over rows."""

from __future__ import annotations

import pytest


@pytest.mark.parametrize(
    ("pipe", "expected"),
    [
        ("FROM t |> WHERE t.a > 1 |> SELECT t.b, c", {"b": "t#b", "c": "t#c"}),
        ("TABLE t |> EXTEND a + 1 AS z |> DROP a, c", {"b": "t#b", "z": "t#a"}),
        ("TABLE t |> SET b = a + c, c = b", {"a": "t#a", "b": "t#a t#c", "c": "t#a t#c"}),
        ("FROM t |> AS q |> SELECT q.a", {"a": "t#a"}),
        ("FROM t |> AGGREGATE sum(a) AS s GROUP BY b, c AS k", {"s": "t#a", "b": "t#b", "k": "t#c"}),
        ("FROM t |> JOIN u ON t.a = u.a |> SELECT t.b, u.d |> ORDER BY b |> LIMIT 3", {"b": "t#b", "d": "u#d"}),
        ("SELECT a FROM t |> UNION ALL (SELECT d FROM u)", {"a": "t#a u#d"}),
        ("WITH q AS (FROM t |> SELECT a AS z) FROM q |> SELECT z", {"z": "t#a"}),
        ("SELECT z FROM (FROM t |> SELECT a AS z) q", {"z": "t#a"}),
        ("FROM t |> SELECT sum(a) OVER w AS z WINDOW w AS (PARTITION BY b)", {"z": "t#a t#b"}),
        ("FROM w |> LATERAL VIEW explode(arr) e AS v |> SELECT v, x", {"v": "w#arr", "x": "w#x"}),
    ],
)
def test_pipes(lineage, pipe, expected):
    """Each stage of a pipe sees the columns of the one before, and tables by name until columns are chosen."""
    assert expected == lineage(pipe).names()


@pytest.mark.parametrize(
    ("dialect", "sql", "expected"),
    [
        ("hive", "SELECT x, v FROM w LATERAL VIEW explode(arr) e AS v", {"x": "w#x", "v": "w#arr"}),
        ("hive", "SELECT k, v FROM w LATERAL VIEW OUTER posexplode(arr) e AS k, v", {"k": "w#arr", "v": "w#arr"}),
        ("spark", "SELECT posexplode(arr) AS (k, v) FROM w", {"k": "w#arr", "v": "w#arr"}),
        ("spark", "SELECT e.col AS v FROM w, LATERAL explode(arr) e", {"v": "w#arr"}),
        ("trino", "SELECT v, n FROM w CROSS JOIN UNNEST(arr) WITH ORDINALITY AS q(v, n)", {"v": "w#arr"}),
        ("trino", "SELECT v, k FROM w, UNNEST(arr, m) AS q(v, k)", {"v": "w#arr", "k": "w#m"}),
        ("bigquery", "SELECT v.f, k FROM w, UNNEST(arr) AS v WITH OFFSET AS k", {"f": "w#arr.f"}),
        ("snowflake", 'SELECT f.value AS "v" FROM "w", LATERAL FLATTEN(input => "arr") f', {"v": "w#arr"}),
        ("clickhouse", "SELECT v, x FROM w ARRAY JOIN arr AS v", {"v": "w#arr", "x": "w#x"}),
        ("spark", "SELECT TRANSFORM (x, y) USING 'p' AS (k, v) FROM w", {"k": "w#x w#y", "v": "w#x w#y"}),
        ("hive", "SELECT TRANSFORM (x, y) USING 'p' AS k, v FROM w", {"k": "w#x w#y", "v": "w#x w#y"}),
        ("hive", "FROM UNIQUEJOIN PRESERVE t q (q.a), u r (r.a) SELECT q.b, r.d", {"b": "t#b", "d": "u#d"}),
        ("hive", "FROM (FROM w MAP x USING 'p' AS k CLUSTER BY k) q SELECT k", {"k": "w#x"}),
        (
            "trino",
            "SELECT * FROM t MATCH_RECOGNIZE (PARTITION BY a ORDER BY b MEASURES last(q.c) AS z "
            "ONE ROW PER MATCH PATTERN (q+) DEFINE q AS c > 1)",
            {"a": "t#a", "z": "t#c"},
        ),
    ],
)
def test_rows_that_functions_make(lineage, dialect, sql, expected):
    """Columns of a generator, UNNEST, program or pattern come from what it was given."""
    assert expected == lineage(sql, dialect).names()


@pytest.mark.parametrize(
    ("sql", "expected"),
    [
        ("SELECT st.f.g AS z FROM w", {"z": {"w#st.f.g": "IDENTITY"}}),
        ("SELECT w.st.f AS z FROM w", {"z": {"w#st.f": "IDENTITY"}}),
        ("SELECT arr[0].f AS z FROM w", {"z": {"w#arr.f": "TRANSFORMATION"}}),
        ("SELECT m['k'] AS z FROM w", {"z": {"w#m": "TRANSFORMATION"}}),
        ("SELECT q.s.f AS z FROM (SELECT st AS s FROM w) q", {"z": {"w#st.f": "IDENTITY"}}),
        ("SELECT x:a.b AS z FROM w", {"z": {"w#x": "TRANSFORMATION"}}),
    ],
)
def test_field_paths_are_kept(lineage, sql, expected):
    """A struct's field is its own source, through subqueries too; a map's key or a variant's path is not."""
    assert expected == lineage(sql).columns()


@pytest.mark.parametrize(
    ("dialect", "expected"),
    [("bigquery", {"z": "t#a"}), ("spark", {"z": "t#a t#b"})],
)
def test_fields_of_structs_made_in_the_query(lineage, dialect, expected):
    """In BigQuery a field of STRUCT(…) has its own sources; elsewhere, as in Spark's plan, those of the struct."""
    assert expected == lineage("SELECT q.s.x AS z FROM (SELECT STRUCT(a AS x, b AS y) AS s FROM t) q", dialect).names()


def test_stars_over_structs_made_in_the_query(lineage):
    """BigQuery's aggregated row, opened again with a star, has the row's columns."""
    sql = "SELECT q.r.* FROM (SELECT ARRAY_AGG(t LIMIT 1)[OFFSET(0)] AS r FROM t GROUP BY a) q"

    assert lineage(sql, "bigquery").names() == {"a": "t#a", "b": "t#b", "c": "t#c"}
