"""All edges in force at a point as columns, in one pass over the rows."""

from __future__ import annotations

import random

import numpy as np
import pytest
from states import Box, held, random_boxes, state_of, with_tail

from lineage_tt.graph.arrays import compiled
from lineage_tt.graph.arrays.dictionary import Dictionary
from lineage_tt.graph.arrays.rows import FOREVER
from lineage_tt.graph.walks.columns import Columns


def _shown(columns: Columns, names: Dictionary) -> list[tuple[object, ...]]:
    ends = names.nodes.texts(columns.source.tolist()), names.nodes.texts(columns.target.tolist())
    times = (each.tolist() for each in (columns.valid_from, columns.valid_to, columns.version))
    return sorted(zip(*ends, *times, names.tasks.texts(columns.task.tolist()), strict=True))


def _held(boxes: list[Box], point: tuple[int, int]) -> list[tuple[object, ...]]:
    return sorted(
        (box.source, box.target, box.since, box.until, box.opened, box.task) for box in held(boxes, point)
    )  # fmt: skip


@pytest.mark.parametrize("many", [0, 10**9])
def test_they_are_the_rectangles_that_hold_at_the_point(many: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """At any point, whether both halves of the nodes are read at the same time or one after the other."""
    monkeypatch.setattr(compiled, "MANY_NODES", many)
    seed = random.randrange(2**32)
    rng = random.Random(seed)
    print("seed", seed)
    boxes = random_boxes(rng)
    state, names = state_of(boxes)

    for _ in range(100):
        point = (rng.randrange(-1, 13), rng.randrange(0, 13))
        columns = Columns(state, names.payloads, *point)
        assert _shown(columns, names) == _held(boxes, point), point
        assert len(columns) == len(columns.kind) == len(columns.expression) == len(columns.by_star)


def test_they_lie_in_order_of_their_sources() -> None:
    """The edges of each node lie between where they start and where those of the next one do."""
    seed = random.randrange(2**32)
    print("seed", seed)
    state, names = state_of(random_boxes(random.Random(seed)))
    columns = Columns(state, names.payloads, 4, 4)

    assert columns.starts is not None
    assert columns.starts[0] == 0
    assert columns.starts[-1] == len(columns)
    assert (np.diff(columns.source) >= 0).all()
    for node in range(state.nodes):
        assert set(columns.source[columns.starts[node] : columns.starts[node + 1]].tolist()) <= {node}


def test_those_of_the_tail_come_after_those_of_all_nodes() -> None:
    """Nothing says then where the edges of a node begin; with a tail of which nothing holds it is as without."""
    more = [Box("d:a#x", "d:new#y", 3, FOREVER, 5), Box("d:new#y", "d:a#x", 3, 6, 5)]
    boxes = [Box("d:a#x", "d:b#x"), Box("d:b#x", "d:c#x", 0, 4)]
    state, names = with_tail(boxes, more)

    for point in ((3, 5), (3, 4), (5, 9), (7, 9)):
        columns = Columns(state, names.payloads, *point)
        assert _shown(columns, names) == _held([*boxes, *more], point), point
        late = any(box.holds(*point) for box in more)
        assert (columns.starts is None) == late, point


def test_a_state_of_nothing_has_no_columns() -> None:
    """At any point."""
    state, names = state_of([])
    columns = Columns(state, names.payloads, 5, 0)

    assert len(columns) == 0
    assert columns.source.tolist() == columns.version.tolist() == []
