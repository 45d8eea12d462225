"""The compiled steps that move labels on: the ends at a node, edges counted, keys of pairs."""

from __future__ import annotations

import numpy as np

from lineage_tt.governance.labels.regions import COME, GONE, count_edges, write_ends
from lineage_tt.graph.arrays.rows import ends_of, keys_of
from lineage_tt.graph.arrays.walking import rank_of


def test_the_ends_at_a_node_are_those_of_the_point_without_what_is_gone_and_with_what_has_come() -> None:
    """A dataset leads to its columns, a column back to its dataset, a node that is new only to what has come."""
    starts, far = np.array([0, 3, 3, 3], np.int32), np.array([1, 2, 1], np.int32)
    column_starts, columns = np.array([0, 1, 1, 1]), np.array([2], np.int32)
    owner, none = np.array([0, 0, 2], np.int32), np.zeros(0, np.int32)
    gone, come = keys_of(np.array([0]), np.array([1])), np.sort(keys_of(np.array([0, 3, 3]), np.array([7, 5, 4])))
    changed = np.array([GONE | COME, 0, 0, COME], np.uint8)
    out = np.zeros(9, np.int32)

    def ends(node: int, by_dataset: np.ndarray, columns: np.ndarray, owner: np.ndarray) -> list[int]:
        count = write_ends(node, starts, far, by_dataset, columns, owner, gone, come, changed, out)
        return sorted(out[:count].tolist())

    forth, back = (column_starts, columns, none), (np.zeros(0, np.int64), none, owner)
    assert ends(0, *forth) == [2, 2, 7]
    assert ends(0, *back) == [2, 7]
    assert ends(1, *back) == [0]
    assert ends(3, *forth) == [4, 5]
    assert ends_of(gone)[1].tolist() == [1]
    assert [rank_of(key - 1, come) + 1 for key in (0, int(come[1]), int(come[2]) + 1)] == [0, 1, 3]


def test_edges_between_two_nodes_are_counted_from_the_shorter_side() -> None:
    """Whichever that is; a node that the point does not know has none."""
    out_starts, out_far = np.array([0, 3, 4, 4], np.int32), np.array([1, 2, 1, 2], np.int32)
    in_starts, in_far = np.array([0, 0, 2, 4], np.int32), np.array([0, 0, 0, 1], np.int32)
    near, far = np.array([0, 0, 1, 2, 0], np.int32), np.array([1, 2, 2, 0, 3], np.int32)
    found = np.full(5, -1, np.int64)

    count_edges(near, far, out_starts, out_far, in_starts, in_far, found)

    assert found.tolist() == [2, 1, 1, 0, 0]
