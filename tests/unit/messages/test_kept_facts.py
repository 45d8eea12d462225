"""A message that does not speak of owners, labels, description or priority does not clear them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from ingest.messages.native import parse_message
from lineage_tt import Store
from lineage_tt.maintenance.check import check
from lineage_tt.model.messages import Message

DAY = "2024-05-{:02}T00:00:00Z"
OWN: dict[str, Any] = {"owners": ["ann", "bob"], "labels": ["core"], "description": "sums", "priority": "P1"}
KEYS = {"owners": "owner", "labels": "label", "description": "description", "priority": "priority"}


@pytest.fixture
def store(tmp_path: Path) -> Store:
    """An empty store."""
    return Store.create(tmp_path)


def task(event: str, day: int, op: str = "update", **fields: Any) -> Message:
    """A task's message."""
    edges = {} if op == "offline" else {"edges": [{"source": "n:a#x", "target": f"n:b#{event}"}]}
    given = {"event_id": event, "task_id": "t", "op": op, "effective_at": DAY.format(day)}
    return parse_message(json.dumps(given | edges | fields).encode())


def table(event: str, day: int, op: str = "define", **fields: Any) -> Message:
    """A dataset's message."""
    columns = {} if op == "drop" else {"columns": [{"name": event}]}
    given = {"kind": "dataset", "event_id": event, "dataset": "n:a", "op": op, "effective_at": DAY.format(day)}
    return parse_message(json.dumps(given | columns | fields).encode())


def facts(store: Store, day: int, node: str = "task:t") -> set[tuple[str, str]]:
    """The keys and values of a node in force on a day."""
    return {(fact.key, fact.value) for fact in store.as_of(DAY.format(day)).facts(node) if fact.key != "column"}


#: the same message without owners, and with a list of none
NO_OWNERS: list[dict[str, Any]] = [{}, {"owners": []}]
ALL = {("owner", "ann"), ("owner", "bob"), ("label", "core"), ("description", "sums"), ("priority", "P1")}


@pytest.mark.parametrize(("message", "node"), [(task, "task:t"), (table, "n:a")])
def test_a_correction_without_them_keeps_them(store: Store, message: Any, node: str) -> None:
    """A correction at the same time and a change later on keep what they do not speak of, in the next batch as well."""
    store.append([message("e1", 1, **OWN), message("e2", 1), message("e3", 5)])
    store.append([message("e4", 9)])

    assert [facts(store, day, node) for day in (1, 6, 10)] == [ALL, ALL, ALL]
    assert [facts(Store.open(str(store.log_path.parent)), day, node) for day in (1, 6, 10)] == [ALL, ALL, ALL]
    assert check(store.log_path.parent) == []


@pytest.mark.parametrize("field", KEYS)
@pytest.mark.parametrize(("message", "node"), [(task, "task:t"), (table, "n:a")])
def test_an_empty_value_clears_one(store: Store, field: str, message: Any, node: str) -> None:
    """An empty list or text clears the key that it is about, and no other."""
    empty: Any = "" if isinstance(OWN[field], str) else []
    store.append([message("e1", 1, **OWN), message("e2", 5, **{field: empty}), message("e3", 9)])

    left = {fact for fact in ALL if fact[0] != KEYS[field]}
    assert [facts(store, day, node) for day in (1, 6, 10)] == [ALL, left, left]


def test_another_value_takes_the_place_of_the_old_ones(store: Store) -> None:
    """Owners given are all owners there are; the other keys stay."""
    store.append([task("e1", 1, **OWN), task("e2", 5, owners="eve")])

    assert facts(store, 6) == {fact for fact in ALL if fact[0] != "owner"} | {("owner", "eve")}


def test_what_ends_ends_them(store: Store) -> None:
    """A task that goes offline has no owner, and has none when it comes back without one; a dropped dataset neither."""
    store.append([task("e1", 1, **OWN), task("e2", 5, "offline"), task("e3", 9)])
    store.append([table("e1", 1, **OWN), table("e2", 5, "drop"), table("e3", 9)])

    assert [facts(store, day) for day in (6, 10)] == [set(), set()]
    assert [facts(store, day, "n:a") for day in (6, 10)] == [set(), set()]


def test_a_late_message_keeps_those_of_its_own_time(store: Store) -> None:
    """A message that comes late, for a time before there were owners, brings none there."""
    store.append([task("e1", 5, **OWN), task("e2", 1)])

    assert [facts(store, day) for day in (2, 6)] == [set(), ALL]


def test_saying_that_there_are_none_is_other_content(store: Store) -> None:
    """The same event with and without an empty list of owners is a conflicting duplicate, not the same message."""
    store.append([task("e1", 1)])

    assert [store.append([task("e1", 1, **more)])[0].status for more in NO_OWNERS] == [
        "duplicate",
        "rejected",
    ]
