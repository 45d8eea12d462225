"""The layout leaves about as few crossings as a layout made for nothing else."""

from __future__ import annotations

import pytest

from scripts.bench_lib import layouting


@pytest.mark.long
def test_crossings_are_few_beside_another_layout() -> None:
    """Over random layered graphs the sum of crossings is at most 1.1 times that of fast-sugiyama's better way."""
    graphs = [layouting.layered_graph(seed) for seed in range(40)]
    ours, theirs = (sum(map(count, graphs)) for count in (layouting.crossings, layouting.peer_crossings))

    assert ours <= 1.1 * theirs
    assert theirs > 1000  # the graphs are not trivial
