"""Notes: why an answer is empty that need not be."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest
from plain_labels import A, B, edge, said

from lineage_tt import Store
from lineage_tt.governance.labels.labelled import Labelled
from lineage_tt.governance.labels.scene import Scene
from lineage_tt.governance.points.plain import plain_point
from lineage_tt.governance.rules.engine import Checked
from lineage_tt.governance.rules.settings import Allowed
from lineage_tt.governance.upkeep.notes import of_labels, of_levels, of_point, of_rules
from lineage_tt.model.answers import Basis
from lineage_tt.testing import ManualClock, task_change

DAY = 86_400_000_000


@pytest.fixture
def store(tmp_path: Path) -> Store:
    """A message of the third day (version 1), one of the second (2), both stored on the fifth."""
    store = Store.create(tmp_path / "s", clock=ManualClock(4 * DAY))
    store.append([task_change("t", "online", 2 * DAY, [(A, B)]), task_change("u", "online", DAY, [(A, B)])])
    return store


def test_a_store_without_messages_says_so(tmp_path: Path) -> None:
    """Whatever the point."""
    empty = Store.create(tmp_path / "s", clock=ManualClock(DAY))

    assert of_point(empty, Basis(DAY, 0, 0)) == ["the store holds no message: nothing is known at any time"]


@pytest.mark.parametrize(("at", "version"), [(DAY, 2), (9 * DAY, 2), (2 * DAY, 1)])
def test_from_the_first_message_on_a_point_needs_no_note(store: Store, at: int, version: int) -> None:
    """Its valid time, as known at the version, is the first at which something is known."""
    assert of_point(store, Basis(at, version, 0)) == []


@pytest.mark.parametrize(
    ("at", "version", "first"),
    [(DAY - 1, 2, "1970-01-02"), (DAY, 1, "1970-01-03"), (9 * DAY, 0, "1970-01-02")],
)
def test_an_earlier_point_is_told_the_first_message_and_since_when_it_is_known(
    store: Store, at: int, version: int, first: str
) -> None:
    """The first that the version knows; where it knows none, the first of all."""
    (note,) = of_point(store, Basis(at, version, 0))

    assert f"takes effect at {first}T00:00:00" in note
    assert "known since 1970-01-05T00:00:00" in note


def test_labels_and_levels_that_are_not_set_are_named() -> None:
    """A label that is stated, and levels of the scene, need no note."""
    bare = Labelled(plain_point([edge(A, B)]), Scene())
    full = Labelled(plain_point([edge(A, B)], said({A: "pii"})), Scene(levels=("public", "pii")))

    assert [len(notes) for notes in (of_labels(bare), of_labels(full))] == [1, 0]
    assert "annotate NODE --label NAME" in of_labels(bare)[0]
    assert [len(notes) for notes in (of_levels(bare), of_levels(full))] == [1, 0]
    assert "name them in [labels]" in of_levels(bare)[0]


def test_rules_that_could_not_be_checked_come_before_what_has_no_effect() -> None:
    """One line for all of them, one for each allowance and each layer; nothing where all has an effect."""
    idle = (Allowed("cycle", "db:b", "moves", date(2030, 1, 1)), Allowed("two_writers", "*", "moves", date(2030, 1, 1)))
    notes = of_rules(Checked((), ("layer_skip", "layer_upward"), idle, ("mart",)))

    assert len(notes) == 4
    assert notes[0] == "not checked, as governance.toml sets no layers: layer_skip, layer_upward"
    assert "the allowance of cycle for db:b covers no violation" in notes[1]
    assert "the allowance of two_writers for * covers no violation" in notes[2]
    assert "no table here is in the layer mart" in notes[3]
    assert of_rules(Checked(())) == []
