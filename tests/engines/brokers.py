"""Kafka brokers for tests: one for all tests of a session, or one for a single test that may kill it.

A conftest imports the fixtures with ``from brokers import broker, own_broker, topic``.
"""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from needs import lacking

from scripts.broker_lib.jars import NoBrokerError, missing
from scripts.broker_lib.server import Broker

#: The brokers of tests refuse larger messages (bytes).
MESSAGE_LIMIT = 1_048_588


def need_broker() -> None:
    """Skip the test if Java or Maven is missing; fail it if CI=true."""
    if reason := missing():
        lacking(reason)


@pytest.fixture(scope="session")
def broker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Broker]:
    """A broker for all tests of the session. Do not kill it, and use your own topics."""
    need_broker()
    try:
        running = Broker(tmp_path_factory.mktemp("broker")).start()
    except NoBrokerError as error:
        pytest.fail(str(error))
    yield running
    running.kill()


@pytest.fixture
def own_broker(tmp_path: Path) -> Iterator[Broker]:
    """A running broker for one test, which may kill and restart it."""
    need_broker()
    running = Broker(tmp_path / "broker")
    yield running.start()
    running.kill()


@pytest.fixture
def topic(broker: Broker) -> Callable[..., str]:
    """Create a topic with a unique name: ``topic("tasks", partitions=2, config={...})`` returns its name."""
    from scripts.broker_lib.topics import create_topic

    def make(stem: str = "topic", partitions: int = 1, config: dict[str, str] | None = None) -> str:
        name = f"{stem}-{uuid.uuid4().hex[:12]}"
        create_topic(broker.address, name, partitions, config)
        return name

    return make
