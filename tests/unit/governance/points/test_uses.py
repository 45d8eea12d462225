"""When datasets were last and first read and fed, up to a point."""

from __future__ import annotations

from pathlib import Path

import pytest

from lineage_tt import Store
from lineage_tt.curation.statements import add_alias, state_edge
from lineage_tt.governance.points.uses import Use, uses
from lineage_tt.model.answers import Basis
from lineage_tt.testing import ManualClock, task_change

ONE, OTHER = ("d:a#x", "d:b#x"), ("d:a#y", "d:b#y")


@pytest.fixture
def store(tmp_path: Path) -> Store:
    """a → b in [10, 20) and in [30, 40), by the same task."""
    store = Store.create(tmp_path / "s", clock=ManualClock(1000))
    for since, until in ((10, 20), (30, 40)):
        store.append([task_change("t", "online", since, [ONE]), task_change("t", "offline", until)])
    return store


def used(store: Store, at: int, version: int | None = None) -> list[Use]:
    """The uses up to a point of all that is stored, or of a version, in order."""
    return sorted(uses(store.graph(), Basis(at, store.version if version is None else version, 0)))


@pytest.mark.parametrize(
    ("at", "version", "last"),
    [(10, 4, 10), (15, 4, 15), (25, 4, 20), (35, 4, 35), (99, 4, 40), (99, 2, 20), (99, 1, 99)],
)
def test_the_last_use_is_the_point_itself_while_an_edge_holds(store: Store, at: int, version: int, last: int) -> None:
    """Else where the last one ended before it; the first use is where the first began, as known at the version."""
    assert used(store, at, version) == [("d:a", True, last, 10), ("d:b", False, last, 10)]


def test_before_the_first_edge_and_the_first_version_nothing_was_used(store: Store) -> None:
    """One microsecond earlier."""
    assert used(store, 9) == []
    assert used(store, 99, 0) == []


def test_two_tasks_and_columns_make_one_use_from_first_to_last(store: Store) -> None:
    """Of a dataset that is read and fed there are two; a later message is heeded beside what was loaded."""
    graph = store.graph()
    store.append([task_change("u", "online", 5, [OTHER]), task_change("u", "offline", 12),
                  task_change("v", "online", 50, [("d:b#x", "d:c#x")]),
                  task_change("w", "online", 70, [("d:e#x", "d:f#x")])])  # fmt: skip
    graph.refresh()

    assert sorted(uses(graph, Basis(60, store.version, 0))) == [
        ("d:a", True, 40, 5), ("d:b", False, 40, 5), ("d:b", True, 60, 50), ("d:c", False, 60, 50),
    ]  # fmt: skip


def test_edges_inside_a_dataset_names_and_rejections_are_no_use(store: Store) -> None:
    """A table that reads itself is not read by anybody."""
    before = used(store, 60)
    store.append([task_change("self", "online", 5, [("d:s#x", "d:s#y")])])
    add_alias(store, "d:a", "l:a", at=5)
    state_edge(store, "reject", "d:p#x", "d:q#x", at=5)

    assert used(store, 60) == before
