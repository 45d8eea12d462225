"""Structs of which any may be the value, BigQuery's: fields come from all of them, and from what decides which."""

from __future__ import annotations

import pytest
from bound import Bound, listed

from ingest.sql.binder.expressions import structs
from ingest.sql.binder.relations.flow import TRANSFORMATION

WORLD = {"n:d.t": ("a", "b", "c", "s"), "n:d.w": ("x", "y")}


@pytest.mark.parametrize(
    ("sql", "expected"),
    [
        ("SELECT q.r.f FROM (SELECT STRUCT(a AS f) AS r FROM t UNION ALL SELECT y FROM w) AS q", "t#a w#y.f"),
        ("SELECT q.r.f FROM (SELECT y AS r FROM w UNION ALL SELECT STRUCT(a AS f) FROM t) AS q", "t#a w#y.f"),
        ("SELECT COALESCE(s, STRUCT(b AS f)).f FROM t", "t#b t#s.f"),
        ("SELECT IF(true, STRUCT(STRUCT(a AS f, b AS g) AS r), s).r.f FROM t", "t#a t#s.r.f"),
        ("SELECT IF(true, STRUCT(STRUCT(a AS f, b AS g) AS r), NULL).r.f FROM t", "t#a"),
        ("SELECT e.f FROM t, UNNEST(ARRAY_CONCAT([STRUCT(a AS f)], s)) AS e", "t#a t#s.f"),
        ("SELECT e.f FROM t, UNNEST([STRUCT(a AS f), NULL, s]) AS e", "t#a t#s.f"),
    ],
)
def test_a_field_comes_from_each_struct_that_may_be_the_value(lineage, sql, expected):
    """Where the fields of one are known and those of another are not, neither is left out."""
    result = lineage(sql, dialect="bigquery", columns=WORLD)
    assert result.names() == {"f": expected}
    assert result.found.coverage == "complete"


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("IF(a > 1, STRUCT(b AS f), s)", {"t#a": "CONDITIONAL", "t#b": "TRANSFORMATION", "t#s.f": "TRANSFORMATION"}),
        (
            "CASE c WHEN a THEN STRUCT(b AS f, c AS g) END",
            {"t#a": "CONDITIONAL", "t#b": "TRANSFORMATION", "t#c": "CONDITIONAL"},
        ),
        ("NULLIF(STRUCT(b AS f), s)", {"t#b": "TRANSFORMATION", "t#s": "CONDITIONAL"}),
        (
            "LAG(STRUCT(a AS f), 1, STRUCT(b)) OVER (ORDER BY c)",
            {"t#a": "TRANSFORMATION", "t#b": "TRANSFORMATION", "t#c": "WINDOW"},
        ),
        ("ANY_VALUE(STRUCT(a AS f)) OVER (PARTITION BY c)", {"t#a": "AGGREGATION", "t#c": "WINDOW"}),
        ("ANY_VALUE(STRUCT(a AS f, b AS g) HAVING MAX c)", {"t#a": "AGGREGATION", "t#c": "AGGREGATION"}),
        ("ARRAY_AGG(STRUCT(a AS f, b AS g) ORDER BY c LIMIT 1)[OFFSET(0)]", {"t#a": "AGGREGATION", "t#c": "SORT"}),
        (
            "ARRAY_AGG(STRUCT(STRUCT(a AS f) AS f) ORDER BY c LIMIT 1)[OFFSET(0)].f",
            {"t#a": "AGGREGATION", "t#c": "SORT"},
        ),
    ],
)
def test_what_decides_about_a_struct_decides_about_each_of_its_fields(lineage, value, expected):
    """Conditions, windows and orders count for a field as they do for a plain value, and so do aggregates."""
    result = lineage(f"SELECT {value}.f FROM t", dialect="bigquery", columns=WORLD)
    assert result.columns() == {"f": expected}


def test_a_temporary_table_knows_the_fields_that_were_written_to_it(lineage):
    """As many times as something was."""
    script = (
        "CREATE TEMP TABLE q AS SELECT STRUCT(a AS f, b AS g) AS r FROM t;"
        "INSERT INTO q SELECT y FROM w;"
        "SELECT q.r.f FROM q"
    )
    assert lineage(script, dialect="bigquery", columns=WORLD).columns() == {
        "f": {"t#a": "IDENTITY", "w#y.f": "IDENTITY"}
    }


LAST_SEEN = """
WITH now AS (SELECT 1 AS bits, * EXCEPT (day) FROM daily), before AS (SELECT bits, * EXCEPT (bits) FROM o)
SELECT IF(now.k IS NOT NULL, now, before).* REPLACE (now.bits + before.bits AS bits) FROM now FULL JOIN before USING (k)
"""


@pytest.mark.parametrize(
    ("columns", "expected"),
    [
        ({}, {"bits": "o#bits", "*": "daily#* daily#k o#*"}),
        ({"n:d.o": ("bits", "k", "v")}, {"bits": "o#bits", "k": "daily#k o#k", "v": "daily#k daily#v o#v"}),
        ({"n:d.daily": ("k", "v", "day")}, {"bits": "o#bits", "k": "daily#k o#k", "v": "daily#k daily#v o#v"}),
        (
            {"n:d.o": ("bits", "v", "k"), "n:d.daily": ("v", "k")},
            {"bits": "o#bits", "v": "daily#k daily#v o#v", "k": "daily#k o#k"},
        ),
    ],
)
def test_rows_of_which_one_is_taken_give_each_column_from_both(lineage, columns, expected):
    """Where all columns of one are known, the other's are called the same; a row's column is none of a column's."""
    assert lineage(LAST_SEEN, dialect="bigquery", columns=columns).names() == expected


@pytest.mark.parametrize(
    ("sql", "expected"),
    [
        ("SELECT TO_JSON(q) AS z FROM (SELECT * FROM v) AS q", "v#*"),
        ("SELECT ANY_VALUE(q).k AS z FROM (SELECT * FROM v) AS q", "v#k"),
        ("SELECT IF(true, q, NULL).k AS z FROM (SELECT 1 AS one, * FROM v) AS q", "v#k"),
        ("SELECT ANY_VALUE(q).a AS z FROM (SELECT a FROM t) AS q", "t#a"),
        ("SELECT e.k AS z FROM v AS x, UNNEST(x.found) AS e", "v#found.k"),
        ("SELECT e.k AS z FROM found, UNNEST(found) AS e", "found#found.k"),
    ],
)
def test_a_field_of_a_row_is_its_column(lineage, sql, expected):
    """Also where it has one column only, or unknown ones; what is unnested is not a row but a column."""
    assert lineage(sql, dialect="bigquery").names() == {"z": expected}


def test_a_star_over_structs_has_the_names_that_one_of_them_tells(lineage):
    """A function's struct may have others, as far as anybody knows."""
    result = lineage("SELECT IF(true, udf.f(a), STRUCT(b AS g, c AS h)).* FROM t", dialect="bigquery")
    assert result.names() == {"g": "t#a t#b", "h": "t#a t#c"}
    other = lineage("SELECT IF(true, udf.f(a), STRUCT(b AS g, c AS h)).x FROM t", dialect="bigquery")
    assert other.names() == {"x": "t#a t#b t#c"}


@pytest.mark.parametrize(
    ("dialect", "text", "expected"),
    [
        ("bigquery", "STRUCT(a AS f, b + 1 AS g)", [("f", "t#a"), ("g", "t#b")]),
        ("bigquery", "STRUCT(a, 1)", [("a", "t#a"), ("_field_2", "")]),
        ("bigquery", "[STRUCT(a AS f), STRUCT(b AS f)]", [("f", "t#a t#b")]),
        ("bigquery", "(SELECT AS STRUCT d, e FROM u)", [("d", "u#d"), ("e", "u#e")]),
        ("bigquery", "ARRAY_AGG(STRUCT(a AS f) ORDER BY b)[OFFSET(0)]", [("f", "t#a t#b")]),
        ("bigquery", "IF(c > 1, STRUCT(a AS f), STRUCT(b AS f))", [("f", "t#a t#b t#c")]),
        ("bigquery", "CAST((a, b) AS STRUCT<f INT64, g INT64>)", [("f", "t#a"), ("g", "t#b")]),
        ("bigquery", "a", None),
        ("bigquery", "a + 1", None),
        ("duckdb", "{'f': a, 'g': b}", [("f", "t#a"), ("g", "t#b")]),
        ("duckdb", "struct_pack(f := a, g := b)", [("f", "t#a"), ("g", "t#b")]),
        ("clickhouse", "(a, b AS g)", [("a", "t#a"), ("g", "t#b")]),
        ("spark", "named_struct('f', a, 'g', b)", [("f", "t#a t#b"), ("g", "t#a t#b")]),
        ("trino", "CAST(ROW(a, b) AS ROW(f int, g int))", [("f", "t#a t#b"), ("g", "t#a t#b")]),
    ],
)
def test_the_fields_of_a_value_that_a_query_makes(dialect, text, expected):
    """Each with its own sources in BigQuery, DuckDB and ClickHouse; elsewhere those of the whole struct."""
    bound = Bound("t", dialect)

    assert listed(structs.fields_of(bound.values, bound.item(text), bound.scope)) == expected


@pytest.mark.parametrize(
    ("kind", "inner", "expected"),
    [
        ("STRUCT<f INT64, g INT64>", ["a", "b"], [("f", "t#a"), ("g", "t#b")]),
        ("ARRAY<STRUCT<f INT64>>", ["a"], [("f", "t#a")]),
        ("STRUCT<f INT64, g INT64>", ["a"], [("f", "t#c"), ("g", "t#c")]),
        ("STRUCT<f INT64>", None, [("f", "t#c")]),
        ("INT64", ["a"], [("a", "t#a")]),
        ("INT64", None, None),
    ],
)
def test_a_type_names_the_fields_of_a_value_by_place(kind, inner, expected):
    """With another number of them each comes from the whole value; a type without fields names none."""
    bound = Bound("t", "bigquery")
    fields = None if inner is None else [bound.column(name, name) for name in inner]
    target = bound.item(f"CAST(c AS {kind})").args["to"]
    found = structs.typed_fields(
        target, fields, lambda: bound.values.flow(bound.item("c"), bound.scope, TRANSFORMATION)
    )

    assert listed(found) == expected


def test_json_of_names_and_values_comes_from_the_values():
    """Aggregated, where it is made of many rows."""
    bound = Bound("t", "trino")

    assert bound.ways("json_object('k' : a RETURNING varchar)") == {"t#a": "TRANSFORMATION"}
    assert bound.ways("json_objectagg(a : b)") == {"t#a": "AGGREGATION", "t#b": "AGGREGATION"}
