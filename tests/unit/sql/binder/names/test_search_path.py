"""Where names without a schema are looked up after SET."""

from __future__ import annotations

import pytest
from bound import Bound

from ingest.sql.binder.names.search_path import follow


def after(sql: str, dialect: str) -> tuple[list[str], list[tuple[str, str]]]:
    """Return the current database after a SET, and what was reported; before it is ``d``."""
    bound = Bound("", dialect)
    follow(bound.walk, bound.tree(sql))
    return bound.walk.names.database, bound.problems()


@pytest.mark.parametrize(
    ("dialect", "sql", "current"),
    [
        ("postgres", "SET search_path TO Sales", "sales"),
        ("postgres", "SET search_path TO pg_catalog, sales", "sales"),
        ("postgres", "SET search_path = 'sales', pg_temp", "sales"),
        ("postgres", "SET LOCAL SEARCH_PATH TO \"Größe\", pg_catalog", "Größe"),
        ("postgres", "SET schema 'sales'", "sales"),
        ("duckdb", "SET search_path = 'sales'", "sales"),
        ("redshift", "SET search_path to '$user', SALES", "sales"),
        ("postgres", "SET search_path TO DEFAULT", "d"),
        ("postgres", "SET search_path TO \"$user\"", "d"),
        ("postgres", "SET path TO sales", "d"),
        ("trino", "SET PATH sales", "d"),
        ("hive", "SET search_path = sales", "d"),
        ("postgres", "SET my.search_path TO 'sales'", "d"),
        ("spark", "SET PATH = system.session, CURRENT_SCHEMA", "d"),
    ],
)  # fmt: skip
def test_the_first_schema_of_users_is_current_from_then_on(dialect: str, sql: str, current: str) -> None:
    """Spelt as the dialect does; the engine's own schemas are none, and other settings change nothing."""
    assert after(sql, dialect) == ([current], [])


@pytest.mark.parametrize(
    ("dialect", "sql", "current"),
    [
        ("postgres", "SET search_path TO sales, public", "sales"),
        ("spark", "SET PATH = sales", "d"),
        ("databricks", "SET PATH = sales, d", "d"),
    ],
)
def test_a_path_that_is_not_followed_is_reported(dialect: str, sql: str, current: str) -> None:
    """Of several schemas the first one alone is looked in; Spark's path does not say where new tables go."""
    assert after(sql, dialect) == ([current], [("unsupported-statement", "")])


def test_a_catalog_in_front_stays() -> None:
    """A schema replaces a schema, a schema with its catalog both."""
    bound = Bound("", "duckdb")
    bound.walk.names.database = ["lake", "main"]
    follow(bound.walk, bound.tree("SET schema = 'sales'"))
    assert bound.walk.names.database == ["lake", "sales"]
    follow(bound.walk, bound.tree("SET schema = 'pond.sales'"))
    assert bound.walk.names.database == ["pond", "sales"]


@pytest.mark.parametrize(
    ("dialect", "path"),
    [
        ("postgres", "search_path TO sales"),
        ("postgres", "search_path = 'sales'"),
        ("postgres", "LOCAL search_path TO SALES, pg_catalog"),
        ("postgres", 'SESSION search_path TO "$user", "sales"'),
        ("postgres", "SCHEMA 'sales'"),
        ("redshift", "search_path to '$user', sales"),
        ("duckdb", "search_path = 'sales'"),
        ("duckdb", "schema = 'sales'"),
    ],
)
def test_names_without_a_schema_are_looked_up_where_a_search_path_says(lineage, dialect, path):
    """New tables go there, too."""
    result = lineage(
        f"SET {path}; CREATE TABLE made AS SELECT x FROM orders", dialect, columns={"n:sales.orders": ("x",)}
    )
    assert result.tables() == {("n:sales.orders", "n:sales.made")}
    assert result.found.coverage == "complete"


@pytest.mark.parametrize(
    ("dialect", "path", "codes"),
    [
        ("postgres", "search_path TO d, public", {"unsupported-statement"}),
        ("spark", "PATH = spark_catalog.other, system.builtin", {"unsupported-statement"}),
        ("spark", "PATH = DEFAULT_PATH", set()),
        ("spark", "PATH = system.session, CURRENT_SCHEMA", set()),
        ("trino", "PATH other", set()),
        ("postgres", "search_path TO DEFAULT", set()),
        ("postgres", "work_mem TO '1GB'", set()),
    ],
)
def test_a_path_of_several_schemas_is_told(lineage, dialect, path, codes):
    """Which one holds a table is not known."""
    result = lineage(f"SET {path}; SELECT a FROM t", dialect)
    assert result.codes() == codes
    assert result.names() == {"a": "t#a"}
