"""Few writers plan large appends at a time while others wait; whoever may not plan for long does it all the same."""

from __future__ import annotations

import threading
import time
from pathlib import Path

from lineage_tt import Store
from lineage_tt.log.stores.local import MAX_DRAFT_SECONDS
from lineage_tt.storage.file_lock import FileLock
from lineage_tt.storage.tickets import places
from lineage_tt.storage.write_queue import DRAFT_LOCK, FOLDER, leftovers
from lineage_tt.testing import task_change

NOON = 1_714_564_800_000_000
LIMIT = 60
#: As many rights to plan as there may be.
MAX_RIGHTS = 8


def test_a_right_to_plan_that_never_comes_is_not_waited_for(tmp_path: Path) -> None:
    """A batch beside a waiting writer is planned and committed although others hold every right to plan."""
    store = Store.create(tmp_path / "s")
    queue = tmp_path / "s" / "log" / FOLDER
    batch = [task_change(f"b{number}", "update", NOON, [("n:a#x", "n:b#x")]) for number in range(40)]
    waiting = threading.Thread(target=Store.open(tmp_path / "s").append, args=(batch[:1],))
    planning = threading.Thread(target=Store.open(tmp_path / "s").append, args=(batch[1:],))

    def until(count: int) -> float:
        begun = time.monotonic()
        while len(places(queue)) < count:
            assert time.monotonic() < begun + LIMIT
            time.sleep(0.002)
        return time.monotonic() - begun

    with store.opened_log.turn(1):
        waiting.start()
        until(1)
        rights = [FileLock(queue / f"{DRAFT_LOCK}{number}") for number in range(MAX_RIGHTS)]
        assert all(right.try_acquire() for right in rights)
        planning.start()
        assert until(2) > MAX_DRAFT_SECONDS / 2
        for right in rights:
            right.close()
    for thread in (waiting, planning):
        thread.join(LIMIT)

    assert store.refresh() == 40
    assert leftovers(tmp_path / "s" / "log") == []
