"""The temporal graph against DuckDB at sampled points: edges, walks with all options, pages, differences, ways."""

from __future__ import annotations

import random
from collections.abc import Set
from typing import Any

from lineage_tt.graph import Graph, GraphView
from lineage_tt.store import Store
from verify_lib.tally import Tally


def verify(store: Store, count: int, seed: int, tally: Tally, *, all_edges: int = 10) -> Graph:
    """Compare at ``count`` points, each with a walk of its own; at each ``all_edges``-th all edges and a difference."""
    graph, rng = store.graph(), random.Random(seed)
    names = graph.node_names().to_pylist()
    points = _points(graph, count, rng)
    for number, (valid_at, version) in enumerate(points):
        basis = store.basis(valid_at, version=version)
        tally.compare("basis of the graph", str(basis), {basis}, {graph.basis(valid_at, version=version)})
        view = graph.view(basis)
        _walk(store, view, rng, names, tally)
        if number % all_edges == 0:
            tally.compare(
                "edges of the graph", str(basis), set(store.as_of(valid_at, version=version).edges()), set(view.edges())
            )
            other = store.basis(points[number - 1][0], version=points[number - 1][1])
            expected, found = store.diff(basis, other), graph.diff(basis, other)
            tally.compare("difference of the graph", f"{basis} {other}", _sides(expected), _sides(found))
    return graph


def _points(graph: Graph, count: int, rng: random.Random) -> list[tuple[int, int]]:
    """Return points at a boundary, or a microsecond beside it, as known at any version, often the last."""
    instants = graph.state.instants
    points = []
    for _ in range(count):
        at = int(instants[rng.randrange(len(instants))]) + rng.choice([-1, 0, 0, 1])
        points.append((at, graph.version if rng.random() < 0.3 else rng.randint(0, graph.version)))
    return points


def _walk(store: Store, view: GraphView, rng: random.Random, names: list[str], tally: Tally) -> None:
    """Compare a walk from random nodes with DuckDB's, its pages with the whole, and the numbers-only answer."""
    nodes = rng.sample(names, rng.choice([1, 1, 2]))
    options: dict[str, Any] = {
        "direction": rng.choice(["up", "down", "both"]),
        "depth": rng.choice([None, None, 1, 2, 3]),
        "level": rng.choice(["column", "table"]),
        "direct_only": rng.random() < 0.2,
    }
    where = f"{nodes} {options} {view.basis}"
    expected = store.as_of(view.basis.valid_at, version=view.basis.version).lineage(*nodes, **options)
    walk = view.lineage(*nodes, **options)
    tally.compare("walks of the graph", where, set(enumerate(expected.steps)), set(enumerate(walk.steps)))
    tally.compare("nodes of the graph", where, set(expected.nodes.items()), set(walk.nodes.items()))
    pages, cursor, found = 0, None, set[Any]()
    while pages < 20:
        page = view.lineage(*nodes, **options, limit=max(1, len(walk.node_steps) // 7), cursor=cursor)
        found |= set(page.rows)
        pages, cursor = pages + 1, page.cursor
        if cursor is None:
            break
    tally.compare("pages of the graph", where, set(walk.rows), found)
    if options["direction"] != "both":
        reached = view.reach(*nodes, **options)
        tally.compare("numbers of the graph", where, set(walk.nodes), set(reached.names))
    if walk.node_steps and options["direction"] == "down" and len(nodes) == 1:
        steps, _, target = rng.choice(walk.node_steps)
        if options["depth"] is None:
            path = view.shortest_path(nodes[0], target, level=options["level"], direct_only=options["direct_only"])
            tally.compare("ways of the graph", where, {steps}, {len(path) if path else 0})


def _sides(difference: Any) -> Set[Any]:
    return {("-", *edge) for edge in difference.removed} | {("+", *edge) for edge in difference.added}
