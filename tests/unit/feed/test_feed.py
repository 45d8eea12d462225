"""Netting: what a version really changed."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lineage_tt.feed.changes import net
from lineage_tt.model.format import ChangeTuple


def change(sign: int, start: int, end: int | None, source: str = "n:a#x") -> ChangeTuple:
    """A signed change of one edge."""
    return (sign, source, "n:b#y", "DIRECT", "IDENTITY", "", start, end)


@pytest.mark.parametrize(
    ("signed", "expected"),
    [
        ([(-1, 1, None), (1, 1, 5)], [(-1, 5, None)]),  # cut short
        ([(-1, 1, 5), (1, 1, None)], [(1, 5, None)]),  # continues
        ([(-1, 1, 9), (1, 1, 3), (1, 5, 9)], [(-1, 3, 5)]),  # a hole
        ([(-1, 1, 3), (-1, 5, 9), (1, 1, 9)], [(1, 3, 5)]),  # the hole filled
        ([(-1, 3, 9), (1, 1, 9)], [(1, 1, 3)]),  # begins earlier
        ([(-1, 1, 5), (1, 2, 6)], [(-1, 1, 2), (1, 5, 6)]),  # moved on
        ([(-1, 1, 3), (1, 3, 5)], [(-1, 1, 3), (1, 3, 5)]),  # touching, apart in sign
        ([(1, 1, 3), (1, 3, 5)], [(1, 1, 5)]),  # touching, one stretch
        ([(1, 1, None)], [(1, 1, None)]),
        ([], []),
        ([(1, 1, 2), (-1, 1, 2)], []),
    ],
)
def test_net(signed: list[tuple[int, int, int | None]], expected: list[tuple[int, int, int | None]]) -> None:
    """What a minus and a plus have in common is taken out; what is left are maximal stretches in order."""
    assert [(c[0], *c[6:]) for c in net(change(*part) for part in signed)] == expected


def test_edges_are_netted_apart() -> None:
    """Stretches of different edges never cancel out, and come in order of the edge."""
    found = net([change(1, 1, 5, "n:z#x"), change(-1, 1, 5, "n:a#x")])

    assert found == (change(-1, 1, 5, "n:a#x"), change(1, 1, 5, "n:z#x"))


parts = st.tuples(st.sampled_from([1, -1]), st.integers(0, 6), st.none() | st.integers(1, 7)).filter(
    lambda part: part[2] is None or part[1] < part[2]
)


@given(st.lists(parts, max_size=6))
def test_net_keeps_the_sum_at_every_point(signed: list[tuple[int, int, int | None]]) -> None:
    """Netted or not, the signs add up to the same at every valid time."""

    def total(changes: list[ChangeTuple], at: int) -> int:
        return sum(c[0] for c in changes if c[6] <= at and (c[7] is None or at < c[7]))

    whole = [change(*part) for part in signed]
    netted = list(net(whole))

    assert [total(netted, at) for at in range(9)] == [total(whole, at) for at in range(9)]
    assert all(c[0] for c in netted)
