"""The labels of all nodes at a point: what is stated of them, and what comes to them in a scene."""

from __future__ import annotations

from pathlib import Path

import pytest
from labelstories import BOARD, DAYS, PEOPLE, USERS, chain, governed, label
from plain_labels import A, B, C, D, edge, fact, filters, labelled, point

from lineage_tt.governance.labels.labelled import Labelled, stops
from lineage_tt.governance.labels.scene import Scene
from lineage_tt.testing import task_change

LEVELS = Scene(levels=("low", "mid", "high"))
CHAIN = [(A, B), (B, C)]


def test_labels_come_over_edges_and_are_listed_by_node() -> None:
    """In order of names, with the datasets left out that nothing is stated of."""
    found = labelled([*CHAIN, (D, C)], {A: "pii", D: ["gdpr", "pii"]})

    assert list(found.all()) == [(A, ("pii",)), (B, ("pii",)), (C, ("gdpr", "pii")), (D, ("gdpr", "pii"))]
    assert sorted(found.point.node_texts(found.numbers())) == [A, B, C, D]
    assert list(labelled(CHAIN).all()) == list(labelled([], {}).all()) == []


def test_a_dataset_has_its_label_on_its_columns_and_not_the_other_way() -> None:
    """Also on a column that nothing names; a node that nothing names has none."""
    found = labelled(CHAIN, {"d:a": "pii", "d:q#x": "gdpr"})

    assert [found.of(node) for node in ("d:a", A, C, "d:a#unknown", "d:nothing#x", "d:nothing")] == [
        ("pii",), ("pii",), ("pii",), ("pii",), (), (),
    ]  # fmt: skip
    assert (found.of("d:q#x"), found.of("d:q"), found.of("d:q#y")) == (("gdpr",), (), ())


def test_an_edge_into_a_whole_dataset_labels_its_columns() -> None:
    """What comes to one column stays with it."""
    whole = labelled([edge(A, "d:b"), (B, C)], {A: "pii"})

    assert (whole.of("d:b"), whole.of(B), whole.of(C)) == (("pii",),) * 3
    assert labelled(CHAIN, {A: "pii"}).of("d:b") == ()


def test_of_levels_a_node_has_the_highest() -> None:
    """Its own or one that comes to it; other labels are beside it."""
    found = labelled([*CHAIN, (D, C)], {A: ["low", "x"], B: "mid", D: "high"}, scene=LEVELS)

    assert [found.of(node) for node in (A, B, C)] == [("low", "x"), ("mid", "x"), ("high", "x")]


def test_a_decision_keeps_out_what_comes_and_not_what_is_stated() -> None:
    """A rejection stops the label there and after; a downgrade lets what is below through."""
    rejected = fact(B, "label-decision:pii", "reject")
    lower = fact(B, "label-decision:high", "downgrade low")

    assert [labelled(CHAIN, {A: "pii"}, rejected).of(node) for node in (B, C)] == [(), ()]
    assert labelled(CHAIN, {A: "pii", B: "pii"}, rejected).of(C) == ("pii",)
    assert labelled(CHAIN, {A: "high"}, lower, scene=LEVELS).of(C) == ("low",)
    assert labelled(CHAIN, {A: "pii"}, fact("d:nothing", "label-decision:pii", "reject")).of(C) == ("pii",)


@pytest.mark.parametrize(
    ("node", "source", "value", "labels"),
    [
        (B, A, "*", ()), (B, A, "pii", ("gdpr",)), ("d:b", "d:a", "*", ()), ("d:b", "d:a", "gdpr", ("pii",)),
        (B, D, "*", ("gdpr", "pii")), (C, A, "*", ("gdpr", "pii")), ("d:nothing", "d:a", "*", ("gdpr", "pii")),
    ],
)  # fmt: skip
def test_a_blocked_edge_lets_no_label_through(node: str, source: str, value: str, labels: tuple[str, ...]) -> None:
    """Or the one named not; of two datasets all between them; of nodes without an edge between them nothing."""
    for edges in ([(A, B)], [*CHAIN, (D, C)]):
        assert labelled(edges, {A: ["pii", "gdpr"]}, fact(node, f"label-block:{source}", value)).of(B) == labels


def test_what_goes_both_ways_is_blocked_both_ways() -> None:
    """Against the edge as along it."""
    both = Scene(direction="both")
    block = fact(B, f"label-block:{A}", "*")

    assert [labelled(CHAIN, {node: "pii"}, scene=both).of(B) for node in (A, C)] == [("pii",), ("pii",)]
    assert labelled(CHAIN, {A: "pii"}, block, scene=both).of(B) == ()
    assert labelled(CHAIN, {C: "pii"}, block, scene=both).of(A) == ()


def test_a_scene_says_which_way_labels_go_and_how_far() -> None:
    """Up, or so many steps; into the columns of a dataset is not a step."""
    assert labelled(CHAIN, {C: "pii"}, scene=Scene(direction="up")).of(A) == ("pii",)
    assert labelled(CHAIN, {A: "pii"}, scene=Scene(direction="up")).of(C) == ()
    near = labelled([edge(A, "d:b"), (B, C)], {A: "pii"}, scene=Scene(depth=1))
    assert (near.of(B), near.of(C)) == (("pii",), ())
    assert labelled(CHAIN, {A: "pii"}, scene=Scene(depth=0)).of(B) == ()


def test_stopped_nodes_take_no_label_from_others() -> None:
    """By the name of the node or of its dataset; what is stated of them spreads."""
    scene = Scene(stop_nodes=("d:b", "d:d#*"))

    assert labelled(CHAIN, {A: "pii"}, scene=scene).of(C) == ()
    assert labelled(CHAIN, {B: "pii"}, scene=scene).of(C) == ("pii",)
    assert [stops(scene, node) for node in ("d:b", "d:b#z", "d:d", D, "d:bb")] == [True, True, False, True, False]


def test_two_scenes_of_one_point_do_not_disturb_each_other() -> None:
    """What follows of a point's edges is kept for the rules that it was made by."""
    at = point([edge(A, B, "sha256(x)"), filters(B, "d:c")], {A: "pii"})
    scenes = [Scene(), Scene(stop_functions=("sha256",)), Scene(carry=("DIRECT", "INDIRECT")), Scene()]

    assert [[Labelled(at, scene).of(node) for node in (B, "d:c")] for scene in scenes] == [
        [("pii",), ()], [(), ()], [("pii",), ("pii",)], [("pii",), ()],
    ]  # fmt: skip


def test_a_column_that_nothing_in_force_names_is_not_listed(tmp_path: Path) -> None:
    """It still has the label of its dataset, for whoever asks about it."""
    store = chain(tmp_path)
    label(store, "db:users", "pii")
    store.append([task_change("users", "offline", DAYS[3])])
    asks = governed(store)
    before, after = (asks.labelled(asks.basis(DAYS[at])) for at in (2, 4))

    assert [node for node, _ in before.all()] == [BOARD, PEOPLE, "db:users", USERS]
    assert (list(after.all()), after.of(USERS)) == ([("db:users", ("pii",))], ("pii",))


def test_a_circle_ends() -> None:
    """Each node of it has the label; without a statement none has."""
    ring = [(A, B), (B, C), (C, A)]

    assert [labelled(ring, {A: "pii"}).of(node) for node in (A, B, C)] == [("pii",)] * 3
    assert labelled(ring).of(A) == ()


def test_bits_say_what_is_stated_and_what_came() -> None:
    """Of a node that states a level, those below it are not stated by name but held."""
    found = labelled(CHAIN, {A: "mid"}, scene=LEVELS)
    number, bit = found.point.number(A), found.lattice.own_bit("mid")

    assert (found.states(number, bit), found.states(found.point.number(B), bit)) == (True, False)
    assert found.bits_of(B) == found.bits_at(number) == 0b011
    assert found.bits_of("d:nothing") == 0


@pytest.mark.parametrize("count", [9, 33, 65])
def test_any_number_of_labels_spreads(count: int) -> None:
    """In words of 8, 32 or 64 bits, or in several."""
    many = [f"label{at:02}" for at in range(count)]

    assert labelled(CHAIN, {A: many}).of(C) == tuple(many)
