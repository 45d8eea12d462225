"""The layout of pictures: how long it takes, how that grows, and how many crossings it leaves beside another layout.

The other one is fast-sugiyama (Rust; after rust-sugiyama), asked for its better one of medians and means.
"""

from __future__ import annotations

import statistics
import time
from typing import Any, Final

import numpy as np

from lineage_tt.graph.layout.chains import cut
from lineage_tt.graph.layout.crossings import sides
from lineage_tt.graph.layout.layered import Boxes, layered
from lineage_tt.graph.layout.layers import acyclic_order, longest_path
from lineage_tt.graph.layout.ordering import ordered

#: key → (what is asked, unit)
WANTED: Final = {
    "layout_ms_1000": ("≤ 100", "ms"),
    "layout_ms_2000": ("", "ms"),
    "layout_growth": ("", "times"),
    "layout_vs_fast_sugiyama": ("", "times"),
    "crossings_vs_fast_sugiyama": ("≤ 1.1", "times"),
}
Edges = list[tuple[int, int]]
GRAPHS: Final = 200
ROUNDS: Final = 9


def measured() -> dict[str, Any]:
    """Return the figures: warehouses of 100, 1,000 and 2,000 tables, and random layered graphs."""
    import fast_sugiyama

    layered(warehouse(20, 2, 0))
    hundred, thousand, wide = (warehouse(*size, 1) for size in ((100, 5), (1000, 5), (2000, 10)))
    ours = _milliseconds(lambda: layered(thousand))
    pairs = sorted({(int(a), int(b)) for a, b in thousand.ends})
    theirs = _milliseconds(lambda: fast_sugiyama.from_edges(pairs, dummy_vertices=True, transpose=True))
    found = [(crossings(edges), peer_crossings(edges)) for edges in map(layered_graph, range(GRAPHS))]
    return {
        "layout_ms_1000": ours,
        "layout_ms_2000": _milliseconds(lambda: layered(wide)),
        "layout_growth": ours / _milliseconds(lambda: layered(hundred)),
        "layout_vs_fast_sugiyama": ours / theirs,
        "crossings_vs_fast_sugiyama": sum(one for one, _ in found) / sum(other for _, other in found),
    }


def _milliseconds(work: Any) -> float:
    took = []
    for _ in range(ROUNDS):
        begun = time.perf_counter()
        work()
        took.append((time.perf_counter() - begun) * 1000)
    return statistics.median(took)


def warehouse(tables: int, columns: int, seed: int) -> Boxes:
    """Return a made warehouse of ten layers: a table reads one to three of the layer before, each column of it one.

    ``columns`` is the number of column edges for each pair of tables.
    """
    chance = np.random.default_rng(seed)
    deep = max(1, tables // 10)
    ends = []
    for table in range(deep, tables):
        before = (table // deep - 1) * deep
        read = chance.integers(before, before + deep, chance.integers(1, 4))
        if chance.random() < 0.1:
            read = np.append(read, chance.integers(0, before + deep))
        ends += [(int(source), table) for source in np.unique(read) for _ in range(columns)]
    pairs = np.array(ends, np.int32)
    ports = 38.0 + 20.0 * chance.integers(0, columns, pairs.shape) + 10.0
    return Boxes(np.full(tables, 180.0), np.full(tables, 38.0 + 20.0 * columns), pairs, ports)


def layered_graph(seed: int) -> Edges:
    """Return a random graph of three to eight layers, some edges of which pass one."""
    chance = np.random.default_rng(seed)
    layers, wide = int(chance.integers(3, 9)), int(chance.integers(4, 16))
    edges = set()
    for layer in range(layers - 1):
        for i in range(wide):
            for j in chance.choice(wide, int(chance.integers(1, 3)), replace=False):
                edges.add((layer * wide + i, (layer + 1) * wide + int(j)))
            if layer + 2 < layers and chance.random() < 0.15:
                edges.add((layer * wide + i, (layer + 2) * wide + int(chance.integers(wide))))
    return sorted(edges)


def crossings(edges: Edges) -> int:
    """Return how many crossings our layout of a graph has."""
    source, target = (np.array(side, np.int32) for side in zip(*edges, strict=True))
    count = int(max(source.max(), target.max())) + 1
    weight, half = np.ones(len(source), np.int32), np.full(len(source), 0.5)
    place = acyclic_order(count, source, target, weight)
    layer = longest_path(count, source, target, place)
    chains = cut(layer - layer.min(), source, target, half, half, weight)
    first, nodes = ordered(chains, sides(chains))
    at = np.empty(len(nodes), np.int64)
    at[nodes] = np.arange(len(nodes)) - first[chains.layer[nodes]]
    return _counted(chains.layer[chains.source], at[chains.source], at[chains.target])


def peer_crossings(edges: Edges) -> int:
    """Return how many fast-sugiyama's has, the better of its two."""
    import fast_sugiyama

    found = []
    for way in ("barycenter", "median"):
        total = 0
        layouts = fast_sugiyama.from_edges(
            edges, vertex_spacing=10, dummy_vertices=True, crossing_minimization=way, transpose=True
        )
        for positions, _, _, segments in layouts.to_list():
            at = dict(positions)
            down = [(a, b) if at[a][1] > at[b][1] else (b, a) for a, b in segments]
            total += _counted(*(np.array([at[ends[i]][axis] for ends in down]) for i, axis in ((0, 1), (0, 0), (1, 0))))
        found.append(total)
    return min(found)


def _counted(layer: Any, start: Any, end: Any) -> int:
    """Return the number of pairs of segments of one layer whose ends are in opposite orders."""
    total = 0
    for each in np.unique(layer):
        one, other = start[layer == each], end[layer == each]
        orders = np.sign(one[:, None] - one[None, :]) * np.sign(other[:, None] - other[None, :])
        total += int((orders < 0).sum()) // 2
    return total
