"""Copies followed to where they begin, and fingerprints of what edges say."""

from __future__ import annotations

import random

import numpy as np

from lineage_tt.governance.upkeep.redundancy.copies import EdgesInto, fingerprints, roots, several

DIRECT, OTHER = 0, 1


def _into(edges: list[set[tuple[int, int, int]]], rng: random.Random) -> EdgesInto:
    """Return edges into each node, in any order and some of them twice."""
    listed = [rng.sample([*each, *each], len(each) * 2) for each in edges]
    starts = np.cumsum([0, *map(len, listed)]).astype(np.int64)
    columns = [np.array(column, np.int32) for column in zip(*(edge for each in listed for edge in each), strict=True)]
    return EdgesInto(starts, *columns)


def test_copies_of_copies_begin_with_the_same_column() -> None:
    """A chain leads to its first, a column that is not a copy to itself."""
    copied = np.array([0, 0, 1, 2, 4, 4], np.int32)

    assert roots(copied).tolist() == [0, 0, 0, 0, 4, 4]
    assert roots(np.zeros(0, np.int32)).tolist() == []


def test_copies_in_a_circle_begin_with_one_of_themselves() -> None:
    """All that are in it or lead to it have the same one, so that they are alike."""
    copied = np.array([1, 2, 0, 0, 3], np.int32)  # 0 → 1 → 2 → 0, and 4 → 3 → 0

    found = set(roots(copied).tolist())

    assert len(found) == 1
    assert found <= {0, 1, 2}


def test_columns_of_which_edges_say_the_same_have_one_fingerprint() -> None:
    """In whatever order edges come and however often; others have another one."""
    seed = random.randrange(2**32)
    rng = random.Random(seed)
    print("seed", seed)
    nodes = 300  # the last one is the dataset of all, which nothing decides
    edges = [
        {(rng.randrange(5), rng.randrange(2), rng.randrange(3)) for _ in range(rng.randrange(1, 3))}
        for _ in range(nodes)
    ]
    edges[-1] = set()
    dataset = np.full(nodes, nodes - 1, np.int32)
    root = np.array([0, 0, *range(2, nodes)], np.int32)  # the source 1 is a copy of 0
    direct = np.array([True, False])

    prints, has_value = fingerprints(_into(edges, rng), direct, root, dataset, np.arange(nodes - 1, dtype=np.int32))

    said = [
        (
            frozenset(max(source, 1) for source, kind, _ in each if kind == DIRECT),
            frozenset((max(source, 1), text) for source, kind, text in each if kind == OTHER),
        )
        for each in edges[:-1]
    ]
    assert len({*zip(said, prints.tolist(), strict=True)}) == len({*said}) == len({*prints.tolist()})
    assert has_value.tolist() == [bool(values) for values, _ in said]


def test_what_decides_the_rows_of_a_dataset_is_part_of_each_fingerprint() -> None:
    """The columns 0 and 1 have the same edges, their datasets 2 and 3 do not."""
    edges = EdgesInto(np.array([0, 1, 2, 3, 3]), *np.array([[4, DIRECT, 0], [4, DIRECT, 0], [4, OTHER, 0]], np.int32).T)
    root, direct = np.arange(5, dtype=np.int32), np.array([True, False])

    prints, _ = fingerprints(
        edges, direct, root, np.array([2, 3, 2, 3, 4], np.int32), np.array([0, 1], np.int32)
    )  # fmt: skip

    assert prints[0] != prints[1]


def test_only_columns_of_different_datasets_that_share_a_fingerprint_are_compared() -> None:
    """Two columns of one dataset that say the same are not a finding of their own."""
    prints = np.array([7, 8, 7, 9, 9, 8], np.uint64)
    dataset = np.array([1, 1, 2, 3, 3, 2], np.int32)

    assert several(prints, dataset).tolist() == [True, True, True, False, False, True]
    assert several(prints[:0], dataset[:0]).tolist() == []
