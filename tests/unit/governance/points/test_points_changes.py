"""Edges in force at one of two points of a store only."""

from __future__ import annotations

from pathlib import Path

from lineage_tt import Store
from lineage_tt.governance.points.changes import changed
from lineage_tt.graph import Graph
from lineage_tt.model.answers import Basis
from lineage_tt.testing import ManualClock, task_change

EARLY, LATE = 10, 20


def story(folder: Path, *more: tuple[str, str]) -> Graph:
    """a → b from 10 to 20, c → b from 20 on by another task; in version 3 the latter was never so."""
    store = Store.create(folder / "s", clock=ManualClock(100))
    store.append([task_change("t", "online", EARLY, [("d:a#x", "d:b#x")], event_id="1")])
    store.append(
        [task_change("t", "update", LATE, [("d:c#x", "d:b#x", "INDIRECT", "FILTER", "c.x > ?"), *more], event_id="2")]
    )
    store.append([task_change("t", "retract", retracts="2", event_id="3")])
    return store.graph()


def named(graph: Graph, first: Basis, second: Basis) -> list[tuple[bool, str, str, str, str]]:
    """What changes between two points, as names."""
    found = changed(graph, first, second)
    assert found is not None
    names = graph.names
    return sorted(
        (bool(added), *names.nodes.texts([source, target]), names.kind_words[kind][1], *names.expressions.texts([text]))
        for added, source, target, kind, text in zip(*(column.tolist() for column in found), strict=True)
    )


def test_edges_that_come_and_go_are_flagged_by_the_second_point(tmp_path: Path) -> None:
    """In valid time and in what is believed; asked the other way round, what came goes."""
    graph = story(tmp_path)
    before, after, retracted = Basis(EARLY, 2, 0), Basis(LATE, 2, 0), Basis(LATE, 3, 0)
    old = ("d:a#x", "d:b#x", "IDENTITY", "")
    new = ("d:c#x", "d:b#x", "FILTER", "c.x > ?")

    assert named(graph, before, after) == [(False, *old), (True, *new)]
    assert named(graph, after, before) == [(False, *new), (True, *old)]
    assert named(graph, after, retracted) == [(False, *new), (True, *old)]
    assert named(graph, retracted, before) == []


def test_before_anything_is_in_force_all_is_new(tmp_path: Path) -> None:
    """At a valid time before the first edge, and at version 0."""
    graph = story(tmp_path)

    for nothing in (Basis(EARLY - 1, 3, 0), Basis(EARLY, 0, 0)):
        assert named(graph, nothing, Basis(EARLY, 3, 0)) == [(True, "d:a#x", "d:b#x", "IDENTITY", "")]


def test_star_edges_would_have_to_be_joined(tmp_path: Path) -> None:
    """A store that ever had one gives none of it in this way."""
    graph = story(tmp_path, ("d:c#*", "d:b#*"))

    assert changed(graph, Basis(EARLY, 1, 0), Basis(LATE, 2, 0)) is None
