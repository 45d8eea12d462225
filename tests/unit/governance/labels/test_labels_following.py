"""Labels moved on by what changed, for any number of labels, edges and nodes that are new."""

from __future__ import annotations

import random

import pytest
from plain_labels import A, B, C, D, fact, labelled, point

from lineage_tt.governance.labels.following import Changed, Following
from lineage_tt.governance.labels.labelled import Labelled
from lineage_tt.governance.labels.scene import Scene
from lineage_tt.governance.labels.statements import Lattice
from lineage_tt.model.answers import FactAsOf
from lineage_tt.model.errors import InvalidRequestError

CHAIN = [(A, B), (B, C)]


@pytest.mark.parametrize("count", [5, 20, 40, 70, 130])
def test_labels_of_any_number_are_moved_on_as_if_computed_new(count: int) -> None:
    """One word of 8, 32 or 64 bits, or several: after each change all nodes have what a fresh computation gives."""
    seed = random.randrange(2**32)
    rng = random.Random(seed)
    print("seed", seed)
    nodes = [f"db:t{at % 6}#c{at}" for at in range(24)] + [f"db:t{at}" for at in range(6)]
    words = [f"label{at}" for at in range(count)]
    edges = [(rng.choice(nodes), rng.choice(nodes)) for _ in range(30)]
    labels = {node: rng.choice(words) for node in rng.sample(nodes, 8)}
    scene = Scene()
    lattice = Lattice(scene, words)
    start = Labelled(point(edges, labels), scene, lattice)
    following = Following(start)
    for step in range(15):
        gone = [edges.pop(rng.randrange(len(edges))) for _ in range(3)]
        come = [(rng.choice(nodes), rng.choice(nodes)) for _ in range(3)]
        if step == 7:
            come += [("db:new#x", nodes[0]), (nodes[1], "db:new#x"), (nodes[2], "db:new")]
        edges += come
        node = rng.choice(nodes)
        labels[node] = rng.choice(words)
        held = {each: following.of(each) for each in nodes}
        changed = following.apply(gone, come, {node: lattice.bits(labels[node])})

        fresh = Labelled(point(edges, labels), scene, lattice)
        live = [each for each in nodes if fresh.point.number(each) >= 0]
        assert {each: following.of(each) for each in live} == {each: fresh.of(each) for each in live}, (seed, step)
        found = {each.node: (each.before, each.after) for each in changed if each.node in live}
        assert found == {
            each: (held[each], following.of(each)) for each in live if held[each] != following.of(each)
        }, (seed, step)  # fmt: skip


def test_an_edge_that_several_tasks_state_is_gone_with_the_last() -> None:
    """And one that comes again brings its labels again."""
    twice = [("db:a#x", "db:b#x"), ("db:a#x", "db:b#x")]
    following = Following(Labelled(point(twice, {"db:a#x": "pii"}), Scene()))

    assert following.apply(gone=twice[:1]) == []
    assert [(each.node, each.after) for each in following.apply(gone=twice[:1])] == [("db:b#x", ())]
    assert [(each.node, each.after) for each in following.apply(come=twice[:1])] == [("db:b#x", ("pii",))]


def test_nodes_in_a_circle_lose_what_came_from_outside_alone() -> None:
    """Each has its label from the other; with the edge that led there both lose it."""
    edges = [("db:s#x", "db:a#x"), ("db:a#x", "db:b#x"), ("db:b#x", "db:a#x")]
    following = Following(Labelled(point(edges, {"db:s#x": "pii"}), Scene()))

    assert [each.node for each in following.apply(gone=edges[:1])] == ["db:a#x", "db:b#x"]
    assert following.of("db:a#x") == ()


def test_a_new_column_has_what_its_dataset_has() -> None:
    """Where nothing else is stated of it, and from then on with what comes to the dataset."""
    following = Following(Labelled(point([("db:a#x", "db:b#x")], {"db:b": "pii"}), Scene()))
    following.apply(come=[("db:a#x", "db:b#y")])

    assert following.of("db:b#y") == ("pii",)
    assert [each.node for each in following.apply(stated={"db:b": 0})] == ["db:b", "db:b#x", "db:b#y"]


def changed(following: Following, **changes: object) -> list[tuple[str, tuple[str, ...], tuple[str, ...]]]:
    """What a change does: nodes, what they had, what they have."""
    return [tuple(each) for each in following.apply(**changes)]  # type: ignore[arg-type, misc]


@pytest.mark.parametrize(
    ("scene", "facts"),
    [(Scene(depth=3), []), (Scene(depth=0), []), (Scene(direction="both"), []),
     (Scene(), [fact(B, f"label-block:{A}", "*")])],
)  # fmt: skip
def test_what_cannot_be_followed_is_refused(scene: Scene, facts: list[FactAsOf]) -> None:
    """There a label may also go when its way gets longer, or comes by a blocked edge."""
    with pytest.raises(InvalidRequestError, match="is not followed"):
        Following(labelled(CHAIN, {A: "pii"}, *facts, scene=scene))


def test_what_comes_and_goes_at_once_changes_nothing() -> None:
    """Counted by edge; no change at all changes nothing."""
    following = Following(labelled(CHAIN, {A: "pii"}))

    assert changed(following, gone=[(A, B)], come=[(A, B)]) == []
    assert changed(following) == []
    assert changed(following, gone=[(A, B)], come=[(A, B), (A, D)]) == [(D, (), ("pii",))]


def test_a_label_that_still_comes_another_way_stays() -> None:
    """Of two ways one may end; of both none is left."""
    following = Following(labelled([*CHAIN, (A, D), (D, C)], {A: "pii"}))

    assert changed(following, gone=[(A, B)]) == [(B, ("pii",), ())]
    assert changed(following, gone=[(A, D)]) == [(C, ("pii",), ()), (D, ("pii",), ())]


def test_a_statement_that_changes_is_moved_on() -> None:
    """With all that it reaches; what is stated of a node stays where it comes no more."""
    following = Following(labelled(CHAIN, {A: "pii", C: "gdpr"}))
    bits = following.labelled.lattice.bits

    assert changed(following, stated={A: bits("gdpr")}) == [
        (A, ("pii",), ("gdpr",)), (B, ("pii",), ("gdpr",)), (C, ("gdpr", "pii"), ("gdpr",)),
    ]  # fmt: skip
    assert changed(following, stated={A: 0}) == [(A, ("gdpr",), ()), (B, ("gdpr",), ())]


def test_a_decision_takes_a_label_away_and_its_end_gives_it_back() -> None:
    """There and after; what is stated of the node itself stays."""
    following = Following(labelled(CHAIN, {A: "pii"}))
    pii = following.labelled.lattice.bits("pii")

    assert [each[0] for each in changed(following, kept_out={B: pii})] == [B, C]
    assert changed(following, stated={B: pii}) == [(B, (), ("pii",)), (C, (), ("pii",))]
    assert changed(following, stated={B: 0}) == [(B, ("pii",), ()), (C, ("pii",), ())]
    assert [each[0] for each in changed(following, kept_out={B: 0})] == [B, C]


def test_labels_of_a_scene_that_goes_up_are_followed_by_ends_as_they_go() -> None:
    """From the target of an edge to its source."""
    following = Following(labelled(CHAIN, {C: "pii"}, scene=Scene(direction="up")))

    assert following.of(A) == ("pii",)
    assert changed(following, gone=[(C, B)]) == [(A, ("pii",), ()), (B, ("pii",), ())]


def test_a_new_node_where_the_scene_stops_takes_nothing() -> None:
    """Neither over an edge nor from its dataset; one elsewhere does, with its dataset."""
    following = Following(labelled(CHAIN, {A: "pii"}, scene=Scene(stop_nodes=("tmp:*",))))

    assert changed(following, come=[(A, "tmp:t#x"), ("tmp:t#x", "d:new#y"), (A, "d:new")]) == [
        ("d:new", (), ("pii",)), ("d:new#y", (), ("pii",)),
    ]  # fmt: skip
    assert (following.of("tmp:t#x"), following.of("d:new#z"), following.of("d:nothing")) == ((), ("pii",), ())

    column = Following(labelled(CHAIN, {"d:b": "pii"}, scene=Scene(stop_nodes=("d:b#tmp",))))
    assert changed(column, come=[(D, "d:b#tmp"), (D, "d:b#y")]) == []  # it had what its dataset has
    assert (column.of("d:b#tmp"), column.of("d:b#y")) == ((), ("pii",))


def test_a_change_is_shown_as_an_object() -> None:
    """Labels as lists."""
    assert Changed(A, (), ("low", "pii")).to_json() == {"node": A, "before": [], "after": ["low", "pii"]}
