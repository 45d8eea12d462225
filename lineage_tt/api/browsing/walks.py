"""The difference between a walk at two points: the edges in a node's closure at only one of them."""

from __future__ import annotations

from typing import Any, Final

from lineage_tt.api.reads.engine import Engine, Walk
from lineage_tt.model.answers import Basis, Difference, Lineage
from lineage_tt.model.completeness.summary import merged

_KEYS: Final = 6


def closure_diff(engine: Engine, first: Basis, second: Basis, node: str, walk: Walk) -> tuple[Difference, int]:
    """Return the edges that differ between a walk at two points, and how many nodes the two walks meet in total."""
    before, after = (engine.lineage([node], basis, walk) for basis in (first, second))
    one, other = _edges(before), _edges(after)
    nodes = {*before.nodes, *after.nodes}
    known = merged(before.completeness, after.completeness)
    return Difference(first, second, tuple(sorted(one - other)), tuple(sorted(other - one)), known), len(nodes)


def _edges(lineage: Lineage) -> set[Any]:
    return {step.edge[:_KEYS] for step in lineage.steps}
