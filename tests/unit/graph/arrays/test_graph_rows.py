"""Rectangles as rows: in which order those of a node lie, and what adjacency says of edges."""

from __future__ import annotations

import random

import numpy as np

from lineage_tt.graph.arrays.rows import (
    CLOSED,
    FAR,
    FOREVER,
    FROM,
    NEVER,
    OPENED,
    PAYLOAD,
    TO,
    Rectangles,
    adjacency,
    columns_of,
    grouped,
    ranked,
    sorted_rows,
)  # fmt: skip


def _rectangles(rows: list[tuple[int, int, int, int, int]]) -> Rectangles:
    """Rectangles from node 0 to 1, each (payload, valid from, valid to, opened, closed)."""
    payload, since, until, opened, closed = (np.array(column) for column in zip(*rows, strict=True))
    ends = np.zeros(len(rows), np.int32), np.ones(len(rows), np.int32)
    narrow = (each.astype(np.int32) for each in (opened, closed))
    return Rectangles(*ends, payload.astype(np.int32), since.astype(np.int64), until.astype(np.int64), *narrow)


def test_times_are_ranks_among_the_instants_that_any_rectangle_names() -> None:
    """No end is not an instant; one that several name is there once."""
    found = _rectangles([(0, 30, FOREVER, 1, NEVER), (2, 10, 30, 1, NEVER), (4, -5, 10, 1, NEVER)])

    instants, since, until = ranked(found)

    assert instants.tolist() == [-5, 10, 30]
    assert since.tolist() == [2, 1, 0]
    assert until.tolist() == [NEVER, 2, 1]


def test_more_instants_than_a_table_holds_are_ranked_too() -> None:
    """The table grows; ranks stay those of a sorted list."""
    times = random.Random(3).sample(range(10**9), 9_000)
    found = _rectangles([(0, at, FOREVER, 1, NEVER) for at in times])

    instants, since, _ = ranked(found)

    assert instants.tolist() == sorted(times)
    assert instants[since].tolist() == times


def test_believed_rows_lie_first_by_their_end_and_closed_ones_after_them_by_closing() -> None:
    """The latest end first; a closing is written as its complement, below zero."""
    rows = [(0, 0, 20, 1, 7), (2, 0, 30, 2, NEVER), (4, 0, FOREVER, 3, NEVER), (6, 0, 20, 4, 5)]
    found = _rectangles(rows)
    _, since, until = ranked(found)

    out, starts = sorted_rows(found.source, found.target, since, until, found, 2)

    assert starts.tolist() == [0, 4, 4]
    assert out[:, PAYLOAD].tolist() == [4, 2, 6, 0]
    assert out[:, CLOSED].tolist() == [NEVER, NEVER, ~5, ~7]
    assert out[:, OPENED].tolist() == [3, 2, 4, 1]
    assert out[:, FAR].tolist() == [1] * 4
    assert (out[0, FROM], out[0, TO]) == (0, NEVER)


def test_many_rows_of_one_node_are_ordered_as_few_are() -> None:
    """More than 48 go another way through; rows of equal keys stay in the order in which they came."""
    rng = random.Random(7)
    rows = [
        (2 * at, 0, rng.choice([5, 6, 7, FOREVER]), 1, rng.choice([NEVER, NEVER, 2, 3])) for at in range(120)
    ]  # fmt: skip
    found = _rectangles(rows)
    _, since, until = ranked(found)

    out, _ = sorted_rows(found.source, found.target, since, until, found, 1)

    def key(row: tuple[int, int, int, int, int]) -> tuple[int, int]:
        return (0, -row[2]) if row[4] == NEVER else (1, row[4])

    assert out[:, PAYLOAD].tolist() == [row[0] for row in sorted(rows, key=key)]


def test_the_edges_at_a_node_are_in_order_of_their_numbers() -> None:
    """A node without any has none."""
    found = adjacency(np.array([2, 0, 2, 2]), 4)

    assert [found.at(node).tolist() for node in range(4)] == [[1], [], [0, 2, 3], []]
    starts, order = grouped(np.zeros(0, np.int32), 2)
    assert (starts.tolist(), order.tolist()) == ([0, 0, 0], [])


def test_a_dataset_has_all_nodes_that_name_it_but_itself() -> None:
    """Datasets are nodes of their own, wherever their numbers lie."""
    found = columns_of(np.array([1, 1, 3, 3, 1], np.int32))

    assert found.at(1).tolist() == [0, 4]
    assert found.at(3).tolist() == [2]
    assert found.at(0).tolist() == []
