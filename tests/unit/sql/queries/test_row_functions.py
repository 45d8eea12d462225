"""Functions in FROM whose columns are known bring no doubt about the columns of the tables beside them."""

from __future__ import annotations

import pytest

MADE = {"ID": "A#ID", "VALUE": "A#ARR"}


@pytest.mark.parametrize(
    "rows",
    [
        "TABLE(FLATTEN(input => arr))",
        "TABLE(FLATTEN(arr)) f",
        "LATERAL FLATTEN(input => arr) f",
        "TABLE(SPLIT_TO_TABLE(arr, ','))",
        "TABLE(SPLIT_TO_TABLE(arr, ',')) AS f",
        "LATERAL SPLIT_TO_TABLE(arr, ',') f",
        "TABLE(STRTOK_SPLIT_TO_TABLE(arr, ','))",
    ],
)
def test_snowflakes_functions_of_rows_have_their_own_columns(lineage, rows):
    """Any other name is of the table, whose columns are not known."""
    result = lineage(f"CREATE TABLE o AS SELECT id, value FROM a, {rows}", dialect="snowflake")

    assert result.names("d.O") == MADE
    assert result.codes() == set()


def test_a_star_over_such_a_function_brings_its_columns(lineage):
    """In their order, beside those of the table."""
    result = lineage("CREATE TABLE o AS SELECT f.* FROM a, TABLE(SPLIT_TO_TABLE(arr, ',')) f", dialect="snowflake")

    assert result.names("d.O") == dict.fromkeys(("SEQ", "INDEX", "VALUE"), "A#ARR")
    assert result.codes() == set()


def test_rows_that_are_only_counted_have_no_columns(lineage):
    """Snowflake's GENERATOR takes none of a name."""
    result = lineage("CREATE TABLE o AS SELECT id FROM a, TABLE(GENERATOR(ROWCOUNT => 3))", dialect="snowflake")

    assert result.names("d.O") == {"ID": "A#ID"}
    assert result.codes() == set()


@pytest.mark.parametrize("dialect", ["trino", "oracle", "postgres", "mysql"])
def test_json_table_has_the_columns_that_it_defines(lineage, dialect):
    """No other name is its own."""
    rows = "JSON_TABLE(j, '$' COLUMNS (sku INT PATH '$.sku')) jt"
    result = lineage(f"CREATE TABLE o AS SELECT id, jt.sku FROM far, {rows}", dialect=dialect)
    names = {"id": "far#id", "sku": "far#j"}

    assert result.names("d.O" if dialect == "oracle" else "d.o") == (
        {column.upper(): source.upper() for column, source in names.items()} if dialect == "oracle" else names
    )
    assert result.codes() == set()


IN_SNOWFLAKE = "CREATE FUNCTION d.tf(a INT) RETURNS TABLE (i INT, j INT) AS $$ SELECT id, x FROM far WHERE g = a $$"
IN_DATABRICKS = "CREATE FUNCTION d.tf(a INT) RETURNS TABLE (i INT, j INT) RETURN SELECT id, x FROM far WHERE g = a"


@pytest.mark.parametrize(
    ("dialect", "function", "rows"),
    [
        ("snowflake", IN_SNOWFLAKE, "TABLE(d.tf(s.p)) t"),
        ("snowflake", IN_SNOWFLAKE, "TABLE(tf(s.p)) t"),
        ("databricks", IN_DATABRICKS, "LATERAL d.tf(s.p) t"),
        ("databricks", IN_DATABRICKS, "d.tf(s.p) t"),
    ],
)
def test_a_table_function_of_the_text_is_looked_through_with_its_schema_in_front(lineage, dialect, function, rows):
    """Each of its columns comes from its own, and it has no others."""
    result = lineage(f"{function}; CREATE TABLE o AS SELECT p, t.j FROM s, {rows}", dialect=dialect)
    told = {f"{table}.{column}".lower(): source.lower()
            for table in ("d.o", "d.O") for column, source in result.names(table).items()}  # fmt: skip

    assert told == {"d.o.p": "s#p", "d.o.j": "far#x"}
    assert result.codes() == set()


@pytest.mark.parametrize(
    ("dialect", "rows", "item"),
    [
        ("bigquery", "UNNEST([1, 2, 3]) AS n", "n"),
        ("bigquery", "UNNEST(GENERATE_ARRAY(1, 3)) AS n WITH OFFSET AS i", "n"),
        ("bigquery", "UNNEST(GENERATE_DATE_ARRAY('2020-01-01', CURRENT_DATE())) AS n", "n"),
        ("bigquery", "UNNEST(GENERATE_TIMESTAMP_ARRAY(far.a, far.b, INTERVAL 1 DAY)) AS n", "n"),
        ("bigquery", "UNNEST(SPLIT(far.a, far.b)) AS n", "n"),
        ("bigquery", "UNNEST(JSON_EXTRACT_ARRAY(far.a)) AS n", "n.x"),
        ("postgres", "generate_series(far.a, far.b) AS n", "n"),
        ("postgres", "generate_series(far.a, far.b) AS n", "n.n"),
        ("postgres", "LATERAL generate_series(far.a, far.b) WITH ORDINALITY AS n", "n"),
        ("postgres", "generate_series(far.a, far.b) WITH ORDINALITY AS s (n, i)", "n"),
        ("postgres", "generate_series(far.a, far.b)", "generate_series"),
        ("postgres", "LATERAL regexp_split_to_table(far.a, far.b) AS n", "n"),
        ("postgres", "jsonb_array_elements(far.a) AS n", "n"),
        ("postgres", "jsonb_array_elements(far.a) AS n", "value"),
        ("postgres", "LATERAL jsonb_array_elements_text(far.a) WITH ORDINALITY AS s (n, i)", "n"),
        ("postgres", "jsonb_each_text(far.a) AS e", "e.key"),
        ("redshift", "generate_series(far.a, far.b) AS n", "n"),
        ("duckdb", "generate_series(far.a, far.b) AS n", "n"),
        ("duckdb", "range(far.a, far.b) AS n", "n.range"),
        ("duckdb", "range(far.a, far.b)", "range"),
        ("clickhouse", "numbers(10) AS n", "n.number"),
        ("sqlite", "generate_series(far.a, far.b)", "value"),
        ("sqlite", "json_each(far.a) AS e", "e.value"),
        ("tsql", "GENERATE_SERIES(far.a, far.b)", "value"),
        ("tsql", "OPENJSON(far.a)", "value"),
    ],
)
def test_such_rows_bring_no_doubt_about_a_tables_columns(lineage, dialect, rows, item):
    """A date spine beside a table of unknown columns made each of these ambiguous."""
    result = lineage(f"INSERT INTO o (x, n) SELECT x, {item} AS n FROM far CROSS JOIN {rows}", dialect)
    made = {f"far#{name}" for name in ("a", "b") if f"far.{name}" in rows}

    assert result.names()["x"] == "far#x"
    assert set(result.names().get("n", "").split()) == made
    assert result.codes() == set()


def test_the_place_of_a_row_comes_from_nothing(lineage):
    """Each column that an alias names was made of all arguments, the number of the row, too."""
    rows = "LATERAL jsonb_array_elements(far.a) WITH ORDINALITY AS s (n, i)"

    assert lineage(f"INSERT INTO o (n, i) SELECT n, i FROM far, {rows}", "postgres").names() == {"n": "far#a"}


def test_an_element_that_may_have_fields_is_a_doubt_still(lineage):
    """A name alone may be one of them in BigQuery."""
    for array in ("far.items", "[far.a, far.b]", "ARRAY(SELECT y FROM u2)"):
        assert lineage(f"SELECT x FROM far, UNNEST({array}) AS n", "bigquery").codes() == {"ambiguous-column"}, array


def test_a_query_inside_a_series_feeds_its_numbers(lineage):
    """With names after the alias the source was the whole table."""
    sql = "SELECT s.g AS z FROM generate_series((SELECT min(a) FROM t), (SELECT max(d) FROM u)) AS s(g)"

    assert lineage(sql, dialect="postgres").names() == {"z": "t#a u#d"}


def test_sparks_numbers_have_one_column(lineage):
    """Any other name is of the table beside them."""
    found = lineage("SELECT ts AS x, id AS z FROM far, range(10)")

    assert (found.names(), found.codes()) == ({"x": "far#ts"}, set())
