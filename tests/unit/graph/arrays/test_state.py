"""What the arrays of a graph hold: rows, the nodes of datasets, and texts for both."""

from __future__ import annotations

import random

import numpy as np
from states import Box, random_boxes, state_of

from lineage_tt.graph.arrays.rows import CLOSED, FAR, FOREVER, NEVER
from lineage_tt.graph.arrays.state import build, chain, edge_texts, rectangles_of
from lineage_tt.graph.arrays.walking import DATASET, LINK, OUT


def test_each_rectangle_is_a_row_under_both_of_its_ends() -> None:
    """The rows of a node lie together; a dataset is a node even where no edge names it."""
    state, names = state_of([Box("d:a#x", "d:b#x"), Box("d:a#y", "d:b#x", 5, 9, 2, 4)])

    assert state.rows == 2
    assert state.nodes == len(names.nodes) == 5
    target = names.nodes.find("d:b#x")
    rows = state.into[state.record[target, 1] : state.record[target + 1, 1]]
    assert names.nodes.texts(rows[:, FAR].tolist()) == ["d:a#x", "d:a#y"]
    assert rows[:, CLOSED].tolist() == [NEVER, ~4]
    source = names.nodes.find("d:a#x")
    assert state.record[source + 1, OUT] - state.record[source, OUT] == 1


def test_the_columns_of_a_dataset_are_linked_one_to_the_next() -> None:
    """From the dataset's record on, each once; the last one links to none."""
    state, names = state_of([Box("d:a#x", "d:b#x"), Box("d:a#y", "d:b#x"), Box("d:a", "d:b#z")])
    node, found = names.nodes.find("d:a"), []
    while (node := int(state.record[node, LINK])) >= 0:
        found.append(names.nodes[node])

    assert sorted(found) == ["d:a#x", "d:a#y"]
    assert state.record[names.nodes.find("d:b#z"), DATASET] == names.nodes.find("d:b")


def test_values_are_linked_to_the_one_before_of_their_key() -> None:
    """The first of a key to the head that there was; the heads to be set are the last of each key."""
    links, (keys, values) = chain(np.array([3, 1, 3, 3]), np.array([10, 11, 12, 13]), np.array([-1, 7, -1, 9]))

    assert links.tolist() == [9, 7, 10, 12]
    assert dict(zip(keys.tolist(), values.tolist(), strict=True)) == {1: 11, 3: 13}
    links, (keys, _) = chain(np.zeros(0, np.int32), np.zeros(0, np.int32), np.array([-1]))
    assert (len(links), len(keys)) == (0, 0)


def test_a_base_that_is_built_again_of_its_rectangles_is_the_same() -> None:
    """All times and versions are in them, no end and no closing among them."""
    seed = random.randrange(2**32)
    print("seed", seed)
    boxes = random_boxes(random.Random(seed))
    state, names = state_of(boxes)

    again = build(rectangles_of(state), names, state.version)

    assert np.array_equal(again.out, state.out)
    assert sorted(again.into.tolist()) == sorted(state.into.tolist())
    assert np.array_equal(again.instants, state.instants)
    assert again.row_bytes == state.row_bytes == 48 * len(boxes)
    found = rectangles_of(state)
    ends = zip(names.nodes.texts(found.source.tolist()), names.nodes.texts(found.target.tolist()), strict=True)
    times = zip(
        *(column.tolist() for column in (found.valid_from, found.valid_to, found.opened, found.closed)), strict=True
    )
    assert sorted((*pair, *four) for pair, four in zip(ends, times, strict=True)) == sorted(box[:6] for box in boxes)


def test_a_state_of_nothing_has_no_rows_and_no_nodes() -> None:
    """It is what an empty store has."""
    state, _ = state_of([])

    assert (state.rows, state.nodes, state.row_bytes, len(state.instants)) == (0, 0, 0, 0)


def test_edges_get_their_texts_from_their_numbers() -> None:
    """Task, ends, type, subtype and expression; for no edge there are none."""
    state, names = state_of(
        [Box("d:a#x", "d:b#x", until=FOREVER, task="t1"), Box("d:a#x", "d:b", task="t2", kind="INDIRECT")]
    )
    numbers = np.array([[names.nodes.find("d:a#x"), row[FAR], row[5]] for row in state.out], np.int32)

    found = sorted(zip(*edge_texts(numbers, names), strict=True))

    assert found == [
        ("t1", "d:a#x", "d:b#x", "DIRECT", "IDENTITY", ""), ("t2", "d:a#x", "d:b", "INDIRECT", "IDENTITY", ""),
    ]  # fmt: skip
    assert edge_texts(numbers[:0], names) == [[], [], [], [], [], []]
