"""Star nodes by number: which node represents the columns of a dataset that nobody named."""

from __future__ import annotations

import random

import numpy as np

from lineage_tt.graph.arrays.dictionary import Dictionary
from lineage_tt.graph.arrays.stars import NO_STARS, Stars, is_left_out, no_stars, node_of_pair
from lineage_tt.model.edges import EXCEPT


def _names(*nodes: str) -> Dictionary:
    names = Dictionary()
    names.nodes.add(nodes)
    names.note_datasets()
    return names


def _record(names: Dictionary) -> np.ndarray:
    """Records of nodes in which only their datasets are set."""
    owners = names.datasets_from(0)
    record = np.zeros((len(owners), 4), np.int32)
    record[:, 2] = owners
    return record


def _node(names: Dictionary, found: Stars, dataset: str, column: str) -> int:
    word = names.stars.words.find(column)
    whole = names.nodes.find(dataset)
    return int(node_of_pair(whole, word, len(names.nodes), _record(names), found.column, found.table))


def test_a_graph_without_star_nodes_has_an_empty_index() -> None:
    """Nothing is looked up, and nothing takes memory."""
    names = _names("d:a#x", "d:b#y")

    assert names.stars.now(names) is NO_STARS
    assert NO_STARS.nodes_below(9).tolist() == []
    assert no_stars(3).star.tolist() == [-1, -1, -1]


def test_a_dataset_and_its_columns_know_their_star_node() -> None:
    """Those of other datasets know none; a star node is its own."""
    names = _names("d:a#x", "d:a#*", "d:b#x", "d:a#y")
    found = names.stars.now(names)
    star = names.nodes.find("d:a#*")

    assert found.total == 1
    assert found.nodes_below(len(names.nodes)).tolist() == [star]
    assert {node: int(found.star[names.nodes.find(node)]) for node in ("d:a", "d:a#x", "d:a#y", "d:a#*", "d:b#x")} == {
        "d:a": star, "d:a#x": star, "d:a#y": star, "d:a#*": star, "d:b#x": -1,
    }  # fmt: skip
    assert _node(names, found, "d:a", "y") == names.nodes.find("d:a#y")
    assert _node(names, found, "d:b", "x") == -1


def test_a_star_node_that_comes_later_takes_in_the_columns_that_were_there() -> None:
    """And those that come after it; readers keep the index that they have."""
    names = _names("d:a#x", "d:b#x")
    before = names.stars.now(names)
    names.nodes.add(["d:b#*"])
    names.note_datasets()
    middle = names.stars.now(names)
    names.nodes.add(["d:b#late", "d:a#late"])
    names.note_datasets()
    after = names.stars.now(names)

    assert (before.total, middle.total, after.total) == (0, 1, 1)
    assert _node(names, middle, "d:b", "x") == names.nodes.find("d:b#x")
    assert _node(names, after, "d:b", "late") == names.nodes.find("d:b#late")
    assert _node(names, after, "d:a", "late") == -1
    assert names.stars.now(names) is after


def test_many_columns_are_all_found_in_whatever_pieces_they_come() -> None:
    """The table grows with them; columns of the same name in other datasets are others."""
    seed = random.randrange(2**32)
    rng = random.Random(seed)
    print("seed", seed)
    nodes = [f"d:t{table}#{column}" for table in range(6) for column in ["*", *(f"c{at}" for at in range(150))]]
    rng.shuffle(nodes)
    names = Dictionary()
    while nodes:
        count = rng.randrange(1, 200)
        names.nodes.add(nodes[:count])
        names.note_datasets()
        nodes = nodes[count:]
        found = names.stars.now(names)

    assert found.total == 6
    for _ in range(100):
        table, column = rng.randrange(6), rng.randrange(150)
        node = _node(names, found, f"d:t{table}", f"c{column}")
        assert node == names.nodes.find(f"d:t{table}#c{column}"), (table, column)


def test_what_a_star_edge_leaves_out_is_known_by_its_expression() -> None:
    """Of that expression alone, also where it is new after the nodes were."""
    names = _names("d:a#*", "d:a#x")
    plain, less = names.expressions.add(["", f"{EXCEPT}x, y)"]).tolist()
    found = names.stars.now(names)
    words = names.stars.words

    def left(stars: Stars, expression: int, column: str) -> bool:
        return bool(is_left_out(expression, words.find(column), stars.left, stars.left_table))

    assert [left(found, less, column) for column in ("x", "y")] == [True, True]
    assert not left(found, plain, "x")
    (other,) = names.expressions.add([f"{EXCEPT}z)"]).tolist()
    again = names.stars.now(names)
    assert left(again, other, "z")
    assert not left(again, other, "x")
    assert left(again, less, "x")


def test_a_copy_takes_in_nodes_of_its_own() -> None:
    """The index it was copied from does not know them."""
    names = _names("d:a#*", "d:a#x")
    names.stars.now(names)
    other = names.copy()
    other.nodes.add(["d:b#*"])
    other.note_datasets()

    assert other.stars.now(other).total == 2
    assert names.stars.now(names).total == 1
