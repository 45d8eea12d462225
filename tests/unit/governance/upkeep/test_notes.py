"""Notes: why an answer is empty that need not be."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest
from plain_labels import A, B, edge, fact, labelled, said

from lineage_tt import Store
from lineage_tt.governance.config import Config
from lineage_tt.governance.labels.labelled import Labelled
from lineage_tt.governance.labels.scene import Scene
from lineage_tt.governance.permissions.grants import Grants
from lineage_tt.governance.points.plain import plain_point
from lineage_tt.governance.rules.engine import Checked, check
from lineage_tt.governance.rules.settings import Allowed
from lineage_tt.governance.upkeep.notes import (
    of_dataset,
    of_grants,
    of_labels,
    of_levels,
    of_point,
    of_rank,
    of_rules,
    of_selection,
    of_since,
    of_stops,
    of_words,
)
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


def test_labels_that_do_not_spread_and_labels_that_nobody_states_are_named() -> None:
    """A scene whose only leaves out every label answered as if no node had one; so did a label in other letters."""
    shut = labelled([(A, B)], {A: "pii"}, scene=Scene(levels=("public",), only=("nosuch-*",)))
    assert of_labels(shut) == ["none of the labels that are stated spreads in the scene default, because of only: pii"]
    half = labelled([(A, B)], {A: ["pii", "gdpr"]}, scene=Scene(only=("gdpr",)))
    assert of_labels(half) == of_labels(half, "gdpr") == []
    assert of_labels(half, "pii") == ["the label 'pii' does not spread in the scene default, because of only"]
    assert of_labels(half, "PII") == ["no node states the label 'PII' at this point; did you mean pii?"]
    assert of_labels(half, "zzz") == ["no node states the label 'zzz' at this point"]


def test_patterns_of_a_scene_that_match_nothing_are_named() -> None:
    """Functions that no expression calls, nodes and labels that are not there; a pattern that matches needs no note."""
    scene = Scene(stop_functions=("SHA*", "md5"), stop_nodes=("d:b", "tmp:*"), only=("pii", "gdpr-*"))
    of_scene = labelled([edge(A, B, "sha256(x)")], {A: "pii"}, scene=scene)
    assert of_stops(of_scene) == [
        "stop_functions of the scene default: md5 matches nothing at this point",
        "stop_nodes of the scene default: tmp:* matches nothing at this point",
        "only of the scene default: gdpr-* matches nothing at this point",
    ]


def test_a_scan_of_levels_that_nobody_states_says_so() -> None:
    """No level can fall then."""
    (note,) = of_levels(labelled([(A, B)], {A: "pii"}, scene=Scene(levels=("public", "secret"))))
    assert note == "no level is stated at this point, so that none can fall; the levels are public, secret"


def test_decisions_about_labels_that_have_no_effect_are_named() -> None:
    """A value that is not a decision, a level that the scene does not have, a block of what no edge names."""
    facts = [
        fact(B, "label-decision:pii", "rejct"), fact(B, "label-decision:high", "downgrade low"),
        fact(B, "label-block:d:nowhere#x", "*"),
    ]  # fmt: skip
    one = labelled([(A, B)], {A: "pii"}, *facts)
    unread, level, block = of_labels(one)

    assert unread == (
        f"label-decision:high of {B} has no effect: 'low' is not a level (the levels are none: set them in [labels])"
    )
    assert level.startswith(f"label-decision:pii of {B} has no effect: 'rejct' is not a decision (give reject, or down")
    assert block == "no edge here names d:nowhere#x: the block of its labels has no effect"
    good = [fact(B, "label-decision:pii", "reject"), fact(B, f"label-block:{A}", "*")]
    assert of_labels(labelled([(A, B)], {A: "pii"}, *good)) == []


def test_grants_and_facts_of_rules_that_cannot_be_read_are_named() -> None:
    """Where they are read: in answers about permissions, and about rules."""
    assert "'reed' is not a right" in of_grants(Grants([fact("d:a", "grant:ana", "reed")]))[0]
    assert of_grants(Grants([fact("d:a", "grant:ana", "read")])) == []
    stated = plain_point([edge(A, B)], [fact("d:a", "retention", "long"), fact("d:b", "retention", "30")])
    (note,) = [each for each in of_rules(check(stated, Config())) if "retention" in each]
    assert note.startswith("retention of d:a has no effect: 'long' is not a number of days")


def test_grants_that_a_list_leaves_out_are_counted_and_a_wrong_principal_is_named() -> None:
    """Those on columns of a dataset, and those on the dataset of a column."""
    grants = Grants(
        [fact("d:a#x", "grant:ana", "read"), fact("d:a", "grant:ana", "read"), fact("d:ab", "grant:b", "own")]
    )

    assert of_selection(grants, "d:a", "ana") == [
        "1 grant is on columns of 'd:a', and not listed: ask for a column, or for all"
    ]
    assert of_selection(grants, "d:a#x", None) == of_selection(grants, None, "b") == []
    assert of_selection(grants, None, "anna") == [
        "no grant at this point names the principal 'anna'; did you mean ana?"
    ]
    assert of_dataset(grants, "d:a#y") == [
        "1 grant is on 'd:a', and not listed: a grant on a dataset also applies to its columns"
    ]
    assert of_dataset(grants, "d:a") == of_dataset(grants, "d:c#y") == of_dataset(grants, None) == []


def test_a_node_of_the_other_level_has_no_rank() -> None:
    """Only where there is no row."""
    assert of_rank("d:a#x", "table", 0) == ["'d:a#x' is a column, and tables are ranked: give level=column"]
    assert of_rank("d:a", "column", 0) == ["'d:a' is a table, and columns are ranked: give level=table"]
    assert of_rank("d:a", "table", 0) == of_rank("d:a", "column", 1) == of_rank(None, "table", 0) == []


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


def test_a_decision_about_a_label_that_no_node_states_has_a_note() -> None:
    """A level of any scene is known, too: it may come to be stated."""
    assert of_words(["pii", "secret"], ["pii"], ["secret"]) == []
    assert of_words(["Pi"], ["pii"], []) == [
        "the decision has no effect so far: no node states the label 'Pi' at this point; did you mean pii?"
    ]


@pytest.mark.parametrize(
    ("since", "is_later"),
    [((DAY, 2), False), ((2 * DAY + 900, 1), False), ((DAY, 9), False), ((2 * DAY, 9), True), ((3 * DAY, 2), True)],
    ids=["earlier", "now, read from the clock again", "earlier, with what is known now", "known later", "later"],
)
def test_a_later_point_since_which_something_is_new_has_a_note(since: tuple[int, int], is_later: bool) -> None:
    """Now is read from the clock once for each of two points, and is the same in ``--since @v1``."""
    assert bool(of_since(Basis(*since, 0), Basis(2 * DAY, 2, 0))) is is_later
