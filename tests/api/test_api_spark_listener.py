"""A real Spark whose OpenLineage listener sends its events to a service over HTTP."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from services import serving
from sparks import need_spark

from lineage_tt import Store
from lineage_tt.read.observations import observations

#: The process is one of its own: the listener belongs to a JVM from its start.
JOB = """
import sys
from lineage_tt.spark.session import spark_session

url, warehouse = sys.argv[1:]
spark = spark_session(
    "local[1]", packages=["io.openlineage:openlineage-spark_2.13:1.53.0"], app="shop",
    settings={
        "spark.extraListeners": "io.openlineage.spark.agent.OpenLineageSparkListener",
        "spark.openlineage.transport.type": "http", "spark.openlineage.transport.url": url,
        "spark.openlineage.namespace": "spark", "spark.sql.warehouse.dir": warehouse,
    },
)
spark.sql("create table orders using parquet as select 1 as id, 10 as amount, 'x' as city")
spark.sql("create table cities using parquet as select 'x' as city, 'de' as country")
spark.sql(
    "create table revenue using parquet as select c.country, sum(o.amount) as total "
    "from orders o join cities c on o.city = c.city where o.id > 0 group by c.country"
)
for _ in range(2):
    spark.table("orders").selectExpr("id", "amount * 2 as twice").write.mode("overwrite").parquet(warehouse + "/files")
spark.stop()
"""


@pytest.fixture(scope="module")
def ran(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """Run the job beside a service; return the store and the warehouse."""
    need_spark()
    folder = tmp_path_factory.mktemp("listener")
    store, warehouse = folder / "store", folder / "warehouse"
    with serving(store, "--no-graph") as served:
        done = subprocess.run(
            [sys.executable, "-c", JOB, served.base, str(warehouse)],
            capture_output=True, text=True, timeout=280, check=False, cwd=folder,
        )  # fmt: skip
    assert done.returncode == 0, done.stderr[-2000:]
    return store, str(warehouse)


def test_spark_listener_gives_the_columns_that_each_write_computes(ran: tuple[Path, str]) -> None:
    """A CREATE TABLE AS with a join, and a write of files, give their edges with kinds."""
    store, warehouse = ran
    edges = {
        (e.source.removeprefix(f"file:{warehouse}/"), e.target.removeprefix(f"file:{warehouse}/"), e.subtype)
        for e in Store.open(store).as_of().edges()
    }

    assert {
        ("cities#country", "revenue#country", "IDENTITY"),
        ("orders#amount", "revenue#total", "AGGREGATION"),
        ("cities#city", "revenue", "JOIN"),
        ("orders#city", "revenue", "JOIN"),
        ("orders#id", "revenue", "FILTER"),
        ("cities#country", "revenue", "GROUP_BY"),
        ("orders#id", "files#id", "IDENTITY"),
        ("orders#amount", "files#twice", "TRANSFORMATION"),
    } <= edges
    assert not {edge for edge in edges if edge[1] == "files#id" and edge[0] != "orders#id"}


def test_the_name_of_a_table_in_spark_is_an_alias_of_its_files(ran: tuple[Path, str]) -> None:
    """Lineage asked of the catalog's name continues through the path that the listener names."""
    store, warehouse = ran
    found = Store.open(store).as_of().upstream(f"file:{warehouse}:default.revenue#total")

    assert f"file:{warehouse}/orders#amount" in {each.edge.source for each in found.steps}


def test_a_second_run_of_spark_makes_no_version(ran: tuple[Path, str]) -> None:
    """The same write again is another run of the same task, observed and not versioned."""
    store, _ = ran
    task = "spark/shop.execute_insert_into_hadoop_fs_relation_command.warehouse_files"
    [versions] = Store.open(store).ask("SELECT count(*) FROM log WHERE task_id = $task", task=task)

    assert versions == (1,)
    assert {each.task_id: each.runs for each in observations(store)}[task] == 2
