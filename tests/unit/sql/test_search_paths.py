"""Search paths: where a script says that names without a schema are looked up."""

from __future__ import annotations

import pytest


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
    told = lineage(
        f"SET {path}; CREATE TABLE made AS SELECT x FROM orders", dialect, columns={"n:sales.orders": ("x",)}
    )
    assert told.tables() == {("n:sales.orders", "n:sales.made")}
    assert told.found.coverage == "complete"


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
    told = lineage(f"SET {path}; SELECT a FROM t", dialect)
    assert told.codes() == codes
    assert told.names() == {"a": "t#a"}
