"""Arrays that walks write on, used again without a trace of the walk before."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np

from lineage_tt.graph.walks import scratch
from lineage_tt.graph.walks.scratch import Scratch, Scratches


def state(nodes: int, rows: int) -> Any:
    """A state of so many nodes and rows."""
    return SimpleNamespace(record=np.zeros((nodes, 4), np.int32), rows=rows)


def test_one_that_is_given_back_is_taken_again_if_it_fits() -> None:
    """A graph that grew needs a larger one; two walks at once never share one."""
    free = Scratches()
    first = free.take(state(10, 5))
    second = free.take(state(10, 5))
    assert first is not second
    free.give_back(first)

    assert free.take(state(10, 5)) is first
    free.give_back(first)
    larger = free.take(state(11, 5))
    assert larger is not first
    assert len(larger.mark) == 11


def test_numbers_of_walks_are_never_in_a_mark_of_before() -> None:
    """When they run out, the marks are cleared and they begin again."""
    marks = Scratch(3, 1)
    assert [marks.next_walks(), marks.next_walks(2), marks.next_walks()] == [1, 2, 4]
    marks.walks = scratch._LAST_WALK - 1
    marks.mark[:] = 7

    assert marks.next_walks() == 1
    assert marks.mark.tolist() == [0, 0, 0]


def test_one_comes_back_after_a_walk_that_failed() -> None:
    """An error in a walk leaks no memory."""
    free = Scratches()
    try:
        with free.one(state(4, 4)) as held:
            raise ValueError
    except ValueError:
        pass

    assert free.take(state(4, 4)) is held


def test_stars_have_room_for_columns_that_nobody_named() -> None:
    """Such room does not count as room for nodes."""
    free = Scratches()
    held = free.take_stars(state(64, 8))
    free.give_back_stars(held)

    assert len(held.mark) > 64 + held.unnamed
    assert free.take_stars(state(64, 8)) is held
    free.give_back_stars(held)
    assert free.take_stars(state(64 + held.unnamed, 8)) is not held
