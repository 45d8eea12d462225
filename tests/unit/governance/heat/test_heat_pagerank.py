"""PageRank over arrays: small graphs whose ranks are worked out by hand, in both ways of going over edges."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
import pytest

from lineage_tt.governance.heat.pagerank import Ranks, distinct, in_order, pagerank, ranked
from lineage_tt.model.errors import InvalidRequestError

D = 0.85
Pairs = Sequence[tuple[int, int]]


def columns(pairs: Pairs) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int32]]:
    """The sources and targets of edges."""
    source, target = np.array(pairs, np.int32).reshape(-1, 2).T
    return np.ascontiguousarray(source), np.ascontiguousarray(target)


def ranks(pairs: Pairs, nodes: int, start: Sequence[float] | None = None) -> list[float]:
    """The ranks of nodes, node by node."""
    begins = None if start is None else np.array(start, np.float64)
    return [float(each) for each in pagerank(*columns(pairs), nodes, begins)]


def series(pairs: Pairs, nodes: int, start: Sequence[float] | None = None) -> list[float]:
    """The ranks of nodes, as a series."""
    source, target = columns(pairs)

    def hand_on(values: Ranks) -> Ranks:
        return np.bincount(target, values[source], nodes).astype(np.float64)

    begins = None if start is None else np.array(start, np.float64)
    return [float(each) for each in ranked(hand_on, np.bincount(source, minlength=nodes), begins)]


def parts(*weights: float) -> list[float]:
    """Weights as shares of their sum."""
    return [each / sum(weights) for each in weights]


@pytest.mark.parametrize(
    ("pairs", "nodes", "start", "expected"),
    [
        ([], 3, None, parts(1, 1, 1)),
        ([(0, 1)], 2, None, parts(1, 1 + D)),
        ([(0, 1), (1, 0)], 2, None, parts(1, 1)),
        ([(2, 1), (1, 0)], 3, None, parts(1 + D + D * D, 1 + D, 1)),
        ([(0, 1), (0, 2)], 3, None, parts(1, 1 + D / 2, 1 + D / 2)),
        ([(0, 1), (0, 1), (0, 2)], 3, None, parts(1, 1 + 2 * D / 3, 1 + D / 3)),
        ([(0, 0), (0, 1)], 2, None, parts(1 / (1 - D / 2), 1 + D / 2 / (1 - D / 2))),
        ([(0, 1)], 3, [0, 0, 5], [0, 0, 1]),
        ([(0, 1)], 3, [3, 1, 0], parts(3, 1 + 3 * D, 0)),
    ],
)
def test_ranks_are_those_worked_out_by_hand(
    pairs: Pairs, nodes: int, start: Sequence[float] | None, expected: list[float]
) -> None:
    """Chains, forks, circles, an edge given twice, and walks that start at some nodes; in sum one."""
    assert ranks(pairs, nodes, start) == pytest.approx(expected, abs=1e-12)
    assert series(pairs, nodes, start) == pytest.approx(expected, abs=1e-12)


def test_edges_in_any_order_give_the_same_ranks() -> None:
    """Those in order of their targets are only gone over sooner."""
    pairs = [(0, 3), (3, 1), (1, 3), (2, 0), (0, 2), (1, 2)]

    assert ranks(pairs, 4) == pytest.approx(ranks(sorted(pairs, key=lambda pair: pair[1]), 4), abs=1e-12)
    assert ranks(pairs, 4) == pytest.approx(series(pairs, 4), abs=1e-12)


def test_no_nodes_have_no_ranks() -> None:
    """Nothing is divided by nothing."""
    assert ranks([], 0) == []
    assert series([], 0) == []


@pytest.mark.parametrize("start", [[0, 0], [2, -1]])
def test_walks_that_start_nowhere_are_refused(start: list[float]) -> None:
    """Weights that are all 0, or below it."""
    with pytest.raises(InvalidRequestError, match="the ranks start nowhere") as error:
        ranks([(0, 1)], 2, start)
    assert error.value.hint
    with pytest.raises(InvalidRequestError, match="the ranks start nowhere"):
        series([(0, 1)], 2, start)


def test_numbers_in_order_are_given_back_as_they_are() -> None:
    """Others are sorted, with what belongs to them; equal ones keep their order."""
    ordered, beside = np.array([0, 1, 1], np.int32), np.array([7, 8, 9], np.int32)
    by, (same,) = in_order(ordered, 2, beside)
    assert (by is ordered, same is beside) == (True, True)

    by, (moved,) = in_order(np.array([1, 0, 1], np.int32), 2, beside)
    assert (by.tolist(), moved.tolist()) == ([0, 1, 1], [8, 7, 9])


def test_each_pair_is_kept_once_and_none_of_a_node_with_itself() -> None:
    """In order of sources; both ways between two nodes are two pairs."""
    near, far = distinct(*columns([(2, 0), (0, 1), (1, 0), (0, 1), (1, 1), (0, 2), (0, 1)]), 3)

    assert list(zip(near.tolist(), far.tolist(), strict=True)) == [(0, 1), (0, 2), (1, 0), (2, 0)]
    assert [each.tolist() for each in distinct(*columns([]), 3)] == [[], []]
