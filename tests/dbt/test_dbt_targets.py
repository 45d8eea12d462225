"""Several targets and projects of one package in one store: each keeps its lineage."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from dbt_projects import Write, model, node

from ingest.dbt.artifacts import Artifacts
from ingest.dbt.ingesting import ingest_target, messages
from ingest.resolve.resolver import SqlResolver
from lineage_tt import Store
from lineage_tt.model.messages import TaskChange

AFTER = "2026-06-01T00:00:00Z"
RAW = node("source", "raw_orders", source_name="raw")


def nodes(schema: str, column: str = "id") -> list[dict[str, Any]]:
    """A model, a test of two tables and an exposure, built into a schema."""
    orders = model("orders", f'select {column} as id from "wh"."main"."raw_orders"', "source.shop.raw_orders",
                   relation_name=f'"wh"."{schema}"."orders"', schema=schema)  # fmt: skip
    check = node("test", "both", depends_on={"nodes": ["model.shop.orders", "source.shop.raw_orders"]})
    return [RAW, orders, check]


def written(write: Write, schema: str, at: str, column: str = "id") -> Path:
    """The target folder of such a project."""
    board = node("exposure", "board", depends_on={"nodes": ["model.shop.orders"]})
    return write(*nodes(schema, column), at=at, exposures={board["unique_id"]: board})


def edges_of(store: Store, at: str = AFTER) -> set[tuple[str, str, str]]:
    """Task and ends of all edges, without namespaces."""
    return {
        (edge.task_id, edge.source.partition(":")[2], edge.target.partition(":")[2]) for edge in store.as_of(at).edges()
    }


def of_place(schema: str, suffix: str = "") -> set[tuple[str, str, str]]:
    """The edges of a place."""
    model, check, board = (f"{name}{suffix}" for name in ("model.shop.orders", "test.shop.both", "exposure.shop.board"))
    return {
        (model, "wh.main.raw_orders#id", f"wh.{schema}.orders#id"), (check, f"wh.{schema}.orders", check),
        (check, "wh.main.raw_orders", check), (board, f"wh.{schema}.orders", board),
    }  # fmt: skip


def test_a_second_target_leaves_the_first_one_s_lineage(write: Write, tmp_path: Path, resolver: SqlResolver) -> None:
    """Both are in the store, and a third run that says the same as the first makes no version."""
    store = Store.create(tmp_path / "store")
    ingest_target(store, written(write, "prod", "2026-03-01T00:00:00Z"), resolver, target="prod")
    ingest_target(store, written(write, "dev", "2026-03-02T00:00:00Z"), resolver, target="dev")

    assert edges_of(store) == of_place("prod") | of_place("dev", "@shop:dev")
    for target in ("prod", "dev"):
        again = ingest_target(store, written(write, target, "2026-03-03T00:00:00Z"), resolver, target=target)
        assert again.received == 0

    ingest_target(store, written(write, "prod", "2026-04-01T00:00:00Z", "ident"), resolver, target="prod")
    assert ("model.shop.orders", "wh.main.raw_orders#ident", "wh.prod.orders#id") in edges_of(store)
    assert of_place("dev", "@shop:dev") < edges_of(store)


def test_a_target_ends_its_own_tasks_alone(write: Write, tmp_path: Path, resolver: SqlResolver) -> None:
    """One that is left with the source ends nothing of the other one's."""
    store = Store.create(tmp_path / "store")
    ingest_target(store, written(write, "prod", "2026-03-01T00:00:00Z"), resolver, target="prod")
    ingest_target(store, written(write, "dev", "2026-03-02T00:00:00Z"), resolver, target="dev")
    emptied = write(RAW, *nodes("dev")[1:2], at="2026-04-01T00:00:00Z", exposures={})
    ingest_target(store, emptied, resolver, target="dev")

    dev = {edge for edge in of_place("dev", "@shop:dev") if edge[0].startswith("model.")}
    assert edges_of(store) == of_place("prod") | dev


def test_a_project_that_moves_to_another_schema_keeps_its_tasks(
    write: Write, tmp_path: Path, resolver: SqlResolver
) -> None:
    """The ids are those of the source that stated them first."""
    store = Store.create(tmp_path / "store")
    for schema, at in (("old", "2026-03-01T00:00:00Z"), ("new", "2026-03-02T00:00:00Z")):
        ingest_target(store, written(write, schema, at), resolver, target="prod")

    assert edges_of(store) == of_place("new")
    assert edges_of(store, "2026-03-01T12:00:00Z") == of_place("old")


def test_one_target_by_two_names_is_one_place(write: Write, tmp_path: Path, resolver: SqlResolver) -> None:
    """A run that does not say its target writes the same relations: the tasks are not there twice."""
    store = Store.create(tmp_path / "store")
    ingest_target(store, written(write, "prod", "2026-03-01T00:00:00Z"), resolver)
    ingest_target(store, written(write, "prod", "2026-03-02T00:00:00Z"), resolver, target="prod")
    ingest_target(store, written(write, "prod", "2026-03-03T00:00:00Z", "ident"), resolver, target="prod")

    assert {edge[0] for edge in edges_of(store)} == {"model.shop.orders", "test.shop.both", "exposure.shop.board"}
    ingest_target(store, write(RAW, at="2026-04-01T00:00:00Z", exposures={}), resolver, target="prod")
    assert edges_of(store) == set()


def test_a_package_in_two_projects_is_two_places(write: Write, tmp_path: Path, resolver: SqlResolver) -> None:
    """Each builds it into a schema of its own; what a project alone has keeps its plain id."""
    store = Store.create(tmp_path / "store")
    for project in ("one", "two"):
        used = model("used", "select 1 as id", unique_id="model.common.used", package_name="common",
                     relation_name=f'"wh"."{project}"."used"')  # fmt: skip
        own = model("own", f'select id from "wh"."{project}"."used"', "model.common.used",
                    unique_id=f"model.{project}.own", relation_name=f'"wh"."{project}"."own"')  # fmt: skip
        folder = write(used, own, at="2026-03-01T00:00:00Z", project=project)
        ingest_target(store, folder, resolver)

    tasks = {task.task_id for task in store.as_of(AFTER).tasks()}
    assert tasks == {"model.common.used", "model.common.used@two", "model.one.own", "model.two.own"}


@pytest.mark.parametrize("order", [("prod", "dev", "prod", "dev"), ("dev", "prod", "dev", "prod")])
def test_a_store_in_which_targets_took_each_other_s_tasks_gets_both_back(
    write: Write, tmp_path: Path, resolver: SqlResolver, order: tuple[str, ...]
) -> None:
    """Plain ids of both targets, as they were stored before ids said their place: after two runs each all is right."""
    store = Store.create(tmp_path / "store")
    for number, schema in enumerate(("prod", "dev"), 1):
        metadata = {"generated_at": f"2026-02-0{number}T00:00:00Z", "project_name": "shop", "adapter_type": "duckdb"}
        manifest = {"metadata": metadata, "nodes": {each["unique_id"]: each for each in nodes(schema)}}
        found = messages(Store.create(tmp_path / schema), Artifacts(manifest, {}, {}), f"dbt:shop:{schema}")
        assert {each.task_id for each in found if isinstance(each, TaskChange)} == {
            "model.shop.orders",
            "test.shop.both",
        }
        store.writer.append(found, source=f"dbt:shop:{schema}", resolver=resolver)

    for day, schema in enumerate(order, 1):
        ingest_target(store, written(write, schema, f"2026-03-0{day}T00:00:00Z"), resolver, target=schema)
    assert edges_of(store) == of_place("prod") | of_place("dev", "@shop:dev")


def test_an_older_manifest_of_a_second_target_takes_nothing(
    write: Write, tmp_path: Path, resolver: SqlResolver
) -> None:
    """It is from before all that the store holds; the ids are the first one's all the same."""
    store = Store.create(tmp_path / "store")
    ingest_target(store, written(write, "prod", "2026-03-02T00:00:00Z"), resolver, target="prod")
    ingest_target(store, written(write, "dev", "2026-03-01T00:00:00Z"), resolver, target="dev")

    assert edges_of(store) == of_place("prod") | of_place("dev", "@shop:dev")
