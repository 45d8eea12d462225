"""A compaction with a horizon: what it drops, what stays, and what is said to who asks from before it."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from compacted import HOUR, NOON, answers, folder, lines, log_alone, make

from ingest.messages.native import parse_message
from lineage_tt import Store
from lineage_tt.log.retention import Horizon
from lineage_tt.maintenance.check import check
from lineage_tt.model.errors import BeyondHorizonError, GapError


def test_a_horizon_drops_what_ended_before_it_and_refuses_questions_from_before(store: Store) -> None:
    """From the horizon on all answers stay; before it there is an error, in Python, in SQL and in the feed."""
    path = folder(store)
    kept = [80, 100, 130, store.version]
    before, feed = answers(store, kept), list(store.changes(80))
    basis = store.basis(version=80)
    rectangles = list(store.rectangles(80))
    done = make(path, horizon=Horizon(80, basis.system_time))
    again = Store.open(path)

    assert done.mode == "full"
    assert again.horizon == (80, basis.system_time)
    assert answers(again, kept) == before
    assert list(again.changes(80)) == feed
    assert list(again.rectangles(80)) == rectangles
    assert check(path) == []
    snapshot = again.snapshot
    assert snapshot is not None
    assert all(closed is None or closed > 80 for closed in snapshot.rectangles()["closed"].to_pylist())
    for ask in (lambda: again.as_of(NOON, version=79), lambda: again.as_of(NOON, basis.system_time - 1),
                lambda: again.sql(f"FROM edges_as_of(now(), make_timestamptz({basis.system_time - 1}))")):  # fmt: skip
        with pytest.raises(BeyondHorizonError):
            ask()
    with pytest.raises(GapError) as gap:
        list(again.changes(79))
    assert gap.value.snapshot == 80
    before_refresh = len(again.log())
    receipts = again.append([parse_message(line) for line in lines(80)])
    assert {receipt.status for receipt in receipts} == {"duplicate"}  # beyond the horizon, and known all the same (M01)
    assert len(again.log()) == before_refresh


def test_a_store_with_a_horizon_takes_messages_as_one_without(store: Store, tmp_path: Path) -> None:
    """Retracts and late messages behind a horizon change the same as where nothing was dropped."""
    shutil.copytree(folder(store), tmp_path / "dropped")
    make(tmp_path / "dropped", horizon=Horizon(80, store.basis(version=80).system_time))
    dropped = Store.open(tmp_path / "dropped")
    with log_alone(store) as log:
        sent = log("SELECT event_id, task_id FROM log WHERE version IN (5, 30, 79)")
    retracts = [{"event_id": f"r{e}", "task_id": t, "op": "retract", "retracts": e} for e, t in sent]
    more = [json.dumps(retract).encode() for retract in retracts] + lines(20, 500)
    for each in (store, dropped):
        each.append([parse_message(line) for line in more])

    for at in range(NOON - 9 * HOUR, NOON + 9 * HOUR, HOUR):
        assert dropped.as_of(at).edges() == store.as_of(at).edges()
    assert [e.changes for e in dropped.changes(150)] == [e.changes for e in store.changes(150)]
