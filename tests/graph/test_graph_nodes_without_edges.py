"""Nodes that the store knows although no edge names them: every question answers, and none says "unknown node"."""

from __future__ import annotations

from pathlib import Path

import pytest

from lineage_tt import Store
from lineage_tt.model.errors import UnknownNodeError
from lineage_tt.model.facts import Field
from lineage_tt.model.messages import Lineage, NodeChange, Problem, TaskChange
from lineage_tt.testing import ManualClock, task_change

NOON = 1_714_564_800_000_000
HOUR = 3_600_000_000
#: What an opaque task writes, a column of it, what a dataset message declares, and what a statement creates.
KNOWN = ("h:touched", "h:touched#any", "h:declared", "h:declared#x", "h:created", "h:created#y")
NAMED = "h:b#x"


@pytest.fixture
def store(tmp_path: Path) -> Store:
    """A store with one edge, and three tables beside it."""
    store = Store.create(tmp_path / "s", clock=ManualClock(NOON))
    opaque = Lineage((), "opaque", [Problem("syntax", "why")], [("h:touched", ())])
    created = Lineage((), "complete", [], [("h:created", ("y",))])
    store.append(
        [
            task_change("t", "online", NOON, [("h:a#x", NAMED)]),
            TaskChange("o", "opaque", "online", NOON, lineage=opaque),
            TaskChange("c", "create", "online", NOON, lineage=created),
            NodeChange("d", "dataset", "h:declared", "define", NOON, fields=[Field("x")]),
        ]
    )
    return store


@pytest.mark.parametrize("node", KNOWN)
def test_every_question_answers_that_nothing_is_there(store: Store, node: str) -> None:
    """Walks, paths, batches, differences and histories from or to the node are empty, in memory and from the files."""
    graph = store.graph()
    view, basis = graph.as_of(NOON + HOUR), graph.basis(NOON + HOUR)

    assert list(store.as_of(NOON + HOUR).lineage(node).steps) == list(view.lineage(node).steps) == []
    assert [len(view.reach(node, direction=way)) for way in ("up", "down")] == [0, 0]
    assert len(view.reach(node, level="table")) == 0
    for ends in ((node, NAMED), (NAMED, node), (node, node)):
        assert (view.paths(*ends), view.shortest_path(*ends), list(view.between(*ends).steps)) == ([], None, [])
    assert len(view.reach(node, "h:a#x")) == 1
    assert [graph.batch([node, "h:a#x"], [basis]).count(place, 0) for place in (0, 1)] == [0, 1]
    assert graph.diff(graph.basis(NOON - 1), basis, node).added == ()
    assert store.diff(store.basis(NOON - 1), store.basis(NOON), node).added == ()
    assert (store.history(node), list(store.blame(node, NAMED))) == ([], [])


@pytest.mark.parametrize("node", ["h:none", "h:none#x", "h:created#other"])
def test_what_nobody_named_is_unknown_everywhere(store: Store, node: str) -> None:
    """A misspelt name is an error, never an empty answer; so is a column that is not among those stated."""
    graph = store.graph()
    view, basis = graph.as_of(NOON), graph.basis(NOON)
    questions = [
        lambda: store.as_of(NOON).lineage(node),
        lambda: view.lineage(node),
        lambda: view.reach(node),
        lambda: view.paths(node, NAMED),
        lambda: view.between(NAMED, node),
        lambda: graph.batch([NAMED, node], [basis]),
        lambda: graph.diff(basis, basis, node),
        lambda: store.diff(basis, basis, node),
        lambda: store.history(node),
    ]
    for ask in questions:
        with pytest.raises(UnknownNodeError, match=node):
            ask()
