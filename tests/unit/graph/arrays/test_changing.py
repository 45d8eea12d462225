"""Rows in order of their four times."""

from __future__ import annotations

import random

import numpy as np
from states import Box, random_boxes, state_of

from lineage_tt.graph.arrays.changing import ChangeIndex, first_after, side_of
from lineage_tt.graph.arrays.rows import CLOSED, FROM, NEVER, OPENED, TO


def test_each_order_has_the_rows_that_have_such_a_time_in_its_order() -> None:
    """All begin and were opened; those without an end, or that were never closed, are not in the other two."""
    seed = random.randrange(2**32)
    print("seed", seed)
    state, _ = state_of(random_boxes(random.Random(seed)))
    rows = state.out

    begins, ends, opened, closed = ChangeIndex().orders(rows, state.instants, state.base_version)

    for order, column in ((begins, FROM), (opened, OPENED)):
        assert sorted(order.tolist()) == list(range(len(rows)))
        assert (np.diff(rows[order, column]) >= 0).all()
    assert sorted(ends.tolist()) == np.flatnonzero(rows[:, TO] != NEVER).tolist()
    assert sorted(closed.tolist()) == np.flatnonzero(rows[:, CLOSED] < 0).tolist()
    assert (np.diff(rows[ends, TO]) >= 0).all()
    assert (np.diff(~rows[closed, CLOSED]) >= 0).all()


def test_orders_are_made_when_first_asked_for_and_kept() -> None:
    """They take memory only then."""
    state, _ = state_of([Box("d:a#x", "d:b#x", 0, 10, 1, 5)])
    index = ChangeIndex()
    assert index.nbytes == 0

    found = index.orders(state.out, state.instants, state.base_version)

    assert index.orders(state.out, state.instants, state.base_version) is found
    assert index.nbytes == 16


def test_what_comes_after_a_bound_begins_at_one_place() -> None:
    """Rows at the bound itself come before it; closings are compared as what they were before they were turned."""
    state, _ = state_of([Box(f"d:a#{at}", "d:b#x", 0, 9, opened, opened + 2) for at, opened in enumerate((1, 2, 2, 4))])
    _, _, opened, closed = state.changes.orders(state.out, state.instants, state.base_version)

    assert [first_after(state.out, opened, OPENED, False, bound) for bound in (0, 1, 2, 3, 4)] == [0, 1, 3, 3, 4]
    assert [first_after(state.out, closed, CLOSED, True, bound) for bound in (2, 3, 4, 6)] == [0, 1, 3, 4]


def test_a_row_is_on_the_side_of_the_point_at_which_it_is_in_force() -> None:
    """At both or at neither it is on none; ends are not counted in."""
    state, _ = state_of([Box("d:a#x", "d:b#x", 0, 10, 2, 5), Box("d:a#y", "d:b#y", 10, 20, 2, 5)])
    at = state.out[:, FROM].tolist().index(0)

    def side(first: tuple[int, int], second: tuple[int, int]) -> int:
        return int(side_of(state.out, at, *first, *second))

    assert side((0, 2), (1, 2)) == -1  # ranks of the instants 0, 10 and 20
    assert side((1, 2), (0, 4)) == 1
    assert side((0, 2), (0, 4)) == 0
    assert side((0, 1), (0, 5)) == 0
