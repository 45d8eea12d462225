"""Edges and facts in force, for tests of levels."""

from __future__ import annotations

from lineage_tt.model.answers import FactAsOf
from lineage_tt.model.edges import EdgeAsOf


def edge(
    task: str, source: str, target: str, *, kind: str = "DIRECT", subtype: str = "IDENTITY", version: int = 1,
    since: int = 0, until: int | None = None,
) -> EdgeAsOf:  # fmt: skip
    """An edge of a task."""
    return EdgeAsOf(task, source, target, kind, subtype, "", version, since, until)


def fact(node: str, key: str, value: str) -> FactAsOf:
    """A fact."""
    return FactAsOf(node, key, value, "fact", node, 1, 0, None)
