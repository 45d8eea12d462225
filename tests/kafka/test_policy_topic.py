"""The policy for texts at a broker: what comes in by Kafka, and what goes out to the change topic."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from kafka_runs import published
from policy_texts import CANARY, MESSAGES, STRICT, edges, holders, ingest, lines_of, made, told

from ingest.kafka.ingest import KafkaIngester
from lineage_tt import Store
from lineage_tt.feed.relay import Relay
from lineage_tt.kafka.outlet import KafkaOutlet
from lineage_tt.kafka.settings import read_topic
from scripts.broker_lib.server import Broker
from scripts.broker_lib.topics import produce

Topics = Callable[..., str]


@pytest.mark.parametrize("policy", STRICT)
def test_messages_of_a_topic_are_kept_as_the_policy_says(
    broker: Broker, topic: Topics, tmp_path: Path, policy: str
) -> None:
    """Rows, dead letters and files; the lineage is that of a store which keeps all. The change topic tells the same."""
    (tmp_path / "in").mkdir()
    kept, strict = made(tmp_path, "keep"), made(tmp_path, policy)
    ingest(kept, MESSAGES, tmp_path / "in")
    name, changes = topic("tasks"), topic("changes")
    produce(broker.address, name, lines_of(MESSAGES))

    found = KafkaIngester(strict, read_topic(f"kafka://{broker.address}/{name}")).run(until_end=True)
    Relay(strict, lambda: KafkaOutlet(read_topic(f"kafka://{broker.address}/{changes}"), None)).run(
        until_end=True, max_failures=3
    )

    strict = Store.open(tmp_path / f"store-{policy}")
    assert (found.accepted, found.rejected) == (6, 4)
    assert edges(strict) == edges(kept)
    assert CANARY not in told(strict)
    assert holders(tmp_path / f"store-{policy}") == []
    events = published(broker.address, changes)
    assert len(events) >= 5
    assert CANARY not in repr(events)
