"""The broker that the tests run against is one that can be relied on to fail."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from scripts.broker_lib.server import Broker
from scripts.broker_lib.topics import create_topic, produce, read_all

ROOT = Path(__file__).resolve().parents[2]


def test_what_was_acknowledged_survives_a_kill(own_broker: Broker) -> None:
    """Killed and started again, the broker has its address and its acknowledged records."""
    create_topic(own_broker.address, "t", 2)
    assert produce(own_broker.address, "t", [b"%d" % n for n in range(100)]) == 100
    address, pid = own_broker.address, own_broker.pid

    own_broker.kill()
    assert not own_broker.running
    own_broker.start()

    assert (own_broker.address, own_broker.pid != pid) == (address, True)
    assert sorted(int(r.value) for r in read_all(address, "t")) == list(range(100))


def test_topics_of_tests_do_not_meet(broker: Broker, topic: Callable[..., str]) -> None:
    """Two topics made under one stem are two topics."""
    first, second = topic("same"), topic("same")
    produce(broker.address, first, [(b"k", b"v")])

    assert [(r.key, r.value) for r in read_all(broker.address, first)] == [(b"k", b"v")]
    assert read_all(broker.address, second) == []


def test_the_script_serves_and_ends(tmp_path: Path, broker: Broker) -> None:
    """``scripts/broker`` prints its address, makes the topics asked for, and ends when told to."""
    command = [sys.executable, str(ROOT / "scripts" / "broker"), "--folder", str(tmp_path / "b"), "--topic", "x:3"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    try:
        assert process.stdout
        address = process.stdout.readline().strip()
        produce(address, "x", [b"1"], partition=2)
        assert [r.partition for r in read_all(address, "x")] == [2]
    finally:
        process.terminate()
        process.communicate(timeout=60)
    assert process.returncode == 0
