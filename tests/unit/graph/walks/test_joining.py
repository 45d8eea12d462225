"""Walks through star nodes from Python: what is asked, and room for what is found."""

from __future__ import annotations

import numpy as np
from states import Box, Walked, state_of, walked

from lineage_tt.graph.arrays.rows import FOREVER
from lineage_tt.graph.arrays.walking import HIDE, PRUNE
from lineage_tt.graph.walks.joining import StarWalk, walk_through_stars
from lineage_tt.graph.walks.scratch import Scratches, StarScratch
from lineage_tt.graph.walks.unnamed import Unnamed

CHAIN = [Box("d:a#*", "d:b#*"), Box("d:b#*", "d:c#*"), Box("d:b#*", "d:e", kind="INDIRECT", subtype="FILTER")]


def test_a_walk_is_as_deep_as_is_asked_either_way() -> None:
    """Steps are counted from the start, which is not among what is reached."""
    state, names = state_of(CHAIN)

    assert walked(state, names, "d:a#x").nodes == {"d:b#x": 1, "d:c#x": 2, "d:e": 2}
    assert walked(state, names, "d:a#x", depth=1).nodes == {"d:b#x": 1}
    assert walked(state, names, "d:a#x", depth=0) == ({}, [])
    assert walked(state, names, "d:c#x", down=False).nodes == {"d:b#x": 1, "d:a#x": 2}
    assert walked(state, names, "d:a#x", direct_only=True).nodes == {"d:b#x": 1, "d:c#x": 2}


def test_a_walk_is_at_its_point_of_both_times() -> None:
    """The star edge of a day is joined on that day, as known while it was believed."""
    state, names = state_of([Box("d:a#*", "d:b#*", 10, 20, 2, 4)])

    for point, reached in (
        ((10, 2), {"d:b#x": 1}),
        ((19, 3), {"d:b#x": 1}),
        ((9, 2), {}),
        ((20, 2), {}),
        ((10, 1), {}),
        ((10, 4), {}),
    ):
        assert walked(state, names, "d:a#x", point=point).nodes == reached, point


def test_edges_are_noted_only_where_they_are_wanted() -> None:
    """The nodes are the same without."""
    state, names = state_of(CHAIN)

    whole = walked(state, names, "d:a#x")
    assert [edge[:2] for edge in whole.edges] == [("d:a#x", "d:b#x"), ("d:b#x", "d:c#x"), ("d:b#x", "d:e")]
    assert walked(state, names, "d:a#x", collect=False) == (whole.nodes, [])


def test_a_filter_takes_columns_that_nobody_named_as_their_dataset() -> None:
    """Pruned, the walk ends before a dataset that fails; hidden, it goes through."""
    state, names = state_of(CHAIN)
    mask = np.ones(len(state.record), np.uint8)
    mask[names.nodes.find("d:b")] = 0

    assert walked(state, names, "d:a#x", use=PRUNE, mask=mask).nodes == {}
    nodes = Unnamed(names, state)
    found = walked(state, names, "d:a#x", use=HIDE, mask=mask, unnamed=nodes)
    assert found.nodes == {"d:b#x": 1, "d:c#x": 2, "d:e": 2}
    passing = dict(zip(nodes.texts([nodes.base + at for at in range(len(nodes))]), nodes.passes.tolist(), strict=True))
    assert passing == {"d:a#x": 1, "d:b#x": 0, "d:c#x": 1}


def test_enough_nodes_end_a_walk_one_level_later() -> None:
    """The level after the last one is read, so that all edges at the nodes of a page are there."""
    state, names = state_of([Box(f"d:t{at}#*", f"d:t{at + 1}#*") for at in range(5)])

    assert list(walked(state, names, "d:t0#x", enough=1).nodes.values()) == [1, 2]
    assert list(walked(state, names, "d:t0#x", enough=3).nodes.values()) == [1, 2, 3, 4]
    assert len(walked(state, names, "d:t0#x", enough=-1).nodes) == 5


def test_a_walk_that_finds_no_room_is_repeated_with_more() -> None:
    """For unnamed columns and for joined edges; the larger arrays are kept for the next walk."""
    state, names = state_of([Box("d:a#*", f"d:t{at}#*", task=f"t{at}") for at in range(9)])
    scratches, unnamed = Scratches(), Unnamed(names, state)
    scratches.give_back_stars(StarScratch(state, 2, 1))
    start = np.array([unnamed.number("d:a#x")], np.int32)
    asked = StarWalk(True, 0, 5, 9, False, 0, np.zeros(1, np.uint8))

    ids, steps, edges = walk_through_stars(Walked(names, scratches), state, start, asked, unnamed)

    assert sorted(unnamed.texts(ids.tolist())) == [f"d:t{at}#x" for at in range(9)]
    assert steps.tolist() == [1] * 9
    assert len(edges) == len({tuple(edge) for edge in edges.tolist()}) == 9
    kept = scratches.take_stars(state)
    assert (kept.unnamed, kept.joined) == (32, 16)


def test_many_starts_that_nobody_named_find_room() -> None:
    """The columns that an answer has already are more than there was room for."""
    state, names = state_of([Box("d:a#*", "d:b#*")])
    scratches, unnamed = Scratches(), Unnamed(names, state)
    scratches.give_back_stars(StarScratch(state, 1, 1))
    starts = np.array([unnamed.number(f"d:a#c{at}") for at in range(5)], np.int32)
    asked = StarWalk(True, 0, 5, 9, False, 0, np.zeros(1, np.uint8))

    ids, _, _ = walk_through_stars(Walked(names, scratches), state, starts, asked, unnamed)

    assert sorted(unnamed.texts(ids.tolist())) == [f"d:b#c{at}" for at in range(5)]
    assert unnamed.texts(starts.tolist()) == [f"d:a#c{at}" for at in range(5)]


def test_a_walk_without_star_nodes_may_begin_at_a_column_that_nobody_named() -> None:
    """It has no edges of its own; upstream of it is what the whole dataset comes from."""
    state, names = state_of([Box("d:a#x", "d:b", 0, FOREVER)])
    unnamed = Unnamed(names, state)
    start = np.array([unnamed.add(names.nodes.find("d:b"), "declared")], np.int32)
    asked = StarWalk(False, 0, 5, 9, False, 0, np.zeros(1, np.uint8))

    found = {}
    for down in (False, True):
        ids, _, _ = walk_through_stars(
            Walked(names, Scratches()), state, start, asked._replace(down=down), unnamed
        )  # fmt: skip
        found[down] = unnamed.texts(ids.tolist())

    assert found == {False: ["d:a#x"], True: []}
