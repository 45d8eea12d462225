"""The fixpoint over arrays: bits that spread over edges, into the columns of datasets, up to a depth."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from lineage_tt.governance.labels.spreading import Carried, carried, fixpoint, in_place, word_type
from lineage_tt.graph.arrays.compiled import MANY_NODES

Pairs = Sequence[tuple[int, int]]


def edges(pairs: Pairs, nodes: int, passes: Sequence[int] | None = None, kept: Sequence[bool] | None = None) -> Carried:
    """Edges by where they come from, with the bits that they let through."""
    near, far = np.array(pairs, np.int32).reshape(-1, 2).T.copy()
    flags = np.ones(len(near), np.bool_) if kept is None else np.array(kept, np.bool_)
    return carried(near, far, flags, nodes, None if passes is None else np.array(passes, np.uint64))


def spread(
    over: Carried, stated: Sequence[int], allowed: Sequence[int] | None = None, members: Sequence[Sequence[int]] = (),
    depth: int | None = None, kind: type[np.unsignedinteger] = np.uint8,
) -> list[int]:  # fmt: skip
    """What each node has in the end; ``members`` are the columns of the first nodes."""
    nodes = len(stated)
    columns = [*members, *([()] * (nodes - len(members)))]
    starts = np.cumsum([0, *map(len, columns)]).astype(np.int64)
    inside = np.array([each for of in columns for each in of], np.int32)
    whole = np.array([bool(of) for of in columns], np.uint8)
    may = np.full(nodes, np.iinfo(kind).max, kind) if allowed is None else np.array(allowed, kind)
    return [int(each) for each in fixpoint(over, may, whole, starts, inside, np.array(stated, kind), depth)]


@pytest.mark.parametrize(
    ("bits", "kind"),
    [(0, np.uint8), (8, np.uint8), (9, np.uint32), (32, np.uint32), (33, np.uint64), (64, np.uint64), (200, np.uint64)],
)
def test_words_are_as_wide_as_the_labels_need(bits: int, kind: type) -> None:
    """More than 64 take several words."""
    assert word_type(bits) is kind


def test_edges_lie_by_their_near_ends() -> None:
    """In order of these as they are, else sorted, each with its bits; those that are not kept are left out."""
    some = edges([(2, 0), (0, 1), (2, 1), (0, 2)], 3, passes=[1, 2, 3, 4], kept=[True, True, False, True])
    ordered = edges([(0, 1), (0, 2), (2, 0)], 3)

    assert [each.tolist() for each in some] == [[0, 2, 2, 3], [1, 2, 0], [2, 4, 1]]
    assert [each.tolist() for each in ordered] == [[0, 2, 2, 3], [1, 2, 0], []]
    assert [each.tolist() for each in edges([], 2)] == [[0, 0, 0], [], []]


def test_bits_spread_until_nothing_is_new() -> None:
    """Over chains, forks and circles; each node keeps its own."""
    assert spread(edges([(0, 1), (1, 2), (2, 0), (1, 3)], 5), [1, 2, 0, 0, 4]) == [3, 3, 3, 3, 4]
    assert spread(edges([], 2), [5, 0]) == [5, 0]
    assert spread(edges([], 0), []) == []


def test_an_edge_lets_only_its_bits_through() -> None:
    """Also where it is the only one; the bit may come by another way."""
    assert spread(edges([(0, 1)], 2, passes=[0b01]), [0b11, 0]) == [0b11, 0b01]
    assert spread(edges([(0, 1), (0, 2), (2, 1)], 3, passes=[0, 0b10, 0b11]), [0b11, 0, 0]) == [0b11, 0b10, 0b10]


def test_a_node_takes_only_what_it_may() -> None:
    """What is stated of it stays, and spreads."""
    over = edges([(0, 1), (1, 2)], 3)

    assert spread(over, [0b11, 0, 0], [255, 0b10, 255]) == [0b11, 0b10, 0b10]
    assert spread(over, [0, 0b01, 0], [0, 0, 255]) == [0, 0b01, 0b01]


def test_a_dataset_hands_its_bits_to_its_columns_at_once() -> None:
    """What is stated of it and what comes to it; a column may refuse; it is not a step of the way."""
    over = edges([(3, 0), (1, 4)], 5)
    members = [[1, 2]]  # node 0 is a dataset with the columns 1 and 2

    assert spread(over, [1, 0, 0, 0, 0], members=members) == [1, 1, 1, 0, 1]
    assert spread(over, [0, 0, 0, 2, 0], members=members, depth=2) == [2, 2, 2, 2, 2]
    assert spread(over, [0, 0, 0, 2, 0], members=members, depth=1) == [2, 2, 2, 2, 0]
    assert spread(over, [1, 0, 0, 0, 0], [255, 0, 255, 255, 255], members) == [1, 0, 1, 0, 0]


@pytest.mark.parametrize(("depth", "expected"), [(0, [1, 0, 0, 4]), (1, [1, 1, 4, 4]), (2, [1, 1, 5, 4])])
def test_bits_go_as_many_steps_as_the_depth(depth: int, expected: list[int]) -> None:
    """Each counted from where it is stated, by its own shortest way."""
    assert spread(edges([(0, 1), (1, 2), (3, 2)], 4), [1, 0, 0, 4], depth=depth) == expected
    assert spread(edges([(0, 1), (1, 2)], 3), [1, 2, 0], depth=1) == [1, 3, 2]


@pytest.mark.parametrize("kind", [np.uint8, np.uint32, np.uint64])
def test_words_of_any_width_spread_their_highest_bit(kind: type[np.unsignedinteger]) -> None:
    """Blocked or not."""
    top = 1 << (np.iinfo(kind).bits - 1)
    over = edges([(0, 1), (0, 2)], 3, passes=[2**64 - 1, top - 1])

    assert spread(over, [top | 1, 0, 0], kind=kind) == [top | 1, top | 1, 1]


@pytest.mark.parametrize("depth", [None, 2])
def test_a_large_graph_spreads_its_bits_in_halves_and_gives_the_same(depth: int | None) -> None:
    """Where every other bit goes in a thread of its own; also where only one half has any."""
    nodes = MANY_NODES
    far = np.array([1, 2, 3], np.int32)
    starts = np.minimum(np.arange(nodes + 1), 3).astype(np.int32)
    none, may = np.zeros(nodes + 1, np.int64), np.full(nodes, 0b0111, np.uint8)
    for bits in (0b1111, 0b0101, 0b0010):
        stated = np.zeros(nodes, np.uint8)
        stated[0] = bits
        found = fixpoint(
            in_place(starts, far), may, np.zeros(nodes, np.uint8), none, np.zeros(0, np.int32), stated, depth
        )
        gone = bits & 0b0111
        assert found[:5].tolist() == [bits, gone, gone, gone if depth is None else 0, 0]
        assert not found[5:].any()
