"""Questions that span points in time: difference, history, change points, blame, the log, dead letters."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from lineage_tt import Store
from lineage_tt.log.dismissals import dismissal
from lineage_tt.model.edges import EdgeAsOf
from lineage_tt.model.facts import Field
from lineage_tt.model.messages import NodeChange, RejectedMessage
from lineage_tt.read import overtime
from lineage_tt.testing import ManualClock, task_change

AB, CB = ("n:a#x", "n:b#y"), ("n:c#x", "n:b#y")
DAY = 86_400_000_000


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Store:
    """An edge that is corrected, dead letters that are replayed and dismissed, a column that is renamed."""
    made = Store.create(tmp_path_factory.mktemp("store"), clock=ManualClock(90))
    made.append([task_change("t", "online", 10, [AB])])  # 1
    made.append([task_change("t", "update", 20, [AB, CB])])  # 2
    made.append([RejectedMessage(b"{", "syntax", "cut", "e", "u"), RejectedMessage(b"[", "syntax", "cut")], source="f")
    replayed = task_change("u", "online", 10, [("n:b#y", "n:d#q")])
    made.append([replace(replayed, cause=overtime.replay_cause(3), actor="ann")])  # 5
    made.append([dismissal(4, "spam", 90, "ann")], own=True)  # 6
    fields = [Field("old", field_id=1)]
    made.append([NodeChange("d1", "dataset", "n:e", "define", 10, fields=fields)])  # 7
    made.append([NodeChange("d2", "dataset", "n:e", "define", 20, fields=[Field("new", field_id=1)])])  # 8
    made.append([task_change("v", "online", 12, [("n:e#old", "n:d#q")])])  # 9
    return made


def ends(rows: object) -> list[tuple[str, str]]:
    """Source and target of edges."""
    return [(row[1], row[2]) for row in rows]  # type: ignore[attr-defined]


def test_a_difference_is_what_is_at_one_point_alone(store: Store) -> None:
    """In either direction; with a node only what touches it."""
    there, back = (
        overtime.diff(store.fetch, {}, store.basis(a), store.basis(b), None) for a, b in ((15, 25), (25, 15))
    )

    assert (ends(there.added), ends(there.removed)) == ([CB], [])
    assert (ends(back.added), ends(back.removed)) == ([], [CB])
    assert overtime.diff(store.fetch, {}, there.first, there.second, "n:a#x").added == ()
    assert ends(overtime.diff(store.fetch, {}, there.first, there.second, "n:b").added) == [CB]


def test_history_is_every_rectangle_at_a_node(store: Store) -> None:
    """Between two nodes, if both are given; a column brings along what was believed under its other names."""
    assert [(b.source, b.valid_from, b.version) for b in overtime.history(store.fetch, "n:b#y", None)] == [
        ("n:a#x", 10, 1), ("n:c#x", 20, 2), ("n:b#y", 10, 5),
    ]  # fmt: skip
    assert ends(overtime.history(store.fetch, "n:c#x", "n:b#y")) == [CB]
    assert ends(overtime.history(store.fetch, "n:e#new", None)) == [("n:e#old", "n:d#q")]


def test_edges_begin_and_end_at_change_points(store: Store) -> None:
    """What one message ends and another begins at the same moment does neither; as known at a version."""
    found = overtime.change_points(store.fetch, ["n:b#y"], 9)

    assert [tuple(point) for point in found] == [(10, 2, 0), (20, 1, 0)]
    assert [tuple(point) for point in overtime.change_points(store.fetch, ["n:b#y"], 1)] == [(10, 1, 0)]
    assert overtime.change_points(store.fetch, ["n:b"], 9) == []
    assert overtime.change_points(store.fetch, ["n:b"], 9, whole=True) == found


def test_versions_that_changed_a_node_are_listed(store: Store) -> None:
    """Each with how many changes it has there."""
    assert [(each.version, each.plus) for each in overtime.change_versions(store.fetch, ["n:b#y"], 9)] == [
        (1, 1), (2, 1), (5, 1),
    ]  # fmt: skip
    assert [each.version for each in overtime.change_versions(store.fetch, ["n:b"], 2, whole=True)] == [1, 2]


def test_blame_names_the_message_that_began_an_edge(store: Store) -> None:
    """None where there is no edge."""
    found = overtime.blame(store.fetch, "n:c#x", "n:b#y", store.as_of(25))

    assert [(blamed.edge.source, blamed.entry.version) for blamed in found] == [("n:c#x", 2)]
    assert list(overtime.blame(store.fetch, "n:c#x", "n:b#y", store.as_of(15))) == []


def test_blame_of_many_edges_reads_the_log_once(tmp_path: Path) -> None:
    """Each edge had a query of its own: two thousand took half a minute."""
    store = Store.create(tmp_path / "store", clock=ManualClock(90))
    store.append([task_change("wide", "online", 5, [(f"n:p#{n}", f"n:q#{n}") for n in range(40)])])
    queries = []

    def counted(query: str, **parameters: Any) -> list[tuple[Any, ...]]:
        queries.append(query)
        return store.fetch(query, **parameters)

    found = overtime.blame(counted, "n:p", "n:q", store.as_of(25))

    assert len(found) == 40
    assert {blamed.entry.task_id for blamed in found} == {"wide"}
    assert len(queries) == 1


@pytest.mark.parametrize(
    ("source", "target", "edge", "found"),
    [("n:a#x", "n:b#y", ("n:a#x", "n:b#y"), True), ("n:a", "n:b", ("n:a#x", "n:b#y"), True),
     ("n:a#x", "n:b#x", ("n:a#*", "n:b#*"), True), ("n:a#x", "n:b#y", ("n:a#*", "n:b#*"), False),
     ("n:a#x", "n:b#y", ("n:a#*", "n:b#y"), True), ("n:a#y", "n:b#y", ("n:a#x", "n:b#y"), False),
     ("n:a#k", "n:b#k", ("n:a#*", "n:b#*", "* EXCEPT (k)"), False)],
)  # fmt: skip
def test_an_edge_is_between_two_nodes(source: str, target: str, edge: tuple[str, ...], found: bool) -> None:
    """Itself, of their datasets, or joined by a star that does not leave the column out."""
    text = edge[2] if len(edge) > 2 else ""
    stored = EdgeAsOf("t", edge[0], edge[1], "DIRECT", "IDENTITY", text, 1, 0, None)

    assert overtime.is_between(stored, source, target) is found


def test_the_log_lists_rows_in_order(store: Store) -> None:
    """After a version, of a task, or only the newest ones."""

    def versions(after: int, upto: int, task: str | None, newest: int | None) -> list[int]:
        return [entry.version for entry in overtime.log(store.fetch, after, upto, task, newest)]

    assert versions(0, 9, None, None) == list(range(1, 10))
    assert versions(1, 3, None, None) == [2, 3]
    assert versions(0, 9, "t", None) == [1, 2]
    assert versions(0, 9, None, 2) == [8, 9]


def test_a_dead_letter_says_what_came_of_it(store: Store) -> None:
    """Replayed as a version, or dismissed with a reason; by version, or by source."""
    replayed, dismissed = overtime.dead_letters(store.fetch)

    assert (replayed.version, replayed.raw, replayed.replayed_as, replayed.dismissed) == (3, b"{", 5, None)
    assert (dismissed.version, dismissed.replayed_as, dismissed.dismissed) == (4, None, "spam")
    assert overtime.dead_letters(store.fetch, 4) == [dismissed]
    assert overtime.dead_letters(store.fetch, source="g") == []


def test_after_a_history_import_the_past_is_added_to_in_its_own_time(tmp_path_factory: pytest.TempPathFactory) -> None:
    """A store that a platform writes to now goes by the clock."""
    made = Store.create(tmp_path_factory.mktemp("history"), clock=ManualClock(DAY * 10))
    change = task_change("t", "online", 10, [AB])
    made.append([replace(change, recorded_at=DAY)], system_times="recorded_at")

    assert overtime.late_system_times(made.fetch, DAY * 10) == "history"
    assert overtime.late_system_times(made.fetch, DAY + 1) == "clock"
    made.append([replace(change, event_id="now", recorded_at=DAY * 9)])
    assert overtime.late_system_times(made.fetch, DAY * 20) == "clock"
