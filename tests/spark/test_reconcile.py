"""Reconciliation: what a list of tasks says and the stream did not becomes ordinary messages, once."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from imported import call, is_sound, task, write

from ingest.messages.parsing import parse_line
from ingest.pipeline import Ingester
from ingest.reconcile import Reconciliation, TaskList, reconcile
from lineage_tt import Store
from lineage_tt.model.errors import InvalidRequestError
from lineage_tt.model.messages import Message
from lineage_tt.model.times import parse_instant

NOON = parse_instant("2024-06-01T12:00:00Z")


def stored(path: Path, *messages: dict[str, Any]) -> Store:
    """Return a store that has ingested messages."""
    store = Store.create(path / "store")
    with Ingester(store, workers=1) as ingester:
        ingester.ingest_file(str(write(path / "messages.jsonl", *messages)))
    return store


def listed(*tasks: dict[str, Any], as_of: int = NOON) -> list[Message]:
    """Return rows of a list as messages."""
    rows = TaskList(as_of)
    found = [parse_line(rows, json.dumps(row).encode(), n) for n, row in enumerate(tasks)]  # type: ignore[arg-type]
    return [message for message in found if message is not None]


def row(number: int, **changed: Any) -> dict[str, Any]:
    """Return a row of a list of tasks: what a task is, and nothing about messages."""
    made = task(number, event_id=None, op=None, effective_at=None, recorded_at=None)
    return made | changed


def told(found: Reconciliation) -> list[tuple[str, str, str]]:
    """Return difference, task and operation of each repair."""
    return [(repair.difference, repair.message.task_id, repair.message.op) for repair in found.repairs]


def test_gone_changed_and_unknown_tasks(tmp_path: Path) -> None:
    """What differs is fixed by an offline, an update, an online; what agrees gives no message."""
    store = stored(tmp_path, *(task(n) for n in range(5)), task(9, op="offline", sql=None))

    found = reconcile(store, listed(row(0), row(1, sql="SELECT 1"), row(3, target="hive:x.y"), row(4), row(7)), NOON)

    assert told(found) == [
        ("changed", "t1", "update"),
        ("gone", "t2", "offline"),
        ("changed", "t3", "update"),
        ("unknown", "t7", "online"),
    ]
    assert (found.listed, found.stored) == (5, 5)
    assert {repair.message.cause for repair in found.repairs} == {"reconciliation 2024-06-01T12:00:00Z"}


def test_appended_once_and_then_nothing_differs(tmp_path: Path) -> None:
    """The repairs are in force from the list's moment on; before, all is as it was; a second run finds nothing."""
    store = stored(tmp_path, *(task(n, sql=None, edges=[{"source": "a:s", "target": f"a:t{n}"}]) for n in range(3)))
    today = [row(0, sql=None, edges=[{"source": "a:other", "target": "a:t0"}]), row(1, sql=None, edges=[
        {"source": "a:s", "target": "a:t1"}])]  # fmt: skip

    first = reconcile(store, listed(*today), NOON)
    receipts = store.append([repair.message for repair in first.repairs])
    again = reconcile(store, listed(*today), NOON)
    repeated = store.append([repair.message for repair in first.repairs])

    assert [receipt.status for receipt in receipts] == ["accepted", "accepted"]
    assert again.repairs == []
    assert {receipt.status for receipt in repeated} == {"duplicate"}
    before, after = (
        {(edge.source, edge.target) for edge in store.as_of(valid_at=at).edges()} for at in (NOON - 1, NOON)
    )
    assert before == {("a:s", "a:t0"), ("a:s", "a:t1"), ("a:s", "a:t2")}
    assert after == {("a:other", "a:t0"), ("a:s", "a:t1")}
    assert is_sound(tmp_path / "store")


def test_the_list_is_of_its_moment(tmp_path: Path) -> None:
    """Plans of the list, and what the store has from later on, are left alone."""
    store = stored(tmp_path, task(0), task(1), task(2, effective_at="2025-01-01T00:00:00Z"))

    found = reconcile(store, listed(row(0), row(1), row(1, sql="SELECT 2", effective_at="2026-01-01T00:00:00Z")), NOON)

    assert told(found) == []
    assert found.stored == 2


@pytest.mark.parametrize("facts", [{"owners": ["ann"]}, {"labels": ["pii"]}, {"description": "orders"}])
def test_facts_are_compared_where_the_list_gives_them(tmp_path: Path, facts: dict[str, Any]) -> None:
    """A list without owners does not take the owners away; one with others changes them."""
    store = stored(tmp_path, task(0, owners=["bob"]), task(1))

    assert told(reconcile(store, listed(row(0), row(1)), NOON)) == []
    assert told(reconcile(store, listed(row(0, **facts), row(1)), NOON)) == [("changed", "t0", "update")]
    assert told(reconcile(store, listed(row(0, owners=["bob"]), row(1)), NOON)) == []


def test_a_cut_or_broken_list_takes_nothing_offline(tmp_path: Path) -> None:
    """An empty list, one that lacks half of the tasks, and one with a row that cannot be read are refused."""
    store = stored(tmp_path, *(task(n) for n in range(30)))

    with pytest.raises(InvalidRequestError, match="is empty"):
        reconcile(store, [], NOON)
    with pytest.raises(InvalidRequestError, match="lacks 25 of 30 tasks"):
        reconcile(store, listed(*(row(n) for n in range(5))), NOON)
    with pytest.raises(InvalidRequestError, match="row 2 of the list cannot be read"):
        reconcile(store, listed(row(0), {"task": "t1"}), NOON)
    forced = reconcile(store, listed(*(row(n) for n in range(5))), NOON, force=True)
    assert forced.count("gone") == 25


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
