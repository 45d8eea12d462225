"""The columns that dbt adds to a snapshot are in its text, as dbt selects them."""

from __future__ import annotations

from typing import Any

import pytest
from dbt_projects import model, node

from ingest.dbt.kinds.snapshots import as_built
from ingest.resolve.resolver import SqlResolver
from lineage_tt.model.messages import TaskChange

TIMED = {"strategy": "timestamp", "unique_key": "id", "updated_at": "changed"}
OWN = ("dbt_scd_id", "dbt_updated_at", "dbt_valid_from", "dbt_valid_to")


def snapshot(config: Any) -> dict[str, Any]:
    """A snapshot that is set so."""
    return node("snapshot", "s", config=config)


def read(text: str, dialect: str = "duckdb") -> tuple[set[tuple[str, str]], tuple[str, ...], str]:
    """Which columns feed which ones, the columns that are written, and how complete that is."""
    message = TaskChange("e", "t", "update", 0, sql=text, dialect=dialect, namespace="d", target="d:s")
    (found,) = SqlResolver(0)([(message, {})])
    written = dict(found.outputs).get("d:s", ())
    return (
        {(s.split("#")[-1], t.split("#")[-1]) for s, t, *_ in found.edges if "#" in t},
        tuple(written),
        found.coverage,
    )


@pytest.mark.parametrize(
    "dialect", ["snowflake", "bigquery", "postgres", "spark", "tsql", "redshift", "trino", "oracle"]
)
def test_a_snapshot_has_the_times_of_its_rows(dialect: str) -> None:
    """A star over it lacked them without a word, and a reader of dbt_valid_to named a column that is not there."""
    text = "with a as (select id, changed from o) select id, changed from a -- all\n;"
    edges, columns, coverage = read(as_built(snapshot(TIMED), text), dialect)

    assert [each.lower() for each in columns] == ["id", "changed", *OWN]
    assert {(s.lower(), t.lower()) for s, t in edges} == {
        ("id", "id"), ("changed", "changed"), ("id", OWN[0]), *(("changed", each) for each in OWN)
    }  # fmt: skip
    assert coverage == "complete"


@pytest.mark.parametrize(
    ("config", "columns", "fed"),
    [({"strategy": "check", "unique_key": ["id", "shop"]}, OWN, {("id", OWN[0]), ("shop", OWN[0])}),
     ({"unique_key": "id || shop", "updated_at": "coalesce(a, b)"}, OWN, set()), (None, OWN, set()),
     (TIMED | {"hard_deletes": "new_record"}, (*OWN, "dbt_is_deleted"), None),
     (TIMED | {"snapshot_meta_column_names": {"dbt_valid_to": "until", OWN[0]: None}}, (*OWN[:3], "until"), None)],
)  # fmt: skip
def test_what_a_snapshot_adds_is_as_its_configuration_says(
    config: Any, columns: tuple[str, ...], fed: set[tuple[str, str]] | None
) -> None:
    """Keys of several columns, other names, rows for what was deleted; expressions are not looked into."""
    edges, written, _ = read(as_built(snapshot(config), "select id, shop, changed from o"))

    assert written == ("id", "shop", "changed", *columns)
    assert fed is None or {each for each in edges if each[1] in columns} == fed


def test_other_nodes_are_as_they_are() -> None:
    """A model has the columns of its query."""
    assert as_built(model("m", "select 1"), "select 1") == "select 1"


@pytest.mark.parametrize("text", ["{{ latest_orders() }}", "{{ stack(relations=[ref('a')], from=ref('b')) }}", ""])
def test_what_only_calls_a_macro_is_as_it_is(text: str) -> None:
    """Before dbt compiles it, its columns are not known: those of dbt alone would seem to be all of them."""
    assert as_built(snapshot(TIMED), text) == text


@pytest.mark.parametrize("text", ["from o", "table o", "values (1, 2)", "select * from {{ o() }}"])
def test_queries_begin_in_several_ways(text: str) -> None:
    """As DuckDB and PostgreSQL read them."""
    assert text in as_built(snapshot(TIMED), text) != text
