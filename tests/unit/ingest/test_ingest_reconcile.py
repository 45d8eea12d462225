"""Reconciliation: what a list of tasks says and the stream did not becomes ordinary messages, once."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from ingest.messages.native import parse_message
from ingest.messages.parsing import parse_line
from ingest.reconcile import Reconciliation, TaskList, reconcile, state_of
from ingest.resolve.resolver import SqlResolver
from lineage_tt import Store
from lineage_tt.maintenance.check import check
from lineage_tt.model.errors import InvalidRequestError
from lineage_tt.model.messages import Message, TaskChange
from lineage_tt.model.redaction.policy import TextPolicy
from lineage_tt.model.times import parse_instant

NOON = parse_instant("2024-06-01T12:00:00Z")


def row(number: int, **changed: Any) -> dict[str, Any]:
    """Return a row of a list: what a task is, and nothing about messages."""
    return {"task_id": f"t{number}", "edges": [{"source": "a:s", "target": f"a:o{number}"}]} | changed


def written(number: int, **changed: Any) -> dict[str, Any]:
    """Return a row whose task is a text."""
    sql = f"INSERT INTO dw.o{number} SELECT a FROM dw.s"
    return {"task_id": f"t{number}", "sql": sql, "dialect": "hive", "namespace": "a"} | changed


def stored(path: Path, *rows: dict[str, Any], policy: str = "keep") -> Store:
    """Return a store in which rows are in force since January, unless they say otherwise."""
    store = Store.create(path / "store")
    if policy != "keep":
        store.set_text_policy(policy, "privacy")
    add(store, *rows)
    return store


def add(store: Store, *rows: dict[str, Any]) -> None:
    """Append rows as messages."""
    more = {"op": "update", "effective_at": "2024-01-01T00:00:00Z"}
    lines = [{"event_id": f"e{n}", **more, **each} for n, each in enumerate(rows)]
    with SqlResolver(0) as resolver:
        store.append([parse_message(json.dumps(line).encode()) for line in lines], resolver=resolver)


def listed(*rows: dict[str, Any], as_of: int = NOON) -> list[Message]:
    """Return rows of a list as messages."""
    read = TaskList(as_of)
    found = [parse_line(read, json.dumps(each).encode(), n) for n, each in enumerate(rows)]  # type: ignore[arg-type]
    return [message for message in found if message is not None]


def repairs(found: Reconciliation) -> list[tuple[str, str, str]]:
    """Return difference, task and operation of each repair."""
    return [(repair.difference, repair.message.task_id, repair.message.op) for repair in found.repairs]


def test_gone_changed_and_unknown_tasks(tmp_path: Path) -> None:
    """What differs is fixed by an offline, an update, an online; what agrees gives no message."""
    store = stored(tmp_path, *(written(n) for n in range(5)))
    add(store, {"event_id": "x", "task_id": "t9", "op": "offline", "effective_at": "2024-02-01T00:00:00Z"})

    found = reconcile(
        store,
        listed(
            written(0), written(1, sql="SELECT 1"), written(3, target="a:dw.x"), written(4, dialect="spark"), row(7)
        ),
        NOON,
    )

    assert repairs(found) == [
        ("changed", "t1", "update"), ("gone", "t2", "offline"), ("changed", "t3", "update"),
        ("changed", "t4", "update"), ("unknown", "t7", "online"),
    ]  # fmt: skip
    assert (found.listed, found.stored) == (5, 5)
    assert [found.count(kind) for kind in ("gone", "changed", "unknown")] == [1, 3, 1]  # type: ignore[arg-type]
    assert {repair.message.cause for repair in found.repairs} == {"reconciliation 2024-06-01T12:00:00Z"}
    assert {repair.message.effective_at for repair in found.repairs} == {NOON}


def test_appended_once_and_then_nothing_differs(tmp_path: Path) -> None:
    """The repairs are in force from the list's moment on and not before; the same list again is a duplicate."""
    store = stored(tmp_path, *(row(n) for n in range(3)))
    today = [row(0, edges=[{"source": "a:other", "target": "a:o0"}]), row(1)]

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
    assert before == {("a:s", "a:o0"), ("a:s", "a:o1"), ("a:s", "a:o2")}
    assert after == {("a:other", "a:o0"), ("a:s", "a:o1")}
    assert check(tmp_path / "store") == []


def test_the_event_of_a_repair_is_made_of_its_moment_and_of_what_it_says(tmp_path: Path) -> None:
    """Another moment, and another text, is another event."""
    store = stored(tmp_path, row(0))

    def event(at: int, **changed: Any) -> str:
        (repair,) = reconcile(store, listed(row(0, **changed), as_of=at), at).repairs
        return repair.message.event_id

    same = {"owners": ["ann"]}
    assert event(NOON, **same) == event(NOON, **same)
    assert len({event(NOON, **same), event(NOON + 1, **same), event(NOON, owners=["bob"])}) == 3


def test_the_list_is_of_its_moment(tmp_path: Path) -> None:
    """Plans of the list, and what the store has from later on, are left alone."""
    store = stored(tmp_path, row(0), row(1), row(2, effective_at="2025-01-01T00:00:00Z"))

    found = reconcile(store, listed(row(0), row(1), row(1, edges=[], effective_at="2026-01-01T00:00:00Z")), NOON)

    assert (repairs(found), found.stored) == ([], 2)


def test_the_latest_row_of_a_task_counts(tmp_path: Path) -> None:
    """By its time, then its version, then its place; one that says offline is none."""
    store = stored(tmp_path, row(0), row(1), row(2))
    old, new = "2024-03-01T00:00:00Z", "2024-04-01T00:00:00Z"
    other = [{"source": "a:other", "target": "a:o"}]

    found = reconcile(
        store,
        listed(
            row(0, effective_at=new), row(0, edges=other, effective_at=old),
            row(1, edges=other, source_version=1), row(1, source_version=2), row(1, edges=other, source_version=1),
            {"task_id": "t2", "op": "offline"},
        ),
        NOON,
    )  # fmt: skip

    assert repairs(found) == [("gone", "t2", "offline")]


@pytest.mark.parametrize("facts", [{"owners": ["ann"]}, {"labels": ["pii"]}, {"description": "orders"}])
def test_facts_are_compared_where_the_list_gives_them(tmp_path: Path, facts: dict[str, Any]) -> None:
    """A list without owners does not take the owners away; one with others changes them."""
    store = stored(tmp_path, row(0, owners=["bob"]), row(1))

    assert repairs(reconcile(store, listed(row(0), row(1)), NOON)) == []
    assert repairs(reconcile(store, listed(row(0, **facts), row(1)), NOON)) == [("changed", "t0", "update")]
    assert repairs(reconcile(store, listed(row(0, owners=["bob"]), row(1)), NOON)) == []


def test_an_empty_or_broken_list_takes_nothing_offline(tmp_path: Path) -> None:
    """So does a row that takes a message back: it states no task."""
    store = stored(tmp_path, row(0), row(1))

    with pytest.raises(InvalidRequestError, match="is empty"):
        reconcile(store, [], NOON)
    with pytest.raises(InvalidRequestError, match="row 2 of the list cannot be read"):
        reconcile(store, listed(row(0), {"task": "t1"}), NOON)
    with pytest.raises(InvalidRequestError, match="a retract states no task"):
        reconcile(store, listed({"op": "retract", "event_id": "x", "task_id": "t1", "retracts": "e"}), NOON)
    assert reconcile(Store.create(tmp_path / "new"), [], NOON).repairs == []


@pytest.mark.parametrize(("tasks", "kept", "refused"), [(30, 5, True), (30, 15, False), (12, 2, False), (12, 1, True)])
def test_a_cut_list_is_refused(tmp_path: Path, tasks: int, kept: int, refused: bool) -> None:
    """One that lacks more than half of the tasks, of few tasks more than ten; unless it is forced."""
    store = stored(tmp_path, *(row(n) for n in range(tasks)))
    rows = listed(*(row(n) for n in range(kept)))

    if refused:
        with pytest.raises(InvalidRequestError, match=f"lacks {tasks - kept} of {tasks} tasks"):
            reconcile(store, rows, NOON)
    assert reconcile(store, rows, NOON, force=True).count("gone") == tasks - kept
    if not refused:
        assert reconcile(store, rows, NOON).count("gone") == tasks - kept


@pytest.mark.parametrize("policy", ["keep", "mask-literals", "drop-text"])
def test_a_text_is_compared_by_what_the_store_keeps_of_it(tmp_path: Path, policy: str) -> None:
    """Where literals are not kept another one is not a difference; another table always is."""
    text = "INSERT INTO dw.o SELECT a FROM dw.s WHERE b = 'Ana'"
    store = stored(tmp_path, written(0, sql=text), policy=policy)

    def differs(sql: str) -> bool:
        return bool(reconcile(store, listed(written(0, sql=sql)), NOON).repairs)

    assert not differs(text)
    assert differs(text.replace("Ana", "Bob")) is (policy == "keep")
    assert differs(text.replace("dw.s", "dw.z"))


def test_the_state_of_a_task_is_what_it_says_and_not_when() -> None:
    """The order of its edges is none."""
    one, other = {"source": "a:s", "target": "a:x"}, {"source": "a:s", "target": "a:y"}

    def state(**more: Any) -> bytes:
        (message,) = listed({"task_id": "t", "edges": [one, other]} | more)
        assert isinstance(message, TaskChange)
        return state_of(message, TextPolicy.KEEP).digest

    assert state() == state(edges=[other, one], effective_at="2024-03-01T00:00:00Z", source_version=3)
    assert state() != state(edges=[one])
