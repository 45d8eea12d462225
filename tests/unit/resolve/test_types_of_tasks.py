"""Types that a task's own DDL declares: kept in the log, known to other tasks as of the message's point."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import orjson
import pytest

from ingest.pipeline import Ingester
from ingest.reconcile import TaskList, reconcile
from ingest.resolve.reextract import re_extract
from lineage_tt.maintenance.check import check
from lineage_tt.model.messages import Lineage, TaskChange
from lineage_tt.store import Store

DAY = 86_400_000_000
JANUARY = 1_767_225_600_000_000  # 2026-01-01 in microseconds
TABLE = "CREATE TABLE t (a INT, s STRUCT<x: INT, y: STRING>)"
WIDER = "CREATE TABLE t (a BIGINT, s STRUCT<x: INT, y: STRING, z: INT>)"
READER = "CREATE TABLE w AS SELECT t.s.* FROM t"


def message(event: str, task: str, day: int, sql: str | None, op: str = "online", **more: object) -> dict[str, object]:
    """A message that takes effect some days into January."""
    at = {} if op == "retract" else {"effective_at": f"2026-01-{day:02d}T00:00:00Z"}
    text = {"sql": sql, "dialect": "spark", "namespace": "h", "default_database": "d"} if sql else {}
    return {"event_id": event, "task_id": task, "op": op, **at, **text, **more}


def ingest(folder: Path, *messages: dict[str, object]) -> Store:
    """Append messages to the store in a folder with a writer of its own, which reads back what it must know."""
    file = folder / "messages.jsonl"
    file.write_bytes(b"\n".join(map(orjson.dumps, messages)))
    store = Store.open(folder / "store") if (folder / "store").exists() else Store.create(folder / "store")
    with Ingester(store) as ingester:
        summary = ingester.ingest_file(str(file))
    assert summary.rejected == 0
    return Store.open(folder / "store")


def types(store: Store, day: int, dataset: str = "h:d.t", version: int | None = None) -> dict[str, str | None]:
    """The columns of a dataset with their types, as of a day."""
    view = store.as_of(JANUARY + (day - 1) * DAY, version=version)
    return {column.column: column.type for column in view.columns(dataset)}


@pytest.mark.long
def test_the_types_of_a_create_hold_until_another_is_in_force(tmp_path: Path) -> None:
    """They are those of the version that counts at the point, in both times."""
    store = ingest(tmp_path, message("1", "make", 1, TABLE), message("2", "make", 10, WIDER, "update"))

    assert types(store, 5) == {"a": "INT", "s": "STRUCT<x: INT, y: STRING>"}
    assert types(store, 15) == {"a": "BIGINT", "s": "STRUCT<x: INT, y: STRING, z: INT>"}
    assert types(store, 15, version=1) == {"a": "INT", "s": "STRUCT<x: INT, y: STRING>"}


@pytest.mark.long
def test_a_version_that_finds_the_table_there_changes_nothing(tmp_path: Path) -> None:
    """CREATE TABLE IF NOT EXISTS of a known table says nothing about it, and the types that are known stay."""
    text = TABLE.replace("TABLE t", "TABLE IF NOT EXISTS t")
    store = ingest(tmp_path, message("1", "make", 1, text), message("2", "make", 10, text + " ", "update"))

    assert types(store, 15) == {"a": "INT", "s": "STRUCT<x: INT, y: STRING>"}
    assert list(store.changes()) == []


@pytest.mark.long
@pytest.mark.parametrize("apart", [False, True], ids=["one writer", "a writer for each message"])
def test_another_task_reads_the_fields_of_a_struct_that_a_task_declared(tmp_path: Path, *, apart: bool) -> None:
    """Its star stands for the fields as of its own point, and is resolved again when the declaration changes."""
    messages = [
        message("1", "make", 1, TABLE),
        message("2", "read", 2, READER),
        message("3", "make", 10, WIDER, "update"),
    ]
    for each in messages if apart else ():
        store = ingest(tmp_path, each)
    if not apart:
        store = ingest(tmp_path, *messages)

    assert list(types(store, 5, "h:d.w")) == ["x", "y"]
    assert list(types(store, 15, "h:d.w")) == ["x", "y", "z"]
    edges = {(e.source, e.target) for e in store.as_of(JANUARY + 14 * DAY).edges() if e.type == "DIRECT"}
    assert edges == {(f"h:d.t#s.{name}", f"h:d.w#{name}") for name in "xyz"}
    assert check(tmp_path / "store") == []


@pytest.mark.long
def test_a_retract_takes_back_the_types_too(tmp_path: Path) -> None:
    """What the withdrawn message declared is no longer believed; what was before is again."""
    store = ingest(tmp_path, message("1", "make", 1, TABLE), message("2", "make", 10, WIDER, "update"))
    store = ingest(tmp_path, message("3", "make", 0, None, "retract", retracts="2"))

    assert types(store, 15) == {"a": "INT", "s": "STRUCT<x: INT, y: STRING>"}
    assert types(store, 15, version=2)["a"] == "BIGINT"


@pytest.mark.long
def test_what_a_dataset_message_declares_goes_before(tmp_path: Path) -> None:
    """A task's DDL says nothing where the dataset itself is declared."""
    declared: dict[str, object] = {
        "event_id": "d",
        "kind": "dataset",
        "dataset": "h:d.t",
        "op": "define",
        "effective_at": "2026-01-01T00:00:00Z",
        "columns": [{"name": "a", "type": "DECIMAL"}],
    }
    store = ingest(tmp_path, declared, message("1", "make", 1, TABLE))

    assert types(store, 5) == {"a": "DECIMAL"}


@pytest.mark.long
def test_a_better_parser_adds_the_types_that_an_older_one_did_not_see(tmp_path: Path) -> None:
    """That is a correction from the statement's own time on; parsed once more, there is none."""

    def older(waiting: Sequence[Any]) -> list[Lineage]:
        return [Lineage(parser="old parser", outputs=[("h:d.t", ("a", "s"))]) for _ in waiting]

    store = Store.create(tmp_path / "store")
    change = TaskChange("1", "make", "online", JANUARY, sql=TABLE, dialect="spark", namespace="h", default_database="d")
    store.append([change], resolver=older)
    assert types(store, 5) == {"a": None, "s": None}

    assert re_extract(store, workers=1).corrections == 1
    assert types(store, 5) == {"a": "INT", "s": "STRUCT<x: INT, y: STRING>"}
    assert types(store, 5, version=1) == {"a": None, "s": None}
    assert re_extract(store, everything=True, workers=1).corrections == 0
    assert check(tmp_path / "store") == []


@pytest.mark.long
def test_a_list_of_tasks_need_not_say_the_types(tmp_path: Path) -> None:
    """Reconciling compares what messages say, and the types are in the text."""
    made = message("1", "make", 1, TABLE, labels=["gold"])
    store = ingest(tmp_path, made)
    as_of = JANUARY + 5 * DAY
    row = TaskList(as_of).apply(made, orjson.dumps(made), 0)

    assert row is not None
    assert reconcile(store, [row], as_of).repairs == []
