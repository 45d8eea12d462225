"""Names that catalogs and manifests write, in the spelling of lineage."""

from __future__ import annotations

import pytest

from ingest.sql.dialects.dialects import Names
from ingest.sql.dialects.spelling import column, relation, relation_of_parts, unquoted_column


@pytest.fixture(scope="module")
def names() -> Names:
    """Those of Snowflake, whose unquoted names are upper case there."""
    return Names("snowflake", "sf", "DB.PUBLIC")


def test_a_relation_is_read_as_in_sql(names: Names) -> None:
    """What cannot be read is none."""
    assert relation(names, '"DB"."PUBLIC"."T"') == relation(names, "db.public.t") == relation(names, "t")
    assert relation(names, '"a') is None


def test_parts_are_names_without_quotes(names: Names) -> None:
    """From the last one on."""
    assert relation_of_parts(names, ["db", "public", "t"]) == relation(names, "db.public.t")


def test_a_column_is_as_the_warehouse_has_it(names: Names) -> None:
    """In quotes its case counts."""
    assert column(names, "X") == unquoted_column(names, "x")
    assert column(names, "x") != column(names, "X")
