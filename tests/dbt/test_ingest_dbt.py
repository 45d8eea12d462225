"""What a dbt project says is in the store, and a run that changes nothing makes no version."""

from __future__ import annotations

from pathlib import Path

import pytest
from dbt_projects import Write, catalog_of, model, node

from ingest.dbt.artifacts import read_target
from ingest.dbt.ingesting import ingest_target
from ingest.dbt.relations import Relations, dialect_of
from ingest.resolve.reextract import re_extract
from ingest.resolve.resolver import SqlResolver
from lineage_tt import Store
from lineage_tt.model.errors import InvalidRequestError

RAW = node("source", "raw_orders", source_name="raw")
STAGED = model("stg_orders", 'select id, amount from "wh"."main"."raw_orders"', "source.shop.raw_orders")
ORDERS = model("orders", 'select id, amount * 2 as total from "wh"."main"."stg_orders"', "model.shop.stg_orders")
AFTER = "2026-06-01T00:00:00Z"


def edges_of(store: Store, task: str, at: str = AFTER) -> set[tuple[str, str]]:
    """The edges of a task, ends without their namespace."""
    return {
        (edge.source.partition(":")[2], edge.target.partition(":")[2])
        for edge in store.as_of(at).edges()
        if edge.task_id == task
    }


def test_a_model_is_a_task_with_the_columns_of_its_compiled_sql(
    write: Write, tmp_path: Path, resolver: SqlResolver
) -> None:
    """Task, target and edges come from the manifest; columns from the catalog make them complete."""
    store = Store.create(tmp_path / "store")

    summary = ingest_target(store, write(RAW, STAGED, ORDERS), resolver)

    assert (summary.source, summary.accepted, summary.rejected) == ("dbt:shop", 2, 0)
    assert edges_of(store, "model.shop.orders") == {
        ("wh.main.stg_orders#id", "wh.main.orders#id"), ("wh.main.stg_orders#amount", "wh.main.orders#total"),
    }  # fmt: skip


def test_a_run_that_changed_nothing_makes_no_version(write: Write, tmp_path: Path, resolver: SqlResolver) -> None:
    """The manifest is new each time, and says the same."""
    store = Store.create(tmp_path / "store")
    catalog = catalog_of(model__shop__orders={"id": "BIGINT", "total": "DOUBLE"})
    ingest_target(store, write(RAW, STAGED, ORDERS, catalog=catalog), resolver)
    before = store.version

    again = ingest_target(store, write(RAW, STAGED, ORDERS, catalog=catalog, at="2026-03-02T00:00:00Z"), resolver)

    assert (again.received, store.version) == (0, before)


def test_a_changed_model_is_one_version_from_the_manifest_s_time_on(
    write: Write, tmp_path: Path, resolver: SqlResolver
) -> None:
    """Before that time the lineage is the former one."""
    store = Store.create(tmp_path / "store")
    ingest_target(store, write(RAW, STAGED, ORDERS), resolver)
    edited = model("orders", 'select id from "wh"."main"."stg_orders"', "model.shop.stg_orders")

    changed = ingest_target(store, write(RAW, STAGED, edited, at="2026-04-01T00:00:00Z"), resolver)

    assert changed.accepted == 1
    assert len(edges_of(store, "model.shop.orders", "2026-03-15T00:00:00Z")) == 2
    assert len(edges_of(store, "model.shop.orders")) == 1


def test_an_older_manifest_that_comes_late_lands_where_it_belongs(
    write: Write, tmp_path: Path, resolver: SqlResolver
) -> None:
    """Valid time is the manifest's, whatever the order of ingests."""
    store = Store.create(tmp_path / "store")
    edited = model("orders", 'select id from "wh"."main"."stg_orders"', "model.shop.stg_orders")
    ingest_target(store, write(RAW, STAGED, edited, at="2026-04-01T00:00:00Z"), resolver)

    ingest_target(store, write(RAW, STAGED, ORDERS), resolver)

    assert len(edges_of(store, "model.shop.orders", "2026-03-15T00:00:00Z")) == 2
    assert len(edges_of(store, "model.shop.orders")) == 1


def test_a_model_gone_from_the_manifest_goes_offline_and_may_come_back(
    write: Write, tmp_path: Path, resolver: SqlResolver
) -> None:
    """Only tasks of the same project and target are compared."""
    store = Store.create(tmp_path / "store")
    ingest_target(store, write(RAW, STAGED, ORDERS), resolver)

    gone = ingest_target(store, write(RAW, STAGED, at="2026-04-01T00:00:00Z"), resolver)
    other = ingest_target(store, write(RAW, at="2026-04-02T00:00:00Z"), resolver, target="ci")
    back = ingest_target(store, write(RAW, STAGED, ORDERS, at="2026-05-01T00:00:00Z"), resolver)

    assert (gone.accepted, other.received, back.accepted) == (1, 0, 1)
    assert edges_of(store, "model.shop.orders", "2026-04-15T00:00:00Z") == set()
    assert len(edges_of(store, "model.shop.orders")) == 2
    assert len(edges_of(store, "model.shop.stg_orders", "2026-04-15T00:00:00Z")) == 2


def test_a_catalog_that_dbt_did_not_write_this_time_drops_no_columns(
    write: Write, tmp_path: Path, resolver: SqlResolver
) -> None:
    """``dbt run`` writes no catalog: what the last one said still holds."""
    store = Store.create(tmp_path / "store")
    catalog = catalog_of(model__shop__orders={"id": "BIGINT", "total": "DOUBLE"})
    folder = write(RAW, STAGED, ORDERS, catalog=catalog)
    ingest_target(store, folder, resolver)
    (folder / "catalog.json").unlink()

    ingest_target(store, write(RAW, STAGED, ORDERS, at="2026-04-01T00:00:00Z"), resolver)

    assert [c.column for c in store.as_of(AFTER).columns("duckdb:wh.main.orders")] == ["id", "total"]


def test_columns_are_spelt_as_the_catalog_spells_them(write: Write, tmp_path: Path, resolver: SqlResolver) -> None:
    """BigQuery takes a column's name in any case: what the SQL calls ``TOTAL`` fed a column that nobody declared."""
    store = Store.create(tmp_path / "store")
    sql = "select id, amount * 2 as TOTAL from `wh`.`main`.`raw_orders`"
    orders = model("orders", sql, "source.shop.raw_orders", relation_name="`wh`.`main`.`orders`")
    raw = RAW | {"relation_name": "`wh`.`main`.`raw_orders`"}
    catalog = catalog_of(model__shop__orders={"id": "INT64", "total": "INT64"})

    ingest_target(store, write(raw, orders, catalog=catalog, adapter="bigquery"), resolver)

    assert edges_of(store, "model.shop.orders") == {
        ("wh.main.raw_orders#id", "wh.main.orders#id"), ("wh.main.raw_orders#amount", "wh.main.orders#total"),
    }  # fmt: skip


@pytest.mark.parametrize("has_catalog", [True, False])
def test_names_in_a_project_s_files_are_read_as_the_engine_does(
    write: Write, tmp_path: Path, resolver: SqlResolver, has_catalog: bool
) -> None:
    """Snowflake has ``id`` as ``ID``: tests, contracts and descriptions were of columns that no table has."""
    store = Store.create(tmp_path / "store")
    columns = {"id": {"name": "id", "description": "the key"}, "odd": {"name": "odd", "quote": True}}
    orders = model(
        "orders", 'select id, "odd" from wh.main.raw_orders', "source.shop.raw_orders", columns=columns,
        relation_name="wh.main.orders", contract={"enforced": True},
    )  # fmt: skip
    check = node("test", "not_null", column_name="id", attached_node="model.shop.orders",
                 depends_on={"nodes": ["model.shop.orders"]})  # fmt: skip
    catalog = catalog_of(model__shop__orders={"ID": "NUMBER", "odd": "TEXT"}) if has_catalog else None
    raw = RAW | {"relation_name": "wh.main.raw_orders"}

    ingest_target(store, write(raw, orders, check, catalog=catalog, adapter="snowflake"), resolver)
    view = store.as_of(AFTER)

    assert [c.column for c in view.columns("snowflake:WH.MAIN.ORDERS")] == ["ID", "odd"]
    assert [fact.node for fact in view.facts(key="description")] == ["snowflake:WH.MAIN.ORDERS#ID"]
    assert edges_of(store, "test.shop.not_null") == {("WH.MAIN.ORDERS#ID", "test.shop.not_null")}
    assert {end for _, end in edges_of(store, "model.shop.orders")} == {"WH.MAIN.ORDERS#ID", "WH.MAIN.ORDERS#odd"}


def test_an_ephemeral_model_is_inside_of_its_readers(write: Write, tmp_path: Path, resolver: SqlResolver) -> None:
    """It is not a task, and an exposure of it is fed by what is after it."""
    store = Store.create(tmp_path / "store")
    inner = model("inner", "select 1", "source.shop.raw_orders", config={"materialized": "ephemeral"})
    board = node("exposure", "board", depends_on={"nodes": ["model.shop.inner"]}, owner={"email": "ada@shop.example"})

    ingest_target(store, write(RAW, inner, exposures={board["unique_id"]: board}), resolver)

    assert edges_of(store, "exposure.shop.board") == {("wh.main.raw_orders", "exposure.shop.board")}
    assert {fact.value for fact in store.as_of(AFTER).facts(key="owner")} == {"ada@shop.example"}


def test_a_model_that_is_not_compiled_reads_what_its_references_mean(
    write: Write, tmp_path: Path, resolver: SqlResolver
) -> None:
    """An ephemeral model was read as a table that does not exist, and a version as the one whose id sorts last."""
    store = Store.create(tmp_path / "store")
    inner = node("model", "inner", config={"materialized": "ephemeral"}, relation_name=None,
                 raw_code="select id from {{ source('raw', 'raw_orders') }}")  # fmt: skip
    versions = [
        model("orders", "select 1 as id", unique_id=f"model.shop.orders.v{number}", version=number, latest_version=2,
              relation_name=f'"wh"."main"."orders_v{number}"')
        for number in (1, 2, 10)
    ]  # fmt: skip
    texts = {"a": "{{ ref('inner') }}", "b": "{{ ref('orders', v=1) }}", "c": "{{ ref('orders') }}"}
    readers = [node("model", name, raw_code=f"select id from {text}") for name, text in texts.items()]

    ingest_target(store, write(RAW, inner, *versions, *readers), resolver)

    for name, source in (("a", "raw_orders"), ("b", "orders_v1"), ("c", "orders_v2")):
        assert edges_of(store, f"model.shop.{name}") == {(f"wh.main.{source}#id", f"wh.main.{name}#id")}
    assert {task.coverage for task in store.as_of(AFTER).tasks()} == {"complete"}


def test_a_model_that_cannot_be_read_is_fed_by_what_dbt_names(
    write: Write, tmp_path: Path, resolver: SqlResolver
) -> None:
    """It had no edges at all; a newer parser that reads no more of it does not take them away."""
    store = Store.create(tmp_path / "store")
    broken = model("broken", "select selec from from where (((", "source.shop.raw_orders")
    ingest_target(store, write(RAW, broken), resolver)
    edges = {("wh.main.raw_orders", "wh.main.broken")}

    assert edges_of(store, "model.shop.broken") == edges
    assert {task.coverage for task in store.as_of(AFTER).tasks()} == {"partial"}
    assert re_extract(store, everything=True, workers=0).corrections == 0
    assert edges_of(store, "model.shop.broken") == edges


def test_tests_metrics_and_seeds_have_edges_of_their_own(write: Write, tmp_path: Path, resolver: SqlResolver) -> None:
    """A test looks at a column and takes no value; a metric counts one; a seed comes from a file."""
    store = Store.create(tmp_path / "store")
    check = node("test", "not_null", column_name="id", attached_node="model.shop.orders",
                 depends_on={"nodes": ["model.shop.orders"]})  # fmt: skip
    semantic = node("semantic_model", "orders", depends_on={"nodes": ["model.shop.orders"]},
                    measures=[{"name": "revenue", "expr": "total"}])  # fmt: skip
    metric = node("metric", "revenue", depends_on={"nodes": ["semantic_model.shop.orders"]},
                  type_params={"input_measures": [{"name": "revenue"}]})  # fmt: skip
    seed = node("seed", "codes", original_file_path="seeds/codes.csv")

    folder = write(RAW, STAGED, ORDERS, check, seed, metrics={metric["unique_id"]: metric},
                   semantic_models={semantic["unique_id"]: semantic})  # fmt: skip
    ingest_target(store, folder, resolver)

    assert edges_of(store, "test.shop.not_null") == {("wh.main.orders#id", "test.shop.not_null")}
    assert edges_of(store, "metric.shop.revenue") == {("wh.main.orders#total", "metric.shop.revenue")}
    assert edges_of(store, "seed.shop.codes") == {("shop/seeds/codes.csv", "wh.main.codes")}
    kinds = {edge.type for edge in store.as_of(AFTER).edges() if edge.task_id == "test.shop.not_null"}
    assert kinds == {"INDIRECT"}


def test_what_is_no_project_is_refused_with_a_way_out(write: Write, tmp_path: Path, resolver: SqlResolver) -> None:
    """No manifest, a broken one, an adapter whose SQL nobody reads."""
    store = Store.create(tmp_path / "store")
    with pytest.raises(InvalidRequestError, match=r"no manifest\.json"):
        ingest_target(store, tmp_path / "nothing", resolver)
    folder = write(ORDERS, adapter="exotic")
    with pytest.raises(InvalidRequestError, match="exotic"):
        ingest_target(store, folder, resolver)
    (folder / "manifest.json").write_text("{", encoding="utf-8")
    with pytest.raises(InvalidRequestError, match="not JSON"):
        ingest_target(store, folder, resolver)
    assert store.version == 0


@pytest.mark.parametrize("name", ["1.8", "1.10", "bigquery", "duckdb", "postgres"])
def test_shared_projects_read_what_dbt_says_they_depend_on(
    shared_dir: Path, tmp_path: Path, resolver: SqlResolver, name: str
) -> None:
    """Every model is complete, reads all relations of depends_on, and writes the catalog's columns."""
    folder = shared_dir / "data" / "dbt" / name
    store = Store.create(tmp_path / "store")
    ingest_target(store, folder, resolver)
    artifacts = read_target(folder)
    dialect = dialect_of(artifacts.adapter)
    relations = Relations(artifacts.manifest, dialect, dialect)
    view = store.as_of("2027-01-01T00:00:00Z")
    reads: dict[str, set[str]] = {}
    for edge in view.edges():
        reads.setdefault(edge.task_id, set()).add(edge.source.partition("#")[0])

    assert {task.coverage for task in view.tasks()} == {"complete"}
    for unique_id, _ in relations.of_kind("model", "snapshot"):
        assert set(relations.inputs(unique_id)) <= reads.get(unique_id, set()), unique_id
        stated = artifacts.catalog["nodes"].get(unique_id)
        dataset = relations.dataset(unique_id)
        if stated and dataset:
            ordered = sorted(stated["columns"].values(), key=lambda column: column["index"])
            assert [column.column for column in view.columns(dataset)] == [
                relations.columns.of_catalog(c["name"]) for c in ordered
            ]
