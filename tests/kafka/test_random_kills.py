"""Brokers, ingesters, relays and a subscriber killed at random: what was acknowledged is there once, everywhere."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import kafka_subscriber as subscriber
import pytest
from kafka_runs import Running, assert_topic_equals_log, draws, logged, message, start
from test_subscribers import rectangles
from waiting import until

from lineage_tt import Store
from lineage_tt.kafka.library import load
from lineage_tt.maintenance.check import check
from scripts.broker_lib.server import Broker
from scripts.broker_lib.topics import create_topic

ROOT = Path(__file__).resolve().parents[2]
#: How long things are killed; ``scripts/faults kafka`` sets five minutes.
SECONDS = float(os.environ.get("LINEAGE_TT_KAFKA_SECONDS", "20"))
RATE = 40


class Platform(threading.Thread):
    """Sends task changes all the while, and knows which of them the broker acknowledged."""

    def __init__(self, address: str) -> None:
        super().__init__()
        self._address = address
        self.acknowledged: list[int] = []
        self.sent = 0
        self.ending = False

    def run(self) -> None:
        """Send until told to end; an idempotent producer tries again what a dead broker did not take."""
        kafka = load()
        producer = kafka.KafkaProducer(
            bootstrap_servers=self._address, acks="all", enable_idempotence=True, reconnect_backoff_max_ms=500,
            request_timeout_ms=5_000, delivery_timeout_ms=300_000, max_block_ms=300_000,
        )  # fmt: skip
        futures: list[tuple[int, Any]] = []
        while not self.ending:
            key, value = message(self.sent)
            futures.append((self.sent, producer.send("tasks", value, key=key)))
            self.sent += 1
            time.sleep(1 / RATE)
        for number, future in futures:
            future.get(120)
            self.acknowledged.append(number)
        producer.close()


class Processes:
    """The commands that may be killed, by name; each is started again at once."""

    def __init__(self, address: str, folder: Path) -> None:
        store = ("--store", str(folder / "s"))
        tasks = ("ingest", f"kafka://{address}/tasks", "--group", "g", "--batch", "16")
        ingest = (*store, *tasks, "--kafka-option", "session.timeout.ms=3000")
        self._relay = (*store, "relay", f"kafka://{address}/changes")
        self._commands = {"ingest-1": ingest, "ingest-2": ingest, "relay": self._relay}
        program = str(ROOT / "tests" / "engines" / "kafka_subscriber.py")
        self._subscriber = [sys.executable, program, f"kafka://{address}/changes", str(folder / "held.db")]
        self._log = (folder / "commands.log").open("wb")
        self.running: dict[str, Running] = {}

    def begin(self, name: str) -> None:
        """Start a command."""
        if name == "subscriber":
            environment = os.environ | {"PYTHONPATH": str(ROOT)}
            self.running[name] = subprocess.Popen(self._subscriber, env=environment, stderr=self._log)
        else:
            self.running[name] = start(*self._commands[name])

    def kill(self, name: str) -> None:
        """Kill a command and start it again."""
        self.running[name].kill()
        self.running[name].communicate()
        self.begin(name)

    def revive(self) -> None:
        """Start again what ended by itself, as a service manager does."""
        for name, process in list(self.running.items()):
            if process.poll() is not None:
                process.communicate()
                self.begin(name)

    def end(self) -> None:
        """End all."""
        for process in self.running.values():
            process.kill()
            process.communicate()
        self._log.close()


@pytest.mark.slow
@pytest.mark.timeout(int(SECONDS) + 400)
def test_whatever_is_killed_the_topic_is_the_log(own_broker: Broker, tmp_path: Path) -> None:
    """After random kills each acknowledged message is in the log once; topic and subscriber hold what the log holds."""
    draw = draws("kills")
    create_topic(own_broker.address, "tasks", 3)
    create_topic(own_broker.address, "changes")
    store = Store.create(tmp_path / "s")
    platform, processes = Platform(own_broker.address), Processes(own_broker.address, tmp_path)
    killed: dict[str, int] = {}
    platform.start()
    try:
        for name in ("ingest-1", "ingest-2", "relay", "subscriber"):
            processes.begin(name)
        until(lambda: store.refresh() > 0, limit=120)
        deadline = time.monotonic() + SECONDS
        while time.monotonic() < deadline:
            time.sleep(draw.uniform(0.3, 2.5))
            victim = draw.choice(["ingest-1", "ingest-2", "relay", "relay", "subscriber", "broker"])
            killed[victim] = killed.get(victim, 0) + 1
            if victim == "broker":
                own_broker.kill()
                time.sleep(draw.uniform(0.1, 3.0))
                own_broker.start()
            else:
                processes.kill(victim)
            processes.revive()
        platform.ending = True
        platform.join(200)
        assert len(platform.acknowledged) == platform.sent

        def drained() -> bool:
            processes.revive()
            return store.refresh() >= platform.sent

        until(drained, limit=200, every=0.5)
        last = logged(tmp_path / "s")[-1]["data"]["version"]

        def read() -> bool:
            processes.revive()
            return bool(subscriber.place(subscriber.opened(str(tmp_path / "held.db"))) >= last)

        until(read, limit=200, every=0.5)
    finally:
        platform.ending = True
        processes.end()
        platform.join(200)
    print(f"killed {killed}, {platform.sent} messages")
    rows = [(row.task_id, row.event_id, row.status) for row in store.log()]
    assert len(rows) == len(set(rows)) == platform.sent
    for task in {row[0] for row in rows}:
        numbers = [int(str(event)[1:]) for owner, event, _ in rows if owner == task]
        assert numbers == sorted(numbers)
    assert_topic_equals_log(own_broker.address, "changes", tmp_path / "s")
    assert subscriber.held(str(tmp_path / "held.db")) == rectangles(tmp_path / "s")
    assert [finding.message for finding in check(tmp_path / "s") if finding.kind == "damage"] == []
