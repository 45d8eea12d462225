"""Names of columns as catalogs and projects write them, in the spelling of lineage."""

from __future__ import annotations

import pytest

from ingest.dbt.columns import Columns
from ingest.sql.dialects.dialects import Names


def columns(dialect: str, *cataloged: str, adapter: str = "") -> Columns:
    """Columns of a project whose catalog has these of a dataset ``d:t``."""
    result = Columns(Names(dialect, "d", ""), adapter or dialect)
    result.learn("d:t", {name: {"name": name} for name in cataloged})
    return result


@pytest.mark.parametrize(
    ("dialect", "written", "spelt"),
    [("snowflake", "ID", "ID"), ("snowflake", "id", "id"), ("postgres", "Id", "Id"), ("bigquery", "Total", "Total"),
     ("oracle", "id", "ID"), ("oracle", "Odd name", "Odd name")],
)  # fmt: skip
def test_a_catalog_says_what_the_warehouse_holds(dialect: str, written: str, spelt: str) -> None:
    """Its names are exact, but for those of Oracle's adapter, which writes all of them in lower case."""
    assert columns(dialect).of_catalog(written) == spelt


@pytest.mark.parametrize(
    ("dialect", "written", "plain", "quoted"),
    [("snowflake", "id", "ID", "id"), ("snowflake", "a b", "a b", "a b"), ("snowflake", "x$1", "X$1", "x$1"),
     ("postgres", "Id", "id", "Id"), ("bigquery", "Id", "Id", "Id"), ("postgres", "Größe", "Größe", "Größe")],
)  # fmt: skip
def test_a_project_writes_names_as_in_sql(dialect: str, written: str, plain: str, quoted: str) -> None:
    """Without quotes the engine's case counts; what is not plain, or is quoted, is meant as it is written."""
    found = columns(dialect)

    assert found.of_project("d:t", written) == plain
    assert found.of_project("d:t", written, quoted=True) == quoted


def test_a_project_means_a_column_that_the_catalog_has() -> None:
    """The one that the engine reads first, then the one of just that spelling, then any that differs in case alone."""
    assert columns("snowflake", "id", "ID").of_project("d:t", "id") == "ID"
    assert columns("snowflake", "id", "ID").of_project("d:t", "id", quoted=True) == "id"
    assert columns("snowflake", "odd").of_project("d:t", "odd") == "odd"
    assert columns("snowflake", "oDD", "Odd").of_project("d:t", "odd") == "oDD"
    assert columns("postgres", "Id").of_project("d:t", "ID", quoted=True) == "Id"
    assert columns("bigquery", "total").of_project("d:t", "TOTAL") == "total"


def test_columns_of_another_dataset_are_not_meant() -> None:
    """Neither for a dataset of which the catalog has none, nor where no dataset is known."""
    found = columns("snowflake", "odd")

    assert found.of_project("d:other", "odd") == "ODD"
    assert found.of_project(None, "odd") == "ODD"


def test_what_a_catalog_does_not_name_is_left_out() -> None:
    """A catalog of another shape teaches nothing, and what it says of one dataset adds to what is known of it."""
    found = columns("snowflake", "odd")
    found.learn("d:t", {"a": None, "b": {"name": 7}, "c": {}, "more": {"name": "more"}})

    assert [found.of_project("d:t", name) for name in ("odd", "more", "b")] == ["odd", "more", "B"]
