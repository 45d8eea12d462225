"""What rows are made of where no plain list of columns says it: values, positions, functions' rows, long arrays."""

from __future__ import annotations

import pytest

ALL_OF_T = {"a": "t#a", "b": "t#b", "c": "t#c"}


@pytest.mark.parametrize(
    ("sql", "expected"),
    [
        ("SELECT AS VALUE STRUCT(a AS p, b) FROM t", {"p": "t#a", "b": "t#b"}),
        (
            "SELECT AS VALUE ARRAY_AGG(t ORDER BY b LIMIT 1)[OFFSET(0)] FROM t GROUP BY c",
            {"a": "t#a t#b", "b": "t#b", "c": "t#b t#c"},
        ),
        ("SELECT q.p FROM (SELECT AS VALUE STRUCT(a AS p, b) FROM t) AS q", {"p": "t#a"}),
        (
            "WITH q AS (SELECT AS VALUE ANY_VALUE(t) FROM t) SELECT q.*, 1 AS one FROM q",
            ALL_OF_T,
        ),
        ("SELECT ARRAY(SELECT AS VALUE e.k FROM UNNEST(arr) AS e) AS z FROM w", {"z": "w#arr.k"}),
        ("SELECT ARRAY(SELECT AS VALUE STRUCT(a, b) FROM t)[OFFSET(0)].b AS z", {"z": "t#b"}),
        ("SELECT AS VALUE x FROM w", {"x": "w#x"}),
    ],
)
def test_rows_that_are_a_struct_have_its_fields_for_columns(lineage, sql, expected):
    """BigQuery's SELECT AS VALUE; inside ARRAY(…) it is the value itself."""
    assert expected == lineage(sql, dialect="bigquery").names()


def test_a_star_over_an_arrays_element_is_of_fields_that_are_not_known(lineage):
    """BigQuery takes ``e.*`` only of a struct: its element is not a column ``e``; it is where ``e`` alone is named."""
    told = lineage("SELECT x, e.* FROM w, UNNEST(arr) AS e", dialect="bigquery")
    assert told.names() == {"x": "w#x", "*": "w#arr.*"}
    assert "unknown-columns" in told.codes()
    assert lineage("SELECT e FROM w, UNNEST(arr) AS e", dialect="bigquery").names() == {"e": "w#arr"}


@pytest.mark.parametrize("joined", [",", "CROSS JOIN", "CROSS JOIN LATERAL"])
@pytest.mark.parametrize("function", ["jsonb_to_recordset(t.a)", "json_to_record(t.a)"])
def test_a_functions_rows_come_from_its_arguments_however_they_are_named(lineage, joined, function):
    """With a list of columns and types after the alias, too."""
    told = lineage(f"SELECT j.k FROM t {joined} {function} AS j(k int, v text)", dialect="postgres")
    assert told.names() == {"k": "t#a"}
    assert told.found.coverage == "complete"


@pytest.mark.parametrize("sql", ["SELECT $4 AS p FROM t", "SELECT $1 AS p FROM t, t AS u"])
def test_a_place_that_no_source_has_is_told(lineage, sql):
    """Never an answer without an edge and without a word."""
    world = {"n:d.T": ("A", "B", "C")}
    told = lineage(sql, dialect="snowflake", columns=world)
    assert {"unknown-column"} == told.codes()


def test_an_assertion_writes_nothing_and_spoils_nothing(lineage):
    """BigQuery's ASSERT, which the parser takes for a function."""
    told = lineage("SELECT a FROM t; ASSERT (SELECT COUNT(*) FROM t) > 0 AS 'rows'; ASSERT TRUE", dialect="bigquery")
    assert told.names() == {"a": "t#a"}
    assert told.found.coverage == "complete"


def test_files_that_are_loaded_feed_the_table(lineage):
    """BigQuery's LOAD DATA, with a list of addresses."""
    sql = "LOAD DATA INTO d.o FROM FILES (format = 'CSV', uris = ['gs://b/x/*.csv', 'gs://b/y.csv'])"
    told = lineage(sql, dialect="bigquery", default_database="")
    assert {("gs://b:x/*.csv", "o"), ("gs://b:y.csv", "o")} == told.tables()


@pytest.mark.parametrize(
    ("dialect", "sql", "expected"),
    [
        (
            "bigquery",
            "SELECT e.* FROM t, UNNEST(ARRAY<STRUCT<k STRING, v STRING, r STRUCT<x INT64, y INT64>>>["
            "('p', a, (1, 2)), ('q', b, (3, 4))]) AS e",
            {"v": "t#a t#b"},
        ),
        ("bigquery", "SELECT e.v, e.r FROM t, UNNEST([STRUCT('p' AS k, a AS v, (1, 2) AS r)]) AS e", {"v": "t#a"}),
        ("duckdb", "SELECT x, z FROM (VALUES (1, (2, 3)), (4, (5, 6))) AS v(x, y), t AS w(z, s, q)", {"z": "t#a"}),
        ("duckdb", "SELECT * FROM (VALUES (1, 2), (3, 4)) AS v(x, y), t AS w(z, s, q)",
         {"z": "t#a", "s": "t#b", "q": "t#c"}),
        ("spark", "SELECT a, x FROM (SELECT a, (1, 2) AS x FROM t)", {"a": "t#a"}),
    ],
)  # fmt: skip
def test_constants_that_stand_together_in_a_row_are_one_value_of_it(lineage, dialect, sql, expected):
    """They feed nothing, and the columns beside them keep their places."""
    told = lineage(sql, dialect=dialect)
    assert told.names() == expected
    assert told.found.coverage == "complete"


def test_long_rows_keep_all_that_is_no_constant(lineage):
    """Of a thousand rows each with a bracket of constants after its column, no column is lost."""
    rows = ", ".join(f"('k{i}', s.f{i}, ({i}, 1, TRUE, NULL, 'x'))" for i in range(1000))
    told = lineage(f"SELECT [{rows}] AS z FROM w", dialect="bigquery")
    assert told.names() == {"z": " ".join(sorted(f"w#s.f{i}" for i in range(1000)))}


@pytest.mark.parametrize("rows", [49, 50, 51, 120])
@pytest.mark.parametrize("value", ["s.f{i}", "CAST(s.f{i} AS STRING)"])
@pytest.mark.parametrize(
    "query",
    [
        "SELECT e.v AS z FROM w, UNNEST(ARRAY<STRUCT<k STRING, v STRING>>[{rows}]) AS e",
        "SELECT e.v AS z FROM w, UNNEST([STRUCT('k' AS k, x AS v), {rows}]) AS e",
        "SELECT x.v AS z FROM (SELECT ARRAY<STRUCT<k STRING, v STRING>>[{rows}] AS arr FROM w), UNNEST(arr) AS x",
    ],
)
def test_all_elements_of_a_long_array_feed_its_fields(lineage, rows, value, query):
    """However many there are, the last one as well as the first."""
    listed = ", ".join(f"('k{i}', {value.format(i=i)})" for i in range(rows))
    told = lineage(query.format(rows=listed), dialect="bigquery")
    expected = {f"w#s.f{i}" for i in range(rows)} | ({"w#x"} if " x AS v" in query else set())
    assert set(told.names()["z"].split()) == expected


@pytest.mark.parametrize(
    ("elements", "expected"),
    [
        ("STRUCT('p' AS k, a AS v), STRUCT(b, c)", {"k": "t#b", "v": "t#a t#c"}),
        ("STRUCT(STRUCT(a AS x, 1 AS y) AS k, 2 AS v), STRUCT(STRUCT(b, c), 3)", {"x": "t#a t#b", "y": "t#c"}),
        ("STRUCT(1 AS k, 2 AS v), a", {"k": "t#a.k", "v": "t#a.v"}),
        (
            "STRUCT(STRUCT(a AS x, 1 AS y) AS k, 2 AS v)"
            + ", STRUCT(STRUCT(1, 2), 3)" * 60
            + ", STRUCT(STRUCT(b, c), 3)",
            {"x": "t#a t#b", "y": "t#c"},
        ),
    ],
)
def test_elements_are_laid_over_each_other_field_by_field(lineage, elements, expected):
    """Structs inside of them, too; an element that is a column has the fields that the others name."""
    wanted = "e.k.x, e.k.y" if "x" in expected else "e.k, e.v"
    told = lineage(f"SELECT {wanted} FROM t, UNNEST([{elements}]) AS e", dialect="bigquery")
    assert told.names() == expected


def test_values_without_names_are_numbered_as_clickhouse_numbers_them(lineage):
    """``c1``, ``c2``; each engine has its own way."""
    told = lineage("SELECT c2 AS x FROM (VALUES (1, 'a'))", dialect="clickhouse")
    assert told.found.coverage == "complete"
