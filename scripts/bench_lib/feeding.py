"""The feed, Kafka to Kafka: a broker, an ingester and a relay as processes of their own, all on this machine."""

from __future__ import annotations

import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import orjson

from bench_lib import machine
from lineage_tt import Store
from scripts.broker_lib.server import Broker
from scripts.broker_lib.topics import create_topic

#: key → (what is asked, unit)
WANTED = {
    "end_to_end_ms_p50": ("≤ 60", "ms"),
    "end_to_end_ms_p99": ("≤ 400", "ms"),
    "sustained_messages_per_s": ("≥ 3,000", "messages/s"),
    "burst_drained_s": ("", "s"),
}
PER_SECOND = 50
WARM_UP_S = 3.0
NOON = 1_714_564_800_000_000
LIMIT = 1200.0
COLUMNS = 8


def sql_message(number: int) -> bytes:
    """Return a task change with SQL, no two alike: a join, an aggregation, a filter, eight columns."""
    columns = ", ".join(f"sum(o.m{(number + i) % 50}) AS c{i}" for i in range(COLUMNS))
    table, facts = f"dws.daily_{number % 40}", f"dw.orders_{number % 9}"
    sql = (
        f"INSERT OVERWRITE TABLE {table} SELECT o.shop_id, u.city, {columns} FROM {facts} o "
        "LEFT JOIN dw.users u ON o.user_id = u.id "
        f"WHERE o.day = '2024-05-01' AND u.kind <> {number} GROUP BY o.shop_id, u.city"
    )
    return orjson.dumps(
        {
            "event_id": f"s{number}", "task_id": f"sql-{number % 40}", "op": "update", "sql": sql, "dialect": "hive",
            "namespace": "hive", "effective_at": NOON + number * 1_000_000,
        }
    )  # fmt: skip


def edge_message(number: int) -> tuple[bytes, bytes]:
    """Return (key, value) of a task change with five edges, which differs from the one before it."""
    task = f"t{number % 500}"
    edges = [
        {"source": f"hive:dw.a#c{(number // 500 + j) % 20}", "target": f"hive:dws.b{number % 500}#d{j}"}
        for j in range(5)
    ]
    body = {"event_id": f"e{number}", "task_id": task, "op": "update", "effective_at": NOON + number * 1_000_000}
    return task.encode(), orjson.dumps(body | {"edges": edges})


@contextmanager
def pipeline(folder: Path) -> Iterator[tuple[str, Path]]:
    """Run a broker with two topics, an ingester between tasks and store, a relay between store and changes."""
    store = folder / "store"
    Store.create(store)
    with Broker(folder / "broker") as broker:
        create_topic(broker.address, "tasks")
        create_topic(broker.address, "changes")
        base = [machine.cli(), "--store", str(store)]
        commands = [
            [*base, "ingest", f"kafka://{broker.address}/tasks", "--no-progress"],
            [*base, "relay", f"kafka://{broker.address}/changes", "--no-progress"],
        ]
        running = [subprocess.Popen(command, stdout=subprocess.DEVNULL) for command in commands]
        try:
            yield broker.address, store
            assert all(process.poll() is None for process in running), "a command ended before its time"
        finally:
            for process in running:
                process.terminate()
            for process in running:
                process.wait(timeout=30)


def end_to_end(work: Path, seconds: float) -> dict[str, float]:
    """Return the time from a message's sending to the arrival of its change, at a steady load."""
    from kafka import KafkaProducer

    from lineage_tt.kafka.reader import TopicReader

    machine.tell(f"end to end, {PER_SECOND} messages/s ...")
    sent: dict[str, float] = {}
    waited: dict[int, float] = {}
    with pipeline(work) as (address, _), TopicReader(f"kafka://{address}/changes") as reader:
        producer = KafkaProducer(bootstrap_servers=address, acks="all")
        begun, count = time.monotonic(), 0
        most = int((seconds + WARM_UP_S) * PER_SECOND)
        while len(waited) < most:
            assert time.monotonic() - begun < seconds + LIMIT / 4, f"{len(waited)} of {most} came"
            while count < most and time.monotonic() >= begun + count / PER_SECOND:
                sent[f"s{count}"] = time.monotonic()
                producer.send("tasks", sql_message(count))
                count += 1
            due = begun + count / PER_SECOND - time.monotonic() if count < most else 1.0
            for event in reader.poll(max(0.001, min(due, 1 / PER_SECOND))):  # asleep in between: the cores are few
                name = event["data"]["event_id"]
                waited[int(name[1:])] = 1000 * (time.monotonic() - sent[name])
            if len(waited) == 0 and count > 1:
                begun = max(begun, time.monotonic() - count / PER_SECOND)  # the commands are starting
        producer.close()
    steady = sorted(ms for number, ms in waited.items() if number >= WARM_UP_S * PER_SECOND)
    return {
        "end_to_end_ms_p50": steady[len(steady) // 2],
        "end_to_end_ms_p99": steady[int(0.99 * (len(steady) - 1))],
    }


def sustained(work: Path, burst: int) -> dict[str, float]:
    """Return the rate at which a burst of messages with explicit edges passes, from first sent to last delivered."""
    from kafka import KafkaProducer

    machine.tell(f"a burst of {burst:,} messages ...")
    with pipeline(work) as (address, path):
        store = Store.open(path)
        producer = KafkaProducer(bootstrap_servers=address, acks="all", linger_ms=20, batch_size=512 * 1024)
        first = edge_message(0)
        producer.send("tasks", first[1], key=first[0])
        _await(lambda: last_version(address) == 1)  # the commands are there
        begun = time.monotonic()
        for number in range(1, burst):
            key, value = edge_message(number)
            producer.send("tasks", value, key=key)
        producer.flush()
        producer.close()
        _await(lambda: store.refresh() == burst, every=0.25)
        _await(lambda: last_version(address) == burst, every=0.25)
        took = time.monotonic() - begun
    return {"sustained_messages_per_s": burst / took, "burst_messages": float(burst), "burst_drained_s": took}


def last_version(address: str) -> int:
    """Return the last version in the topic of changes, 0 where there is none."""
    from lineage_tt.kafka.library import load
    from lineage_tt.kafka.reader import assign, event_in, last_record, open_consumer
    from lineage_tt.kafka.settings import read_topic
    from lineage_tt.kafka.topics import describe

    topic = read_topic(f"kafka://{address}/changes")
    consumer = open_consumer(topic, describe(topic))
    try:
        part = load().TopicPartition("changes", 0)
        begins, ends = assign(consumer, [part])
        record = last_record(consumer, part, begins[part], ends[part])
        return int(event_in(record)["data"]["version"]) if record else 0
    finally:
        consumer.close(autocommit=False)


def _await(condition: Any, every: float = 0.1) -> None:
    deadline = time.monotonic() + LIMIT
    while not condition():
        assert time.monotonic() < deadline, f"it did not come to be in {LIMIT:.0f} s"
        time.sleep(every)


def measured(seconds: float, burst: int) -> dict[str, float]:
    """Return all figures of the way from topic to topic."""
    result: dict[str, float] = {}
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        result |= end_to_end(Path(folder) / "steady", seconds)
        result |= sustained(Path(folder) / "burst", burst)
    return result
