"""Labels moved on by what changed, for any number of labels, edges and nodes that are new."""

from __future__ import annotations

import random

import numpy as np
import pytest

from lineage_tt.governance.labels.following import Following
from lineage_tt.governance.labels.labelled import Labelled
from lineage_tt.governance.labels.regions import COME, GONE, count_edges, ends_of, keys_of, place_of, write_ends
from lineage_tt.governance.labels.scene import Scene
from lineage_tt.governance.labels.statements import Lattice
from lineage_tt.governance.points.plain import plain_point
from lineage_tt.governance.ports import PointGraph
from lineage_tt.model.answers import EdgeAsOf, FactAsOf

Pair = tuple[str, str]


def _point(edges: list[Pair], labels: dict[str, str]) -> PointGraph:
    return plain_point(
        [EdgeAsOf("t", *ends, "DIRECT", "IDENTITY", "", 1, 0, None) for ends in edges],
        [FactAsOf(node, "label", value, "task", "note", 1, 0, None) for node, value in sorted(labels.items())],
    )


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
    start = Labelled(_point(edges, labels), scene, lattice)
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

        fresh = Labelled(_point(edges, labels), scene, lattice)
        live = [each for each in nodes if fresh.point.number(each) >= 0]
        assert {each: following.of(each) for each in live} == {each: fresh.of(each) for each in live}, (seed, step)
        found = {each.node: (each.before, each.after) for each in changed if each.node in live}
        assert found == {
            each: (held[each], following.of(each)) for each in live if held[each] != following.of(each)
        }, (seed, step)  # fmt: skip


def test_an_edge_that_several_tasks_state_is_gone_with_the_last() -> None:
    """And one that comes again brings its labels again."""
    twice = [("db:a#x", "db:b#x"), ("db:a#x", "db:b#x")]
    following = Following(Labelled(_point(twice, {"db:a#x": "pii"}), Scene()))

    assert following.apply(gone=twice[:1]) == []
    assert [(each.node, each.after) for each in following.apply(gone=twice[:1])] == [("db:b#x", ())]
    assert [(each.node, each.after) for each in following.apply(come=twice[:1])] == [("db:b#x", ("pii",))]


def test_nodes_in_a_circle_lose_what_came_from_outside_alone() -> None:
    """Each has its label from the other; with the edge that led there both lose it."""
    edges = [("db:s#x", "db:a#x"), ("db:a#x", "db:b#x"), ("db:b#x", "db:a#x")]
    following = Following(Labelled(_point(edges, {"db:s#x": "pii"}), Scene()))

    assert [each.node for each in following.apply(gone=edges[:1])] == ["db:a#x", "db:b#x"]
    assert following.of("db:a#x") == ()


def test_a_new_column_has_what_its_dataset_has() -> None:
    """Where nothing else is stated of it, and from then on with what comes to the dataset."""
    following = Following(Labelled(_point([("db:a#x", "db:b#x")], {"db:b": "pii"}), Scene()))
    following.apply(come=[("db:a#x", "db:b#y")])

    assert following.of("db:b#y") == ("pii",)
    assert [each.node for each in following.apply(stated={"db:b": 0})] == ["db:b", "db:b#x", "db:b#y"]


def test_the_ends_at_a_node_are_those_of_the_point_without_what_is_gone_and_with_what_has_come() -> None:
    """A dataset leads to its columns, a column back to its dataset, a node that is new only to what has come."""
    starts, far = np.array([0, 3, 3, 3], np.int32), np.array([1, 2, 1], np.int32)
    column_starts, columns = np.array([0, 1, 1, 1]), np.array([2], np.int32)
    owner, none = np.array([0, 0, 2], np.int32), np.zeros(0, np.int32)
    gone, come = keys_of(np.array([0]), np.array([1])), np.sort(keys_of(np.array([0, 3, 3]), np.array([7, 5, 4])))
    changed = np.array([GONE | COME, 0, 0, COME], np.uint8)
    out = np.zeros(9, np.int32)

    def ends(node: int, by_dataset: np.ndarray, columns: np.ndarray, owner: np.ndarray) -> list[int]:
        count = write_ends(node, starts, far, by_dataset, columns, owner, gone, come, changed, out)
        return sorted(out[:count].tolist())

    forth, back = (column_starts, columns, none), (np.zeros(0, np.int64), none, owner)
    assert ends(0, *forth) == [2, 2, 7]
    assert ends(0, *back) == [2, 7]
    assert ends(1, *back) == [0]
    assert ends(3, *forth) == [4, 5]
    assert ends_of(gone)[1].tolist() == [1]
    assert [place_of(come, key) for key in (0, int(come[1]), int(come[2]) + 1)] == [0, 1, 3]


def test_edges_between_two_nodes_are_counted_from_the_shorter_side() -> None:
    """Whichever that is; a node that the point does not know has none."""
    out_starts, out_far = np.array([0, 3, 4, 4], np.int32), np.array([1, 2, 1, 2], np.int32)
    in_starts, in_far = np.array([0, 0, 2, 4], np.int32), np.array([0, 0, 0, 1], np.int32)
    near, far = np.array([0, 0, 1, 2, 0], np.int32), np.array([1, 2, 2, 0, 3], np.int32)
    found = np.full(5, -1, np.int64)

    count_edges(near, far, out_starts, out_far, in_starts, in_far, found)

    assert found.tolist() == [2, 1, 1, 0, 0]
