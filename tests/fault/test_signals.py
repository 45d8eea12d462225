"""Paused, interrupted and terminated writers."""

from __future__ import annotations

import signal
import time
from itertools import pairwise
from pathlib import Path

import pytest
from crashes import damage, finish, history, ingest, rows, start, write
from waiting import until_stopped

from lineage_tt import Store
from lineage_tt.testing import task_change

NOON = "2024-05-01T12:00:00Z"


def test_a_writer_that_was_paused_rebases_on_what_came_meanwhile(tmp_path: Path) -> None:
    """Stopped between data file and commit while another commits 50 versions, it continues and loses nothing (C09)."""
    store, file = tmp_path / "s", write(tmp_path / "f.jsonl", history(40))
    process = start(store, file, failpoint="p3:data:stop@2")
    until_stopped(process.pid)
    other = Store.open(store)
    for number in range(50):
        change = task_change("other", "update", NOON, [(f"n:a#c{number % 7}", "n:b#x")], event_id=f"o{number}")
        assert other.append([change])[0].status == "accepted"
    process.send_signal(signal.SIGCONT)
    assert finish(process).status == 0

    assert ingest(tmp_path / "alone", file).status == 0
    found = rows(store, times=True)
    assert [row.version for row in found] == list(range(1, len(found) + 1))
    assert all(a.system_time < b.system_time for a, b in pairwise(found))
    own = [row._replace(version=0, system_time=0, checksum=b"") for row in found if row.task_id != "other"]
    assert own == [row._replace(version=0) for row in rows(tmp_path / "alone")]
    assert sum(row.task_id == "other" for row in found) == 50
    assert damage(store) == []


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_an_ingest_soon_and_loses_nothing(tmp_path: Path, number: signal.Signals) -> None:
    """Told to end in the middle of an append it is gone within ten seconds; the same command completes it (C10)."""
    store, file = tmp_path / "s", write(tmp_path / "f.jsonl", history(120))
    process = start(store, file, failpoint="p3:data:stop@3")
    until_stopped(process.pid)
    begun = time.monotonic()
    process.send_signal(number)
    process.send_signal(signal.SIGCONT)
    ended = finish(process, timeout=30)

    assert time.monotonic() - begun < 10
    assert ended.status in (0, 130, 143, -number), ended.err
    assert "Traceback" not in ended.err
    assert damage(store) == []
    assert ingest(store, file).status == 0
    assert ingest(tmp_path / "whole", file).status == 0
    assert rows(store) == rows(tmp_path / "whole")
