"""Edges on a way between two nodes where star edges may be met from both ends."""

from __future__ import annotations

import numpy as np
from states import Box, Walked, state_of

from lineage_tt.graph.arrays.walking import NO_MASK
from lineage_tt.graph.walks.edges import Part, decoded
from lineage_tt.graph.walks.joining import StarWalk, walk_through_stars
from lineage_tt.graph.walks.meeting import meet, stored_ends
from lineage_tt.graph.walks.scratch import Scratches
from lineage_tt.graph.walks.unnamed import Unnamed

#: source, target, steps from the start, whether joined
Shown = tuple[str, str, int, bool]
STAR = Box("d:a#*", "d:b#*")


def _between(boxes: list[Box], source: str, target: str) -> tuple[dict[str, int], list[Shown]]:
    """What a walk down from one node and a walk up from another have in common: its nodes and its edges."""
    state, names = state_of(boxes)
    unnamed, asked = Unnamed(names, state), StarWalk(True, 0, 5, 99, False, NO_MASK, np.zeros(1, np.uint8))
    graph = Walked(names, Scratches())
    first, last = (np.array([unnamed.number(node)], np.int32) for node in (source, target))
    down = Part("down", *walk_through_stars(graph, state, first, asked, unnamed))
    up = Part("up", *walk_through_stars(graph, state, last, asked._replace(down=False), unnamed))
    found = meet(state, down, up, first, unnamed)

    assert found.direction == "down"
    edges = decoded(state, found.edges, True)
    assert edges.by_star is not None
    ends = (unnamed.texts(edges.numbers[:, side].tolist()) for side in (0, 1))
    shown = sorted(zip(*ends, found.edges[:, 2].tolist(), edges.by_star.tolist(), strict=True))
    return dict(zip(unnamed.texts(found.ids.tolist()), found.steps.tolist(), strict=True)), shown


def test_only_edges_on_a_way_are_left() -> None:
    """What leads elsewhere and what comes from elsewhere goes; steps are those from the start."""
    boxes = [
        Box("d:s#x", "d:m#x"), Box("d:m#x", "d:t#x"), Box("d:s#x", "d:t#x"), Box("d:s#x", "d:dead#x"),
        Box("d:other#x", "d:t#x"), Box("d:t#x", "d:after#x"), STAR,
    ]  # fmt: skip

    assert _between(boxes, "d:s#x", "d:t#x") == (
        {"d:m#x": 1, "d:t#x": 1},
        [("d:m#x", "d:t#x", 2, False), ("d:s#x", "d:m#x", 1, False), ("d:s#x", "d:t#x", 1, False)],
    )


def test_a_star_edge_joined_from_both_ends_is_one_edge() -> None:
    """Its columns are the same from either end, though nobody named them."""
    expected = ({"d:b#x": 1, "d:c#y": 2}, [("d:a#x", "d:b#x", 1, True), ("d:b#x", "d:c#y", 2, False)])

    assert _between([STAR, Box("d:b#x", "d:c#y")], "d:a#x", "d:c#y") == expected
    assert _between([STAR, Box("d:b#*", "d:c#*")], "d:a#q", "d:c#q") == (
        {"d:b#q": 1, "d:c#q": 2}, [("d:a#q", "d:b#q", 1, True), ("d:b#q", "d:c#q", 2, True)],
    )  # fmt: skip


def test_the_more_definite_names_of_both_walks_are_shown() -> None:
    """Down from a whole dataset the star edge is met as it is stored; up from a column it is joined. And turned."""
    assert _between([STAR, Box("d:b#x", "d:c#y")], "d:a", "d:c#y") == (
        {"d:b#x": 1, "d:c#y": 2}, [("d:a#x", "d:b#x", 1, True), ("d:b#x", "d:c#y", 2, False)],
    )  # fmt: skip
    assert _between([Box("d:z#y", "d:a#x"), STAR], "d:z#y", "d:b") == (
        {"d:a#x": 1, "d:b#x": 2}, [("d:a#x", "d:b#x", 2, True), ("d:z#y", "d:a#x", 1, False)],
    )  # fmt: skip


def test_a_star_edge_that_no_end_joins_is_as_it_is_stored() -> None:
    """Between two whole datasets, and from a star node."""
    expected = ({"d:b#*": 1}, [("d:a#*", "d:b#*", 1, False)])

    assert _between([STAR], "d:a", "d:b") == expected
    assert _between([STAR], "d:a#*", "d:b#*") == expected


def test_a_way_from_a_star_node_leaves_every_column_of_its_dataset() -> None:
    """At the start alone: in the middle of a way a star node continues with what leaves it, and with what it joins."""
    assert _between([STAR, Box("d:a#x", "d:c#y")], "d:a#*", "d:c#y") == (
        {"d:c#y": 1}, [("d:a#x", "d:c#y", 1, False)],
    )  # fmt: skip


def test_columns_that_are_not_the_same_do_not_meet() -> None:
    """The walk down comes over x, the walk up over y: there is no way."""
    boxes = [STAR, Box("d:b#y", "d:c#z")]

    assert _between(boxes, "d:a#x", "d:c#z") == ({}, [])
    assert _between(boxes, "d:a#y", "d:c#z")[0] == {"d:b#y": 1, "d:c#z": 2}


def test_an_edge_that_leaves_a_column_is_on_a_way_from_its_whole_dataset() -> None:
    """Also in the middle of a way, where an edge leads into the whole dataset."""
    boxes = [Box("d:s#x", "d:m"), Box("d:m#y", "d:t#z"), STAR]

    assert _between(boxes, "d:s#x", "d:t#z") == (
        {"d:m": 1, "d:t#z": 2}, [("d:m#y", "d:t#z", 2, False), ("d:s#x", "d:m", 1, False)],
    )  # fmt: skip


def test_a_circle_comes_back_to_where_it_began() -> None:
    """The start is not reached, the edge into it is on the way."""
    boxes = [Box("d:s#x", "d:t#x"), Box("d:t#x", "d:s#x"), STAR]

    assert _between(boxes, "d:s#x", "d:s#x") == (
        {"d:t#x": 1}, [("d:s#x", "d:t#x", 1, False), ("d:t#x", "d:s#x", 2, False)],
    )  # fmt: skip


def test_the_stored_ends_of_a_joined_edge_are_star_nodes() -> None:
    """Of an edge that is not joined, and at an end that is one column, they are what is shown."""
    state, names = state_of([STAR, Box("d:a#*", "d:c#all"), Box("d:a#x", "d:e#y")])
    graph, asked = Walked(names, Scratches()), StarWalk(True, 0, 5, 99, False, NO_MASK, np.zeros(1, np.uint8))
    found = {}
    for start, down in (("d:a#x", True), ("d:b#q", False)):
        unnamed = Unnamed(names, state)
        first = np.array([unnamed.number(start)], np.int32)
        _, _, noted = walk_through_stars(graph, state, first, asked._replace(down=down), unnamed)
        stored = stored_ends(state, noted, down, unnamed)
        found[down] = sorted((names.nodes[source], names.nodes[target]) for source, target, _ in stored.tolist())

    assert found == {
        True: [("d:a#*", "d:b#*"), ("d:a#*", "d:c#all"), ("d:a#x", "d:e#y")],
        False: [("d:a#*", "d:b#*")],
    }
