"""Writers wait for their turn in order, and nobody waits for a writer that was killed, suspended, or has no locks."""

from __future__ import annotations

import os
import signal
import threading
import time
from itertools import pairwise
from pathlib import Path

import pytest
from programs import running, says
from waiting import LIMIT, until, until_stopped

import lineage_tt
from lineage_tt import Store
from lineage_tt.log import commits
from lineage_tt.log.log import CHECKPOINT_EVERY, Log
from lineage_tt.log.stores.local import DiskKeeper
from lineage_tt.maintenance.check import check
from lineage_tt.storage.write_queue import FOLDER, LOCK, WriteQueue
from lineage_tt.testing import task_change
from lineage_tt.write.writer import MAX_PIECE

ROOT = Path(lineage_tt.__file__).parents[1]
NOON = 1_714_564_800_000_000
#: What a turn may take that passes over a suspended writer: a second for seeing it, and a loaded machine.
PASSED_OVER = 20

#: Says ``in`` when its turn has come, and leaves at a line.
HOLDER = """
import sys
from lineage_tt import Store
with Store.open(sys.argv[1]).opened_log.turn(int(sys.argv[2])):
    print("in", flush=True)
    sys.stdin.readline()
"""
#: Appends one message, saying ``done`` after it; or messages one by one for ever.
APPENDER = """
import sys
from lineage_tt import Store
from lineage_tt.testing import task_change
store = Store.open(sys.argv[1])
count = int(sys.argv[2])
n = 0
while n < count:
    n += 1
    store.append([task_change(f"{sys.argv[3]}{n % 5}", "update", 1_714_564_800_000_000 + n, [("n:a#x", "n:b#x")])])
    print("done", flush=True)
"""


def waiting(log: Path) -> int:
    """How many wait in the queue."""
    return sum(name[:1].isdigit() for name in os.listdir(log / FOLDER))


@pytest.fixture
def store(tmp_path: Path) -> Store:
    """An empty store."""
    return Store.create(tmp_path / "lineage")


def append(store: Store, number: int) -> float:
    """Append one message; return the seconds it took."""
    begun = time.monotonic()
    store.append([task_change(f"mine{number}", "update", NOON, [("n:a#x", "n:b#x")])])
    return time.monotonic() - begun


def assert_whole(store: Store, messages: int) -> None:
    """The store holds so many messages, each once, and is sound."""
    store.refresh()

    assert store.version == messages
    assert len({(row.task_id, row.event_id) for row in store.log()}) == messages
    assert [finding for finding in check(store.log_path.parent) if finding.kind == "damage"] == []


def test_a_holder_that_is_killed_is_not_waited_for(store: Store) -> None:
    """The turn of a killed writer goes to the next."""
    with running(HOLDER, store.log_path.parent, 1) as holder:
        assert says(holder) == "in"
        thread = threading.Thread(target=append, args=(store, 1))
        thread.start()
        until(lambda: waiting(Path(str(store.log_path))) == 1, "it waits")
        holder.kill()
        thread.join(LIMIT)

        assert not thread.is_alive()
    assert_whole(store, 1)


def test_a_suspended_writer_is_passed_over_and_loses_nothing(store: Store) -> None:
    """A writer that is stopped in its commit holds up others for moments; continued, it commits after them."""
    append(store, 0)  # what a first append loads is not waited for below
    with running(APPENDER, store.log_path.parent, 1, "theirs", failpoint="p3:data:stop") as stopped:
        until_stopped(stopped.pid)

        assert append(store, 1) < PASSED_OVER
        assert append(store, 2) < PASSED_OVER
        stopped.send_signal(signal.SIGCONT)
        assert says(stopped) == "done"
    assert_whole(store, 4)


def test_a_suspended_writer_in_the_queue_is_passed_over(store: Store) -> None:
    """A writer that is stopped while it is the next does not keep the others from a lock that is free."""
    with running(HOLDER, store.log_path.parent, 1) as first:
        assert says(first) == "in"
        with running(HOLDER, store.log_path.parent, 1) as second:
            until(lambda: waiting(Path(str(store.log_path))) == 1, "the second waits")
            second.send_signal(signal.SIGSTOP)
            assert first.stdin is not None
            first.stdin.write("\n")
            first.stdin.flush()

            assert append(store, 1) < PASSED_OVER
            second.send_signal(signal.SIGCONT)
            assert says(second) == "in", "it draws its ticket again"
            assert second.stdin is not None
            second.stdin.write("\n")
            second.stdin.flush()
            assert second.wait(LIMIT) == 0
    assert_whole(store, 1)


def test_equals_come_in_order_and_small_before_large(tmp_path: Path) -> None:
    """Turns of one size are given in order of arrival; a small one goes before large ones that came earlier."""
    order: list[str] = []

    def take(name: str, messages: int) -> None:
        with WriteQueue(tmp_path).turn(messages):
            order.append(name)

    threads = []
    with WriteQueue(tmp_path).turn(1):
        for name, messages in (("large 1", 4096), ("large 2", 4096), ("small 1", 1), ("small 2", 1), ("small 3", 1)):
            threads.append(threading.Thread(target=take, args=(name, messages)))
            threads[-1].start()
            until(lambda: waiting(tmp_path) == len(threads), f"{name} waits")
    for thread in threads:
        thread.join(LIMIT)

    assert order == ["small 1", "small 2", "small 3", "large 1", "large 2"]
    assert os.listdir(tmp_path / FOLDER) == [LOCK]


def test_a_large_turn_is_not_passed_for_ever(tmp_path: Path) -> None:
    """A large turn whose due time has come goes before small ones that come after that."""
    order: list[str] = []

    def take(name: str, messages: int) -> None:
        with WriteQueue(tmp_path).turn(messages):
            order.append(name)

    threads = [threading.Thread(target=take, args=("large", 500))]  # due after 0.48 s
    with WriteQueue(tmp_path).turn(1):
        threads[0].start()
        until(lambda: waiting(tmp_path) == 1, "the large one waits")
        time.sleep(0.6)
        threads.append(threading.Thread(target=take, args=("small", 1)))
        threads[1].start()
        until(lambda: waiting(tmp_path) == 2, "the small one waits")
    for thread in threads:
        thread.join(LIMIT)

    assert order == ["large", "small"]


def test_tickets_of_the_dead_are_removed(store: Store) -> None:
    """A ticket that nobody holds is not a place in the queue: ``check`` reports it, and who comes next removes it."""
    append(store, 1)
    left = Path(str(store.log_path)) / FOLDER / f"{1:020d}-{1:020d}-s-{'0' * 32}"
    left.touch()
    garbage = [finding.path for finding in check(store.log_path.parent) if finding.kind == "garbage"]

    assert garbage == [left.name]
    assert append(store, 2) < PASSED_OVER
    assert not left.exists()
    assert_whole(store, 2)


def test_a_store_without_locks_is_written_all_the_same(store: Store) -> None:
    """Where the queue cannot be made, writers do without it."""
    (store.log_path / FOLDER).write_bytes(b"a file in the way")
    other = Store.open(str(store.log_path.parent))
    append(store, 1)
    append(other, 2)
    append(store, 3)

    assert_whole(store, 3)


def test_a_batch_is_not_starved_by_single_messages(store: Store) -> None:
    """While three processes append single messages as fast as they can, batches come in after a few of them."""
    folder = store.log_path.parent
    with (
        running(APPENDER, folder, 10**6, "a") as first,
        running(APPENDER, folder, 10**6, "b") as second,
        running(APPENDER, folder, 10**6, "c") as third,
    ):
        for process in (first, second, third):
            assert says(process) == "done"
        behind = []
        for number in range(10):
            batch = [task_change(f"batch{n}", "update", NOON + number, [("n:a#x", "n:b#x")]) for n in range(100)]
            receipts = store.append(batch)
            assert {receipt.status for receipt in receipts} == {"accepted"}
            behind.append(store.writer.renumbered + store.writer.planned_again)

        rebased = [after - before for before, after in pairwise([0, *behind])]
        assert max(rebased) <= 2, "a batch waits for few of the others"
    store.refresh()
    assert len({(row.task_id, row.event_id) for row in store.log()}) == store.version
    assert [finding for finding in check(folder) if finding.kind == "damage"] == []


def test_a_long_batch_is_cut_while_others_write(store: Store, tmp_path: Path) -> None:
    """A long batch is committed in pieces beside another writer, and whole where there is none."""
    alone = Store.create(tmp_path / "alone")
    batch = [task_change(f"batch{n}", "update", NOON, [("n:a#x", "n:b#x")]) for n in range(2000)]
    alone.writer.append_in_pieces(batch)
    with running(APPENDER, store.log_path.parent, 10**6, "a") as other:
        assert says(other) == "done"
        append(store, 1)
        until(lambda: store.refresh() > 5, "the other writes")
        receipts = store.writer.append_in_pieces(batch)

    assert alone.opened_log.delta_version == 1
    assert [receipt.status for receipt in receipts] == ["accepted"] * 2000
    rows = [row.version for row in store.log() if str(row.task_id).startswith("batch")]
    names = [path.name for path in store.opened_log.files()]
    pieces = [name for name in names if any(int(name[:20]) <= row <= int(name[21:41]) for row in rows)]
    assert len(pieces) == -(-2000 // MAX_PIECE)


def test_nobody_waits_for_a_checkpoint_while_others_write(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """Once every 32nd append took ten times as long as the others, and so did those who waited for it to come back."""
    free, make = threading.Event(), Log._make_checkpoint

    def waiting(log: Log) -> None:
        assert free.wait(60)
        make(log)

    monkeypatch.setattr(DiskKeeper, "is_contended", property(lambda keeper: True))
    monkeypatch.setattr(Log, "_make_checkpoint", waiting)
    for number in range(CHECKPOINT_EVERY + 1):
        append(store, number)

    assert commits.last_checkpoint(store.log_path) == -1
    making = [thread for thread in threading.enumerate() if thread.name == "lineage-tt-checkpoint"]
    free.set()
    for thread in making:
        thread.join(60)
    assert len(making) == 1
    assert commits.last_checkpoint(store.log_path) >= CHECKPOINT_EVERY
    append(store, 99)
    assert_whole(store, CHECKPOINT_EVERY + 2)
