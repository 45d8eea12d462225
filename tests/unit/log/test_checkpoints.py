"""Checkpoints are made beside the writer; what fails there is logged, and nothing waits for it."""

from __future__ import annotations

import logging
import threading

import pytest

from lineage_tt.log.stores.checkpoints import beside
from lineage_tt.model.errors import CorruptError


def test_the_caller_does_not_wait() -> None:
    """It is made in a thread of its own."""
    release = threading.Event()
    made: list[str] = []

    def make() -> None:
        release.wait(10)
        made.append(threading.current_thread().name)

    thread = beside(make)
    assert thread is not None
    assert made == []
    release.set()
    thread.join(10)
    assert made == ["lineage-tt-checkpoint"]


@pytest.mark.parametrize("error", [CorruptError("bad"), OSError(28, "No space left on device")])
def test_a_failure_is_logged_and_left(error: Exception, caplog: pytest.LogCaptureFixture) -> None:
    """The log is complete without checkpoints."""

    def make() -> None:
        raise error

    with caplog.at_level(logging.WARNING, "lineage_tt.log"):
        thread = beside(make)
        assert thread is not None
        thread.join(10)

    assert "a checkpoint was not made" in caplog.text


def test_where_no_thread_can_be_started_there_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    """A process that ends, or that has no room, goes without."""

    def full(self: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(threading.Thread, "start", full)
    assert beside(lambda: None) is None
