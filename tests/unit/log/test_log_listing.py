"""A folder that is listed while writers add to it may seem to lack a commit."""

from __future__ import annotations

import logging
import time
from pathlib import Path

import deltalake
import pytest
from deltalake.exceptions import DeltaError

from lineage_tt import Store
from lineage_tt.log.log import CHECKPOINT_EVERY, Log
from lineage_tt.log.stores.listing import MAX_LISTINGS, listed
from lineage_tt.storage import location
from lineage_tt.testing import task_change

NOON = 1_714_564_800_000_000


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Store:
    """A store with one commit; no pause takes time."""
    monkeypatch.setattr(time, "sleep", lambda seconds: None)
    made = Store.create(tmp_path / "s")
    append(made, 0)
    return made


def append(store: Store, number: int) -> str:
    """Append one message; return what became of it."""
    edges = [("n:a#x", f"n:b#y{number}")]
    [receipt] = store.append([task_change("t", "update", NOON + number, edges, event_id=f"e{number}")])
    return receipt.status


def gaps(monkeypatch: pytest.MonkeyPatch, times: int) -> list[int]:
    """Let the next openings of a Delta table find a gap, so many times; return a list that grows with each."""
    found: list[int] = []
    delta_table = location.delta_table

    def opened(path: Path, version: int | None = None) -> deltalake.DeltaTable:
        if len(found) < times:
            found.append(len(found))
            raise DeltaError("Expected contiguous commit files, but found gap")
        return delta_table(path, version)

    monkeypatch.setattr(location, "delta_table", opened)
    return found


def test_a_gap_that_closes_is_nothing(store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A store opens, and lists its files, although the first listings lacked a commit."""
    found = gaps(monkeypatch, MAX_LISTINGS - 1)

    assert Store.open(tmp_path / "s").version == 1
    assert len(found) == MAX_LISTINGS - 1


def test_a_gap_that_stays_is_an_error() -> None:
    """deltalake's own, after the last listing."""
    calls: list[None] = []

    def read() -> None:
        calls.append(None)
        raise DeltaError("Expected contiguous commit files, but found gap")

    with pytest.raises(DeltaError, match="gap"):
        listed(read)
    assert len(calls) == MAX_LISTINGS


@pytest.mark.parametrize("error", [DeltaError("found gap"), OSError(28, "No space left on device")])
def test_an_append_does_not_fail_with_the_checkpoint_after_it(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, error: Exception
) -> None:
    """It is committed and durable: whoever sent it again would send a duplicate."""

    def fails(log: Log) -> None:
        raise error

    monkeypatch.setattr(Log, "_make_checkpoint", fails)
    with caplog.at_level(logging.WARNING, "lineage_tt.log"):
        statuses = {append(store, number) for number in range(1, CHECKPOINT_EVERY + 2)}

    assert statuses == {"accepted"}
    assert "a checkpoint was not made" in caplog.text
    assert Store.open(tmp_path / "s").version == CHECKPOINT_EVERY + 2
