"""A state kept current: what is opened joins its tail, what is closed is closed in place."""

from __future__ import annotations

import random

import numpy as np
import pyarrow as pa
import pytest
from states import Box, random_boxes, state_of

from lineage_tt.graph.arrays.dictionary import Dictionary
from lineage_tt.graph.arrays.differences import changed_edges
from lineage_tt.graph.arrays.pairing import Changes
from lineage_tt.graph.arrays.rows import FOREVER, NEVER
from lineage_tt.graph.arrays.state import State, rectangles_of
from lineage_tt.graph.load.tail import advance, extended_times, too_long
from lineage_tt.model.errors import CorruptError


def _changes(boxes: list[Box], names: Dictionary, first: int, last: int) -> Changes:
    """What versions from ``first`` to ``last`` say: edges put in place, and edges taken away."""
    said = [(box.opened, -sign, sign, box) for sign, box in ((1, box) for box in boxes) if first <= box.opened <= last]
    said += [(box.closed, 1, -1, box) for box in boxes if first <= box.closed <= last]
    said.sort(key=lambda each: (each[0], each[1] < 0, each[3]))
    listed = [box for _, _, _, box in said]
    source, target = names.nodes.add(b.source for b in listed), names.nodes.add(b.target for b in listed)
    names.note_datasets()
    kinds = names.kinds(
        pa.array([b.kind for b in listed], pa.string()), pa.array(["IDENTITY"] * len(listed), pa.string())
    )
    payload = names.payloads_of(
        names.tasks.add(b.task for b in listed), kinds, names.expressions.add([""] * len(listed))
    )
    return Changes(
        np.array([sign for _, _, sign, _ in said], np.int8), source, target, payload,
        np.array([b.since for b in listed], np.int64), np.array([b.until for b in listed], np.int64),
        np.array([version for version, _, _, _ in said], np.int32),
    )  # fmt: skip


def _boxes(state: State, names: Dictionary) -> list[tuple[object, ...]]:
    found = rectangles_of(state)
    texts = names.nodes.texts(found.source.tolist()), names.nodes.texts(found.target.tolist())
    numbers = (column.tolist() for column in (found.valid_from, found.valid_to, found.opened, found.closed))
    return sorted(zip(*texts, *numbers, strict=True))


def test_a_state_that_took_in_later_versions_holds_what_one_built_of_all_does() -> None:
    """In one piece or version by version: the same rectangles, and the same differences between any points."""
    seed = random.randrange(2**32)
    rng = random.Random(seed)
    print("seed", seed)
    boxes = random_boxes(rng)
    early = [box._replace(closed=box.closed if box.closed <= 4 else NEVER) for box in boxes if box.opened <= 4]
    whole, _ = state_of(boxes)
    for pieces in ([(5, 20)], [(version, version) for version in range(5, 21)]):
        state, names = state_of(early, 4)
        for first, last in pieces:
            state = advance(state, _changes(boxes, names, first, last), last, names)

        assert state.version == 20
        assert _boxes(state, names) == sorted(box[:6] for box in boxes)
        for _ in range(40):
            points = [(rng.randrange(-1, 13), rng.randrange(0, 13)) for _ in range(2)]
            assert len(changed_edges(state, *points)) == len(changed_edges(whole, *points)), points


def test_a_reader_keeps_the_state_that_it_began_with() -> None:
    """Rows that are closed later carry a version that it does not ask about."""
    state, names = state_of([Box("d:a#x", "d:b#x")], 3)
    later = advance(
        state, _changes([Box("d:a#x", "d:b#x", closed=4), Box("d:a#y", "d:n#z", opened=4)], names, 4, 4), 4, names
    )

    assert state.tails == 0
    assert len(changed_edges(later, (0, 3), (0, 4))) == 2
    assert (state.version, later.version, later.nodes - state.nodes) == (3, 4, 3)


def test_a_change_that_takes_away_what_is_not_there_is_refused() -> None:
    """Of another time, or twice: the log is damaged, and the version is named."""
    state, names = state_of([Box("d:a#x", "d:b#x", 0, 10)], 1)

    with pytest.raises(CorruptError, match="version 2 removes an edge"):
        advance(state, _changes([Box("d:a#x", "d:b#x", 0, 9, 1, 2)], names, 2, 2), 2, names)


def test_a_tail_is_too_long_beyond_its_bound_and_its_share_of_all_rows() -> None:
    """A short tail of a small base is kept; of a large base so is a longer one."""
    state, names = state_of([Box("d:a#x", f"d:b#{at}") for at in range(100)], 1)
    more = [Box("d:a#y", f"d:b#{at}", opened=2) for at in range(6)]
    state = advance(state, _changes(more, names, 2, 2), 2, names)

    assert not too_long(state)
    assert too_long(state, 5)
    assert not too_long(state, 6)
    assert not too_long(state_of([])[0], 0)


def test_times_are_added_without_touching_what_readers_hold() -> None:
    """Where there is no room a larger copy is made."""
    held = np.array([1, 2, 3], np.int64)
    grown = extended_times(held, 3, np.array([FOREVER], np.int64))

    assert grown[:4].tolist() == [1, 2, 3, FOREVER]
    assert held.tolist() == [1, 2, 3]
    assert extended_times(grown, 4, np.array([9], np.int64)) is grown
