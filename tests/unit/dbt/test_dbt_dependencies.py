"""Edges between tables for models whose text cannot be read."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from typing import Any

import pytest
from dbt_projects import model, node

from ingest.dbt.dependencies import DependenciesResolver
from ingest.dbt.relations import Relations
from ingest.resolve.resolver import SqlResolver
from lineage_tt.model.messages import TABLES_ONLY, Lineage, TaskChange
from lineage_tt.model.redaction.policy import TextPolicy

TARGET, SOURCE = "duckdb:wh.main.m", "duckdb:wh.raw.orders"
BROKEN = "select selec from from where ((("


@pytest.fixture(scope="module")
def resolver() -> Iterator[SqlResolver]:
    """Reads SQL in this process."""
    with closing(SqlResolver(0)) as made:
        yield made


def read(
    resolver: SqlResolver, sql: str, *inputs: str, task: str = "model.shop.m", target: str | None = TARGET
) -> Lineage:
    """The lineage of a model that depends on these nodes."""
    raw = node("source", "orders", schema="raw", relation_name='"wh"."raw"."orders"')
    inner = model("inner", "select 1", "source.shop.orders", config={"materialized": "ephemeral"})
    nodes: list[dict[str, Any]] = [raw, inner, model("m", sql, *inputs)]
    relations = Relations({"nodes": {each["unique_id"]: each for each in nodes}}, "duckdb", "duckdb")
    message = TaskChange("e", task, "online", 0, sql=sql, dialect="duckdb", namespace="duckdb", target=target)
    (found,) = DependenciesResolver(resolver, relations)([(message, {})])
    return found


@pytest.mark.parametrize("sql", [BROKEN, "call something('x')", "{{ my_macro(source('raw', 'orders')) }}"])
@pytest.mark.parametrize("node_id", ["source.shop.orders", "model.shop.inner"])
def test_a_text_that_cannot_be_read_has_the_tables_that_dbt_names(
    resolver: SqlResolver, sql: str, node_id: str
) -> None:
    """Those of an ephemeral model in its place; what the text lacks is still a problem, and its tables are no gap."""
    found = read(resolver, sql, node_id)

    assert list(found.edges) == [(SOURCE, TARGET, "DIRECT", "TRANSFORMATION", "")]
    assert found.coverage == "partial"
    assert len({each.code for each in found.problems} - {TABLES_ONLY}) > 0
    assert [each.subject for each in found.problems if each.code == TABLES_ONLY] == [TARGET]
    assert not any(each.code.startswith("untraced") for each in found.problems)


@pytest.mark.parametrize(
    ("sql", "inputs", "more"),
    [("select id from wh.raw.other", ["source.shop.orders"], {}), ("select 1 as one", ["source.shop.orders"], {}),
     ("select id from {{ f() }}.t", ["source.shop.orders"], {}), (BROKEN, [], {}), (BROKEN, ["model.shop.gone"], {}),
     (BROKEN, ["source.shop.orders"], {"task": "model.other.m"}), (BROKEN, ["source.shop.orders"], {"target": None})],
)  # fmt: skip
def test_other_texts_are_as_they_are_read(
    resolver: SqlResolver, sql: str, inputs: list[str], more: dict[str, Any]
) -> None:
    """A text that is read says more than the project; without dependencies nothing is added, nor to others' tasks."""
    found = read(resolver, sql, *inputs, **more)

    assert SOURCE not in {source for source, *_ in found.edges}
    assert TABLES_ONLY not in {each.code for each in found.problems}


INCREMENTAL = (
    "with o as (select id, day from wh.raw.orders) select * from o where day > (select max(day) from wh.main.m)"
)


@pytest.mark.parametrize(
    ("sql", "coverage"),
    [(INCREMENTAL, "complete"), (INCREMENTAL.replace("max(day)", "max(id)"), "complete"),
     (INCREMENTAL.replace("wh.main.m", "wh.main.other"), "partial"), (INCREMENTAL.replace("*", "o.*, x"), "partial")],
)  # fmt: skip
def test_an_incremental_model_has_the_columns_that_it_makes(resolver: SqlResolver, sql: str, coverage: str) -> None:
    """It reads itself: without a catalog it was not known whose column ``day`` is."""
    found = read(resolver, sql, "source.shop.orders")

    assert found.coverage == coverage
    if coverage == "complete":
        assert {TARGET, SOURCE} == {each[0].partition("#")[0] for each in found.edges}
        assert dict(found.lookups)[TARGET] is None


def test_the_policy_for_texts_reaches_what_reads_them() -> None:
    """The writer sets it, and problems of a text that is not kept quote nothing of it."""
    with closing(SqlResolver(0)) as inner:
        outer = DependenciesResolver(inner, Relations({}, "duckdb", "duckdb"))
        outer.policy = TextPolicy.MASK

        assert inner.policy is outer.policy is TextPolicy.MASK
