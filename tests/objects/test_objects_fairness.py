"""Writers of a store in a bucket get in however many others write: who lost too often reserves the log."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from objectstores import BUILD_TIMEOUT
from writers import go, line, start

from lineage_tt import Store, TaskChange
from lineage_tt.log.stores.objects import ObjectKeeper
from lineage_tt.log.stores.reservation import FOLDER, LEASE_SECONDS, MAX_LOSSES, NAME, Reservations
from lineage_tt.maintenance.check import check
from lineage_tt.storage.location import place
from lineage_tt.storage.objects import ObjectPath
from lineage_tt.testing import task_change

pytestmark = [pytest.mark.slow, pytest.mark.timeout(BUILD_TIMEOUT)]
NOON = 1_714_564_800_000_000
OTHERS = 3
#: A loaded machine.
SLACK = 30
#: An append that does not come to an end within so many seconds is held back.
HELD_BACK = 5


def batch(number: int) -> list[TaskChange]:
    """A large append: it takes several times as long as one message."""
    return [
        task_change(f"batch{n}", "update", NOON + number, [(f"n:a#c{c}", "n:b#x") for c in range(40)])
        for n in range(500)
    ]


class OvertakenKeeper(ObjectKeeper):
    """A keeper before whose every commit another writer appends a message, unless that one holds back."""

    def __init__(self, path: ObjectPath, other: Store) -> None:
        super().__init__(path)
        self._other = other
        self.threads: list[threading.Thread] = []

    def put(self, put: Callable[[], None], delta_version: int, writer: str, targets: Sequence[Any]) -> None:
        """Let the other one go first, if it will."""
        if not any(thread.is_alive() for thread in self.threads):
            self.threads.append(threading.Thread(target=self._other.append, args=(batch(len(self.threads))[:1],)))
            self.threads[-1].start()
            self.threads[-1].join(HELD_BACK)
        super().put(put, delta_version, writer, targets)


def test_who_lost_twice_is_overtaken_no_more(bucket: str) -> None:
    """A writer that another one is always faster than loses ``MAX_LOSSES`` commits, and then comes first."""
    store, other = Store.create(f"s3://{bucket}/store"), Store.create(f"s3://{bucket}/store")
    path = store.opened_log.path
    assert isinstance(path, ObjectPath)
    keeper = OvertakenKeeper(path, other)
    store.writer.log._keeper = keeper
    receipts = store.append(batch(9)[1:])
    for thread in keeper.threads:
        thread.join(SLACK)

    assert {receipt.status for receipt in receipts} == {"accepted"}
    assert (store.writer.renumbered, store.writer.planned_again) == (MAX_LOSSES, 0)
    assert store.refresh() == len(receipts) + len(keeper.threads)
    assert len(keeper.threads) == MAX_LOSSES + 1


def test_a_batch_is_not_starved_by_single_messages(bucket: str) -> None:
    """While three processes append single messages as fast as they can, batches come in after a few of them.

    A batch loses ``MAX_LOSSES`` times; then each of the others may commit what it has begun.
    """
    uri = f"s3://{bucket}/store"
    store = Store.create(uri)
    processes = [start(uri, me, 10**6) for me in range(OTHERS)]
    try:
        go(processes)
        for process in processes:
            assert line(process).startswith("acked")
        overtaken = []
        for number in range(3):
            store.refresh()
            attempts = store.writer.renumbered + store.writer.planned_again
            receipts = store.append(batch(number))

            assert {receipt.status for receipt in receipts} == {"accepted"}
            overtaken.append(store.writer.renumbered + store.writer.planned_again - attempts)
        begun = [line(process) for process in processes]
    finally:
        for process in processes:
            process.kill()
            process.communicate()

    assert max(overtaken) <= MAX_LOSSES + OTHERS, overtaken
    assert all(said.startswith("acked") for said in begun), "the others continued"
    store.refresh()
    assert len({(row.task_id, row.event_id) for row in store.log()}) == store.version
    assert [finding for finding in check(place(uri)) if finding.kind == "damage"] == []


def test_others_hold_back_while_the_log_is_reserved(bucket: str) -> None:
    """A writer does not begin to commit while another one has the log reserved, and does when that is through."""
    store = Store.create(f"s3://{bucket}/store")
    path = store.opened_log.path
    assert isinstance(path, ObjectPath)
    other = Reservations(path)
    for _ in range(MAX_LOSSES):
        other.lost()
    reserved = store.opened_log.path / FOLDER / NAME
    assert reserved.exists()
    thread = threading.Thread(target=store.append, args=(batch(1)[:1],))
    thread.start()
    time.sleep(2)

    assert thread.is_alive()
    other.done()
    thread.join(SLACK)
    assert not thread.is_alive()
    assert store.version == 1
    assert not reserved.exists()


def test_the_reservation_of_a_dead_writer_expires(bucket: str) -> None:
    """What a writer that died reserved holds the others back for a while only, by the object store's own time."""
    store = Store.create(f"s3://{bucket}/store")
    reserved = store.opened_log.path / FOLDER / NAME
    reserved.write_bytes(b"{}")
    begun = time.monotonic()
    store.append(batch(1)[:1])

    assert LEASE_SECONDS - 5 < time.monotonic() - begun < LEASE_SECONDS + SLACK
    assert not reserved.exists()
    begun = time.monotonic()
    store.append(batch(2)[:1])
    assert time.monotonic() - begun < LEASE_SECONDS
