"""A writer that has to read one history from the log reads those with it that others write about all the time."""

from __future__ import annotations

from pathlib import Path

from lineage_tt import Store
from lineage_tt.testing import task_change
from lineage_tt.write.committing.sightings import MAX_READ_AHEAD, OFTEN, Sightings

NOON = 1_714_564_800_000_000


def test_histories_that_others_write_about_are_read_together(tmp_path: Path) -> None:
    """Of three tasks of others the one that was written about once is left; those read ahead are placed rightly."""
    store, other = Store.create(tmp_path / "s"), Store.open(tmp_path / "s")
    for number in range(OFTEN):
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


def test_what_all_write_about_is_read_before_a_message_needs_it(tmp_path: Path) -> None:
    """The history of a task that others write about again is in memory after an append about another one, and whole."""
    store, other = Store.create(tmp_path / "s"), Store.open(tmp_path / "s")
    store.append([task_change("own", "update", NOON, [("n:a#x", "n:b#y")])])
    for number in range(OFTEN):
        other.append([task_change("shared", "update", NOON + number, [("n:a#x", f"n:b#y{number}")])])
        store.writer._known.look()
    known = store.writer._known
    assert known.tasks.is_unread("shared")

    store.append([task_change("own", "update", NOON + 1, [("n:a#x", "n:b#z")])])

    assert known.tasks.knows("shared")
    again = task_change("shared", "update", NOON + 2, [("n:a#x", "n:b#y2")])
    assert store.append([again])[0].status == "duplicate"
    placed = store.append([task_change("shared", "update", NOON + 9, [("n:a#x", "n:b#y9")])])[0]
    assert (placed.status, placed.changes) == ("accepted", 3)


def test_a_history_is_read_from_where_it_began(tmp_path: Path) -> None:
    """Of a task that came after a writer opened the log, no version before it is read; of an older one all are."""
    other = Store.create(tmp_path / "s")
    other.append([task_change("old", "update", NOON, [("n:a#x", "n:b#y")])])
    other.append([task_change("older", "update", NOON, [("n:a#x", "n:b#y")])])
    store = Store.open(tmp_path / "s")
    known = store.writer._known
    for task in ("new", "old", "newer"):
        other.append([task_change(task, "update", NOON + 1, [("n:a#x", "n:b#z")])])
        known.look()

    since = known._sightings.since

    assert [since([task]) for task in ("new", "newer", "old", "older", "unheard-of")] == [2, 4, 0, 0, 0]
    assert since(["new", "newer"]) == 2
    assert since(["newer", "old"]) == 0


def test_few_of_what_others_write_about_are_read_ahead() -> None:
    """What is seen half as often as another is not worth it; in all a bounded number is read."""
    sightings = Sightings()
    for times, name in ((6, "hot"), (3, "warm"), (1, "cold")):
        for _ in range(times):
            sightings.note(name, 0, is_new=False)
    assert sightings.take_often(lambda _: True) == ["hot"]

    for number in range(MAX_READ_AHEAD * 2):
        for _ in range(9):
            sightings.note(f"t{number}", 0, is_new=False)
    assert len(sightings.take_often(lambda _: True)) == MAX_READ_AHEAD - 1
    sightings.note("t1", 0, is_new=False)
    assert sightings.take_often(lambda _: True) == []
