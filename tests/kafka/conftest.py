"""Fixtures of the tests that need a broker."""

from __future__ import annotations

import gc
import logging
import warnings
from collections.abc import Iterator

import pytest
from brokers import broker, own_broker, topic

__all__ = ["broker", "own_broker", "topic"]
#: kafka-python 3.0.12 leaves the socket of a connection that was refused to the garbage collector.
UNCLOSED = "ignore:unclosed <socket:ResourceWarning"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Let refused connections pass in the tests of this folder, and only that."""
    for item in items:
        if item.nodeid.startswith("tests/kafka/"):
            item.add_marker(pytest.mark.filterwarnings(UNCLOSED))


@pytest.fixture(autouse=True, scope="module")
def _refused_connections_are_collected_here() -> Iterator[None]:
    """Collect what the tests of a file left, so that their sockets don't warn in a test of another folder.

    The client's log of failed connections is kept from pytest, which would hold on to the sockets in its tracebacks.
    """
    logging.getLogger("kafka").setLevel(logging.CRITICAL)
    yield
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ResourceWarning)
        gc.collect()
