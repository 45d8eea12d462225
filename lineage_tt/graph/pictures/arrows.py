"""What is drawn between two nodes: one arrow for all edges between them."""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

from lineage_tt.model.answers import Lineage, Step
from lineage_tt.model.edges import ALIAS, DIRECT


class Arrow(NamedTuple):
    """All edges from one node to another at one point.

    ``solid``: a value flows along at least one edge that is stored as shown; ``by_star``: all edges are star edges
    joined to columns; ``certain``: at least one edge is of a task whose lineage is complete. ``kinds``, ``tasks`` and
    ``expressions`` are those of all edges, in order.
    """

    source: str
    target: str
    kinds: tuple[str, ...]
    solid: bool
    by_star: bool
    certain: bool
    tasks: tuple[str, ...]
    expressions: tuple[str, ...]

    @property
    def label(self) -> str:
        """The kinds of its edges, and whether columns were assumed."""
        return ", ".join((*self.kinds, *(("by star",) if self.by_star else ())))


def arrows(lineage: Lineage) -> list[Arrow]:
    """Return an arrow for each pair of nodes with an edge, by the names of the nodes."""
    return [arrow for _, arrow in sorted(arrows_by_ends(lineage).items())]


def arrows_by_ends(lineage: Lineage) -> dict[tuple[str, str], Arrow]:
    """Return the same by source and target, in no order."""
    uncertain = lineage.completeness.uncertain_tasks
    pairs: dict[tuple[str, str], list[Step]] = {}
    for step in lineage.steps:
        pairs.setdefault(step.edge[1:3], []).append(step)
    return {ends: _arrow(ends, steps, uncertain) for ends, steps in pairs.items()}


def _arrow(ends: tuple[str, str], steps: list[Step], uncertain: Collection[str]) -> Arrow:
    """Return the arrow of all steps between two nodes; usually it is one step, and there may be 10,000 arrows."""
    if len(steps) == 1:
        edge, assumed = steps[0].edge, _assumed(steps[0])
        kinds, tasks = (edge.subtype or edge.type,), (edge.task_id,)
        expressions = (edge.expression,) if edge.expression else ()
        solid = edge.type == DIRECT and not assumed
        return Arrow(*ends, kinds, solid, assumed, edge.task_id not in uncertain, tasks, expressions)
    return Arrow(
        *ends,
        tuple(sorted({step.edge.subtype or step.edge.type for step in steps})),
        any(step.edge.type == DIRECT and not _assumed(step) for step in steps),
        all(map(_assumed, steps)),
        any(step.edge.task_id not in uncertain for step in steps),
        tuple(sorted({step.edge.task_id for step in steps})),
        tuple(sorted({step.edge.expression for step in steps if step.edge.expression})),
    )


def _assumed(step: Step) -> bool:
    """Return whether a column's name is assumed; the names over an alias are stated."""
    return step.by_star and step.edge.subtype != ALIAS
