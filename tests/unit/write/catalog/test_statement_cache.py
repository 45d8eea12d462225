"""Statements needed lately are kept by version, the longest unused dropped beyond a bound."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from lineage_tt.model.messages import TaskChange
from lineage_tt.write.catalog import statement_cache
from lineage_tt.write.catalog.statement_cache import Statements


class Log:
    """Messages of ten characters of SQL, and which versions were read."""

    def __init__(self) -> None:
        self.read: list[list[int]] = []

    def load(self, versions: Iterable[int]) -> dict[int, TaskChange]:
        """Return the messages of these versions."""
        asked = list(versions)
        self.read.append(asked)
        return {version: TaskChange(f"e{version}", "t", "update", version, sql="x" * 10) for version in asked}


def test_a_version_is_read_once() -> None:
    """What is missing is read together, what is there not at all."""
    log = Log()
    kept = Statements(log.load)
    kept.fetch([1, 2])

    assert {version: message.event_id for version, message in kept.fetch([1, 2, 3]).items()} == {
        1: "e1",
        2: "e2",
        3: "e3",
    }
    assert log.read == [[1, 2], [3]]
    assert kept.fetch([]) == {}


def test_the_longest_unused_is_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    """Room for two texts; one that was used again stays."""
    monkeypatch.setattr(statement_cache, "MAX_TEXT", 20)
    log = Log()
    kept = Statements(log.load)
    kept.fetch([1, 2])
    kept.fetch([1])
    kept.fetch([3])
    kept.fetch([1, 3])
    kept.fetch([2])

    assert log.read == [[1, 2], [3], [2]]


def test_one_that_is_too_long_is_answered_and_not_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """The bound holds, and the answer is whole."""
    monkeypatch.setattr(statement_cache, "MAX_TEXT", 5)
    log = Log()
    kept = Statements(log.load)

    assert kept.fetch([1])[1].sql == "x" * 10
    kept.fetch([1])
    assert log.read == [[1], [1]]
