"""Edges of points, and what is in force at one, as names."""

from __future__ import annotations

from lineage_tt.governance.ports import PointGraph
from lineage_tt.model.answers import EdgeAsOf

#: source, target, task, subtype
Shown = tuple[str, str, str, str]


def edge(
    source: str, target: str, task: str = "t", subtype: str = "IDENTITY", expression: str = "", kind: str = "DIRECT"
) -> EdgeAsOf:
    """An edge in force for ever."""
    return EdgeAsOf(task, source, target, kind, subtype, expression, 1, 0, None)


def rejection(source: str, target: str, task: str | None = None) -> EdgeAsOf:
    """The mark that a person rejects the edges between two nodes."""
    return edge(source, target, task or f"edge:{source} -> {target}", "REJECTED")


def shown(point: PointGraph) -> list[Shown]:
    """The edges of a point, in order."""
    ends = point.node_texts(point.source), point.node_texts(point.target)
    return sorted(zip(*ends, point.task_texts(point.task), [point.kinds[kind][1] for kind in point.kind], strict=True))


def pairs(point: PointGraph, by_star: bool = False) -> list[tuple[str, str]]:
    """The ends of the edges that are stored, or of those joined by star."""
    kept = [at for at, joined in enumerate(point.by_star) if joined == by_star]
    return sorted(zip(point.node_texts(point.source[kept]), point.node_texts(point.target[kept]), strict=True))


def live(point: PointGraph) -> list[str]:
    """The nodes that an edge in force or a fact names."""
    return sorted(point.node_texts([number for number in range(point.nodes) if point.live[number]]))
