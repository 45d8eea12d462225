"""Bulk import from tables that another engine keeps: Delta, and Hive with its metastore."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import deltalake
import pyarrow as pa
import pytest
from imported import COMMAND, environment, is_sound, rows, task, write
from sparks import need_spark

from ingest.pipeline import Ingester
from lineage_tt import Store

COLUMNS = ("event_id", "task_id", "op", "effective_at", "recorded_at", "sql", "dialect", "namespace")
#: Writes the rows given as JSON into a table of a metastore that keeps itself in a folder.
HIVE_WRITER = """
import json, sys
from lineage_tt.spark.session import spark_session
given = json.load(sys.stdin)
spark = spark_session("local[1]", hive=True, settings=given["settings"])
spark.sql("CREATE DATABASE platform")
columns = ", ".join(f"{name} string" for name in given["columns"])
spark.sql(f"CREATE TABLE platform.changes ({columns}) STORED AS ORC")
frame = spark.createDataFrame(given["rows"], columns)
frame.write.insertInto("platform.changes")
"""


@pytest.fixture
def ingested(tmp_path: Path) -> Path:
    """A store that ingested the messages one by one."""
    with Ingester(Store.create(tmp_path / "ingested"), workers=1, system_times="recorded_at") as ingester:
        ingester.ingest_file(str(write(tmp_path / "m.jsonl", *map(task, range(20)))))
    return tmp_path / "ingested"


def import_(store: Path, *words: str) -> dict[str, Any]:
    """Import with the command, in a process whose Spark has what the source needs; return the outcome of its source."""
    need_spark()
    command = [COMMAND, "import", *words, "--store", str(store), "--master", "local[1]", "--no-progress"]
    command += ["--system-time-from", "recorded_at", "--format", "json"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, env=environment())
    assert done.returncode == 0, done.stderr
    report: dict[str, Any] = json.loads(done.stdout)["result"]["sources"][0]
    return report


@pytest.mark.slow
def test_a_delta_table(tmp_path: Path, ingested: Path) -> None:
    """Rows written in any order come in that of their recorded_at; those of a later commit are appended later."""
    made = [{name: task(n)[name] for name in COLUMNS} for n in range(20)]
    table = tmp_path / "changes"
    deltalake.write_deltalake(str(table), pa.Table.from_pylist(made[11::-1]))
    first = import_(tmp_path / "imported", f"delta:{table}")
    deltalake.write_deltalake(str(table), pa.Table.from_pylist(made[:11:-1]), mode="append")

    second = import_(tmp_path / "imported", str(table))

    assert (first["accepted"], second["accepted"], second["duplicates"]) == (12, 8, 12)
    left_out = ("source", "checksum")
    assert rows(tmp_path / "imported", *left_out) == rows(ingested, *left_out)
    assert is_sound(tmp_path / "imported")


def test_a_hive_table(tmp_path: Path, ingested: Path) -> None:
    """A table of a metastore, written by Hive's own format, with nothing said of Hive but the metastore's place."""
    need_spark()
    settings = {
        "spark.hadoop.javax.jdo.option.ConnectionURL": f"jdbc:derby:;databaseName={tmp_path / 'metastore'};create=true",
        "spark.sql.warehouse.dir": str(tmp_path / "warehouse"),
        "spark.hadoop.hive.downloaded.resources.dir": str(tmp_path / "resources"),
    }
    made = [[task(n)[name] for name in COLUMNS] for n in reversed(range(20))]
    given = json.dumps({"settings": settings, "columns": COLUMNS, "rows": made})
    subprocess.run(
        [sys.executable, "-c", HIVE_WRITER], input=given, text=True, check=True, timeout=300, cwd=tmp_path,
        env=environment(),
    )  # fmt: skip

    report = import_(
        tmp_path / "imported", "hive:platform.changes", *(w for s in settings.items() for w in ("--conf", "=".join(s)))
    )

    assert report["accepted"] == 20
    left_out = ("source", "checksum")
    assert rows(tmp_path / "imported", *left_out) == rows(ingested, *left_out)
