"""Answers to be drawn."""

from __future__ import annotations

from lineage_tt.model.answers import Basis, EdgeAsOf, Lineage, Step


def walk(*pairs: tuple[str, str], kind: str = "IDENTITY", task: str = "t", at: int = 0) -> Lineage:
    """Return an answer with one edge for each pair, from the first one's source."""
    edge_type = "DIRECT" if kind in ("IDENTITY", "AGGREGATION") else "INDIRECT"
    steps = [Step("down", 1, EdgeAsOf(task, *pair, edge_type, kind, "f(a)", 1, 0, None)) for pair in pairs]
    return Lineage(Basis(at, 1, 0), (pairs[0][0],), tuple(steps))
