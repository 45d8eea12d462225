"""A statement that wanted columns of its sources is resolved again when they come."""

from __future__ import annotations

from pathlib import Path

from ingest.resolve import SqlResolver
from lineage_tt import Store
from lineage_tt.facts import Field
from lineage_tt.messages import Message, NodeChange, Receipt, TaskChange

NOON = 1_714_564_800_000_000
JOINED = "INSERT OVERWRITE TABLE dw.o SELECT amount FROM ods.a JOIN ods.b ON a.id = b.id"


def task(event_id: str, text: str) -> TaskChange:
    """A message of a task's SQL."""
    return TaskChange(event_id, "t", "update", NOON, sql=text, dialect="hive", namespace="hive")


def define(event_id: str, dataset: str, *columns: str) -> NodeChange:
    """A message that declares columns."""
    return NodeChange(event_id, "dataset", dataset, "define", NOON, fields=[Field(name) for name in columns])


def send(store: Store, message: Message) -> Receipt:
    """Append one message with the resolver of an ingest."""
    with SqlResolver(0) as resolver:
        return store.append([message], resolver=resolver)[0]


def feeding(store: Store, version: int | None = None) -> set[str]:
    """What feeds a value into the target."""
    return {edge.source for edge in store.as_of(NOON, version=version).edges() if edge.type == "DIRECT"}


def coverage(store: Store) -> list[str]:
    """Return the coverage of each version of the task."""
    return [row[0] for row in store.sql("SELECT coverage FROM log WHERE task_id = 't' ORDER BY version")[1]]


def test_a_column_that_is_added_later_is_found(tmp_path: Path) -> None:
    """A column that no source had when the task was sent is found in the source that gets it."""
    store = Store.create(tmp_path / "store")
    send(store, define("d0", "hive:dw.o", "amount"))
    send(store, define("d1", "hive:ods.a", "id"))
    send(store, define("d2", "hive:ods.b", "id"))
    send(store, task("e1", JOINED))
    assert coverage(store) == ["partial"]
    assert send(store, define("d3", "hive:ods.a", "id", "amount")).derived == 1
    assert (coverage(store)[-1], feeding(store)) == ("complete", {"hive:ods.a#amount"})
    assert feeding(store, version=4) != feeding(store), "what was known before stays as it was"
    more = send(store, define("d4", "hive:ods.a", "id", "amount", "more"))
    assert (more.derived, feeding(store)) == (1, {"hive:ods.a#amount"}), "it follows its sources as a star does"


def test_what_is_complete_is_left_alone(tmp_path: Path) -> None:
    """A text without a star whose columns were all known is not resolved again, whatever its sources get."""
    store = Store.create(tmp_path / "store")
    send(store, define("d0", "hive:dw.o", "amount"))
    send(store, define("d1", "hive:ods.a", "id", "amount"))
    send(store, define("d2", "hive:ods.b", "id"))
    send(store, task("e1", JOINED))
    assert coverage(store) == ["complete"]
    assert send(store, define("d3", "hive:ods.b", "id", "other")).derived == 0


def test_a_column_that_several_had_is_found_when_one_loses_it(tmp_path: Path) -> None:
    """Such a statement does not run: what is known of its sources may be older than it is."""
    store = Store.create(tmp_path / "store")
    send(store, define("d0", "hive:dw.o", "amount"))
    send(store, define("d1", "hive:ods.a", "id", "amount"))
    send(store, define("d2", "hive:ods.b", "id", "amount"))
    send(store, task("e1", JOINED))
    assert coverage(store) == ["partial"]
    assert "hive:ods.a#amount" not in feeding(store)
    assert send(store, define("d3", "hive:ods.a", "id")).derived == 1
    assert (coverage(store)[-1], feeding(store)) == ("complete", {"hive:ods.b#amount"})
