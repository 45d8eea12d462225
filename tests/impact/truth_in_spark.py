"""The warehouses run in Spark: local, one core, views for what the tasks make, temporary tables for what is loaded."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from truth import Result
from warehouse import Task, Warehouse


@contextmanager
def spark_runner(folder: Path) -> Iterator[Callable[[Warehouse], dict[str, Result]]]:
    """Yield what runs a warehouse in a Spark session of its own, whose files are below ``folder``."""
    from pyspark.sql import SparkSession

    builder = SparkSession.builder.master("local[1]").appName("impact-truth")
    options = {
        "spark.ui.enabled": "false",
        "spark.driver.host": "127.0.0.1",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.sql.shuffle.partitions": "1",
        "spark.sql.warehouse.dir": str(folder / "warehouse"),
        "spark.sql.catalogImplementation": "in-memory",
        "spark.log.level": "OFF",
        "spark.driver.memory": "768m",
    }
    for name, value in options.items():
        builder = builder.config(name, value)
    session = builder.getOrCreate()
    try:
        yield lambda warehouse: _run(session, warehouse)
    finally:
        session.stop()


def _run(session: Any, warehouse: Warehouse) -> dict[str, Result]:
    """Run every task in order; return what each gives. What is there from the run before is dropped first."""
    for table in session.catalog.listTables():
        kind = "VIEW" if table.tableType in ("VIEW", "TEMPORARY") else "TABLE"
        session.sql(f"DROP {kind} IF EXISTS {table.name}")
    for name, (columns, rows) in warehouse.raw.items():
        values = ", ".join(f"({', '.join(map(_literal, row))})" for row in rows)
        listed = ", ".join(f"CAST(col{place} AS {kind}) AS {column}" for place, (column, kind) in enumerate(columns, 1))
        session.sql(f"CREATE OR REPLACE TEMPORARY VIEW {name} AS SELECT {listed} FROM VALUES {values}")
    return {task.name: _one(session, task) for task in warehouse.tasks}


def _literal(value: Any) -> str:
    return "'" + value + "'" if isinstance(value, str) else str(value)


def _one(session: Any, task: Task) -> Result:
    from pyspark.errors import PySparkException

    try:
        text = task.sql().replace("CREATE OR REPLACE VIEW", "CREATE OR REPLACE TEMPORARY VIEW")
        if task.how == "insert":
            declared = ", ".join(f"{name} {kind}" for name, kind in task.declared)
            session.sql(f"DROP TABLE IF EXISTS {task.name}")
            session.sql(f"CREATE TABLE {task.name} ({declared}) USING parquet")
        if "OR REPLACE TABLE" in text:  # no table format here replaces one: dropped and made
            session.sql(f"DROP VIEW IF EXISTS {task.name}")
            session.sql(f"DROP TABLE IF EXISTS {task.name}")
            text = text.replace("CREATE OR REPLACE TABLE", "CREATE TABLE").replace(" AS\n", " USING parquet AS\n", 1)
        found = session.sql(text)
        if task.how != "report":
            found = session.sql(f"SELECT * FROM {task.name}")
        return tuple(found.columns), tuple(sorted(repr(tuple(row)) for row in found.collect()))
    except PySparkException as error:
        return f"{type(error).__name__}: {str(error)[:160]}"
