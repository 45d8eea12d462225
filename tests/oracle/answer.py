"""Ask Spark: a program that reads statements on stdin, one JSON object a line, and writes its answers to stdout.

In:  ``{"id", "group", "sql", "run"}``; ``run`` says that the statement is executed, to be known to the later ones of
its group. Out: ``{"id", "edges": [[source, target, [way, …]], …], "width"}`` or ``{"id", "error"}``. A process of its
own, so that its Spark is nobody else's.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))

from plan_tree import tree
from plan_writes import edges_of

HEAP = "700m"


def start(folder: str) -> Any:
    """Return a Spark session with one core and a small heap, whose tables are in ``folder``."""
    from pyspark.sql import SparkSession

    settings = {
        "spark.ui.enabled": "false",
        "spark.driver.memory": HEAP,
        "spark.driver.extraJavaOptions": "-XX:+UseSerialGC -XX:TieredStopAtLevel=1",
        "spark.driver.host": "127.0.0.1",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.sql.shuffle.partitions": "1",
        "spark.sql.catalogImplementation": "in-memory",
        "spark.sql.warehouse.dir": folder,
        "spark.sql.timestampType": "TIMESTAMP_LTZ",
        "spark.log.level": "ERROR",
    }
    builder = SparkSession.builder.master("local[1]").appName("oracle")
    for key, value in settings.items():
        builder = builder.config(key, value)
    return builder.getOrCreate()


def analysed(spark: Any, sql: str) -> Any:
    """Return the analysed and checked plan of a statement, nothing of it run."""
    state = spark._jsparkSession.sessionState()
    plan = state.analyzer().execute(state.sqlParser().parsePlan(sql))
    state.analyzer().checkAnalysis(plan)
    return plan


def view_names(plan: Any) -> list[str]:
    """Return the names that CREATE VIEW itself gives to its columns."""
    if plan.getClass().getSimpleName() != "CreateViewCommand":
        return []
    given = plan.userSpecifiedColumns()
    return [given.apply(i)._1() for i in range(given.size())]


def answer(spark: Any, sql: str) -> dict[str, Any]:
    """Return the column edges of a statement."""
    plan = analysed(spark, sql)
    flat = json.loads(plan.toJSON())
    edges = edges_of(flat, view_names(plan))
    told = sorted([source, target, sorted(ways)] for (source, target), ways in edges.items())
    return {"edges": told, "width": plan.output().size(), "kind": tree(flat).kind}


def main() -> None:
    """Answer until stdin ends; every group has a session of its own."""
    told, sys.stdout = sys.stdout, sys.stderr  # what Spark prints is not an answer
    spark, group = start(os.environ["ORACLE_WAREHOUSE"]), None
    sessions: dict[str, Any] = {}
    for line in sys.stdin:
        case = json.loads(line)
        group = case["group"]
        if group not in sessions:
            sessions[group] = spark.newSession()
        try:
            if case["run"]:
                sessions[group].sql(case["sql"])
                found: dict[str, Any] = {"edges": [], "width": 0, "kind": "run"}
            else:
                found = answer(sessions[group], case["sql"])
        except Exception as error:
            found = {"error": f"{type(error).__name__}: {str(error)[:600]}"}
        print(json.dumps({"id": case["id"], **found}), file=told, flush=True)


if __name__ == "__main__":
    main()
