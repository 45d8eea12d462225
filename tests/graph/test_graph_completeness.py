"""What a graph's walks say of their completeness: the same as the files, however it came to its version."""

from __future__ import annotations

from pathlib import Path

import pytest

from lineage_tt import Store
from lineage_tt.graph import Graph
from lineage_tt.model.completeness.summary import COMPLETE
from lineage_tt.model.edges import Edge
from lineage_tt.model.messages import Lineage, Problem, TaskChange
from lineage_tt.testing import ManualClock, task_change

NOON = 1_714_564_800_000_000
HOUR = 3_600_000_000


def short(task: str, source: str, target: str, at: int = NOON) -> TaskChange:
    """A message of a partial task."""
    lineage = Lineage(
        [Edge(source, target, "DIRECT", "IDENTITY", "")], coverage="partial", problems=[Problem("syntax", "why")]
    )
    return TaskChange(f"{task}/{at}", task, "update", at, lineage=lineage)


@pytest.fixture
def store(tmp_path: Path) -> Store:
    """A store whose one task is complete."""
    store = Store.create(tmp_path / "s", clock=ManualClock(NOON))
    store.append([task_change("t", "online", NOON, [("h:a#x", "h:b#x")])])
    return store


def test_a_graph_that_follows_says_what_one_that_is_loaded_says(store: Store) -> None:
    """Gaps of new tasks, of tasks that were complete, and their ends are taken in with the tail, for every point."""
    graph = store.graph()
    assert graph.as_of(NOON).upstream("h:b#x").completeness is COMPLETE
    held = graph.as_of(NOON + HOUR)
    messages = [
        short("t", "h:a#x", "h:b#x", NOON + HOUR),
        short("u", "h:b#x", "h:c#x"),
        task_change("u", "update", NOON + HOUR, [("h:b#x", "h:c#x")]),
        task_change("t", "retract", retracts=f"t/{NOON + HOUR}"),
    ]
    for message in messages:
        store.append([message])
        graph.refresh()
    loaded = Graph.load(store)

    for version in range(store.version + 1):
        for at in (NOON - 1, NOON, NOON + HOUR):
            files = store.as_of(at, version=version).lineage("h:b#x").completeness
            assert graph.as_of(at, version=version).lineage("h:b#x").lineage.completeness == files
            assert loaded.as_of(at, version=version).lineage("h:b#x").completeness == files
    assert [task.task_id for task in loaded.as_of(NOON + HOUR, version=3).lineage("h:b#x").completeness.tasks] == [
        "t",
        "u",
    ]
    assert held.lineage("h:b#x").completeness is COMPLETE, "a view keeps to its version"


def test_what_is_supposed_has_no_gap(store: Store) -> None:
    """A graph as it would be takes the edges given for a task as all that it has."""
    store.append([short("t", "h:a#x", "h:b#x", NOON + HOUR)])
    graph = store.graph()
    supposed = graph.with_({"t": [("h:a#x", "h:b#x", "DIRECT", "IDENTITY", "")]}, NOON)

    assert not graph.as_of(NOON + HOUR).upstream("h:b#x").completeness.complete
    assert supposed.as_of(NOON + HOUR).upstream("h:b#x").completeness is COMPLETE


def test_a_notebook_and_json_show_it(store: Store) -> None:
    """The table ends with the line that text has, edges of partial tasks are grey; JSON holds the object."""
    store.append([short("<u>", "h:b#x", "h:c#x")])
    walk = store.graph().as_of(NOON).downstream("h:a#x")

    assert "incomplete: task &lt;u&gt; on the way is partial: why" in walk._repr_html_()
    assert walk._repr_html_().count("color:#999") == 1
    assert walk.to_json()["completeness"] == walk.completeness.to_json()
    assert "incomplete" not in store.graph().as_of(NOON, version=1).downstream("h:a#x")._repr_html_()
