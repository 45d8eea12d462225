"""Topics of a broker, for tests and benchmarks: made, filled and read whole."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping
from contextlib import closing
from typing import Any

from kafka import KafkaAdminClient, KafkaConsumer, KafkaProducer, TopicPartition
from kafka.errors import KafkaError


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


def read_all(address: str, topic: str, *, isolation: str = "read_committed") -> list[Any]:
    """Return all records of a topic up to its present end, partition by partition."""
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
