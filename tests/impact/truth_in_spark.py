"""The warehouses run in Spark: local, one core, views for what the tasks make, temporary tables for what is loaded."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from truth import Result, Run
from warehouse import Task, Warehouse


@contextmanager
def spark_runner(folder: Path) -> Iterator[Run]:
    """Yield what runs a warehouse in a Spark session of its own, whose files are below ``folder``."""
    from pyspark.sql import SparkSession

    builder = SparkSession.builder.master("local[1]").appName("impact-truth")
    options = {
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.driver.host": "127.0.0.1",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.sql.shuffle.partitions": "1",
        "spark.sql.codegen.wholeStage": "false",
        "spark.sql.adaptive.enabled": "false",
        "spark.sql.warehouse.dir": str(folder / "warehouse"),
        "spark.sql.catalogImplementation": "in-memory",
        "spark.log.level": "OFF",
        "spark.driver.memory": "768m",
    }
    for name, value in options.items():
        builder = builder.config(name, value)
    session = builder.getOrCreate()
    try:
        yield _Runner(session).run
    finally:
        session.stop()


class _Runner:
    """Runs warehouses one after the other in a session; what a run left changed is made anew by the next."""

    def __init__(self, session: Any) -> None:
        self._session = session
        self._stale: frozenset[str] = frozenset()
        self._made = False

    def run(self, warehouse: Warehouse, touched: frozenset[str]) -> dict[str, Result]:
        """Run the tasks touched by a change, and those that the run before left changed; return what these give."""
        if not self._made:
            self._raw(warehouse)
        wanted = touched | self._stale
        for task in warehouse.tasks:
            if task.name in wanted:
                self._drop(task.name)
        for name in wanted - {task.name for task in warehouse.tasks}:
            self._drop(name)
        self._stale = touched
        return {task.name: _one(self._session, task) for task in warehouse.tasks if task.name in wanted}

    def _drop(self, name: str) -> None:
        from pyspark.errors import PySparkException

        for kind in ("VIEW", "TABLE"):
            try:
                self._session.sql(f"DROP {kind} IF EXISTS {name}")
            except PySparkException:
                continue

    def _raw(self, warehouse: Warehouse) -> None:
        self._made = True
        for name, (columns, rows) in warehouse.raw.items():
            values = ", ".join(f"({', '.join(map(_literal, row))})" for row in rows)
            casts = (f"CAST(col{place} AS {kind}) AS {column}" for place, (column, kind) in enumerate(columns, 1))
            self._session.sql(
                f"CREATE OR REPLACE TEMPORARY VIEW {name} AS SELECT {', '.join(casts)} FROM VALUES {values}"
            )


def _literal(value: Any) -> str:
    return "'" + value + "'" if isinstance(value, str) else str(value)


def _one(session: Any, task: Task) -> Result:
    from pyspark.errors import PySparkException

    try:
        text = task.sql().replace("CREATE OR REPLACE VIEW", "CREATE OR REPLACE TEMPORARY VIEW")
        if task.how == "insert":
            declared = ", ".join(f"{name} {kind}" for name, kind in task.declared)
            session.sql(f"CREATE TABLE {task.name} ({declared}) USING parquet")
        if "OR REPLACE TABLE" in text:  # no table format here replaces one: it was dropped
            text = text.replace("CREATE OR REPLACE TABLE", "CREATE TABLE").replace(" AS\n", " USING parquet AS\n", 1)
        found = session.sql(text)
        if task.how != "report":
            found = session.sql(f"SELECT * FROM {task.name}")
        return tuple(found.columns), tuple(sorted(repr(tuple(row)) for row in found.collect()))
    except PySparkException as error:
        return f"{type(error).__name__}: {str(error)[:160]}"
