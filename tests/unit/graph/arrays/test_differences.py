"""What is in force at one of two points only."""

from __future__ import annotations

import random

from states import Box, held, random_boxes, state_of

from lineage_tt.graph.arrays.dictionary import Dictionary
from lineage_tt.graph.arrays.differences import changed_edges
from lineage_tt.graph.arrays.state import State

Edge = tuple[str, str, str]


def _changed(
    state: State, names: Dictionary, first: tuple[int, int], second: tuple[int, int]
) -> list[tuple[int, Edge]]:
    rows = changed_edges(state, first, second).tolist()
    return sorted(
        (sign, (names.nodes[source], names.nodes[target], names.tasks[int(names.payloads[payload >> 1, 0])]))
        for sign, source, target, payload in rows
    )


def _held(boxes: list[Box], point: tuple[int, int]) -> set[Edge]:
    return {(box.source, box.target, box.task) for box in held(boxes, point)}


def test_the_difference_of_any_two_points_is_that_of_their_edges() -> None:
    """Of both times, in either direction: each edge once, with the side on which it is."""
    seed = random.randrange(2**32)
    rng = random.Random(seed)
    print("seed", seed)
    boxes = random_boxes(rng)
    state, names = state_of(boxes)

    for _ in range(200):
        first, second = ((rng.randrange(-1, 13), rng.randrange(0, 13)) for _ in range(2))
        before, after = _held(boxes, first), _held(boxes, second)
        expected = sorted([(0, edge) for edge in before - after] + [(1, edge) for edge in after - before])
        assert _changed(state, names, first, second) == expected, (first, second)


def test_an_edge_that_another_rectangle_continues_is_no_difference() -> None:
    """It ends in one and begins in the next one, as a version that says the same again has it."""
    boxes = [Box("d:a#x", "d:b#x", 0, 10), Box("d:a#x", "d:b#x", 10, 20), Box("d:a#y", "d:b#y", 10, 20)]
    state, names = state_of(boxes)

    assert _changed(state, names, (5, 9), (15, 9)) == [(1, ("d:a#y", "d:b#y", "t"))]


def test_more_changes_than_there_is_room_for_at_first_are_all_found() -> None:
    """Room for 4,096 is made larger; a version may change tens of thousands of edges."""
    state, names = state_of([Box(f"d:a#{at}", f"d:b#{at}", opened=2) for at in range(9_000)])

    found = changed_edges(state, (0, 1), (0, 2))

    assert len({*found[:, 1].tolist()}) == len(found) == 9_000
    assert set(found[:, 0].tolist()) == {1}
    assert len(names.nodes) == 18_002
