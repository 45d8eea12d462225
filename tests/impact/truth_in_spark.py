"""The warehouses run in Spark: local, one core, views for what the tasks make, temporary tables for what is loaded."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from truth import Result, Run, written_by
from warehouse import Task, Warehouse

_VIEW = re.compile(r"\ACREATE OR REPLACE VIEW", re.IGNORECASE)
_TABLE = re.compile(r"\ACREATE OR REPLACE TABLE (\S+) AS\b", re.IGNORECASE)


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
    """Runs warehouses one after the other in a session; what a run left changed is rebuilt by the next."""

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
    from py4j.protocol import Py4JJavaError
    from pyspark.errors import PySparkException

    try:
        text = _VIEW.sub("CREATE OR REPLACE TEMPORARY VIEW", task.sql())
        if task.how == "insert":
            declared = ", ".join(f"{name} {kind}" for name, kind in task.declared)
            session.sql(f"CREATE TABLE {task.name} ({declared}) USING parquet")
        if _TABLE.match(text):  # no table format here replaces one: it was dropped
            text = _TABLE.sub(r"CREATE TABLE \1 USING parquet AS", text)
        found = session.sql(text)
        if task.how != "report":
            found = session.sql(f"SELECT * FROM {written_by(task)}")
        return tuple(found.columns), tuple(sorted(repr(tuple(row)) for row in found.collect()))
    except PySparkException as error:
        return f"{type(error).__name__}: {str(error)[:160]}"
    except Py4JJavaError as error:  # what fails while one side of a join is sent around comes wrapped
        said = str(error.java_exception)
        if "SQLSTATE" not in said:  # not the query: Spark itself
            raise
        return f"Py4JJavaError: {said[:160]}"
