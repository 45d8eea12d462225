"""The gaps that a graph's answers say they have."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from lineage_tt import Store
from lineage_tt.graph.load.coverage import extended, read
from lineage_tt.model.completeness.gaps import Gaps
from lineage_tt.model.errors import CorruptError
from lineage_tt.model.messages import Coverage, TaskChange
from lineage_tt.testing import ManualClock, task_change

NOON = 1_714_564_800_000_000
EDGES = [("d:a#x", "d:b#x")]


def _said(task: str, at: int, coverage: Coverage) -> TaskChange:
    """An update of a task with lineage that is so complete."""
    made = task_change(task, "update", NOON + at, EDGES)
    assert made.lineage is not None
    return replace(made, lineage=replace(made.lineage, coverage=coverage))


def _store(path: Path, *coverages: tuple[str, Coverage]) -> Store:
    """A store with an update of a task for each (task, coverage)."""
    made = Store.create(path, clock=ManualClock(NOON))
    for at, (task, coverage) in enumerate(coverages):
        made.append([_said(task, at, coverage)])
    return made


def _known(gaps: Gaps) -> dict[str, list[tuple[int, str | None]]]:
    return {task: [(row.version, row.coverage) for row in each.rows] for task, each in sorted(gaps.tasks.items())}


def test_only_tasks_that_ever_had_a_gap_are_kept_with_all_that_they_said(tmp_path: Path) -> None:
    """What was complete before or after it counts, too: a gap ends with the next message."""
    store = _store(tmp_path, ("t", "complete"), ("good", "complete"), ("t", "partial"), ("t", "complete"))

    assert _known(read(store.opened_log, store.version)) == {"t": [(1, "complete"), (3, "partial"), (4, "complete")]}


def test_gaps_taken_in_later_are_those_read_at_once(tmp_path: Path) -> None:
    """Of tasks with gaps that say more, and of tasks that have their first."""
    store = _store(tmp_path, ("t", "partial"), ("u", "complete"), ("v", "complete"))
    gaps = read(store.opened_log, store.version)
    later: list[tuple[str, Coverage]] = [("u", "opaque"), ("t", "complete"), ("w", "partial")]
    for at, (task, coverage) in enumerate(later, 10):
        store.append([_said(task, at, coverage)])

    found = extended(gaps, store.opened_log, 3, 6)

    assert _known(found) == _known(read(store.opened_log, store.version))
    assert set(found.tasks) == {"t", "u", "w"}
    assert _known(gaps) == {"t": [(1, "partial")]}


def test_no_version_is_taken_in_twice_where_the_log_goes_further(tmp_path: Path) -> None:
    """Each reading ends at the version that it is asked for, and the next begins there."""
    store = _store(tmp_path, ("t", "partial"), ("u", "complete"), ("u", "opaque"), ("t", "complete"), ("w", "partial"))
    whole = read(store.opened_log, 5)
    for cut in range(6):
        for second in range(cut, 6):
            gaps = extended(read(store.opened_log, cut), store.opened_log, cut, second)
            assert _known(extended(gaps, store.opened_log, second, 5)) == _known(whole), (cut, second)


def test_versions_that_concern_no_gap_change_nothing(tmp_path: Path) -> None:
    """The same value comes back, so that those who hold it need not look."""
    store = _store(tmp_path, ("t", "partial"))
    gaps = read(store.opened_log, store.version)
    store.append([_said("good", 1, "complete")])

    assert extended(gaps, store.opened_log, 1, 2) is gaps


def test_a_file_that_is_damaged_is_named(tmp_path: Path) -> None:
    """Nothing is answered from it."""
    store = _store(tmp_path, ("t", "partial"))
    gaps = read(store.opened_log, store.version)
    store.append([_said("t", 5, "complete")])
    newest = max((Path(str(path)) for path in store.opened_log.files()), key=lambda path: path.name)
    newest.write_bytes(newest.read_bytes()[:-9])

    with pytest.raises(CorruptError, match=newest.name):
        extended(gaps, store.opened_log, 1, 2)
