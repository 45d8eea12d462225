"""The relay without a broker: each version once, in order, in whole transactions, across restarts."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import pytest

from lineage_tt import Store
from lineage_tt.events import Event, event_of
from lineage_tt.feed import relay as module
from lineage_tt.feed.records import VERSION_HEADER, Record
from lineage_tt.feed.relay import FencedError, OutletError, Place, Progress, Relay
from lineage_tt.model.answers import FeedEntry
from lineage_tt.model.errors import ConflictError
from lineage_tt.testing import ManualClock, task_change


class Topic:
    """What a topic holds: transactions that were committed."""

    max_bytes = 1_000_000

    def __init__(self, *, changes: int | None = None, emptied: bool = False, failures: int = 0) -> None:
        self.transactions: list[list[Record]] = []
        self.at, self.emptied, self.failures = changes, emptied, failures
        self.closed = 0

    def place(self, source: str) -> Place:
        """How far it is filled."""
        versions = [version_of(r) for records in self.transactions for r in records if not r.state]
        state = any(record.state for records in self.transactions for record in records)
        return Place(max(versions, default=self.at), 1 if state else None, self.emptied)

    def publish(self, records: Iterable[Record]) -> None:
        """Take a transaction, unless it is to fail."""
        if self.failures:
            self.failures -= 1
            raise OutletError("broken")
        self.transactions.append(list(records))

    def close(self) -> None:
        """Count it."""
        self.closed += 1


def version_of(record: Record) -> int:
    """The version in a record's header."""
    return int(dict(record.headers)[VERSION_HEADER])


def versions(topic: Topic) -> list[int]:
    """The versions of the topic's records of changes."""
    return [version_of(record) for records in topic.transactions for record in records if not record.state]


@pytest.fixture
def store(tmp_path: Path) -> Store:
    """Three versions that change something, and one that does not."""
    made = Store.create(tmp_path, clock=ManualClock(90))
    for number in (1, 2, 2, 3):
        made.append(
            [task_change("t", "update", 10 * number, [("n:a#x", f"n:b#y{number}")], event_id=f"e{made.version}")]
        )
    return made


def test_each_version_that_changed_something_is_sent_once(store: Store) -> None:
    """A second run continues where the topic ends."""
    topic = Topic()
    assert Relay(store, lambda: topic).run(until_end=True).sent == 3
    assert versions(topic) == [1, 2, 4]
    store.append([task_change("t", "offline", 99)])
    progress = Relay(store, lambda: topic).run(until_end=True)

    assert versions(topic) == [1, 2, 4, 5]
    assert (progress.sent, progress.lag, topic.closed) == (1, 0, 2)


def test_a_break_costs_a_restart_and_no_version(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """After too many running it gives up; another relay that takes over ends it at once."""
    monkeypatch.setattr(module, "_pause", lambda seconds, ended: None)
    topic = Topic(failures=2)
    progress = Relay(store, lambda: topic).run(until_end=True)
    assert (versions(topic), progress.restarts) == ([1, 2, 4], 2)
    with pytest.raises(OutletError):
        Relay(store, lambda: Topic(failures=1)).run(until_end=True, max_failures=1)

    def fenced() -> Topic:
        raise FencedError("another relay")

    with pytest.raises(FencedError):
        Relay(store, fenced).run(until_end=True)


def test_an_empty_topic_may_begin_after_a_version(store: Store) -> None:
    """One whose end is not known must: its position is lost."""
    topic = Topic()
    Relay(store, lambda: topic, after=2).run(until_end=True)
    assert versions(topic) == [4]
    with pytest.raises(ConflictError, match="position in it is lost"):
        Relay(store, lambda: Topic(emptied=True)).run(until_end=True)
    emptied = Topic(emptied=True)
    Relay(store, lambda: emptied, after=1).run(until_end=True)

    assert versions(emptied) == [2, 4]


def test_a_topic_ahead_of_the_store_is_another_ones(store: Store) -> None:
    """Or the store was restored from a copy: nothing is sent."""
    topic = Topic(changes=9)
    with pytest.raises(ConflictError, match="the topic is at version 9, the store only at version 4"):
        Relay(store, lambda: topic).run(until_end=True)

    assert topic.transactions == []


def test_a_topic_of_current_state_is_filled_first(store: Store) -> None:
    """With what is in force at the version from which changes follow."""
    topic = Topic()
    Relay(store, lambda: topic, state=True, after=2).run(until_end=True)

    assert [record.state for record in topic.transactions[0]] == [True] * len(topic.transactions[0])
    assert versions(topic) == [4]
    assert any(record.state for record in topic.transactions[1])


def test_a_long_event_is_sent_in_parts(store: Store) -> None:
    """Each with the version; what is to be sent beside it follows."""
    store.append([task_change("u", "online", 10, [(f"n:a#c{number}", "n:b#y") for number in range(200)])])
    *_, long = store.changes()

    def beside(entry: FeedEntry) -> Iterable[Event]:
        return [event_of(entry, store.id)] if entry.version == 1 else []

    relay = Relay(store, Topic, beside=beside)
    parts = list(relay.change_records(long, 12_000))
    assert len(parts) > 1
    assert all(len(part.value or b"") <= 12_000 for part in parts)
    assert {version_of(part) for part in parts} == {5}
    assert len(list(relay.change_records(next(store.changes())))) == 2
    own = Relay(store, Topic, write=lambda entry: [Record(b"k", b"v", [])])
    assert list(own.change_records(long)) == [Record(b"k", b"v", [])]


def test_a_transaction_holds_a_bounded_number_of_changes(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its records are in memory while it lasts."""
    monkeypatch.setattr(module, "MAX_CHANGES", 1)
    topic, seen = Topic(), []
    Relay(store, lambda: topic, watch=lambda progress: seen.append(progress.at)).run(until_end=True)

    assert [len(records) for records in topic.transactions] == [1, 1, 1]
    assert seen == sorted(seen)


def test_a_stopped_relay_sends_nothing(store: Store) -> None:
    """It is asked between transactions."""
    topic = Topic()
    relay = Relay(store, lambda: topic)
    relay.stopping = True

    assert relay.run() == Progress()
    assert topic.transactions == []
