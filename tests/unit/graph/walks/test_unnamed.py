"""Numbers for columns that a walk comes to by star and that nobody ever named."""

from __future__ import annotations

import numpy as np
from states import Box, state_of

from lineage_tt.graph.arrays.dictionary import Dictionary
from lineage_tt.graph.arrays.state import State
from lineage_tt.graph.walks.unnamed import Unnamed, knows_star

BOXES = [Box("d:a#*", "d:b#*"), Box("d:a#x", "d:c#x")]


def _nodes() -> tuple[Unnamed, State, Dictionary]:
    state, names = state_of(BOXES)
    return Unnamed(names, state), state, names


def test_a_node_of_the_graph_keeps_its_number() -> None:
    """A column that nobody named gets one after the room for nodes, the same whenever it is asked for."""
    nodes, state, names = _nodes()

    assert nodes.number("d:a#x") == names.nodes.find("d:a#x")
    assert nodes.number("d:a#*") == names.nodes.find("d:a#*")
    assert [nodes.number(node) for node in ("d:a#q", "d:b#q", "d:a#q", "d:b#x")] == [
        nodes.base, nodes.base + 1, nodes.base, nodes.base + 2,
    ]  # fmt: skip
    assert nodes.base == len(state.record)
    assert len(nodes) == 3


def test_a_dataset_without_a_star_node_has_no_columns_but_its_own() -> None:
    """Neither has a dataset that is not known; such a node has no number, and nothing is kept of it."""
    nodes, _, names = _nodes()
    known = len(names.nodes)

    assert [nodes.number(node) for node in ("d:c#q", "d:none", "d:none#q", "d:none#*")] == [-1] * 4
    assert len(nodes) == 0
    assert len(names.nodes) == known


def test_a_node_that_came_after_the_state_is_not_in_it() -> None:
    """A column of a star's dataset is one that nobody named yet, as of the state."""
    nodes, _, names = _nodes()
    names.nodes.add(["d:late#x", "d:a#late"])
    names.note_datasets()

    assert nodes.number("d:late#x") == -1
    assert nodes.number("d:a#late") == nodes.base
    assert nodes.texts([nodes.base]) == ["d:a#late"]


def test_names_come_in_the_order_of_their_numbers_wherever_they_are_kept() -> None:
    """Words that the index has, words of this answer alone, and nodes of the graph, in any order."""
    nodes, _, names = _nodes()
    wanted = ["d:b#ü", "d:a#x", "d:b#x", "d:b", "d:b#ü", "d:a#new"]
    numbers = [nodes.number(node) for node in wanted]

    assert nodes.texts(numbers) == wanted
    assert nodes.take(np.array(numbers, np.int32)).to_pylist() == wanted
    plain = np.array([names.nodes.find("d:c")], np.int32)
    assert nodes.take(plain).to_pylist() == ["d:c"]
    assert nodes.texts([]) == []


def test_each_node_has_its_owner_and_the_star_node_of_it() -> None:
    """Where the dataset has none, and in a state without star nodes, that is -1."""
    nodes, _, names = _nodes()
    a, b, c = (names.nodes.find(node) for node in ("d:a", "d:b", "d:c"))
    number = nodes.number("d:b#q")
    ends = np.array([number, names.nodes.find("d:a#x"), c], np.int32)

    assert nodes.owners()[ends].tolist() == [b, a, c]
    assert nodes.star_of(ends).tolist() == [names.nodes.find("d:b#*"), names.nodes.find("d:a#*"), -1]
    names.nodes.add(["d:c#*"])
    names.note_datasets()
    assert names.stars.now(names).total == 3
    assert nodes.star_of(ends).tolist()[2] == -1
    state, others = state_of([Box("d:a#x", "d:b#y")])
    assert Unnamed(others, state).star_of(np.array([0, 1], np.int32)).tolist() == [-1, -1]


def test_a_filter_lets_an_unnamed_column_pass_unless_it_is_said_otherwise() -> None:
    """Its place in the mask is its number."""
    nodes, _, _ = _nodes()
    mask = np.zeros(nodes.base, np.uint8)
    assert nodes.passing(mask) is mask
    first, second = nodes.number("d:a#q"), nodes.number("d:b#q")
    nodes.passes[second - nodes.base] = 0

    assert nodes.passing(mask)[[first, second]].tolist() == [1, 0]


def test_it_is_known_whether_any_node_is_unnamed() -> None:
    """Of no nodes none is."""
    nodes, _, _ = _nodes()
    number = nodes.number("d:a#q")

    assert nodes.holds_any(np.array([0, number], np.int32))
    assert not nodes.holds_any(np.array([0, nodes.base - 1], np.int32))
    assert not nodes.holds_any(np.zeros(0, np.int32))


def test_columns_of_a_dataset_with_a_star_node_are_known_as_such() -> None:
    """The dataset and the star node itself are not columns."""
    _, state, names = _nodes()

    nodes = ("d:a#q", "d:b#x", "d:a", "d:a#*", "d:c#x", "d:none#q")
    assert [knows_star(names, state, node) for node in nodes] == [True, True, False, False, False, False]
    plain, others = state_of([Box("d:a#x", "d:b#y")])
    assert not knows_star(others, plain, "d:a#x")
