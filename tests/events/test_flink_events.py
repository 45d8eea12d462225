"""Events that OpenLineage's listener of Flink 2.1 wrote of batch jobs over tables of Flink's own catalog.

``tests/data/recorded/flink_batch.jsonl`` is what version 1.53 of the listener wrote of two INSERTs and a CREATE TABLE
AS SELECT, with ``enableDetachedJobTracking``. Its tables have an empty namespace, and one run ends before it begins.
"""

from __future__ import annotations

import json
from pathlib import Path

from run_events import START, dataset, event, pairs, policies, take

from lineage_tt import Store
from lineage_tt.read.observations import observations

RECORDED = Path(__file__).parents[1] / "data/recorded/flink_batch.jsonl"
TABLES = "default_catalog.default_database"


def recorded() -> list[dict[str, object]]:
    """Return the events as they were written."""
    return [json.loads(line) for line in RECORDED.read_text(encoding="utf-8").splitlines()]


def test_tables_without_a_namespace_are_the_jobs(tmp_path: Path) -> None:
    """Once all events of Flink about its own tables were dead letters."""
    assert {each.status for each in take(tmp_path, recorded())} == {"accepted"}

    wanted = {(source, target) for target in ("by_city", "u") for source in ("orders", "customers")}
    assert pairs(tmp_path) == {
        (f"flink-jobs:{TABLES}.{source}", f"flink-jobs:{TABLES}.{target}") for source, target in wanted
    }
    columns = {node for node, *_ in Store.open(tmp_path).sql("SELECT node FROM nodes")[1] if "#" in node}
    assert f"flink-jobs:{TABLES}.orders#amt" in columns


def test_the_mapping_names_the_namespace_of_tables_without_one(tmp_path: Path) -> None:
    """So that they are those of another engine that shares the catalog."""
    take(tmp_path, recorded(), rules=policies(namespaces={"": "hive"}))

    assert (f"hive:{TABLES}.orders", f"hive:{TABLES}.u") in pairs(tmp_path)
    assert {task.task_id.partition("/")[0] for task in Store.open(tmp_path).as_of().tasks()} == {"flink-jobs"}


def test_a_run_that_ends_before_it_begins_took_no_time(tmp_path: Path) -> None:
    """Client and cluster have a clock each, and write at once: the length of a run was less than nothing."""
    take(tmp_path, recorded())
    seen = {each.task_id.rpartition(".")[2]: each.duration for each in observations(tmp_path)}

    assert seen["orders"] == 0
    assert seen["by_city"] > 0


def test_a_column_of_a_table_without_a_namespace(tmp_path: Path) -> None:
    """What facets name is the job's as well; a job without a namespace, or a dataset event's table, is refused."""
    field = {"namespace": "", "name": "a", "field": "x"}
    target = dataset("b", columnLineage={"fields": {"y": {"inputFields": [field]}}}) | {"namespace": ""}
    good = event("COMPLETE", START, outputs=[target])
    nameless = event("COMPLETE", START, run="r2", outputs=[target])
    nameless["job"]["namespace"] = ""
    alone = {"eventTime": "2026-01-01T00:00:00Z", "producer": "x", "schemaURL": "x", "dataset": target}
    assert sorted(each.status for each in take(tmp_path, [good, nameless, alone])) == [
        "accepted", "rejected", "rejected",
    ]  # fmt: skip

    assert pairs(tmp_path) == {("etl:a#x", "etl:b#y")}
