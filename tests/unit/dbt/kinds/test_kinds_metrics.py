"""Of which columns a metric of dbt is made."""

from __future__ import annotations

from typing import Any

import pytest
from dbt_projects import node

from ingest.dbt.kinds.metrics import filtered, measured
from ingest.dbt.relations import Relations

ORDERS = node("semantic_model", "orders", depends_on={"nodes": ["model.shop.orders"]}, measures=[
    {"name": "revenue", "expr": "total"}, {"name": "half", "expr": "total / 2"},
], dimensions=[
    {"name": "status", "type": "categorical"}, {"name": "day", "type": "time", "expr": "ordered_at"},
    {"name": "large", "expr": "total > 10"},
], entities=[{"name": "order", "type": "primary", "expr": "id"}, {"name": "customer", "type": "foreign"}])  # fmt: skip
CUSTOMERS = node(
    "semantic_model", "customers", depends_on={"nodes": ["model.shop.customers"]}, primary_entity="customer",
    dimensions=[{"name": "status"}, {"name": "region"}], entities=None,
)  # fmt: skip


def relations() -> Relations:
    """Two models with a semantic model each."""
    nodes = [node("model", "orders"), node("model", "customers")]
    return Relations({
        "nodes": {each["unique_id"]: each for each in nodes},
        "semantic_models": {each["unique_id"]: each for each in (ORDERS, CUSTOMERS)},
    }, "duckdb", "d")  # fmt: skip


def where(text: str) -> dict[str, Any]:
    """A filter as the manifest has it."""
    return {"where_filters": [{"where_sql_template": text}]}


def test_measures_are_columns_where_they_are_plain_names() -> None:
    """Of those that the metric takes in; an expression is none."""
    taken = {"type_params": {"input_measures": [{"name": "revenue"}, {"name": "half"}]}}

    assert measured(taken, relations(), "d:wh.main.orders") == ["", "total"]
    assert measured(taken, relations(), "d:wh.main.customers") == measured({}, relations(), "d:wh.main.orders") == []


@pytest.mark.parametrize(
    ("metric", "columns"),
    [({"filter": where("{{ Dimension('order__status') }} = 'paid'")}, ["orders#status"]),
     ({"filter": where("{{ TimeDimension('order__day', 'month') }} > '2026' and {{Entity('order')}} > 1"),
       "depends_on": {"nodes": ["semantic_model.shop.orders"]}},
      ["orders#id", "orders#ordered_at"]),
     ({"filter": where("{{ Dimension(\"customer__region\") }} = 'x'")}, ["customers#region"]),
     ({"filter": where("{{ Dimension('order__customer__region') }} = 'x'")}, ["customers#region"]),
     ({"type_params": {"measure": {"name": "m", "filter": where("{{ Dimension('order__status') }} = 'a'")}}},
      ["orders#status"]),
     ({"type_params": {"metrics": [{"name": "m", "filter": "{{ Dimension('customer__status') }}"}]}},
      ["customers#status"]),
     ({"filter": where("{{ Dimension('order__large') }}")}, []), ({"filter": None}, []),
     ({"filter": {"where": [7]}}, []),
     ({"description": "{{ Dimension('order__status') }}"}, []),
     ({"filter": where("Dimension('gone__status')")}, [])],
)  # fmt: skip
def test_filters_look_at_the_columns_of_their_dimensions(metric: dict[str, Any], columns: list[str]) -> None:
    """Wherever a metric has them: without such a column the metric fails, and nothing said that it is used."""
    assert [f"{dataset.rpartition('.')[2]}#{name}" for dataset, name in filtered(metric, relations())] == columns


def test_an_entity_of_a_filter_is_that_of_the_metrics_own_models() -> None:
    """Many tables have a column of the entity ``customer``: those of other metrics decide nothing."""
    filters = {"filter": where("{{ Entity('customer') }} is not null")}
    base = node("metric", "revenue", depends_on={"nodes": ["semantic_model.shop.orders"]}, **filters)
    derived = node("metric", "share", depends_on={"nodes": ["metric.shop.revenue"]}, **filters)
    tickets = node("semantic_model", "tickets", depends_on={"nodes": ["model.shop.customers"]}, entities=[
        {"name": "customer", "type": "foreign", "expr": "customer_id"}
    ])  # fmt: skip
    models = [node("model", "orders"), node("model", "customers")]
    whole = Relations({
        "nodes": {each["unique_id"]: each for each in models},
        "semantic_models": {each["unique_id"]: each for each in (ORDERS, tickets)},
        "metrics": {each["unique_id"]: each for each in (base, derived)},
    }, "duckdb", "d")  # fmt: skip

    assert filtered(base, whole) == filtered(derived, whole) == [("d:wh.main.orders", "customer")]
