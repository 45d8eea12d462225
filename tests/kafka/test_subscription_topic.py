"""A subscription's own topic on a real broker: what concerns it, each version once, a gap told as such."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from lineage_tt import Store
from lineage_tt.kafka.outlet import KafkaOutlet
from lineage_tt.kafka.reader import TopicReader
from lineage_tt.kafka.settings import read_topic
from lineage_tt.model.messages import Lineage, TaskChange
from lineage_tt.subscriptions.model import Subscription
from lineage_tt.subscriptions.stored import subscribe, subscription
from lineage_tt.subscriptions.topic import SubscribedRelay
from scripts.broker_lib.server import Broker


def change(store: Store, number: int, task: str) -> int:
    """Append a message of a task; return its version."""
    lineage = Lineage.of([(f"n:s#{number}", f"n:{task}#x", "DIRECT", "IDENTITY", "")])
    return store.append([TaskChange(f"e{number}", task, "update", number, lineage=lineage)])[0].version


def test_a_topic_holds_what_concerns_the_subscription(
    tmp_path: Path, broker: Broker, topic: Callable[..., str]
) -> None:
    """Versions that do not concern it leave no trace; a relay that is started again continues after its last event."""
    store = Store.create(tmp_path)
    change(store, 1, "wanted")
    uri = f"kafka://{broker.address}/{topic('subscribed', partitions=1)}"
    subscribe(store, Subscription("mine", tasks=("wanted",), deliver=uri))
    expected = []
    for first in (10, 20):
        for number in range(first, first + 6):
            version = change(store, number, "wanted" if number % 2 else "other")
            expected += [version] if number % 2 else []
        for _ in range(2):  # the second finds nothing to do
            running = SubscribedRelay(
                store, lambda: KafkaOutlet(read_topic(uri, ()), None), subscription(store, "mine")
            )
            running.run(until_end=True, max_failures=3)

    running = SubscribedRelay(store, lambda: KafkaOutlet(read_topic(uri, ()), None), subscription(store, "mine"))
    assert running.run(until_end=True, max_failures=3).sent == 0
    with TopicReader(uri, after=0) as reader:
        events = list(reader.read_to_end())

    assert [event["data"]["version"] for event in events] == expected
    assert {event["subscription"] for event in events} == {"mine"}
    assert [event["data"]["previous_version"] for event in events[1:]] == expected[:-1]
