"""CTEs, derived tables, laterals and correlated subqueries."""

from __future__ import annotations

import pytest


@pytest.mark.parametrize(
    ("sql", "expected"),
    [
        ("WITH q AS (SELECT a AS z FROM t) SELECT z FROM q", {"z": "t#a"}),
        ("WITH q(z) AS (SELECT a FROM t) SELECT z FROM q", {"z": "t#a"}),
        ("WITH t AS (SELECT d AS z FROM u) SELECT z FROM t", {"z": "u#d"}),
        ("WITH t AS (SELECT a, b FROM t) SELECT * FROM t", {"a": "t#a", "b": "t#b"}),
        ("WITH q AS (WITH r AS (SELECT a FROM t) SELECT * FROM r) SELECT a FROM q", {"a": "t#a"}),
        ("SELECT z FROM (SELECT a, b FROM t) q(z, y)", {"z": "t#a"}),
        ("SELECT z FROM t AS q(z, y, x)", {"z": "t#a"}),
        ("SELECT l.z FROM t, LATERAL (SELECT t.b + d AS z FROM u) l", {"z": "t#b u#d"}),
        ("SELECT l.z FROM t JOIN LATERAL (SELECT t.b AS z UNION ALL SELECT d FROM u) l", {"z": "t#b u#d"}),
        ("SELECT (SELECT max(d) FROM u WHERE u.a = t.a) AS z FROM t", {"z": "u#d"}),
        ("SELECT (SELECT t.b) AS z FROM t", {"z": "t#b"}),
        ("SELECT (SELECT (SELECT t.b)) AS z FROM t", {"z": "t#b"}),
        ("SELECT (SELECT b UNION ALL SELECT c LIMIT 1) AS z FROM t", {"z": "t#b t#c"}),
        ("SELECT a IN (SELECT d FROM u) AS z FROM t", {"z": "t#a u#d"}),
        ("SELECT EXISTS (SELECT d FROM u WHERE u.a = t.a) AS z, b FROM t", {"b": "t#b"}),
        ("SELECT EXISTS (SELECT t.b EXCEPT SELECT t.c) AS z FROM t", {"z": "t#b t#c"}),
        ("SELECT a AS z FROM t UNION ALL SELECT d FROM u", {"z": "t#a u#d"}),
        ("SELECT a, b FROM t UNION BY NAME SELECT d AS b, e AS a FROM u", {"a": "t#a u#e", "b": "t#b u#d"}),
        ("SELECT a AS z FROM t INTERSECT SELECT d FROM u", {"z": "t#a"}),
        ("TABLE t", {"a": "t#a", "b": "t#b", "c": "t#c"}),
    ],
)
def test_values_are_followed_through_queries_inside_queries(lineage, sql, expected):
    """Names resolve in the nearest query that has them; set operations lay columns over each other by position."""
    assert expected == lineage(sql).names()


def test_an_inner_name_hides_an_outer_one(lineage):
    """A column of the subquery's own source is meant before one of the query around it."""
    assert lineage("SELECT (SELECT max(a) FROM u) AS z FROM t").names() == {"z": "u#a"}


def test_a_lateral_alias_is_used_where_no_source_has_the_name(lineage):
    """A later select item may name an earlier one, but a source's column of that name comes first."""
    assert lineage("SELECT a AS z, z + 1 AS y, c AS b, b + 1 AS x FROM t").names() == {
        "z": "t#a",
        "y": "t#a",
        "b": "t#c",
        "x": "t#b",
    }


def test_an_inline_function_is_looked_through(lineage):
    """A function defined in the query gives what its body makes of the arguments, and is not a table."""
    sql = "WITH FUNCTION f(x bigint, y bigint) RETURNS bigint RETURN x + 1 SELECT f(a, b) AS z FROM t"

    found = lineage(sql, "trino")

    assert found.names() == {"z": "t#a"}
    assert found.found.reads == ("n:d.t",)


@pytest.mark.parametrize(
    ("dialect", "value", "expected"),
    [
        ("postgres", "ARRAY(SELECT d FROM u ORDER BY e)", {"u#d": "TRANSFORMATION", "u#e": "SORT"}),
        ("bigquery", "ARRAY(SELECT d FROM u ORDER BY e)", {"u#d": "TRANSFORMATION", "u#e": "SORT"}),
        ("duckdb", "ARRAY(SELECT d FROM u ORDER BY e)", {"u#d": "TRANSFORMATION", "u#e": "SORT"}),
        ("bigquery", "ARRAY(SELECT AS STRUCT d FROM u ORDER BY 1)", {"u#d": "SORT+TRANSFORMATION"}),
        ("bigquery", "ARRAY(SELECT d FROM u UNION ALL SELECT b FROM t ORDER BY d)",
         {"t#b": "SORT+TRANSFORMATION", "u#d": "SORT+TRANSFORMATION"}),
        ("postgres", "ARRAY[(SELECT d FROM u ORDER BY e)]", {"u#d": "TRANSFORMATION"}),
        ("tsql", "(SELECT ',' + d FROM u ORDER BY e FOR XML PATH(''))", {"u#d": "AGGREGATION", "u#e": "SORT"}),
        ("tsql", "STUFF((SELECT d FROM u ORDER BY e FOR JSON PATH), 1, 1, '')", {"u#d": "AGGREGATION", "u#e": "SORT"}),
        ("tsql", "(SELECT d FROM u FOR XML PATH(''))", {"u#d": "AGGREGATION"}),
    ],
)  # fmt: skip
def test_the_order_of_rows_that_become_one_value_counts(lineage, dialect, value, expected):
    """As that of an aggregate does; a query in the brackets of a list is one value without an order."""
    told = lineage(f"SELECT {value} AS z FROM t", dialect=dialect)
    assert told.columns() == {"z": expected}
    assert told.decisions() == {}
    assert told.found.coverage == "complete"


def test_the_order_of_a_query_in_from_counts_for_nothing(lineage):
    """Its rows have no order for the query around it."""
    told = lineage("SELECT q.d FROM (SELECT d FROM u ORDER BY e) q", dialect="postgres")
    assert (told.columns(), told.decisions()) == ({"d": {"u#d": "IDENTITY"}}, {})


@pytest.mark.parametrize(
    ("dialect", "elements"),
    [
        ("bigquery", "UNNEST(arr)"),
        ("bigquery", "UNNEST(w.arr) AS e WITH OFFSET"),
        ("bigquery", "(SELECT 1 FROM UNNEST(arr))"),
        ("trino", "UNNEST(arr) AS q(e)"),
        ("postgres", "unnest(w.arr)"),
        ("postgres", "jsonb_array_elements(w.arr) AS e"),
        ("duckdb", "unnest(arr)"),
        ("tsql", "STRING_SPLIT(w.arr, ',')"),
        ("tsql", "OPENJSON(w.arr, '$.k') WITH (e INT '$.e')"),
        ("spark", "explode(w.arr)"),
        ("mysql", "JSON_TABLE(w.arr, '$[*]' COLUMNS (e INT PATH '$.e')) AS q"),
    ],
)
def test_how_many_elements_an_array_has_comes_from_the_array(lineage, dialect, elements):
    """No column of the subquery is named, and what is counted, or exists, had no source in a complete answer."""
    counted = lineage(f"SELECT x AS y, (SELECT COUNT(*) FROM {elements}) AS z FROM w", dialect=dialect)
    existing = lineage(f"SELECT x AS y FROM w WHERE EXISTS (SELECT 1 FROM {elements})", dialect=dialect)

    assert (counted.names(), counted.decisions()) == ({"y": "w#x", "z": "w#arr"}, {})
    assert {edge.subtype for edge in counted.found.edges if edge.target.endswith("z")} == {"AGGREGATION"}
    assert (existing.names(), existing.decisions()) == ({"y": "w#x"}, {"FILTER": "w#arr"})


def test_rows_of_a_table_are_counted_with_an_array_around_it(lineage):
    """An array of the counted rows themselves adds none; elements that a condition names are what EXISTS asks for."""
    counted = lineage("SELECT (SELECT COUNT(*) FROM t, UNNEST(w.arr)) AS z FROM w", dialect="bigquery")
    own = lineage("SELECT COUNT(*) AS z FROM w, UNNEST(arr)", dialect="bigquery")
    named = lineage("SELECT x FROM w WHERE EXISTS (SELECT 1 FROM UNNEST(arr) e WHERE e.k = 1)", dialect="bigquery")

    assert (counted.names(), own.names()) == ({"z": "t w#arr"}, {"z": "w"})
    assert named.decisions() == {"FILTER": "w#arr.k"}
    value = lineage("SELECT EXISTS (SELECT 1 FROM UNNEST(arr) e WHERE e.k = 1) AS z FROM w", dialect="bigquery")
    assert value.names() == {"z": "w#arr"}
