"""Topics of a broker, for tests and benchmarks: made, filled and read whole."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping
from contextlib import closing
from typing import Any

from kafka import KafkaAdminClient, KafkaConsumer, KafkaProducer, TopicPartition
from kafka.errors import KafkaError

#: How long a reader of a whole topic waits for transactions that are ending, in seconds.
SETTLE_LIMIT = 5.0


def create_topic(address: str, name: str, partitions: int = 1, config: Mapping[str, str] | None = None) -> None:
    """Make a topic and wait until the broker has a leader for each of its partitions."""
    from kafka.admin import NewTopic

    with closing(KafkaAdminClient(bootstrap_servers=address)) as admin:
        admin.create_topics([NewTopic(name, partitions, 1, topic_configs=dict(config or {}))])
        deadline = time.monotonic() + 30
        while time.monotonic() < deadline:
            found = admin.describe_topics([name])
            if found and len(found[0]["partitions"]) == partitions:
                return
            time.sleep(0.05)
    raise KafkaError(f"the topic {name} did not come")


def add_partitions(address: str, name: str, total: int) -> None:
    """Let a topic have ``total`` partitions."""
    with closing(KafkaAdminClient(bootstrap_servers=address)) as admin:
        admin.create_partitions({name: total})


def produce(address: str, topic: str, messages: Iterable[Any], *, partition: int | None = None) -> int:
    """Send values, or (key, value) pairs, and wait until the broker has them; return how many."""
    count = 0
    with closing(KafkaProducer(bootstrap_servers=address, acks="all", linger_ms=5)) as producer:
        for message in messages:
            key, value = message if isinstance(message, tuple) else (None, message)
            producer.send(topic, value, key=key, partition=partition)
            count += 1
        producer.flush()
    return count


def settle(address: str, topic: str) -> None:
    """Wait until no transaction is open at a topic's end; continue where one stays open for ``SETTLE_LIMIT`` seconds.

    A broker confirms a commit before its marks are in the partitions: a reader of committed records that comes at once
    would see the end of the transaction before.
    """
    deadline = time.monotonic() + SETTLE_LIMIT
    while _ends(address, topic, "read_committed") != _ends(address, topic, "read_uncommitted"):
        if time.monotonic() >= deadline:
            return
        time.sleep(0.05)


def _ends(address: str, topic: str, isolation: str) -> dict[Any, int]:
    with closing(KafkaConsumer(bootstrap_servers=address, isolation_level=isolation)) as consumer:
        parts = [TopicPartition(topic, number) for number in consumer.partitions_for_topic(topic) or ()]
        ends: dict[Any, int] = consumer.end_offsets(parts)
        return ends


def read_all(address: str, topic: str, *, isolation: str = "read_committed") -> list[Any]:
    """Return all records of a topic up to its present end, with the transactions that are ending now."""
    settle(address, topic)
    with closing(
        KafkaConsumer(bootstrap_servers=address, enable_auto_commit=False, isolation_level=isolation)
    ) as consumer:
        parts = [TopicPartition(topic, number) for number in sorted(consumer.partitions_for_topic(topic) or ())]
        consumer.assign(parts)
        consumer.seek_to_beginning()
        ends = consumer.end_offsets(parts)
        records: list[Any] = []
        while any(consumer.position(part) < ends[part] for part in parts):
            for found in consumer.poll(500).values():
                records += found
    return sorted(records, key=lambda record: (record.partition, record.offset))
