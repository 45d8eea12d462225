"""Fuzzed messages in a topic: the ingest comes to its end, each message accepted or one dead letter."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import fuzzed
import pytest

from ingest.kafka.ingest import KafkaIngester
from lineage_tt import Store
from lineage_tt.kafka.settings import read_topic
from scripts.broker_lib.server import Broker
from scripts.broker_lib.topics import produce


@pytest.mark.timeout(fuzzed.SECONDS + 120)
def test_in_a_topic(broker: Broker, topic: Callable[..., str], tmp_path: Path) -> None:
    """Two partitions, to their ends; run again there is nothing left to read."""
    given = fuzzed.lines()
    name = topic("fuzzed", 2)
    for partition in (0, 1):
        produce(broker.address, name, given[partition::2], partition=partition)
    store = Store.create(tmp_path / "s")
    where = read_topic(f"kafka://{broker.address}/{name}")
    found = KafkaIngester(store, where, workers=2).run(until_end=True)

    fuzzed.assert_counts(found.received, found.accepted, found.rejected, found.duplicates, given)
    assert KafkaIngester(store, where).run(until_end=True).received == 0
    fuzzed.assert_each_is_accounted_for(tmp_path / "s", given)
