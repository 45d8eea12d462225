"""The datasets that nodes of a dbt project are, and those that they depend on."""

from __future__ import annotations

from typing import Any

import pytest
from dbt_projects import catalog_of, model, node

from ingest.dbt.relations import Relations, depends_on, dialect_of, is_ephemeral


def relations(*nodes: dict[str, Any], dialect: str = "duckdb", **more: Any) -> Relations:
    """The nodes of a project as an adapter of DuckDB writes them."""
    return Relations({"nodes": {each["unique_id"]: each for each in nodes}, **more}, dialect, "d")


def reading(kind: str, name: str, *inputs: str, **more: Any) -> dict[str, Any]:
    """A node that depends on others."""
    return node(kind, name, depends_on={"nodes": list(inputs)}, **more)


@pytest.mark.parametrize(
    ("adapter", "dialect"),
    [("sqlserver", "tsql"), ("Glue", "spark"), ("starburst", "trino"), ("snowflake", "snowflake"), ("New", "new"),
     ("", "")],
)  # fmt: skip
def test_an_adapter_speaks_the_dialect_of_its_engine(adapter: str, dialect: str) -> None:
    """One that is not known speaks the dialect of its own name."""
    assert dialect_of(adapter) == dialect


@pytest.mark.parametrize(
    ("kind", "more", "dataset"),
    [("model", {}, "d:wh.main.x"), ("seed", {}, "d:wh.main.x"), ("snapshot", {}, "d:wh.main.x"),
     ("source", {}, "d:wh.main.x"), ("test", {}, "dbt:test.shop.x"), ("exposure", {}, "dbt:exposure.shop.x"),
     ("metric", {}, "dbt:metric.shop.x"), ("semantic_model", {}, None), ("analysis", {}, None), ("operation", {}, None),
     ("model", {"config": {"materialized": "ephemeral"}}, None), ("model", {"resource_type": ["model"]}, None)],
)  # fmt: skip
def test_a_node_is_a_relation_an_end_of_its_own_or_nothing(
    kind: str, more: dict[str, Any], dataset: str | None
) -> None:
    """What the warehouse holds is there by its name, what only dbt knows by its id; an ephemeral model is nowhere."""
    assert relations(node(kind, "x") | more).dataset(f"{kind}.shop.x") == dataset


def test_a_node_that_the_manifest_lacks_is_no_dataset() -> None:
    """An id that a node of a package depends on may be of none."""
    assert relations().dataset("model.shop.x") is None


@pytest.mark.parametrize(
    ("more", "dataset"),
    [({"relation_name": '"WH"."main"."t"'}, "d:wh.main.t"), ({"relation_name": "main.t"}, "d:main.t"),
     ({"relation_name": '"wh'}, "d:wh.main.al"),
     ({"relation_name": 7}, "d:wh.main.al"), ({"relation_name": None}, "d:wh.main.al"),
     ({"relation_name": None, "alias": None, "identifier": "i"}, "d:wh.main.i"),
     ({"relation_name": None, "alias": "", "database": None, "schema": ""}, "d:x")],
)  # fmt: skip
def test_a_relation_is_called_as_the_manifest_says(more: dict[str, Any], dataset: str) -> None:
    """Its parts count where the name is not there or cannot be read: alias, else identifier, else name."""
    assert relations(node("model", "x") | {"alias": "al"} | more).dataset("model.shop.x") == dataset


def test_inputs_are_found_through_what_is_nowhere() -> None:
    """Through ephemeral and semantic models, each once and in order; a circle and an unknown node end there."""
    inner = {"materialized": "ephemeral"}
    found = relations(
        node("seed", "b"), node("seed", "a"),
        reading("model", "inner", "model.shop.inner2", "seed.shop.b", config=inner),
        reading("model", "inner2", "model.shop.inner", "seed.shop.a", config=inner),
        reading("model", "top", "model.shop.inner", "seed.shop.b", "model.shop.gone", "model.shop.top"),
    )  # fmt: skip

    assert found.inputs("model.shop.top") == ["d:wh.main.a", "d:wh.main.b", "d:wh.main.top"]
    assert found.inputs("model.shop.gone") == []


def test_inputs_end_at_the_first_relation() -> None:
    """What feeds that is its own lineage."""
    found = relations(node("seed", "a"), reading("model", "b", "seed.shop.a"), reading("model", "c", "model.shop.b"))

    assert found.inputs("model.shop.c") == ["d:wh.main.b"]


def test_models_are_known_by_their_names() -> None:
    """Those of all packages and in all versions, by the order of their ids, whatever their kind."""
    other = node("model", "x") | {"unique_id": "model.lib.x", "package_name": "lib"}
    found = relations(node("snapshot", "x"), node("model", "y"), other).models_by_name

    assert found == {"x": ["model.lib.x", "snapshot.shop.x"], "y": ["model.shop.y"]}


def test_semantic_models_are_known_by_the_tables_that_they_describe() -> None:
    """Several may describe one table; they come in the order of their ids."""
    described = [reading("semantic_model", name, "model.shop.x") for name in ("b", "a")]
    held = {each["unique_id"]: each for each in described}
    found = relations(node("model", "x"), semantic_models=held).semantic_models_on

    assert {table: [each["name"] for each in models] for table, models in found.items()} == {"d:wh.main.x": ["a", "b"]}


def test_nodes_come_in_the_order_of_their_ids() -> None:
    """Of the kinds asked for alone; what is not an object is none."""
    found = relations(
        node("model", "b"), node("seed", "a"), node("test", "t"), sources={"source.shop.x": 7}, metrics=[]
    )

    assert [unique_id for unique_id, _ in found.of_kind("seed", "model", "source")] == ["model.shop.b", "seed.shop.a"]


def test_a_column_is_spelt_as_the_catalog_has_it() -> None:
    """Of that dataset; the catalog of a node that is nowhere teaches nothing."""
    manifest = {"nodes": {each["unique_id"]: each for each in (node("model", "x"), node("analysis", "y"))}}
    catalog = catalog_of(model__shop__x={"odd": "INT"}, analysis__shop__y={"id": "INT"})
    found = Relations(manifest, "snowflake", "sf", catalog)
    table = found.dataset("model.shop.x") or ""

    assert found.column(table, "ODD") == "sf:wh.main.x#odd"
    assert found.column(table, "id") == "sf:wh.main.x#ID"
    assert found.column(table, "id", quoted=True) == "sf:wh.main.x#id"


def test_a_catalog_is_read_as_the_adapter_writes_it() -> None:
    """That of Oracle writes all names in lower case; what a catalog of another shape says is left out."""
    manifest = {"metadata": {"adapter_type": "Oracle"}, "nodes": {"model.shop.x": node("model", "x")}}
    catalog: dict[str, Any] = catalog_of(model__shop__x={"id": "NUMBER"})
    catalog["nodes"] |= {"model.shop.y": 7, "model.shop.z": {"columns": ["id"]}}
    catalog["sources"] = {"model.shop.x": {"columns": ["other"]}}

    found = Relations(manifest, "oracle", "o", catalog)
    assert found.column(found.dataset("model.shop.x") or "", "id").endswith("#ID")
    assert Relations({**manifest, "metadata": None}, "oracle", "o", catalog).columns.of_catalog("id") == "id"


def test_what_a_node_depends_on_is_a_list_of_ids() -> None:
    """Shapes that dbt does not write say nothing."""
    assert depends_on(model("x", "select 1", "a", "b")) == ["a", "b"]
    assert depends_on({"depends_on": {"nodes": ["a", None, 7, ["b"]]}}) == ["a"]
    assert depends_on({"depends_on": ["a"]}) == depends_on({"depends_on": {"nodes": "a"}}) == depends_on({}) == []


def test_only_a_materialization_makes_a_model_ephemeral() -> None:
    """A configuration of another shape does not."""
    assert is_ephemeral({"config": {"materialized": "ephemeral"}})
    assert not is_ephemeral({"config": {"materialized": "view"}})
    assert not is_ephemeral({"config": "ephemeral"})
