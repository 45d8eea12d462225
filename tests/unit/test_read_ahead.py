"""A writer that has to read one history from the log reads those with it that others write about all the time."""

from __future__ import annotations

from pathlib import Path

from lineage_tt import Store
from lineage_tt.testing import task_change

NOON = 1_714_564_800_000_000


def test_histories_that_others_write_about_are_read_together(tmp_path: Path) -> None:
    """Of three tasks of others the one that was written about once is left; those read ahead are placed rightly."""
    store, other = Store.create(tmp_path / "s"), Store.open(tmp_path / "s")
    for number in range(4):
        for task in ("a", "b") if number else ("a", "b", "once"):
            other.append([task_change(task, "update", NOON + number, [("n:a#x", f"n:b#y{number}")])])
            store.refresh()
            store.writer.log.refresh()
            store.writer._known.catch_up()
    known = store.writer._known
    assert [task for task in ("a", "b", "once") if known.tasks.is_unread(task)] == ["a", "b", "once"]

    def append(task: str) -> int:
        return store.append([task_change(task, "update", NOON + 9, [("n:a#x", "n:b#y9")])])[0].changes

    assert append("a") == 3
    assert [task for task in ("b", "once") if known.tasks.is_unread(task)] == ["once"]
    assert (append("b"), append("once")) == (3, 3)
