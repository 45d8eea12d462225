"""A member of a consumer group gets its partitions, however short its polls and whenever the topic's metadata comes."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing

from kafka_runs import message
from waiting import until

from ingest.kafka.topic import TaskTopic
from lineage_tt.kafka.settings import read_topic
from scripts.broker_lib.server import Broker
from scripts.broker_lib.topics import add_partitions, produce


def member(broker: Broker, name: str) -> TaskTopic:
    """A member that looks for new partitions often, of a group of its own; the log knows no place."""
    where = read_topic(f"kafka://{broker.address}/{name}", ["metadata.max.age.ms=100"])
    return TaskTopic(where, f"group-{name}", lambda source: None)


def test_the_first_join_knows_the_partitions(broker: Broker, topic: Callable[..., str]) -> None:
    """A new group is not told first that there are no partitions: an ingest to the end would end with nothing."""
    with closing(member(broker, topic("tasks", 2))) as joined:
        until(lambda: bool(joined.poll(0.1, 10)) or joined.joined())

        assert (joined.partitions, joined.rebalances) == (2, 1)


def test_a_topic_that_grows_while_the_member_polls_without_waiting(broker: Broker, topic: Callable[..., str]) -> None:
    """No poll lasts as long as the group's answer takes: the join is finished by a later one, not forgotten."""
    name = topic("tasks", 1)
    with closing(member(broker, name)) as joined:
        until(lambda: bool(joined.poll(0.1, 10)) or joined.partitions == 1)
        add_partitions(broker.address, name, 3)
        produce(broker.address, name, [message(1)], partition=2)
        records: list[bytes] = []

        def polled() -> bool:
            joined.seek()
            for found in joined.poll(0.0, 10).values():
                records.extend(bytes(record.value) for record in found)
            return bool(records)

        until(polled, every=0.002)

        assert records == [message(1)[1]]
        assert joined.partitions == 3
