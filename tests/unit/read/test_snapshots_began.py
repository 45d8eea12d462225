"""Which row of the log states what holds from an instant on."""

from __future__ import annotations

from pathlib import Path

import pytest

from lineage_tt import Store
from lineage_tt.read.snapshots.began import began
from lineage_tt.testing import ManualClock, task_change

EDGE = [("n:a#x", "n:b#y")]


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Store:
    """A message that is corrected, one that loses against a greater source version, one that is withdrawn."""
    made = Store.create(tmp_path_factory.mktemp("store"), clock=ManualClock(90))
    made.append([task_change("t", "online", 10, EDGE, event_id="first")])  # 1
    made.append([task_change("t", "update", 10, EDGE, event_id="fix")])  # 2
    made.append([task_change("t", "update", 20, EDGE, source_version=7, event_id="wins")])  # 3
    made.append([task_change("t", "update", 20, EDGE, source_version=3, event_id="loses")])  # 4
    made.append([task_change("t", "update", 30, EDGE, event_id="wrong")])  # 5
    made.append([task_change("t", "retract", retracts="wrong")])  # 6
    return made


def stated(store: Store, at: int, version: int | None = None) -> int | None:
    """The version that states what holds of the task from an instant on."""
    return began(store.fetch, [("t", at)], store.basis(50, version=version)).get(("t", at))


@pytest.mark.parametrize(
    ("at", "version", "expected"),
    [(10, None, 2), (10, 1, 1), (20, None, 3), (30, None, None), (30, 5, 5), (15, None, None), (9, None, None)],
)
def test_of_messages_that_take_effect_at_one_time_one_counts(
    store: Store, at: int, version: int | None, expected: int | None
) -> None:
    """The last of the greatest source version that is not withdrawn, as known then."""
    assert stated(store, at, version) == expected


def test_several_instants_are_asked_about_at_once(store: Store) -> None:
    """Of tasks that are not there nothing is known; for nothing nothing is read."""
    found = began(store.fetch, [("t", 10), ("t", 20), ("u", 10)], store.basis(50))

    assert found == {("t", 10): 2, ("t", 20): 3}
    assert began(store.fetch, [], store.basis(50)) == {}


def test_what_takes_effect_after_the_point_is_not_looked_at(store: Store, tmp_path: Path) -> None:
    """An edge in force there began before."""
    assert began(store.fetch, [("t", 20)], store.basis(15)) == {}
