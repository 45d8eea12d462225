"""Strongly connected components."""

from __future__ import annotations

import pytest

from lineage_tt.governance.points.components import components


@pytest.mark.parametrize(
    ("following", "found"),
    [({}, []), ({1: []}, [[1]]), ({1: [1]}, [[1]]), ({1: [2], 2: []}, [[1], [2]]), ({1: [2], 2: [1]}, [[1, 2]]),
     ({1: [2], 2: [3], 3: [1, 4], 4: [5], 5: [4]}, [[1, 2, 3], [4, 5]]),
     ({1: [2, 3], 2: [4], 3: [4], 4: []}, [[1], [2], [3], [4]])],
)  # fmt: skip
def test_what_leads_to_each_other_is_one(following: dict[int, list[int]], found: list[list[int]]) -> None:
    """A node alone is one, too."""
    assert sorted(sorted(members) for members in components(following)) == found


def test_what_comes_after_is_yielded_before() -> None:
    """And a node that is only led to is one."""
    assert list(components({1: [2], 2: [3]})) == [[3], [2], [1]]


def test_a_long_chain_needs_no_recursion() -> None:
    """Twenty thousand nodes in one circle."""
    count = 20_000
    (circle,) = components({node: [(node + 1) % count] for node in range(count)})

    assert len(circle) == count
