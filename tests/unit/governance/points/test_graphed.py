"""Points of a store: facts in both times, messages, and which points are kept."""

from __future__ import annotations

from pathlib import Path

import pytest
from pointed import shown

from lineage_tt import Store
from lineage_tt.curation.statements import Author, annotate, state_edge
from lineage_tt.governance.points.graphed import CACHED_POINTS, Points
from lineage_tt.governance.ports import FOREVER
from lineage_tt.model.answers import Basis
from lineage_tt.model.facts import Field
from lineage_tt.model.messages import NodeChange
from lineage_tt.testing import ManualClock, task_change

ANA = Author("ana", "asked", "https://wiki/1")


@pytest.fixture
def store(tmp_path: Path) -> Store:
    """a → b from 10 on (version 1), Ana's edge from 15 on (2), an owner from 20 (3) to 30 (4), columns of a (5)."""
    store = Store.create(tmp_path / "s", clock=ManualClock(1000))
    store.append([task_change("t", "online", 10, [("d:a#x", "d:b#x")])])
    state_edge(store, "add", "d:a#x", "d:c#x", by=ANA, at=15)
    annotate(store, "d:b", "owner", ["zoe"], by=ANA, at=20, expires=30)
    store.append([NodeChange("c", "dataset", "d:a", "define", 10, fields=(Field("x", "int"), Field("y")))])
    return store


def points_of(store: Store) -> Points:
    """The points of a store with its graph."""
    return Points(store, store.graph())


def test_edges_of_a_point_are_those_in_force_in_both_times(store: Store) -> None:
    """Of people, too, from when they hold and from the version that says so."""
    points = points_of(store)
    own = ("d:a#x", "d:b#x", "t", "IDENTITY")
    stated = ("d:a#x", "d:c#x", "edge:d:a#x -> d:c#x", "IDENTITY")

    assert shown(points.at(Basis(15, 2, 0))) == [own, stated]
    assert shown(points.at(Basis(14, 2, 0))) == [own]
    assert shown(points.at(Basis(15, 1, 0))) == [own]
    assert shown(points.at(Basis(9, 2, 0))) == []
    assert points.at(Basis(15, 2, 0)).valid_to.tolist() == [FOREVER, FOREVER]


def test_facts_hold_from_their_first_instant_to_before_their_last(store: Store) -> None:
    """As known at a version; columns come only where they are asked for."""
    points = points_of(store)

    def owners(at: int, version: int) -> list[tuple[str, str, int]]:
        return [(fact.node, fact.value, fact.version) for fact in points.at(Basis(at, version, 0)).facts("owner")]

    assert [owners(at, 4) for at in (19, 20, 29, 30)] == [[], [("d:b", "zoe", 4)], [("d:b", "zoe", 4)], []]
    assert [owners(30, version) for version in (2, 3)] == [[], [("d:b", "zoe", 3)]]
    point = points.at(Basis(20, 5, 0))
    assert [fact.key for fact in point.facts()] == ["owner"]
    assert [fact.node for fact in point.facts("column")] == ["d:a#x", "d:a#y"]
    store.append([NodeChange("d", "dataset", "d:a", "drop", 50)])
    points.graph.refresh()
    columns = [len(points.at(Basis(at, 6, 0)).facts("column")) for at in (9, 10, 49, 50)]
    assert columns == [0, 2, 2, 0]
    assert point.facts("label") == []


def test_facts_that_come_after_the_first_question_are_read(store: Store) -> None:
    """They were kept with the version up to which they were read."""
    points = points_of(store)
    assert [fact.value for fact in points.facts(Basis(50, 5, 0))] == []
    version = annotate(store, "d:b", "owner", ["eve"], by=ANA, at=40)
    points.graph.refresh()

    assert [fact.value for fact in points.facts(Basis(50, version, 0))] == ["eve"]
    assert [fact.value for fact in points.facts(Basis(50, 5, 0))] == []


def test_messages_say_who_wrote_them_and_with_which_evidence(store: Store) -> None:
    """Each version asked for once, in order; a version that is not there is left out; none asks nothing."""
    point = points_of(store).at(Basis(20, 4, 0))
    said = point.messages_of([2, 1, 2, 99])

    assert list(said) == [1, 2]
    assert (said[1].task_id, said[1].op, said[1].effective_at, said[1].evidence) == ("t", "online", 10, None)
    assert (said[2].actor, said[2].reason, said[2].evidence) == ("ana", "asked", "https://wiki/1")
    assert point.messages_of([]) == {}


def test_the_last_points_asked_for_are_kept(store: Store) -> None:
    """One that is asked for again counts as the last; the one asked for longest ago goes."""
    points = points_of(store)
    first = points.at(Basis(10, 4, 0))
    others = [points.at(Basis(20 + at, 4, 0)) for at in range(CACHED_POINTS - 1)]
    assert points.at(Basis(10, 4, 0)) is first
    points.at(Basis(99, 4, 0))

    assert points.at(Basis(10, 4, 0)) is first
    assert points.at(Basis(20, 4, 0)) is not others[0]


def test_tasks_and_declared_datasets_are_those_of_the_store(store: Store) -> None:
    """What people state is not a task; a dataset is declared from the version of its message on."""
    points = points_of(store)

    assert [task.task_id for task in points.at(Basis(20, 4, 0)).task_list] == ["t"]
    assert points.at(Basis(9, 4, 0)).task_list == []
    assert points.declared(5) == {"d:a"}
