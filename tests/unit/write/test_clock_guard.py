"""A clock that jumps ahead is refused before its time is in the log; a store that has such a time has a way out."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest

from lineage_tt import Store
from lineage_tt.cli.app import run
from lineage_tt.log.commits import Commit
from lineage_tt.log.system_times import MAX_AHEAD
from lineage_tt.model.errors import InvalidRequestError, UnavailableError
from lineage_tt.model.messages import NodeChange
from lineage_tt.store import Store as OpenStore
from lineage_tt.testing import ManualClock, task_change
from lineage_tt.write.clock_guard import MAX_REST, Clocks, file_system_time

DAY = 86_400_000_000
YEAR = 365 * DAY
EDGE = ("n:a", "n:b")


def real() -> int:
    """This machine's clock."""
    return time.time_ns() // 1000


def append(store: OpenStore, event: str) -> int:
    """Append a message; return the last system time."""
    store.append([task_change(event, "online", 1, [EDGE])])
    return store.basis().system_time


@pytest.mark.parametrize("written_before", [True, False])
def test_a_jump_of_a_year_is_refused_and_blocks_nothing(tmp_path: Path, written_before: bool) -> None:
    """Nothing is written at the wrong time, and the right time is taken at once."""
    clock = ManualClock(real())
    store = Store.create(tmp_path, clock=clock)
    if written_before:
        append(store, "first")
    before = store.version
    clock.advance(YEAR)
    with pytest.raises(UnavailableError, match="day ahead of the file system's"):
        append(store, "jump")
    assert store.version == before
    clock.set(real())
    assert append(store, "after") <= real()


@pytest.mark.parametrize(
    ("times", "words"),
    [
        (Clocks(10 * YEAR, 10 * YEAR, 10 * YEAR, 10 * YEAR, None), None),
        (Clocks(10 * YEAR, 10 * YEAR, None, 0, None), None),
        (Clocks(10 * YEAR, 10 * YEAR - MAX_AHEAD, None, 0, None), None),
        (Clocks(10 * YEAR, 10 * YEAR - MAX_AHEAD - 1, None, 0, None), "ahead of the file system's"),
        (Clocks(10 * YEAR, None, 10 * YEAR - MAX_REST, 1, None), None),
        (Clocks(10 * YEAR, 10 * YEAR, 9 * YEAR, 1, None), "after the store's last commit"),
        (Clocks(10 * YEAR, 10 * YEAR, 10 * YEAR, 10 * YEAR + MAX_AHEAD, None), None),
        (Clocks(10 * YEAR, 10 * YEAR, 10 * YEAR, 11 * YEAR, None), "ahead of this machine's clock"),
        (Clocks(10 * YEAR, 10 * YEAR, 10 * YEAR, 11 * YEAR + 7, 11 * YEAR), None),
        (Clocks(10 * YEAR, 10 * YEAR, 10 * YEAR, 12 * YEAR, 11 * YEAR), "ahead of this machine's clock"),
    ],
)
def test_which_times_are_refused(times: Clocks, words: str | None) -> None:
    """The bounds, one microsecond to either side."""
    assert (words is None) is (times.problem is None)
    assert (words or "") in (times.problem or "")


def test_a_store_that_rested_is_written_after_an_operator_accepted(tmp_path: Path) -> None:
    """Its last commit is old by its writer's clock; accepting is a fact of the log with who and why."""
    store = Store.create(tmp_path)
    store.opened_log._last = _made_at(store, real() - MAX_REST - DAY)
    with pytest.raises(UnavailableError, match="clock accept"):
        append(store, "first")
    receipt = store.writer.accept_clock("the store rested", "ann")

    assert receipt.status == "accepted"
    append(store, "second")
    (entry,) = store.log(newest=2)[:1]
    assert (entry.actor, entry.reason, entry.subject) == ("ann", "the store rested", "policy:clock")
    (fact,) = store.as_of().facts("policy:clock")
    assert "days after" in json.loads(fact.value)["problem"]


def _made_at(store: OpenStore, at: int) -> Commit:
    from dataclasses import replace

    return replace(store.opened_log._last, made_at=at)


@pytest.fixture
def ahead(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A store as an earlier release could leave it: its last system time lies a year ahead."""
    store = Store.create(tmp_path / "s", clock=ManualClock(real() + YEAR))
    with monkeypatch.context() as patched:
        patched.setattr("lineage_tt.write.clock_guard.check", lambda log, now: None)
        append(store, "jump")
    return tmp_path / "s"


def test_the_way_out_of_a_store_that_is_ahead(ahead: Path) -> None:
    """Accepted once, every writer continues: versions in order, a microsecond apart; it outlives the process."""
    store = Store.open(ahead)
    with pytest.raises(UnavailableError, match="clock accept"):
        append(store, "refused")
    begun = store.basis().system_time
    store.writer.accept_clock("a wrong clock on host 7", "ann")

    assert begun + 1 == store.basis().system_time
    assert begun + 2 == append(store, "here")
    assert begun + 3 == append(Store.open(ahead), "another process")
    assert run(["--store", str(ahead), "check"]) == 0
    with pytest.raises(InvalidRequestError, match="nothing to accept"):
        Store.open(ahead).writer.accept_clock("again")


def test_an_acceptance_is_not_for_later_jumps(ahead: Path) -> None:
    """Another jump, beyond what was accepted, is refused like the first."""
    store = Store.open(ahead)
    store.writer.accept_clock("once")
    far = Store.open(ahead, clock=ManualClock(real() + 3 * YEAR))
    with pytest.raises(UnavailableError, match="file system"):
        append(far, "again")
    append(store, "continues")


def test_no_message_accepts_the_clock(ahead: Path) -> None:
    """Its node is reserved, like all that the product writes for itself."""
    store = Store.open(ahead)
    store.writer.accept_clock("once")
    message = NodeChange(
        "e", "fact", "policy:clock", "set", 1, fact_key="accepted", facts=[("policy:clock", "accepted", "{}")]
    )

    assert store.append([message])[0].status == "rejected"


def test_the_command_shows_and_accepts(ahead: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """``show`` says no while nothing can be written; ``accept`` needs a reason."""
    store = ["--store", str(ahead)]
    assert run([*store, "clock", "show"]) == 1
    assert "ahead of this machine's clock" in capsys.readouterr().out
    assert run([*store, "clock", "accept"]) == 2
    assert run([*store, "clock", "accept", "--reason", "host 7", "--actor", "ann"]) == 0
    capsys.readouterr()
    assert run([*store, "--format", "json", "clock", "show"]) == 0
    result = json.loads(capsys.readouterr().out)["result"]
    assert result["problem"] is None
    assert result["accepted"] is not None


def test_the_file_system_is_asked_without_leaving_a_file(tmp_path: Path) -> None:
    """Its time is that of this machine, on a local disk."""
    assert abs((file_system_time(tmp_path) or 0) - real()) < 60_000_000
    assert list(tmp_path.iterdir()) == []
    assert file_system_time(tmp_path / "not there") is None
