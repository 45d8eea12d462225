"""Points of lists of edges and facts, for questions about labels without a store."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from lineage_tt.governance.labels.labelled import Labelled
from lineage_tt.governance.labels.scene import Scene
from lineage_tt.governance.points.plain import plain_point
from lineage_tt.governance.ports import PointGraph
from lineage_tt.model.answers import EdgeAsOf, FactAsOf
from lineage_tt.model.edges import DIRECT, INDIRECT

A, B, C, D = "d:a#x", "d:b#x", "d:c#x", "d:d#x"


def edge(source: str, target: str, expression: str = "", subtype: str = "IDENTITY", task: str = "t") -> EdgeAsOf:
    """An edge over which a value flows."""
    return EdgeAsOf(task, source, target, DIRECT, subtype, expression, 1, 0, None)


def filters(source: str, target: str) -> EdgeAsOf:
    """An edge of a column that decides over rows."""
    return EdgeAsOf("t", source, target, INDIRECT, "FILTER", "", 1, 0, None)


def fact(node: str, key: str, value: str, subject: str = "note") -> FactAsOf:
    """A fact in force."""
    return FactAsOf(node, key, value, "task", subject, 1, 0, None)


def said(labels: Mapping[str, str | Sequence[str]]) -> list[FactAsOf]:
    """The labels stated of nodes: one, or several."""
    return [
        fact(node, "label", each)
        for node, values in labels.items()
        for each in ([values] if isinstance(values, str) else values)
    ]


def point(
    edges: Iterable[EdgeAsOf | tuple[str, str]], labels: Mapping[str, str | Sequence[str]] | None = None,
    *facts: FactAsOf,
) -> PointGraph:  # fmt: skip
    """A point at which values flow so, with labels and other facts."""
    listed = [each if isinstance(each, EdgeAsOf) else edge(*each) for each in edges]
    return plain_point(listed, [*said(labels or {}), *facts])


def labelled(
    edges: Iterable[EdgeAsOf | tuple[str, str]], labels: Mapping[str, str | Sequence[str]] | None = None,
    *facts: FactAsOf, scene: Scene | None = None,
) -> Labelled:  # fmt: skip
    """The labels of such a point."""
    return Labelled(point(edges, labels, *facts), scene or Scene())
