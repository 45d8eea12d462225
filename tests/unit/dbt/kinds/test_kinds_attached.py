"""What a test of dbt is attached to."""

from __future__ import annotations

from typing import Any

import pytest
from dbt_projects import node

from ingest.dbt.kinds.attached import attached_to, related_to
from ingest.dbt.relations import Relations

NODES = {
    "nodes": {
        **{f"model.shop.{each}": node("model", each) for each in ("orders", "lines")},
        "model.shop.inner": node("model", "inner", config={"materialized": "ephemeral"}),
    },
    "sources": {"source.shop.raw.orders": node(
        "source", "orders", source_name="raw", unique_id="source.shop.raw.orders", relation_name='"wh"."raw"."orders"'
    )},
}  # fmt: skip
BOTH = ["source.shop.raw.orders", "model.shop.orders"]


@pytest.mark.parametrize(
    ("inputs", "more", "dataset"),
    [(BOTH, {"attached_node": "model.shop.orders", "model": "{{ ref('lines') }}"}, "d:wh.main.orders"),
     (BOTH, {"model": "{{ get_where_subquery(source('raw', 'orders')) }}"}, "d:wh.raw.orders"),
     (BOTH, {"model": '{{ get_where_subquery(ref("orders")) }}'}, "d:wh.main.orders"),
     (BOTH, {"model": "{{ ref('shop', 'orders') }}"}, "d:wh.main.orders"),
     (BOTH, {"model": "{{ ref('gone') }}"}, None), (BOTH, {"model": 7}, None), (BOTH, {}, None),
     (BOTH[:1], {}, "d:wh.raw.orders"), (BOTH[:1], {"attached_node": "model.shop.gone"}, "d:wh.raw.orders"),
     ([], {}, None),
     (BOTH[:1], {"attached_node": "model.shop.inner"}, None)],
)  # fmt: skip
def test_a_test_belongs_to_the_table_that_is_stated_or_named_or_alone(
    inputs: list[str], more: dict[str, Any], dataset: str | None
) -> None:
    """dbt states no table for a test of a source: its relationship was of no column, or of one that is not there."""
    metadata = {"name": "relationships", "kwargs": {"model": more.pop("model", None)}}
    test = node("test", "t", depends_on={"nodes": inputs}, test_metadata=metadata, **more)
    relations = Relations({**NODES, "nodes": NODES["nodes"] | {"test.shop.t": test}}, "duckdb", "d")

    assert attached_to("test.shop.t", test, relations) == dataset


@pytest.mark.parametrize(
    ("attached", "to", "dataset"),
    [("model.shop.inner", "ref('orders')", "d:wh.main.orders"), ("model.shop.orders", "ref('inner')", None),
     (None, "source('raw', 'orders')", "d:wh.raw.orders"), ("model.shop.orders", "ref('gone')", "d:wh.raw.orders"),
     ("model.shop.orders", None, "d:wh.raw.orders"), (None, None, None)],
)  # fmt: skip
def test_a_relationship_is_to_what_it_names(attached: str | None, to: str | None, dataset: str | None) -> None:
    """That of an ephemeral model, too; an ephemeral model's columns are not those of the table below it."""
    metadata = {"name": "relationships", "kwargs": {"to": to, "field": "id"}}
    test = node("test", "t", depends_on={"nodes": BOTH}, test_metadata=metadata, attached_node=attached)
    relations = Relations({**NODES, "nodes": NODES["nodes"] | {"test.shop.t": test}}, "duckdb", "d")

    assert related_to("test.shop.t", test, relations) == dataset
