"""In from Kafka: each message once in the log, whatever dies, whoever takes over."""

from __future__ import annotations

import json
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path

import pytest
from brokers import need_broker
from kafka_runs import NOON, done, finish, message, start
from waiting import until, until_stopped

from ingest.kafka.ingest import KafkaIngester, Status
from ingest.kafka.topic import LostMessagesError, TaskTopic
from ingest.messages.mapping import load_mapping
from lineage_tt import Store
from lineage_tt.kafka.library import load
from lineage_tt.kafka.outlet import KafkaOutlet
from lineage_tt.kafka.reader import TopicReader
from lineage_tt.kafka.settings import read_topic
from lineage_tt.model.errors import InvalidRequestError
from scripts.broker_lib.server import Broker
from scripts.broker_lib.topics import create_topic, produce
from scripts.server_lib.process import free_port

Topics = Callable[..., str]


def ingester(store: Path, address: str, topic: str, **options: object) -> KafkaIngester:
    """Return an ingester in this process."""
    return KafkaIngester(Store.create(store), read_topic(f"kafka://{address}/{topic}"), **options)  # type: ignore[arg-type]


@contextmanager
def running(one: KafkaIngester) -> Iterator[KafkaIngester]:
    """Run an ingester in a thread of its own until the block ends."""
    failed: list[BaseException] = []

    def run() -> None:
        try:
            one.run()
        except BaseException as error:
            failed.append(error)

    thread = threading.Thread(target=run)
    thread.start()
    try:
        yield one
    finally:
        one.stopping = True
        thread.join(60)
    assert not failed, failed


def events(store: Path) -> list[str]:
    """Return the event ids of the log's accepted rows, in order."""
    return [str(entry.event_id) for entry in Store.open(store).log() if entry.status == "accepted"]


def per_task(store: Path) -> dict[str, list[str]]:
    """Return each task's event ids in the order of the log."""
    result: dict[str, list[str]] = {}
    for entry in Store.open(store).log():
        result.setdefault(str(entry.task_id), []).append(str(entry.event_id))
    return result


def expected(numbers: range) -> dict[str, list[str]]:
    """Return what ``per_task`` gives for these messages, each once and in the order sent."""
    result: dict[str, list[str]] = {}
    for number in numbers:
        result.setdefault(f"t{number % 7}", []).append(f"e{number}")
    return result


def test_each_message_once_and_a_second_run_adds_none(broker: Broker, topic: Topics, tmp_path: Path) -> None:
    """All partitions are read to the end, task by task in order; run again, nothing is read a second time."""
    name = topic("tasks", 3)
    produce(broker.address, name, [message(n) for n in range(300)])

    first = ingester(tmp_path, broker.address, name).run(until_end=True)
    assert (first.received, first.accepted, first.first_version, first.last_version) == (300, 300, 1, 300)
    assert per_task(tmp_path) == expected(range(300))

    produce(broker.address, name, [message(n) for n in range(300, 310)])
    second = ingester(tmp_path, broker.address, name).run(until_end=True)
    assert (second.received, second.accepted) == (10, 10)
    assert per_task(tmp_path) == expected(range(310))


def test_offsets_stand_in_the_log_s_own_commits(broker: Broker, topic: Topics, tmp_path: Path) -> None:
    """The log holds the offset of each partition, rows name theirs, and the broker gets them as commits."""
    name = topic("tasks", 2)
    produce(broker.address, name, [message(n) for n in range(20)], partition=1)
    ingester(tmp_path, broker.address, name, group="g-" + name).run(until_end=True)

    store = Store.open(tmp_path)
    rows = store.sql("SELECT source, source_position FROM log ORDER BY version")[1]
    place = store.opened_log.source_position(rows[0][0])
    assert [row[1] for row in rows] == list(range(20))
    assert rows[0][0].endswith(f"/{name}/1")
    assert place is not None
    assert place.offset == 20
    kafka = load()
    admin = kafka.KafkaAdminClient(bootstrap_servers=broker.address)
    told = admin.list_group_offsets("g-" + name)
    admin.close()
    assert [getattr(o, "offset", o) for p, o in told["g-" + name].items() if p.partition == 1] == [20]


def test_a_lone_message_does_not_wait(broker: Broker, topic: Topics, tmp_path: Path) -> None:
    """With a batch bound of thousands, one message is in the log within a second, not when a batch is full."""
    name = topic("tasks")
    produce(broker.address, name, [message(0)])
    with running(ingester(tmp_path, broker.address, name, batch=5000)):
        store = Store.open(tmp_path)
        until(lambda: store.refresh() == 1)
        waited = []
        for number in range(1, 6):
            produce(broker.address, name, [message(number)])
            sent = time.monotonic()
            until(lambda number=number: store.refresh() == number + 1, every=0.005)  # type: ignore[misc]
            waited.append(time.monotonic() - sent)
    assert min(waited) < 1.0, waited


def test_poison_first_and_a_thousand_behind(broker: Broker, topic: Topics, tmp_path: Path) -> None:
    """A message that is none becomes one dead letter with its bytes; the 1,000 after it are in the log (M09)."""
    name = topic("tasks")
    produce(broker.address, name, [b"\xff not json", *(message(n) for n in range(1000))])

    summary = ingester(tmp_path, broker.address, name).run(until_end=True)

    letters = Store.open(tmp_path).dead_letters()
    assert [(letter.raw, letter.code, letter.source_position) for letter in letters] == [
        (b"\xff not json", "malformed-json", 0)
    ]
    assert (summary.accepted, summary.rejected, summary.reasons) == (1000, 1, {"malformed-json": 1})
    assert ingester(tmp_path, broker.address, name).run(until_end=True).received == 0


def test_records_without_a_value_are_passed_over(broker: Broker, topic: Topics, tmp_path: Path) -> None:
    """A tombstone, or an empty value, says nothing: it is counted as ignored, and the next message is read."""
    name = topic("tasks")
    produce(broker.address, name, [(b"t1", None), (b"t1", b""), message(1), (b"t1", None)])

    summary = ingester(tmp_path, broker.address, name).run(until_end=True)

    assert (summary.received, summary.ignored, summary.accepted) == (4, 3, 1)


def test_a_field_mapping_applies_as_for_files(broker: Broker, topic: Topics, tmp_path: Path) -> None:
    """Messages that look different are mapped by the same TOML."""
    (tmp_path / "m.toml").write_text(
        '[fields]\nevent_id = "id"\ntask_id = "job.name"\nop = "what"\neffective_at = "at"\nedges = "edges"\n'
    )
    name = topic("tasks")
    body = {
        "id": "e",
        "job": {"name": "j"},
        "what": "online",
        "at": NOON,
        "edges": [{"source": "n:a", "target": "n:b"}],
    }
    produce(broker.address, name, [json.dumps(body).encode()])

    mapping = load_mapping(str(tmp_path / "m.toml"))
    summary = ingester(tmp_path / "s", broker.address, name, mapping=mapping).run(until_end=True)

    assert summary.accepted == 1, summary
    assert per_task(tmp_path / "s") == {"j": ["e"]}


POINTS = [
    *("p0:after:kill@40", "p2:after:kill@2", "p3:before:kill@2", "p3:data:kill@2", "p3:after:kill@2"),
    *("p4:after:kill@2", "p5:before:kill@2", "p6:before:kill@2", "p6:after:kill@2"),
]


@pytest.mark.parametrize("point", POINTS)
def test_killed_at_each_step_each_message_counts_once(
    broker: Broker, topic: Topics, tmp_path: Path, point: str
) -> None:
    """Killed at any step up to the broker's own offset, and started again: each once, in order (C01)."""
    name = topic("tasks", 2)
    produce(broker.address, name, [message(n) for n in range(60)])
    command = ("--store", str(tmp_path), "ingest", f"kafka://{broker.address}/{name}", "--until-end", "--batch", "8")
    options = ("--group", "g-" + name, "--kafka-option", "session.timeout.ms=2000")
    assert finish(start(*command, *options, failpoint=point.replace("@40", "@1")))[0] == -signal.SIGKILL

    again = ingester(tmp_path, broker.address, name, group="again-" + name, batch=8).run(until_end=True)

    assert per_task(tmp_path) == expected(range(60))
    assert again.rejected == 0


def test_two_members_share_a_topic_and_nothing_doubles(broker: Broker, topic: Topics, tmp_path: Path) -> None:
    """A second member joins in the middle and the first leaves: partitions move twice, each message counts once."""
    name = topic("tasks", 4)
    numbers = count()
    produce(broker.address, name, [message(next(numbers)) for _ in range(200)])
    store = Store.create(tmp_path)
    with running(ingester(tmp_path, broker.address, name, group=name, batch=16)) as first:
        until(lambda: store.refresh() >= 200)
        with running(ingester(tmp_path, broker.address, name, group=name, batch=16)) as second:
            produce(broker.address, name, [message(next(numbers)) for _ in range(200)])
            until(lambda: store.refresh() >= 400)
            until(lambda: second.summary.received > 0 or _produce_more(broker, name, numbers), every=0.5)
            first.stopping = True
            produce(broker.address, name, [message(next(numbers)) for _ in range(100)])
            total = next(numbers)
            until(lambda: store.refresh() >= total)
    assert per_task(tmp_path) == expected(range(total))


def _produce_more(broker: Broker, name: str, numbers: Iterator[int]) -> bool:
    produce(broker.address, name, [message(next(numbers)) for _ in range(20)])
    return False


def test_the_loser_of_a_partition_does_not_double_its_batch(broker: Broker, topic: Topics, tmp_path: Path) -> None:
    """A member stopped in the middle of an append loses its partition; woken, what it appends is known already."""
    name = topic("tasks")
    produce(broker.address, name, [message(n) for n in range(50)])
    command = ("--store", str(tmp_path), "ingest", f"kafka://{broker.address}/{name}", "--group", name, "--batch", "10")
    loser = start(*command, "--kafka-option", "session.timeout.ms=2000", failpoint="p3:data:stop@2")
    try:
        until_stopped(loser.pid)
        held = Store.open(tmp_path).version  # what it has appended before the batch in progress
        winner = ingester(tmp_path, broker.address, name, group=name, batch=10).run(until_end=True)
        assert (winner.received, 0 < held < 50) == (50 - held, True)
        loser.send_signal(signal.SIGCONT)
        produce(broker.address, name, [message(n) for n in range(50, 55)])
        until(lambda: Store.open(tmp_path).version >= 55)
    finally:
        loser.send_signal(signal.SIGCONT)
        loser.terminate()
        assert finish(loser)[0] == 0
    assert per_task(tmp_path) == expected(range(55))


def test_sigterm_ends_it_with_everything_safe(broker: Broker, topic: Topics, tmp_path: Path) -> None:
    """Told to end it stops within ten seconds with status 0, and says what it did (C10)."""
    name = topic("tasks")
    produce(broker.address, name, [message(n) for n in range(30)])
    arguments = ("ingest", f"kafka://{broker.address}/{name}", "--format", "json", "--no-progress")
    store = Store.create(tmp_path)
    process = start("--store", str(tmp_path), *arguments)
    until(lambda: store.refresh() == 30)
    begun = time.monotonic()
    process.terminate()
    result = json.loads(done(process))["result"][0]
    assert time.monotonic() - begun < 10
    assert (result["received"], result["accepted"], result["last_version"]) == (30, 30, 30)


def test_a_broker_that_goes_and_comes_back(own_broker: Broker, tmp_path: Path) -> None:
    """While the broker is away the ingester waits; when it is back it reads on, each message once."""
    create_topic(own_broker.address, "tasks")
    produce(own_broker.address, "tasks", [message(n) for n in range(20)])
    store = Store.create(tmp_path / "s")
    with running(ingester(tmp_path / "s", own_broker.address, "tasks")):
        until(lambda: store.refresh() == 20)
        own_broker.kill()
        time.sleep(1)
        own_broker.start()
        produce(own_broker.address, "tasks", [message(n) for n in range(20, 40)])
        until(lambda: store.refresh() == 40, limit=90)
    assert per_task(tmp_path / "s") == expected(range(40))


def test_what_retention_removed_unread_is_an_error(broker: Broker, topic: Topics, tmp_path: Path) -> None:
    """Messages that were removed before they were read are reported, not passed over; the loss may be accepted."""
    name = topic("tasks")
    produce(broker.address, name, [message(n) for n in range(10)])
    ingester(tmp_path, broker.address, name).run(until_end=True)
    produce(broker.address, name, [message(n) for n in range(10, 30)])
    kafka = load()
    admin = kafka.KafkaAdminClient(bootstrap_servers=broker.address)
    admin.delete_records({kafka.TopicPartition(name, 0): 25})
    admin.close()

    with pytest.raises(LostMessagesError, match="offsets 10 to 24 of partition 0"):
        ingester(tmp_path, broker.address, name).run(until_end=True)
    summary = ingester(tmp_path, broker.address, name, accept_loss=True).run(until_end=True)

    assert summary.accepted == 5
    assert events(tmp_path)[-5:] == [f"e{n}" for n in range(25, 30)]


def test_a_topic_made_anew_is_another_topic(broker: Broker, topic: Topics, tmp_path: Path) -> None:
    """Deleted and made again under its name, a topic is read from its beginning, not from the old one's place."""
    name = topic("tasks")
    produce(broker.address, name, [message(n) for n in range(10)])
    ingester(tmp_path, broker.address, name).run(until_end=True)
    admin = load().KafkaAdminClient(bootstrap_servers=broker.address)
    admin.delete_topics([name])
    until(lambda: name not in admin.list_topics())
    admin.close()
    create_topic(broker.address, name)
    produce(broker.address, name, [message(n) for n in range(10, 14)])

    assert ingester(tmp_path, broker.address, name).run(until_end=True).accepted == 4


def test_lag_and_rebalances_are_told(broker: Broker, topic: Topics, tmp_path: Path) -> None:
    """Whoever watches sees messages arrive, lag fall to zero, and the partitions held."""
    name, seen = topic("tasks", 2), list[Status]()
    produce(broker.address, name, [message(n) for n in range(100)])
    ingester(tmp_path, broker.address, name, batch=10, watch=seen.append).run(until_end=True)

    assert (seen[-1].received, seen[-1].done, seen[-1].lag, seen[-1].partitions) == (100, 100, 0, 2)
    assert max(status.lag or 0 for status in seen) > 0


def test_every_consumer_sets_what_exactly_once_rests_on(broker: Broker, topic: Topics, tmp_path: Path) -> None:
    """No consumer of ours commits by itself or reads what is not committed; the producer is idempotent (K10)."""
    name = topic("tasks")
    where = read_topic(f"kafka://{broker.address}/{name}")
    member = TaskTopic(where, "g", lambda source: None)
    reader, outlet = TopicReader(where), KafkaOutlet(where)
    try:
        for config in (member.config, reader.config):
            assert config["enable_auto_commit"] is False
            assert config["isolation_level"] == "read_committed"
            assert config["auto_offset_reset"] == "none"
        assert outlet.config["enable_idempotence"] is True
        assert outlet.config["acks"] == -1
        assert outlet.config["transactional_id"] == f"lineage-tt.relay.{name}"
    finally:
        for each in (member, reader, outlet):
            each.close()
    with pytest.raises(InvalidRequestError, match="cannot be set"):
        read_topic(where.uri, ["enable.auto.commit=true"])


@pytest.mark.slow
def test_a_secret_is_passed_on_and_never_shown(tmp_path: Path) -> None:
    """With SASL the password comes from the environment or a file; a wrong one fails, and neither is ever printed."""
    need_broker()
    port, jaas = free_port(), "org.apache.kafka.common.security.plain.PlainLoginModule required"
    secured = Broker(
        tmp_path / "b",
        {
            "listener.security.protocol.map": "CONTROLLER:PLAINTEXT,PLAINTEXT:PLAINTEXT,SECURE:SASL_PLAINTEXT",
            "sasl.enabled.mechanisms": "PLAIN",
            "listener.name.secure.plain.sasl.jaas.config": f'{jaas} user_alice="canary-7f3a";',
        },
        extra_listeners={"SECURE": port},
    )
    with secured:
        create_topic(secured.address, "tasks")
        produce(secured.address, "tasks", [message(1)])
        (tmp_path / "secret").write_text("canary-7f3a\n")
        options = ["security.protocol=SASL_PLAINTEXT", "sasl.mechanism=PLAIN", "sasl.username=alice"]
        given = [word for option in options for word in ("--kafka-option", option)]
        command = ("--store", str(tmp_path / "s"), "ingest", f"kafka://127.0.0.1:{port}/tasks", "--until-end", *given)

        file = start(*command, "--kafka-option", f"sasl.password=file:{tmp_path / 'secret'}", fresh=True)
        shown = Path(f"/proc/{file.pid}/cmdline").read_bytes()
        status, out, err = finish(file)
        assert status == 0, err
        wrong = start(*command, "--kafka-option", "sasl.password=env:PASSWORD", options={"PASSWORD": "canary-9c1b"})
        status, more, worse = finish(wrong)
        assert status == 3, more + worse
        assert "canary" not in out + err + more + worse + shown.decode()
        assert subprocess.run(["grep", "-r", "canary", str(tmp_path / "s")], capture_output=True).returncode == 1
