"""Query events of a stock Trino server's Kafka listener."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

from kafka_runs import done, start
from needs import lacking
from waiting import until

from lineage_tt import Store
from scripts.broker_lib.server import Broker
from scripts.broker_lib.topics import read_all
from scripts.trino_lib.files import missing
from scripts.trino_lib.server import Trino

Topics = Callable[..., str]


def edges(store: Path) -> set[tuple[str, str]]:
    """Return the pairs of nodes in force."""
    return {(edge.source, edge.target) for edge in Store.open(store).as_of().edges()}


def test_kafka_listener_gives_the_same_edges(broker: Broker, topic: Topics, tmp_path: Path) -> None:
    """What the Kafka listener publishes, records without a key, leads to the edges that the statements have."""
    if reason := missing():
        lacking(reason)
    name = topic()
    listener = {
        "event-listener.name": "kafka", "kafka-event-listener.broker-endpoints": broker.address,
        "kafka-event-listener.publish-created-event": "false", "kafka-event-listener.publish-completed-event": "true",
        "kafka-event-listener.completed-event.topic": name, "kafka-event-listener.client-id": "trino",
    }  # fmt: skip
    with Trino(tmp_path / "server", {"kafka": listener}) as trino:
        trino.query("create table memory.default.a as select custkey k, acctbal b from tpch.tiny.customer")
        trino.query("insert into a select orderkey, totalprice from tpch.tiny.orders where totalprice > 10")
        until(lambda: len(read_all(broker.address, name)) >= 3, "the events are in the topic")
    store = tmp_path / "s"
    uri = f"kafka://{broker.address}/{name}"
    out = json.loads(
        done(start("ingest", uri, "--store", str(store), "--from", "trino", "--until-end", "--format", "json"))
    )
    pairs = {(s.rpartition(":")[2], t.rpartition(":")[2]) for s, t in edges(store) if "#" in t}

    assert out["result"][0]["rejected"] == 0
    assert pairs == {
        ("tpch.tiny.customer#custkey", "memory.default.a#k"), ("tpch.tiny.customer#acctbal", "memory.default.a#b"),
        ("tpch.tiny.orders#orderkey", "memory.default.a#k"), ("tpch.tiny.orders#totalprice", "memory.default.a#b"),
    }  # fmt: skip
