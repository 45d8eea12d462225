"""Accepted means that it took effect, or the receipt and the log say that it did not."""

from __future__ import annotations

import os
import random
from pathlib import Path

import pytest

from lineage_tt import Store
from lineage_tt.model.messages import Receipt, TaskChange
from lineage_tt.read.superseded import superseded
from lineage_tt.testing import ManualClock, task_change

NOON = "2024-05-01T12:00:00Z"
LATER = "2024-05-02T12:00:00Z"
A, B, C = ("n:a#x", "n:b#x"), ("n:a#y", "n:b#x"), ("n:b#x", "n:c#x")


@pytest.fixture
def store(tmp_path: Path) -> Store:
    """An empty store under a clock that stands still."""
    return Store.create(tmp_path / "lineage", clock=ManualClock())


def marked(store: Store) -> dict[int, int]:
    """The versions that the log marks as superseded, each with the version it names."""
    return {entry.version: entry.superseded_by for entry in store.log() if entry.superseded_by is not None}


def test_a_correction_without_source_version_is_told_that_it_lost(store: Store) -> None:
    """A correction that loses to an older message with a source_version has that message in its receipt and the log."""
    store.append([task_change("t", "online", NOON, [A], source_version=7)])

    receipt = store.append([task_change("t", "update", NOON, [B], event_id="fix")])[0]

    assert Receipt(2, "accepted", superseded_by=1) == receipt
    assert marked(store) == {2: 1}
    assert {A} == {(edge.source, edge.target) for edge in store.as_of(LATER).edges()}


def test_what_takes_effect_is_not_marked(store: Store) -> None:
    """A first message, a later one, a correction with a greater or the same counter, and a late one take effect."""
    sent = [
        task_change("t", "online", LATER, [A], source_version=2),
        task_change("t", "online", NOON, [B], source_version=1),
        task_change("t", "update", NOON, [C], source_version=1, event_id="fix"),
        task_change("t", "update", NOON, [A], source_version=3, event_id="fix again"),
    ]

    assert [receipt.superseded_by for receipt in store.append(sent)] == [None] * 4
    assert marked(store) == {}


def test_a_withdrawn_message_supersedes_nothing(store: Store) -> None:
    """Once the older message is retracted, a correction takes effect; a second retract of it does not."""
    store.append([task_change("t", "online", NOON, [A], source_version=7, event_id="first")])
    store.append([task_change("t", "retract", retracts="first")])

    receipts = store.append(
        [
            task_change("t", "update", NOON, [B], event_id="fix"),
            task_change("t", "retract", retracts="first", event_id="retract again"),
        ]
    )

    assert [receipt.superseded_by for receipt in receipts] == [None, 2]
    assert marked(store) == {4: 2}


def test_the_advice_for_a_correction_is_right(store: Store) -> None:
    """Who follows the words of the refusal of an event with other content has his correction in force."""
    store.append([task_change("t", "online", NOON, [A], source_version=7, event_id="e")])
    store.append([task_change("t", "online", NOON, [B], source_version=7, event_id="e")])
    refused = store.log()[1]

    assert refused.rejected_detail is not None
    assert "the same effective_at and with source_version 7 or greater" in refused.rejected_detail
    receipt = store.append([task_change("t", "update", NOON, [B], source_version=7, event_id="as advised")])[0]
    assert receipt.superseded_by is None
    assert {B} == {(edge.source, edge.target) for edge in store.as_of(LATER).edges()}


def random_message(rng: random.Random, number: int, sent: list[TaskChange]) -> TaskChange:
    """Return a message of one of two tasks at one of three times, or a retract of one before."""
    task = rng.choice("tu")
    events = [message.event_id for message in sent if message.task_id == task]
    if events and rng.random() < 0.25:
        return task_change(task, "retract", retracts=rng.choice(events), event_id=f"e{number}")
    at = rng.choice([NOON, LATER, "2024-05-03T12:00:00Z"])
    edges = [rng.choice([A, B, C])]
    return task_change(
        task, "update", at, edges, event_id=f"e{number}", source_version=rng.choice([None, None, 1, 2, 3])
    )


@pytest.mark.long
def test_receipts_and_the_log_agree_with_a_naive_look(tmp_path: Path) -> None:
    """Over random messages and retracts: a message is marked exactly where a naive look finds another in its place."""
    seed = int(os.environ.get("LINEAGE_TT_SEED", random.randrange(2**32)))
    print(f"seed {seed}")
    rng = random.Random(seed)
    for round_ in range(6):
        store = Store.create(tmp_path / str(round_), clock=ManualClock())
        sent: list[TaskChange] = []
        expected: dict[int, bool] = {}
        told: dict[int, int] = {}
        for number in range(1, 26):
            message = random_message(rng, number, sent)
            sent.append(message)
            receipt = store.append([message])[0]
            if receipt.superseded_by is not None:
                told[receipt.version] = receipt.superseded_by
            expected[receipt.version] = _without_effect(sent)
        assert {version for version, lost in expected.items() if lost} == told.keys()
        assert told == marked(store)
        assert told == marked(Store.open(tmp_path / str(round_)))


def _without_effect(sent: list[TaskChange]) -> bool:
    """Naively: whether the last message's statement is not the one in force at its time, or its retract was done."""
    *before, last = sent
    if last.op == "retract":
        return last.retracts in _withdrawn(before, last.task_id)
    gone = _withdrawn(sent, last.task_id)
    rivals = [
        (message.source_version if message.source_version is not None else float("-inf"), number)
        for number, message in enumerate(sent)
        if message.task_id == last.task_id and message.op != "retract"
        and message.effective_at == last.effective_at and message.event_id not in gone
    ]  # fmt: skip
    return max(rivals)[1] != len(sent) - 1


def _withdrawn(sent: list[TaskChange], task: str) -> set[str | None]:
    gone: set[str | None] = set()
    for message in reversed(sent):
        if message.task_id == task and message.op == "retract" and message.event_id not in gone:
            gone.add(message.retracts)
    return gone


def test_what_lost_is_found_after_a_version_and_of_a_task(store: Store) -> None:
    """A retract of what was withdrawn already changes nothing, and names the one that did."""
    store.append([task_change("t", "online", NOON, [A], source_version=7, event_id="first")])
    store.append([task_change("t", "update", NOON, [B], event_id="late")])
    store.append([task_change("t", "retract", retracts="first", event_id="r1")])
    store.append([task_change("t", "retract", retracts="first", event_id="r2")])
    store.append([task_change("u", "online", NOON, [C], source_version=1)])

    assert superseded(store.fetch, 0, None) == {2: 1, 4: 3}
    assert superseded(store.fetch, 2, "t") == {4: 3}
    assert superseded(store.fetch, 0, "u") == {}
