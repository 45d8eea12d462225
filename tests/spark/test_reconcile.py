"""Reconciliation: what a list of tasks says and the stream did not becomes ordinary messages, once."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from imported import call, task, write

from ingest.pipeline import Ingester
from lineage_tt import Store
from lineage_tt.model.times import parse_instant

NOON = parse_instant("2024-06-01T12:00:00Z")


def stored(path: Path, *messages: dict[str, Any]) -> Store:
    """Return a store that has ingested messages."""
    store = Store.create(path / "store")
    with Ingester(store, workers=1) as ingester:
        ingester.ingest_file(str(write(path / "messages.jsonl", *messages)))
    return store


def row(number: int, **changed: Any) -> dict[str, Any]:
    """Return a row of a list of tasks: what a task is, and nothing about messages."""
    made = task(number, event_id=None, op=None, effective_at=None, recorded_at=None)
    return made | changed


def test_the_command_shows_first_and_then_appends(tmp_path: Path, spark: object) -> None:
    """A dry run appends nothing; the run appends what it showed; the next one has nothing to do."""
    stored(tmp_path, *(task(n) for n in range(3)))
    today = write(tmp_path / "today.jsonl", row(0), row(1, sql="INSERT INTO dw.t1 SELECT b FROM ods.other"), row(5))
    words = [
        "import",
        "--reconcile",
        today,
        "--as-of",
        "2024-06-01T12:00:00Z",
        "--no-progress",
        "--master",
        "local[2,4]",
    ]

    shown = call(*words, "--dry-run", "--format", "json", store=tmp_path / "store")
    done = call(*words, "--format", "json", store=tmp_path / "store")
    again = call(*words, store=tmp_path / "store")

    assert [(r["difference"], r["task_id"]) for r in shown.json["result"]["repairs"]] == [
        ("changed", "t1"), ("gone", "t2"), ("unknown", "t5"),
    ]  # fmt: skip
    assert (shown.json["result"]["first_version"], shown.json["basis"]["version"]) == (None, 3)
    assert done.json["result"]["repairs"] == shown.json["result"]["repairs"]
    assert (done.json["result"]["first_version"], done.json["result"]["last_version"]) == (4, 6)
    assert again.out == "3 tasks listed, 3 in the store as of 2024-06-01T12:00:00Z: nothing to repair\n"
    sources = {edge.source for edge in Store.open(tmp_path / "store").as_of(valid_at=NOON).edges()}
    assert "hive:ods.other#b" in sources
