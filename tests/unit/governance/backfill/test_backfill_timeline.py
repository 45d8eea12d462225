"""The timeline of a store: edges at any time, when they change, and what a task ran then."""

from __future__ import annotations

from pathlib import Path

import pytest

from lineage_tt import Store
from lineage_tt.governance.backfill.timeline import GraphTimeline
from lineage_tt.model.messages import Lineage, TaskChange
from lineage_tt.testing import ManualClock, task_change

DAY = 86_400_000_000


@pytest.fixture
def store(tmp_path: Path) -> Store:
    """a → b by t, from c instead since day 5, offline since day 9; a script writes e in unknown ways since day 3."""
    result = Store.create(tmp_path / "s", clock=ManualClock(20 * DAY))
    result.append([
        task_change("t", "online", DAY, [("d:a#x", "d:b#x"), ("d:a#y", "d:b#y")]),
        task_change("t", "update", 5 * DAY, [("d:c#x", "d:b#x")]),
        task_change("t", "offline", 9 * DAY),
        TaskChange("s", "script", "online", 3 * DAY, lineage=Lineage((), "opaque", outputs=[("d:e", ())])),
        task_change("late", "online", 2 * DAY, [("d:a#x", "d:z#x")]),
    ])  # fmt: skip
    return result


def timeline(store: Store, version: int | None = None) -> GraphTimeline:
    """The timeline as known at a version."""
    graph = store.graph()
    return GraphTimeline(store, graph, graph.basis(20 * DAY, version=version))


def test_edges_are_those_in_force_at_the_time_asked_about(store: Store) -> None:
    """Half-open: the update is in force from its time on; a dataset means all its columns."""
    found = timeline(store, version=4)

    assert {edge.target for edge in found.edges_out(["d:a"], 5 * DAY - 1)} == {"d:b#x", "d:b#y"}
    assert found.edges_out(["d:a"], 5 * DAY) == []
    assert {edge.source for edge in found.edges_into(["d:b#x"], 5 * DAY)} == {"d:c#x"}
    assert found.edges_into(["d:b"], 9 * DAY) == []


def test_nodes_that_nothing_named_have_no_edges(store: Store) -> None:
    """They do not hide those of the others."""
    found = timeline(store)

    assert found.edges_out(["d:nothing#x"], 2 * DAY) == []
    assert [edge.target for edge in found.edges_out(["d:nothing", "d:c#x"], 6 * DAY)] == ["d:b#x"]


def test_what_is_written_in_unknown_ways_has_an_edge_and_its_task_is_uncertain(store: Store) -> None:
    """Only from when the script began; who was not met is not among the uncertain."""
    found = timeline(store)

    assert found.edges_into(["d:e"], 2 * DAY) == []
    assert found.uncertain == set()
    assert [(edge.task_id, edge.target) for edge in found.edges_into(["d:e"], 3 * DAY)] == [("script", "d:e")]
    assert found.uncertain == {"script"}


def test_times_at_which_edges_begin_or_end_are_given_by_dataset(store: Store) -> None:
    """After the first bound and up to the last, those of unknown lineage too; asked again, of the same reading."""
    found = timeline(store, version=4)
    days = {"d:a": [1, 5], "d:b": [1, 5, 9], "d:e": [3], "d:none": []}

    assert found.change_times(list(days), 0, 30 * DAY) == {
        dataset: [day * DAY for day in each] for dataset, each in days.items()
    }
    assert found.change_times(["d:b"], DAY, 5 * DAY) == {"d:b": [5 * DAY]}
    assert found.change_times(["d:b"], 5 * DAY, 9 * DAY - 1) == {"d:b": []}


def test_only_what_is_known_at_the_version_counts(store: Store) -> None:
    """A message that came later says nothing, neither edges nor times."""
    before, after = timeline(store, version=4), timeline(store)

    assert "d:z#x" not in {edge.target for edge in before.edges_out(["d:a#x"], 3 * DAY)}
    assert "d:z#x" in {edge.target for edge in after.edges_out(["d:a#x"], 3 * DAY)}
    assert before.change_times(["d:a"], 0, 30 * DAY)["d:a"] == [DAY, 5 * DAY]
    assert after.change_times(["d:a"], 0, 30 * DAY)["d:a"] == [DAY, 2 * DAY, 5 * DAY]
    assert before.in_force("late", 3 * DAY) is None


def test_a_task_ran_what_its_message_in_force_says(store: Store) -> None:
    """None before it began, and from when it is offline."""
    found = timeline(store)
    found.read(["t"])
    ran = [found.in_force("t", day * DAY) for day in (0, 1, 4, 5, 9)]

    assert [each and (each.version, each.effective_at) for each in ran] == [
        None, (1, DAY), (1, DAY), (2, 5 * DAY), None,
    ]  # fmt: skip
    assert found.in_force("nobody", DAY) is None
