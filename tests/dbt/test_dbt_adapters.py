"""One small project as each adapter writes it: its quoting, its parts of a relation's name, its case."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from ingest.dbt.ingesting import ingest_target
from ingest.resolve.resolver import SqlResolver
from lineage_tt import Store
from lineage_tt.model.edges import column_of, dataset_of

#: Adapters: the quote of names, how many parts a relation's name has, and whether names are in upper case.
ADAPTERS = {
    "athena": ('"', 3, False), "bigquery": ("`", 3, False), "clickhouse": ("`", 2, False),
    "databricks": ("`", 3, False), "duckdb": ('"', 3, False), "dremio": ('"', 3, False),
    "exasol": ("", 2, True), "fabric": ("[", 3, False), "fabricspark": ("`", 2, False),
    "firebolt": ('"', 1, False), "mysql": ("`", 2, False), "oracle": ("", 2, True), "redshift": ('"', 3, False),
    "risingwave": ('"', 3, False), "singlestore": ("`", 2, False), "snowflake": ("", 3, True), "spark": ("", 2, False),
    "sqlite": ('"', 2, False), "sqlserver": ('"', 3, False), "starrocks": ("`", 2, False), "synapse": ('"', 3, False),
    "teradata": ('"', 2, False), "trino": ('"', 3, False), "vertica": ('"', 3, False),
}  # fmt: skip
COLUMNS = {
    "raw_customers": ["id", "first_name"],
    "raw_orders": ["id", "user_id", "order_date"],
    "stg_customers": ["customer_id", "first_name"],
    "stg_orders": ["order_id", "customer_id", "order_date"],
    "customers": ["customer_id", "first_name", "first_order", "number_of_orders", "place"],
    "orders": ["order_id", "customer_id", "order_date"],
}
#: The models: what each reads, and its compiled SQL with the relations in braces.
MODELS = {
    "stg_customers": (
        ["raw_customers"],
        "with source as (select * from {raw_customers}),\n"
        "renamed as (select id as customer_id, first_name from source)\n"
        "select * from renamed",
    ),
    "stg_orders": (
        ["raw_orders"],
        "with source as (select * from {raw_orders})\n"
        "select id as order_id, user_id as customer_id, order_date from source",
    ),
    "customers": (
        ["stg_customers", "stg_orders"],
        "with customers as (select * from {stg_customers}), orders as (select * from {stg_orders}),\n"
        "counted as (select customer_id, min(order_date) as first_order, count(order_id) as number_of_orders\n"
        "    from orders group by customer_id),\n"
        "final as (select customers.customer_id, customers.first_name, counted.first_order, counted.number_of_orders,\n"
        "    row_number() over (partition by customers.first_name order by counted.first_order desc) as place\n"
        "    from customers left join counted on customers.customer_id = counted.customer_id)\n"
        "select * from final",
    ),
    "orders": (
        ["orders", "stg_orders"],  # itself, as an incremental model does
        "select * from {stg_orders} where order_date > (select max(order_date) from {orders})",
    ),
}


def quoted(parts: Sequence[str], quote: str) -> str:
    """Return a relation's name as an adapter writes it."""
    closing = "]" if quote == "[" else quote
    return ".".join(f"{quote}{part}{closing}" for part in parts)


def test_compiled_sql_is_read_from_its_file_and_from_nowhere_else(tmp_path: Path) -> None:
    """Where a manifest only names the file of a model's compiled SQL that is read; a path out of the folder is not."""
    folder = tmp_path / "target"
    (folder / "compiled" / "shop").mkdir(parents=True)
    project(folder, "duckdb")
    manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    for name in MODELS:
        node = manifest["nodes"][f"model.shop.{name}"]
        (folder / "compiled" / "shop" / f"{name}.sql").write_text(node["compiled_code"], encoding="utf-8")
        node |= {
            "compiled_code": None,
            "compiled_path": f"target/compiled/shop/{name}.sql",
            "raw_code": "select 1 as x",
        }
    (tmp_path / "secret.sql").write_text("select * from secret", encoding="utf-8")
    manifest["nodes"]["model.shop.orders"]["compiled_path"] = "target/compiled/../../secret.sql"
    (folder / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")
    store = Store.create(tmp_path / "s")
    with SqlResolver(0) as resolver:
        ingest_target(store, folder, resolver)
    fed = {dataset_of(edge.target) for edge in store.as_of("2026-02-01T00:00:00Z").edges() if "raw_" not in edge.target}

    assert fed == {f"duckdb:analytics.dbt_dev.{name}" for name in MODELS if name != "orders"}


def project(folder: Path, adapter: str) -> None:
    """Write the artifacts of the project; databases are stated even where names leave them out."""
    quote, count, is_upper = ADAPTERS[adapter]

    def cased(name: str) -> str:
        return name.upper() if is_upper else name

    parts = {name: [cased(each) for each in ("analytics", "dbt_dev", name)] for name in COLUMNS}
    relations = {name: quoted(each[-count:], quote) for name, each in parts.items()}
    nodes: dict[str, Any] = {}
    for name, (database, schema, last) in parts.items():
        reads, sql = MODELS.get(name, ([], None))
        kind = "seed" if sql is None else "model"
        nodes[f"{kind}.shop.{name}"] = {
            "resource_type": kind, "name": name, "alias": last, "package_name": "shop", "database": database,
            "schema": schema, "relation_name": relations[name], "language": "sql",
            "compiled_code": sql.format(**relations) if sql else None,
            "depends_on": {"nodes": [f"{'model' if each in MODELS else 'seed'}.shop.{each}" for each in reads]},
        }  # fmt: skip
    metadata = {"generated_at": "2026-01-01T00:00:00Z", "project_name": "shop", "adapter_type": adapter}
    manifest = {"metadata": metadata, "nodes": nodes, "sources": {}}
    told = str.lower if adapter == "oracle" else cased  # its catalogs are in lower case, whatever the tables are
    listed = {
        unique_id: {told(c): {"name": told(c), "index": n} for n, c in enumerate(COLUMNS[node["name"]])}
        for unique_id, node in nodes.items()
    }
    catalog = {"nodes": {unique_id: {"columns": columns} for unique_id, columns in listed.items()}, "sources": {}}
    (folder / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")
    (folder / "catalog.json").write_text(json.dumps(catalog), encoding="utf-8")


@pytest.mark.parametrize("adapter", ADAPTERS)
def test_tables_are_those_depended_on_and_columns_those_of_the_catalog(tmp_path: Path, adapter: str) -> None:
    """Each model reads what it depends on, writes the catalog's columns, and its column lineage is complete."""
    project(tmp_path, adapter)
    store = Store.create(tmp_path / "s")
    with SqlResolver(0) as resolver:
        ingest_target(store, tmp_path, resolver)
    view = store.as_of("2026-02-01T00:00:00Z")

    assert {task.coverage for task in view.tasks()} == {"complete"}
    for name, (reads, _) in MODELS.items():
        edges = [edge for edge in view.edges() if edge.task_id == f"model.shop.{name}"]
        read = {dataset_of(edge.source).rpartition(".")[2].rpartition(":")[2].lower() for edge in edges}
        written = {column.lower() for edge in edges if (column := column_of(edge.target))}

        assert (read, written) == (set(reads), set(COLUMNS[name])), name
        (target,) = {dataset_of(edge.target) for edge in edges}
        assert {column_of(edge.target) for edge in edges} - {None} == {c.column for c in view.columns(target)}, name
