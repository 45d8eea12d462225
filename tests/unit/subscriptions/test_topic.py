"""A subscription's own topic: the versions that concern it, from the one that made it on."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import orjson

from lineage_tt import Store
from lineage_tt.feed.records import Record
from lineage_tt.feed.relay import Place
from lineage_tt.subscriptions.model import Subscription
from lineage_tt.subscriptions.stored import subscribe
from lineage_tt.subscriptions.topic import SubscribedRelay
from lineage_tt.testing import ManualClock, task_change

WANTED = Subscription("s", datasets=("n:a",), deliver="kafka://h:1/t")


class Topic:
    """What a topic holds."""

    max_bytes = 1_000_000

    def __init__(self) -> None:
        self.records: list[Record] = []

    def place(self, source: str) -> Place:
        """How far it is filled."""
        return Place(self.versions()[-1][1] if self.records else None)

    def publish(self, records: Iterable[Record]) -> None:
        """Take a transaction."""
        self.records += records

    def close(self) -> None:
        """Nothing is held."""

    def versions(self) -> list[tuple[int, int]]:
        """The version before each in the topic, and its own."""
        data = [orjson.loads(record.value or b"")["data"] for record in self.records]
        return [(each["previous_version"], each["version"]) for each in data]


def test_only_what_concerns_it_is_sent(tmp_path: Path) -> None:
    """Each event names the one before it in this topic; a second run continues at its end."""
    store = Store.create(tmp_path, clock=ManualClock(1_000_000))
    store.append([task_change("before", "online", 10, [("n:a#x", "n:b#y")])])  # 1
    subscribe(store, WANTED)  # 2
    for number in range(3, 7):
        source = "n:a#x" if number % 2 else "n:q#x"
        store.append([task_change(f"t{number}", "online", 10, [(source, "n:b#y")])])
    topic = Topic()
    progress = SubscribedRelay(store, lambda: topic, WANTED).run(until_end=True)
    assert topic.versions() == [(0, 3), (3, 5)]
    assert (progress.sent, progress.at) == (2, 6)
    store.append([task_change("t7", "online", 10, [("n:a#x", "n:c#y")])])
    SubscribedRelay(store, lambda: topic, WANTED).run(until_end=True)

    assert topic.versions() == [(0, 3), (3, 5), (5, 7)]
    assert orjson.loads(topic.records[0].value or b"")["subscription"] == "s"
