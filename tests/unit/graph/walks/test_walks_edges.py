"""The edges that a walk noted: places of rows, read back as edges."""

from __future__ import annotations

import numpy as np
from states import Box, state_of, with_tail

from lineage_tt.graph.arrays.names import Ints
from lineage_tt.graph.arrays.rows import FOREVER
from lineage_tt.graph.walks.edges import Edges, decoded

A, B = "d:a#x", "d:b#y"


def _noted(*edges: tuple[int, ...]) -> Ints:
    return np.array(edges, np.int32)


def test_an_edge_runs_from_source_to_target_whichever_way_it_was_met() -> None:
    """A walk notes its near end alone: down that is the source, up the target."""
    state, names = state_of([Box(A, B, 3, 9, 2)])
    source, target = names.nodes.find(A), names.nodes.find(B)

    for near, down in ((source, True), (target, False)):
        found = decoded(state, _noted((0, near, 1)), down)
        assert found.numbers.tolist() == [[source, target, 0, 2]]
        assert found.valid.tolist() == [[3, 9]]
        assert found.by_star is None


def test_a_row_of_the_tail_has_its_own_times() -> None:
    """Its place is below zero; an edge without an end has none."""
    state, names = with_tail([Box(B, "d:c#z")], [Box(A, B, 4, FOREVER, 7), Box(A, B, -2, 4, 6)])
    source, target = names.nodes.find(A), names.nodes.find(B)

    found = decoded(state, _noted((~0, target, 1), (~1, target, 1)), False)

    assert found.numbers[:, [0, 1, 3]].tolist() == [[source, target, 7], [source, target, 6]]
    assert found.valid.tolist() == [[4, FOREVER], [-2, 4]]


def test_a_star_edge_that_was_joined_has_the_column_at_its_far_end() -> None:
    """The near end is the column already; what was not joined is as it is stored."""
    state, names = state_of([Box("d:a#*", "d:b#*")])
    star, far = names.nodes.find("d:b#*"), 77
    near = names.nodes.find("d:a#*")

    down = decoded(state, _noted((0, 5, 1, far), (0, near, 1, -1)), True)
    up = decoded(state, _noted((0, 5, 1, far)), False)

    assert down.numbers[:, :2].tolist() == [[5, far], [near, star]]
    assert up.numbers[:, :2].tolist() == [[far, 5]]
    assert down.by_star is not None
    assert down.by_star.tolist() == [True, False]


def test_what_is_supposed_has_the_version_after_the_last() -> None:
    """Payloads from a number on are supposed; in a graph that supposes nothing that number says nothing."""
    state, names = state_of([Box(A, B, opened=3), Box(A, "d:c#z", opened=3, task="u")])
    near = names.nodes.find(A)
    noted = _noted((0, near, 1), (1, near, 1))

    supposing = decoded(state._replace(hidden=np.zeros(2, np.uint8), supposed=1), noted, True)
    plain = decoded(state._replace(supposed=1), noted, True)

    versions = {task: version for _, _, task, version in (supposing.numbers // [1, 1, 2, 1]).tolist()}
    assert versions == {0: 3, 1: 4}
    assert plain.numbers[:, 3].tolist() == [3, 3]


def test_some_of_the_edges_keep_what_belongs_to_them() -> None:
    """Whether they are chosen by place or by yes and no; what none of them has stays away."""
    numbers, valid = np.arange(12, dtype=np.int32).reshape(3, 4), np.arange(6, dtype=np.int64).reshape(3, 2)
    merged = Edges(numbers, valid, ("FILTER", "", "JOIN"))
    joined = Edges(numbers, valid, None, np.array([True, False, True]))

    assert merged.take(np.array([True, False, True])).subtypes == ("FILTER", "JOIN")
    found = joined.take(np.array([2, 1]))
    assert found.by_star is not None
    assert (found.numbers[:, 0].tolist(), found.valid[:, 0].tolist()) == ([8, 4], [4, 2])
    assert (found.by_star.tolist(), found.subtypes) == ([True, False], None)
    assert merged.take(np.zeros(3, bool)).subtypes == ()


def test_a_walk_that_noted_nothing_has_no_edges() -> None:
    """In any state."""
    state, _ = state_of([])

    assert len(decoded(state, np.zeros((0, 3), np.int32), True).numbers) == 0
    joined = decoded(state, np.zeros((0, 4), np.int32), False)
    assert joined.by_star is not None
    assert joined.by_star.tolist() == []
