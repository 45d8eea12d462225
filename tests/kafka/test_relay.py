"""The relay: the topic equals the log, whatever dies."""

from __future__ import annotations

import json
import signal
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import orjson
import pytest
from kafka_runs import (
    NOON,
    assert_topic_equals_log,
    done,
    finish,
    logged,
    published,
    start,
)
from waiting import until

from lineage_tt import Store
from lineage_tt.curation.statements import annotate
from lineage_tt.events import LABELS_CHANGED, event_of
from lineage_tt.feed.relay import FencedError, Relay
from lineage_tt.kafka.outlet import KafkaOutlet
from lineage_tt.kafka.reader import TopicReader, event_in
from lineage_tt.kafka.settings import read_topic
from lineage_tt.model.errors import CorruptError, InvalidRequestError
from lineage_tt.model.messages import Lineage, TaskChange
from lineage_tt.testing import task_change
from scripts.broker_lib.server import Broker
from scripts.broker_lib.topics import create_topic, produce, read_all

Topics = Callable[..., str]


def fill(store: Store, first: int, last: int) -> None:
    """Append versions that each change something, and now and then one that changes nothing."""
    for number in range(first, last):
        edges = [(f"n:a#c{(number + j) % 11}", "n:b#x") for j in range(3)]
        store.append([task_change(f"t{number % 5}", "update", NOON + number * 1_000_000, edges)])
        if number % 10 == 0:  # the same edges again: a cosmetic edit
            again = task_change(f"t{number % 5}", "update", NOON + number * 1_000_000 + 1, edges)
            store.append([again])


def relay(store: Path, address: str, topic: str, *, state: str | None = None, **options: Any) -> Relay:
    """Return a relay in this process."""
    to = read_topic(f"kafka://{address}/{topic}")
    to_state = to.with_name(state) if state else None
    return Relay(Store.open(store), lambda: KafkaOutlet(to, to_state), state=state is not None, **options)


def test_topic_equals_log_and_is_silent_about_cosmetic_edits(broker: Broker, topic: Topics, tmp_path: Path) -> None:
    """Each version that changes something is one event, in order; a second run and silent versions add nothing."""
    name, store = topic("changes"), Store.create(tmp_path)
    fill(store, 0, 40)

    first = relay(tmp_path, broker.address, name).run(until_end=True, max_failures=3)
    assert (first.at, first.lag) == (store.version, 0)
    assert_topic_equals_log(broker.address, name, tmp_path)
    assert len(published(broker.address, name)) == first.sent < store.version

    fill(store, 40, 50)
    second = relay(tmp_path, broker.address, name).run(until_end=True, max_failures=3)
    third = relay(tmp_path, broker.address, name).run(until_end=True, max_failures=3)
    assert (second.sent, third.sent) == (len(logged(tmp_path)) - first.sent, 0)
    assert_topic_equals_log(broker.address, name, tmp_path)


def test_a_change_planned_for_monday_is_sent_once_now(broker: Broker, topic: Topics, tmp_path: Path) -> None:
    """A message for the future is one event at once, with its interval; the passing of time emits nothing."""
    name, store = topic("changes"), Store.create(tmp_path)
    store.append([task_change("t", "online", "2199-01-07T00:00:00Z", [("n:a#x", "n:b#y")])])
    store.append([task_change("t", "offline", "2199-01-14T00:00:00Z")])

    relay(tmp_path, broker.address, name).run(until_end=True, max_failures=3)

    events = [event["data"] for event in published(broker.address, name)]
    assert [(e["changes"][0]["op"], e["changes"][0]["valid_from"]) for e in events] == [
        ("insert", "2199-01-07T00:00:00Z"),
        ("delete", "2199-01-14T00:00:00Z"),
    ]
    assert all("planned-for-the-future" in e["classes"] for e in events)


def test_binary_mode_is_the_same_event(broker: Broker, topic: Topics, tmp_path: Path) -> None:
    """In binary mode the attributes are headers and the value is the data; a reader gets the very same events."""
    name = topic("changes")
    fill(Store.create(tmp_path), 0, 12)

    relay(tmp_path, broker.address, name, binary=True).run(until_end=True, max_failures=3)

    record = read_all(broker.address, name)[0]
    assert dict(record.headers)["ce_specversion"] == b"1.0"
    assert orjson.loads(record.value)["version"] == 1
    assert [event_in(record) for record in read_all(broker.address, name)] == logged(tmp_path)


def test_key_and_order_in_several_partitions(broker: Broker, topic: Topics, tmp_path: Path) -> None:
    """Events of one task are in one partition, and a reader of all partitions gets every version in order."""
    name = topic("changes", 3)
    fill(Store.create(tmp_path), 0, 60)

    relay(tmp_path, broker.address, name).run(until_end=True, max_failures=3)

    places: dict[bytes, set[int]] = {}
    for record in read_all(broker.address, name):
        places.setdefault(record.key, set()).add(record.partition)
    assert all(len(parts) == 1 for parts in places.values())
    assert len(set.union(*places.values())) > 1
    with TopicReader(f"kafka://{broker.address}/{name}") as reader:
        assert list(reader.read_to_end()) == logged(tmp_path)
    with TopicReader(f"kafka://{broker.address}/{name}", after=30) as reader:
        assert list(reader.read_to_end()) == [e for e in logged(tmp_path) if e["data"]["version"] > 30]


def test_a_second_relay_fences_the_first(broker: Broker, topic: Topics, tmp_path: Path) -> None:
    """Of two relays the older one ends when the newer takes over, and nothing is in the topic twice (K04)."""
    name, store = topic("changes"), Store.create(tmp_path)
    fill(store, 0, 5)
    to = read_topic(f"kafka://{broker.address}/{name}")
    older = KafkaOutlet(to)
    try:
        relay(tmp_path, broker.address, name).run(until_end=True, max_failures=3)
        records = list(Relay(store, lambda: older).change_records(next(iter(store.changes()))))
        with pytest.raises(FencedError, match="another relay has taken over"):
            older.publish(records)
    finally:
        older.close()
    assert_topic_equals_log(broker.address, name, tmp_path)


@pytest.mark.slow
def test_a_relay_paused_and_woken_is_fenced(broker: Broker, topic: Topics, tmp_path: Path) -> None:
    """A relay stopped, another one started, the first woken: it ends with status 3, and the topic is right (K04)."""
    name, store = topic("changes"), Store.create(tmp_path)
    fill(store, 0, 5)
    address = f"kafka://{broker.address}/{name}"
    first = start("--store", str(tmp_path), "relay", address)
    until(lambda: len(published(broker.address, name)) == 5)
    first.send_signal(signal.SIGSTOP)
    second = start("--store", str(tmp_path), "relay", address)
    try:
        fill(store, 5, 15)
        until(lambda: len(published(broker.address, name)) >= len(logged(tmp_path)))
        first.send_signal(signal.SIGCONT)
        fill(store, 15, 20)
        status, _, err = finish(first)
        assert (status, "another relay has taken over" in err) == (3, True), err
        until(lambda: len(published(broker.address, name)) >= len(logged(tmp_path)))
    finally:
        second.terminate()
        assert finish(second)[0] == 0
        first.kill()
    assert_topic_equals_log(broker.address, name, tmp_path)


@pytest.mark.parametrize("point", ["q0:before", "q0:after", "q1:before", "q1:after", "q2:before", "q2:after"])
def test_a_relay_killed_at_each_step(broker: Broker, topic: Topics, tmp_path: Path, point: str) -> None:
    """Killed before or after any step and started again, the topic holds each version once (C02)."""
    name, store = topic("changes"), Store.create(tmp_path)
    fill(store, 0, 6)
    command = ("--store", str(tmp_path), "relay", f"kafka://{broker.address}/{name}", "--until-end")
    assert finish(start(*command, failpoint=f"{point}:kill"))[0] == -signal.SIGKILL
    fill(store, 6, 12)

    relay(tmp_path, broker.address, name).run(until_end=True, max_failures=3)

    assert_topic_equals_log(broker.address, name, tmp_path)
    assert len(published(broker.address, name)) == len(logged(tmp_path))


def test_a_large_changeset_is_split_and_whole_again(broker: Broker, topic: Topics, tmp_path: Path) -> None:
    """A task with 20,000 edges goes over the broker's limit in numbered parts, which the reader gives as one (K09)."""
    name, store = topic("changes", 1, {"max.message.bytes": "200000"}), Store.create(tmp_path)
    edges = [(f"n:a#c{number}", f"n:b#c{number}", "DIRECT", "IDENTITY", "") for number in range(20_000)]
    fill(store, 0, 3)
    store.append([TaskChange("big", "huge", "online", NOON, lineage=Lineage.of(edges))])
    fill(store, 3, 6)

    relay(tmp_path, broker.address, name).run(until_end=True, max_failures=3)

    parts = [e["data"]["part"] for e in published(broker.address, name) if "part" in e["data"]]
    assert [part["number"] for part in parts] == list(range(1, parts[0]["of"] + 1))
    assert len(parts) > 20
    with TopicReader(f"kafka://{broker.address}/{name}") as reader:
        events = list(reader.read_to_end())
    assert events == logged(tmp_path)
    assert [len(e["data"]["changes"]) for e in events if e["subject"] == "huge"] == [20_000]


def test_a_broker_killed_in_a_transaction(own_broker: Broker, tmp_path: Path) -> None:
    """Killed while versions are sent and started again, the broker gets them all; the log continues meanwhile (K01)."""
    create_topic(own_broker.address, "changes")
    store = Store.create(tmp_path / "s")
    fill(store, 0, 5)
    process = start("--store", str(tmp_path / "s"), "relay", f"kafka://{own_broker.address}/changes")
    until(lambda: len(published(own_broker.address, "changes")) >= 5)
    own_broker.kill()
    fill(store, 5, 30)
    time.sleep(2)
    assert process.poll() is None
    own_broker.start()
    until(lambda: len(published(own_broker.address, "changes")) >= len(logged(tmp_path / "s")), limit=120, every=0.5)
    process.terminate()
    assert finish(process)[0] == 0
    assert_topic_equals_log(own_broker.address, "changes", tmp_path / "s")


def test_a_broker_that_is_down_at_the_start(own_broker: Broker, tmp_path: Path) -> None:
    """With no broker there the relay waits and its lag grows; when it comes the versions follow in order (K02)."""
    create_topic(own_broker.address, "changes")
    own_broker.kill()
    store = Store.create(tmp_path / "s")
    fill(store, 0, 10)
    lags: list[int] = []
    to = read_topic(f"kafka://{own_broker.address}/changes", ["bootstrap_timeout_ms=1000"])
    running = Relay(Store.open(tmp_path / "s"), lambda: KafkaOutlet(to), watch=lambda p: lags.append(p.lag))
    thread = threading.Thread(target=running.run)
    thread.start()
    try:
        until(lambda: store.version in lags)
        assert running.progress.problem
        own_broker.start()
        until(lambda: running.progress.at == store.version)
    finally:
        running.stopping = True
        thread.join(30)
    assert lags[-1] == 0
    assert_topic_equals_log(own_broker.address, "changes", tmp_path / "s")


def test_current_state_in_a_compacted_topic(broker: Broker, topic: Topics, tmp_path: Path) -> None:
    """The latest record of each key, tombstones out, is what is in force in any valid time; first filled with reads."""
    name, state, store = topic("changes"), topic("state", 1, {"cleanup.policy": "compact"}), Store.create(tmp_path)

    def held() -> set[tuple[object, ...]]:
        latest = {record.key: record.value for record in read_all(broker.address, state)}
        result = set()
        for value in latest.values():
            if value is not None:
                data = orjson.loads(value)["data"]
                result.add((*data["after"].values(), data["valid_from"], data["valid_to"]))
        return result

    def expected() -> set[tuple[object, ...]]:
        from lineage_tt.model.times import format_instant

        return {(*r[:6], format_instant(r[6]), format_instant(r[7])) for r in Store.open(tmp_path).rectangles()}

    fill(store, 0, 20)
    relay(tmp_path, broker.address, name).run(until_end=True, max_failures=3)
    relay(tmp_path, broker.address, name, state=state).run(until_end=True, max_failures=3)
    assert {orjson.loads(r.value)["data"]["op"] for r in read_all(broker.address, state)} == {"r"}
    assert held() == expected()

    fill(store, 20, 40)
    store.append([task_change("t1", "offline", NOON + 50_000_000)])
    store.append([task_change("t2", "update", NOON + 22_500_000, [("n:q#x", "n:b#x")])])  # late
    relay(tmp_path, broker.address, name, state=state).run(until_end=True, max_failures=3)
    assert held() == expected()
    assert any(record.value is None for record in read_all(broker.address, state))
    assert_topic_equals_log(broker.address, name, tmp_path)


def test_history_is_neither_written_to_nor_read_from_a_compacted_topic(
    broker: Broker, topic: Topics, tmp_path: Path
) -> None:
    """A compacted topic keeps the latest of a key only: relay and reader refuse it as history (K06)."""
    state = topic("state", 1, {"cleanup.policy": "compact"})
    fill(Store.create(tmp_path), 0, 3)
    with pytest.raises(InvalidRequestError, match="compacted"):
        relay(tmp_path, broker.address, state).run(until_end=True)
    with pytest.raises(InvalidRequestError, match="compacted"):
        TopicReader(f"kafka://{broker.address}/{state}")

    mixed = topic("mixed")
    relay(tmp_path, broker.address, topic("changes"), state=state).run(until_end=True, max_failures=3)
    produce(broker.address, mixed, [(r.key, r.value) for r in read_all(broker.address, state)])
    with TopicReader(f"kafka://{broker.address}/{mixed}") as reader, pytest.raises(CorruptError, match="current state"):
        reader.poll(5)


def test_another_store_s_topic_is_refused(broker: Broker, topic: Topics, tmp_path: Path) -> None:
    """A topic that holds another store's events, or records that no relay wrote, is refused."""
    name = topic("changes")
    fill(Store.create(tmp_path / "a"), 0, 3)
    fill(Store.create(tmp_path / "b"), 0, 5)
    relay(tmp_path / "a", broker.address, name).run(until_end=True, max_failures=3)
    with pytest.raises(InvalidRequestError, match="another store"):
        relay(tmp_path / "b", broker.address, name).run(until_end=True)

    foreign = topic("foreign")
    produce(broker.address, foreign, [(b"k", b"v")])
    with pytest.raises(InvalidRequestError, match="no relay wrote"):
        relay(tmp_path / "a", broker.address, foreign).run(until_end=True)


def test_events_of_labels_are_relayed_beside_those_of_changes(broker: Broker, topic: Topics, tmp_path: Path) -> None:
    """Each once, after their version's own, the same after a restart; readers of the changes pass them over."""
    name, store, rules = topic("changes"), Store.create(tmp_path / "s"), tmp_path / "rules.toml"
    rules.write_text("[labels]\nlevels = ['public', 'secret']\n", encoding="utf-8")
    fill(store, 0, 3)
    annotate(store, "n:a#c1", "label", ["secret"], at="2024-01-01T00:00:00Z")
    arguments = ("relay", f"kafka://{broker.address}/{name}", "--labels", "--rules", str(rules), "--until-end")
    done(start("--store", str(tmp_path / "s"), *arguments))
    fill(store, 3, 6)
    annotate(store, "n:a#c2", "label", ["pii"], at="2024-01-01T00:00:00Z")
    done(start("--store", str(tmp_path / "s"), *arguments, "--binary"))

    records = read_all(broker.address, name)
    sent = [event_in(record) for record in records]
    feed = store.governance(rules).label_feed(store.id)
    expected = []
    for entry in Store.open(tmp_path / "s").changes():
        expected += [event_of(entry, store.id), *filter(None, [feed.event(entry)])]
    assert [event["id"] for event in sent] == [event["id"] for event in expected]
    assert [event["data"] for event in sent] == [orjson.loads(orjson.dumps(event["data"])) for event in expected]
    assert sum(event["type"] == LABELS_CHANGED for event in sent) == 2
    with TopicReader(f"kafka://{broker.address}/{name}") as reader:
        assert [event["id"] for event in reader.read_to_end()] == [
            event["id"] for event in expected if event["type"] != LABELS_CHANGED
        ]


def test_the_command_says_what_it_did(broker: Broker, tmp_path: Path) -> None:
    """``relay --create-topics --until-end`` makes the topics, fills them and reports in JSON."""
    fill(Store.create(tmp_path), 0, 4)
    name = f"made-{tmp_path.name}"
    arguments = ["--until-end", "--create-topics", "--state-topic", f"{name}-state", "--format", "json"]
    out = done(start("--store", str(tmp_path), "relay", f"kafka://{broker.address}/{name}", *arguments))

    answer = json.loads(out)
    assert answer["basis"]["version"] == answer["result"]["version"] == 5
    assert (answer["result"]["sent"], answer["result"]["lag"]) == (4, 0)
    assert_topic_equals_log(broker.address, name, tmp_path)
