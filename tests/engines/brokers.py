"""Brokers for tests: one shared by a session, or one of a test's own that it may kill.

A conftest takes the fixtures with ``from brokers import broker, own_broker, topic``.
"""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from needs import lacking

from scripts.broker_lib.jars import NoBrokerError, missing
from scripts.broker_lib.server import Broker

#: Messages over this size are refused by the brokers of tests, so that a test need not send a megabyte.
MESSAGE_LIMIT = 1_048_588


def need_broker() -> None:
    """Skip where there is no Java or Maven; fail where CI=true."""
    if reason := missing():
        lacking(reason)


@pytest.fixture(scope="session")
def broker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Broker]:
    """A broker shared by the session's tests; do not kill it, and use topics of your own."""
    need_broker()
    try:
        running = Broker(tmp_path_factory.mktemp("broker")).start()
    except NoBrokerError as error:
        pytest.fail(str(error))
    yield running
    running.kill()


@pytest.fixture
def own_broker(tmp_path: Path) -> Iterator[Broker]:
    """A running broker that belongs to one test, to be killed and started again."""
    need_broker()
    running = Broker(tmp_path / "broker")
    yield running.start()
    running.kill()


@pytest.fixture
def topic(broker: Broker) -> Callable[..., str]:
    """Make a topic with a name nobody else has: ``topic("tasks", partitions=2, config={...})`` returns its name."""
    from scripts.broker_lib.topics import create_topic

    def make(stem: str = "topic", partitions: int = 1, config: dict[str, str] | None = None) -> str:
        name = f"{stem}-{uuid.uuid4().hex[:12]}"
        create_topic(broker.address, name, partitions, config)
        return name

    return make
