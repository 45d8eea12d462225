"""Fixtures of the tests that need a broker."""

from brokers import broker, own_broker, topic

__all__ = ["broker", "own_broker", "topic"]
