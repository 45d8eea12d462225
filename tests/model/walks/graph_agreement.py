"""Graph against model and against DuckDB: what the model tests compare."""

from __future__ import annotations

import re

import pytest
from agreement import compare_walk
from domain import NODES
from reference import Model, covers

from lineage_tt.graph import Graph, GraphView
from lineage_tt.model.answers import Basis
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
