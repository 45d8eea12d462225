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
