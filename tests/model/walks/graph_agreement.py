"""Graph against model and against DuckDB: what the model tests compare."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import pytest
from agreement import compare_walk
from domain import NODES
from reference import Model, as_edge, covers, walk

from lineage_tt.graph import Graph, GraphView
from lineage_tt.graph.answers.results import Walk
from lineage_tt.impact.base import closure
from lineage_tt.model.answers import Basis
from lineage_tt.model.edges import TaskEdge, dataset_of
from lineage_tt.model.errors import UnknownNodeError
from lineage_tt.read.view import View


def compare_edges(graph: Graph, model: Model, vts: list[int], versions: list[int]) -> None:
    """The graph's edges at every valid time, as known at every version: the model's, with interval and version."""
    for version in versions:
        attributed = model.attributed(version)
        for vt in vts:
            edges = graph.as_of(vt, version=version).edges()

            assert len(edges) == len(set(edges))
            held = {each for each in attributed if covers([each[2:]], vt)}
            assert {(edge[:6], *edge[6:]) for edge in edges} == held, (vt, version)


def compare_walks(view: GraphView, model: Model) -> None:
    """From every node, both ways, whole and cut short, as columns and as tables: the model's edges and steps."""
    for node in NODES:
        compare_walk(view, model, [node], "both", None, "column")  # type: ignore[arg-type]
    for depth in (0, 1, 2, None):
        compare_walk(view, model, NODES[:2], "both", depth, "table")  # type: ignore[arg-type]
        compare_walk(view, model, NODES[-2:], "both", depth, "column")  # type: ignore[arg-type]


def compare_with_duckdb(
    view: GraphView, duck: View, nodes: list[str], direction: str, depth: int | None, level: str, direct_only: bool
) -> None:
    """A walk through memory and the same through DuckDB: equal answers, in equal order, or equal errors."""
    options = {"direction": direction, "depth": depth, "level": level, "direct_only": direct_only}
    try:
        expected = duck.lineage(*nodes, **options)  # type: ignore[arg-type]
    except UnknownNodeError as error:
        with pytest.raises(UnknownNodeError, match=re.escape(repr(error.node))):
            view.lineage(*nodes, **options)  # type: ignore[arg-type]
        return
    found = view.lineage(*nodes, **options)  # type: ignore[arg-type]

    assert found.lineage == expected
    assert found.nodes == expected.nodes


def compare_pages(view: GraphView, node: str, limit: int, **options: Any) -> list[Walk]:
    """The pages of a walk, one after the other: each node and each edge once, in the order of the whole walk."""
    whole, pages = view.lineage(node, **options), [view.lineage(node, limit=limit, **options)]
    while pages[-1].truncated:
        pages.append(view.lineage(node, limit=limit, cursor=pages[-1].cursor, **options))

    assert [step for page in pages for step in page.node_steps] == whole.node_steps
    assert sorted((row for page in pages for row in page.rows), key=str) == sorted(whole.rows, key=str)
    return pages


def compare_names(view: GraphView, node: str) -> None:
    """What a walk reaches by names alone: the nodes of the walk itself, with their steps."""
    whole = view.lineage(node)
    for way in ("down", "up"):
        reached = view.reach(node, direction=way)  # type: ignore[arg-type]
        assert sorted(zip(reached.steps.tolist(), reached.names, strict=True)) == [
            (steps, name) for steps, found_way, name in whole.node_steps if found_way == way
        ]


def compare_closure(every: Sequence[TaskEdge], start: str) -> None:
    """What a release's downstream comes to over some edges: the nodes of the model's walk, with their steps."""
    expected: dict[str, int] = {}
    for edge, steps in walk([as_edge(edge) for edge in every], [start], "down").items():
        expected[edge[2]] = min(steps, expected.get(edge[2], steps))

    found = closure.walk(
        [start],
        lambda datasets: [edge for edge in every if dataset_of(edge.source) in set(datasets)],
        lambda tasks: [edge for edge in every if edge.task_id in set(tasks)],
    )

    assert {node: at.steps for node, at in found.items() if at.steps} == {
        node: steps for node, steps in expected.items() if node != start
    }


def compare_diffs(graph: Graph, model: Model, points: list[tuple[int, int]]) -> None:
    """The difference of each two points is the model's."""
    for first in points:
        for second in points:
            a, b = (graph.basis(vt, version=version) for vt, version in (first, second))
            found = graph.diff(a, b)

            assert (set(found.removed), set(found.added)) == tuple(map(set, model.diff(first, second)))
            assert len(found.removed) + len(found.added) == len({*found.removed, *found.added})


def basis_of(graph: Graph, model: Model, system_at: int) -> Basis:
    """The basis as known at a system time, which must be the model's version."""
    basis = graph.basis(0, system_at)

    assert basis.version == model.version_at(system_at)
    return basis
