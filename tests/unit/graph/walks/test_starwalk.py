"""Star edges joined to a column: which edges they make, what they leave out, where they lead."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from states import Box, Met, state_of, walked, with_tail

from lineage_tt.graph.arrays.names import Ints
from lineage_tt.graph.walks.starwalk import enter_unnamed, next_near, unnamed_of

STAR = Box("d:a#*", "d:b#*")


def _met(*boxes: Box, start: str, down: bool = True, point: tuple[int, int] = (0, 5)) -> Met:
    state, names = state_of(boxes)
    return walked(state, names, start, down=down, point=point)


def test_a_star_edge_leads_from_a_column_to_the_one_of_its_name() -> None:
    """Whether anybody named them or not; a star edge into one column leads to that column."""
    into = Box("d:a#*", "d:c#all", kind="INDIRECT", subtype="FILTER")

    assert _met(STAR, into, start="d:a#ä").edges == [("d:a#ä", "d:b#ä", 1, True), ("d:a#ä", "d:c#all", 1, True)]
    named = Box("d:z#q", "d:a#x")
    assert _met(STAR, named, start="d:z#q").edges == [("d:a#x", "d:b#x", 2, True), ("d:z#q", "d:a#x", 1, False)]
    assert _met(STAR, start="d:b#x", down=False).edges == [("d:a#x", "d:b#x", 1, True)]


def test_from_a_whole_dataset_and_from_a_star_node_a_star_edge_is_as_it_is_stored() -> None:
    """The walk continues from the star node with every column of its dataset."""
    further = Box("d:b#x", "d:c#y")
    expected = [("d:a#*", "d:b#*", 1, False), ("d:b#x", "d:c#y", 2, False)]

    assert _met(STAR, further, start="d:a").edges == expected
    assert _met(STAR, further, start="d:a#*").edges == expected
    assert _met(STAR, Box("d:z#q", "d:a#x"), start="d:b#*", down=False).edges == [
        ("d:a#*", "d:b#*", 1, False), ("d:z#q", "d:a#x", 2, False),
    ]  # fmt: skip


@pytest.mark.parametrize("down", [True, False])
def test_a_column_that_the_task_makes_itself_is_not_joined(down: bool) -> None:
    """By a DIRECT edge in force; one of another task, an INDIRECT one, or one that ended makes nothing."""
    start, joined = ("d:a#x", ("d:a#x", "d:b#x", 1, True)) if down else ("d:b#x", ("d:a#x", "d:b#x", 1, True))
    own = Box("d:o#y", "d:b#x")

    for box, is_joined in (
        (own, False),
        (own._replace(task="u"), True),
        (own._replace(kind="INDIRECT", subtype="FILTER"), True),
        (own._replace(until=0, since=-9), True),
        (own._replace(closed=4), True),
        (own._replace(opened=6), True),
    ):
        assert (joined in _met(STAR, box, start=start, down=down).edges) == is_joined, box
        state, names = with_tail([STAR], [box])
        assert (joined in walked(state, names, start, down=down).edges) == is_joined, box


def test_columns_that_a_star_edge_leaves_out_are_not_joined() -> None:
    """Either way; the others are."""
    less = STAR._replace(expression="* EXCEPT (x, y)")

    assert _met(less, start="d:a#x").edges == []
    assert _met(less, start="d:b#y", down=False).edges == []
    assert _met(less, start="d:a#z").edges == [("d:a#z", "d:b#z", 1, True)]


def test_star_edges_of_the_tail_and_those_closed_later_are_joined_too() -> None:
    """What is closed after the point is in force at it; what is opened after it is not."""
    closed, late = STAR._replace(closed=7), Box("d:a#*", "d:c#*", 0, 9, 3)
    state, names = with_tail([closed, STAR._replace(target="d:e#*", closed=5)], [late, late._replace(since=9, until=8)])

    assert walked(state, names, "d:a#x", point=(0, 5)).nodes == {"d:b#x": 1, "d:c#x": 1}
    assert walked(state, names, "d:a#x", point=(0, 2)).nodes == {"d:b#x": 1, "d:e#x": 1}
    assert walked(state, names, "d:a#x", point=(9, 7)).nodes == {}
    assert _met(STAR._replace(until=3), start="d:a#x", point=(3, 5)).nodes == {}
    assert walked(state, names, "d:c#x", point=(8, 5), down=False).nodes == {"d:a#x": 1}


def test_what_is_hidden_is_not_joined() -> None:
    """The edges of a task whose edges are supposed to be others."""
    state, names = state_of([STAR, Box("d:a#*", "d:c#*", task="u")])
    hidden = np.zeros(2, np.uint8)
    hidden[names.tasks.find("u")] = 1

    assert walked(state._replace(hidden=hidden), names, "d:a#x").nodes == {"d:b#x": 1}


def test_a_circle_of_stars_ends() -> None:
    """Each edge is met once for each column."""
    back = Box("d:b#*", "d:a#*", task="u")

    assert _met(STAR, back, start="d:a#x") == (
        {"d:b#x": 1}, [("d:a#x", "d:b#x", 1, True), ("d:b#x", "d:a#x", 2, True)],
    )  # fmt: skip


def test_unnamed_columns_are_numbered_by_dataset_and_name() -> None:
    """A pair that is there keeps its number, a new one has the next and its dataset's place in the mask."""
    pairs, table = np.zeros((3, 2), np.int32), np.zeros(4, np.int32)
    passes, tell = np.ones(3, np.uint8), np.zeros(6, np.int64)
    pairs[0] = (4, 9)
    enter_unnamed(pairs, 1, table)
    tell[4] = 1
    mask = np.array([1, 1, 1, 1, 1, 0], np.uint8)

    def number(dataset: int, name: int) -> int:
        return int(unnamed_of(dataset, name, 100, pairs, table, passes, mask, tell))

    assert [number(4, 9), number(5, 9), number(4, 8), number(5, 9)] == [100, 101, 102, 101]
    assert pairs.tolist() == [[4, 9], [5, 9], [4, 8]]
    assert passes.tolist() == [1, 0, 1]
    assert tell[4] == 3
    assert number(5, 8) == -1
    assert number(4, 8) == 102


def test_after_a_node_come_those_that_it_stands_for() -> None:
    """Down a dataset's columns; up its dataset as a whole, and at the start a dataset's columns; a star node's both."""
    state, names = state_of([Box("d:a#*", "d:b#*"), Box("d:a#x", "d:b#y"), Box("d:a#z", "d:b#y")])
    whole, star, x, z = (names.nodes.find(node) for node in ("d:a", "d:a#*", "d:a#x", "d:a#z"))

    def chain(node: int, down: bool, first: bool, record: Ints = state.record) -> list[int]:
        found: list[int] = []
        at: Any = np.int32(node)
        near = at
        while near >= 0:
            found.append(int(near))
            near = np.int32(next_near(near, at, down, first, len(record), record, node == star))
        return found

    assert chain(x, True, True) == [x]
    assert chain(x, False, True) == chain(x, False, False) == [x, whole]
    assert chain(whole, True, False)[0] == whole
    assert sorted(chain(whole, True, False)) == sorted(chain(whole, False, True)) == sorted([whole, star, x, z])
    assert chain(whole, False, False) == [whole]
    assert sorted(chain(star, True, False)) == sorted([star, x, z])
    assert sorted(chain(star, False, False)) == sorted([star, whole, x, z])
    assert chain(len(state.record), False, True) == [len(state.record)]
