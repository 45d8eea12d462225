"""Those who read the change topic: killed, late, starting from a snapshot, behind retention, behind a bad network."""

from __future__ import annotations

import os
import random
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import kafka_subscriber as subscriber
import pytest
from kafka_proxy import LossyProxy
from kafka_runs import NOON, SEED, assert_topic_equals_log, logged
from waiting import until

from lineage_tt import Store
from lineage_tt.events import signed_changes
from lineage_tt.feed.relay import Relay
from lineage_tt.kafka.library import load
from lineage_tt.kafka.outlet import KafkaOutlet
from lineage_tt.kafka.reader import TopicReader
from lineage_tt.kafka.settings import read_topic
from lineage_tt.model.errors import GapError
from lineage_tt.testing import task_change
from scripts.broker_lib.server import Broker
from scripts.broker_lib.topics import create_topic

Topics = Callable[..., str]
ROOT = Path(__file__).resolve().parents[2]
KILLS = int(os.environ.get("LINEAGE_TT_KAFKA_KILLS", "6"))


def fill(store: Store, first: int, last: int, draw: random.Random) -> None:
    """Append versions that change this and that, some of them late."""
    for number in range(first, last):
        edges = [(f"n:a#c{draw.randrange(9)}", f"n:b#d{draw.randrange(3)}") for _ in range(draw.randrange(4))]
        at = NOON + draw.randrange(50) * 1_000_000
        store.append([task_change(f"t{draw.randrange(4)}", "update", at, edges, event_id=f"e{number}")])


def relay(store: Path, address: str, topic: str) -> None:
    """Bring the topic to the log's end."""
    to = read_topic(f"kafka://{address}/{topic}")
    Relay(Store.open(store), lambda: KafkaOutlet(to)).run(until_end=True, max_failures=5)


def rectangles(store: Path) -> dict[tuple[str, ...], list[tuple[int, int]]]:
    """Return what the store believes now, as a subscriber holds it."""
    found: dict[tuple[str, ...], list[tuple[int, int]]] = {}
    for *edge, start, end in Store.open(store).rectangles():
        found.setdefault(tuple(edge), []).append((start, subscriber.ENDLESS if end is None else end))
    return {edge: sorted(stretches) for edge, stretches in found.items()}


@pytest.mark.slow
def test_a_subscriber_killed_again_and_again(broker: Broker, topic: Topics, tmp_path: Path) -> None:
    """Killed at random moments, a subscriber that saves its cursor with its effect holds what the store holds (K07)."""
    draw = random.Random(f"{SEED}subscriber")
    print(f"LINEAGE_TT_SEED={SEED}")
    name, store = topic("changes"), Store.create(tmp_path / "s")
    fill(store, 0, 300, draw)
    relay(tmp_path / "s", broker.address, name)
    last = logged(tmp_path / "s")[-1]["data"]["version"]
    database, program = str(tmp_path / "held.db"), str(ROOT / "tests" / "engines" / "kafka_subscriber.py")
    command = [sys.executable, program, f"kafka://{broker.address}/{name}", database, str(last)]
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    places = []
    for _ in range(KILLS):
        process = subprocess.Popen([*command, "0.01"], env=environment)  # a loaded machine may look late
        before = subscriber.place(subscriber.opened(database))
        until(lambda p=process, b=before: p.poll() is not None or subscriber.place(subscriber.opened(database)) > b)  # type: ignore[misc]
        time.sleep(draw.random() / 50)
        process.kill()
        process.wait()
        places.append(subscriber.place(subscriber.opened(database)))
    assert subprocess.run(command, env=environment, timeout=90).returncode == 0

    assert subscriber.held(database) == rectangles(tmp_path / "s")
    assert places[0] < last, "it was never killed in the middle"


def test_from_a_snapshot_and_then_the_feed_while_commits_arrive(broker: Broker, topic: Topics, tmp_path: Path) -> None:
    """The state at v and the changes after v, read while others append, are the state at the end (K08)."""
    draw = random.Random(f"{SEED}snapshot")
    name, store = topic("changes"), Store.create(tmp_path)
    fill(store, 0, 60, draw)
    to = read_topic(f"kafka://{broker.address}/{name}")
    running = Relay(Store.open(tmp_path), lambda: KafkaOutlet(to))
    threads = [
        threading.Thread(target=running.run),
        threading.Thread(target=fill, args=(Store.open(tmp_path), 60, 160, draw)),
    ]
    for thread in threads:
        thread.start()
    try:
        reader_store = Store.open(tmp_path)
        until(lambda: reader_store.refresh() >= 70)
        at = reader_store.version
        sums: Counter[tuple[Any, ...]] = Counter()
        for *edge, start, end in reader_store.rectangles(at):
            sums[tuple(edge), start, end] += 1
        threads[1].join(60)
        last = logged(tmp_path)[-1]["data"]["version"]
        with TopicReader(to, after=at) as reader:
            while reader.after < last:
                for event in reader.poll(1):
                    assert event["data"]["version"] > at
                    for sign, changed, begin, stop in signed_changes(event):
                        sums[changed, begin, stop] += sign
    finally:
        running.stopping = True
        for thread in threads:
            thread.join(60)
    steps: dict[object, Counter[int]] = {}
    for (edge, begin, stop), total in sums.items():
        of_edge = steps.setdefault(edge, Counter())
        of_edge[begin] += total
        of_edge[subscriber.ENDLESS if stop is None else stop] -= total
    held = {edge: found for edge, cuts in steps.items() if (found := subscriber._stretches(dict(cuts)))}
    assert held == rectangles(tmp_path)


def test_versions_that_retention_removed_are_a_gap(broker: Broker, topic: Topics, tmp_path: Path) -> None:
    """A subscriber whose next versions are gone is told which, and where to start; one after them reads on (K05)."""
    draw = random.Random(f"{SEED}gap")
    name = topic("changes")
    fill(Store.create(tmp_path), 0, 60, draw)
    relay(tmp_path, broker.address, name)
    kafka, events = load(), logged(tmp_path)
    admin = kafka.KafkaAdminClient(bootstrap_servers=broker.address)
    admin.delete_records({kafka.TopicPartition(name, 0): 20})
    admin.close()
    gone = events[19]["data"]["version"]

    with TopicReader(f"kafka://{broker.address}/{name}", after=3) as reader, pytest.raises(GapError) as raised:
        list(reader.read_to_end())
    assert (raised.value.after, raised.value.first, raised.value.snapshot) == (3, gone, gone)
    assert f"versions 4 to {gone}" in raised.value.message
    assert f"the state at version {gone}" in raised.value.hint
    with TopicReader(f"kafka://{broker.address}/{name}", after=gone) as reader:
        assert list(reader.read_to_end()) == events[20:]


def test_a_topic_that_retention_emptied_is_not_filled_from_the_start(
    broker: Broker, topic: Topics, tmp_path: Path
) -> None:
    """With nothing left that says how far it was filled, the relay asks where to begin instead of sending all again."""
    from lineage_tt.model.errors import ConflictError

    name, store = topic("changes"), Store.create(tmp_path)
    fill(store, 0, 10, random.Random(1))
    relay(tmp_path, broker.address, name)
    kafka = load()
    part, admin = kafka.TopicPartition(name, 0), kafka.KafkaAdminClient(bootstrap_servers=broker.address)
    admin.delete_records({part: -1})
    admin.close()

    with pytest.raises(ConflictError, match="retention has emptied"):
        relay(tmp_path, broker.address, name)
    to = read_topic(f"kafka://{broker.address}/{name}")
    fill(store, 10, 12, random.Random(2))
    again = Relay(Store.open(tmp_path), lambda: KafkaOutlet(to), after=10).run(until_end=True, max_failures=3)
    assert again.sent == sum(event["data"]["version"] > 10 for event in logged(tmp_path))


def test_replies_lost_after_the_write(tmp_path: Path, own_broker: Broker) -> None:
    """Where the broker wrote and its answer was lost the relay sends again; the topic has each version once (K03)."""
    own_broker.kill()
    proxy = LossyProxy()
    through = Broker(tmp_path / "lossy", advertised=proxy.address)
    proxy.to = through.port
    draw = random.Random(f"{SEED}lossy")
    try:
        with through:
            create_topic(proxy.address, "changes")
            store = Store.create(tmp_path / "s")
            fill(store, 0, 10, draw)
            to = read_topic(f"kafka://{proxy.address}/changes", ["request_timeout_ms=3000"])
            running = Relay(Store.open(tmp_path / "s"), lambda: KafkaOutlet(to))
            thread = threading.Thread(target=running.run)
            thread.start()
            until(lambda: running.progress.at >= 10)
            for turn in range(3):
                proxy.losing = True
                fill(store, 10 + 20 * turn, 30 + 20 * turn, draw)
                until(lambda seen=proxy.lost: proxy.lost > seen)  # type: ignore[misc]
                proxy.cut()
                proxy.losing = False
            until(lambda: running.progress.at == store.version, limit=120)
            running.stopping = True
            thread.join(60)
            assert proxy.lost >= 3
            assert_topic_equals_log(proxy.address, "changes", tmp_path / "s")
    finally:
        proxy.close()


def test_retention_that_overtakes_a_reader_is_a_gap(broker: Broker, topic: Topics, tmp_path: Path) -> None:
    """A reader that loses its next versions to retention while it reads is told as soon as anything comes (K05)."""
    draw = random.Random(f"{SEED}overtaken")
    name, store = topic("changes"), Store.create(tmp_path)
    fill(store, 0, 5, draw)
    relay(tmp_path, broker.address, name)
    kafka = load()
    with TopicReader(f"kafka://{broker.address}/{name}") as reader:
        assert list(reader.read_to_end()) == logged(tmp_path)
        reader.poll(0)
        reader._consumer.pause(*reader._parts)
        # a request on its way would bring what comes next, before it is gone
        until(lambda: not reader._consumer._fetcher._nodes_with_pending_fetch_requests)
        fill(store, 5, 30, draw)
        relay(tmp_path, broker.address, name)
        admin = kafka.KafkaAdminClient(bootstrap_servers=broker.address)
        end = reader._consumer.end_offsets(reader._parts)[reader._parts[0]]
        admin.delete_records({reader._parts[0]: end - 3})
        admin.close()
        fill(store, 30, 31, draw)  # the three offsets that are left may hold markers of transactions alone
        relay(tmp_path, broker.address, name)
        reader._consumer.resume(*reader._parts)
        held = reader.after
        with pytest.raises(GapError) as raised:
            next(event for event in reader if event["data"]["version"] < 0)  # reads until it is refused
    assert raised.value.after == held
