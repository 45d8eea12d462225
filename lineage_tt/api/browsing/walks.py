"""The difference of two walks: the edges of a node's closure at one point and not at the other."""

from __future__ import annotations

from typing import Any, Final

from lineage_tt.api.reads.engine import Engine, Walk
from lineage_tt.model.answers import Basis, Difference, Lineage
from lineage_tt.model.completeness.summary import MAX_ENDS, MAX_TASKS, Completeness

_KEYS: Final = 6


def closure_diff(engine: Engine, first: Basis, second: Basis, node: str, walk: Walk) -> tuple[Difference, int]:
    """Return what differs between a walk at two points, and how many nodes both meet together."""
    before, after = (engine.lineage([node], basis, walk) for basis in (first, second))
    one, other = _edges(before), _edges(after)
    nodes = {*before.nodes, *after.nodes}
    known = merged(before.completeness, after.completeness)
    return Difference(first, second, tuple(sorted(one - other)), tuple(sorted(other - one)), known), len(nodes)


def _edges(found: Lineage) -> set[Any]:
    return {step.edge[:_KEYS] for step in found.steps}


def merged(one: Completeness, other: Completeness) -> Completeness:
    """Return how complete two answers are together; a task or end that both list counts once."""
    tasks = {(task.task_id, task.version): task for task in (*one.tasks, *other.tasks)}
    ends = sorted({*one.ends, *other.ends})
    listed = tuple(tasks[key] for key in sorted(tasks)[:MAX_TASKS])
    return Completeness(
        listed,
        max(one.tasks_omitted, other.tasks_omitted, len(tasks) - MAX_TASKS, 0),
        tuple(ends[:MAX_ENDS]),
        max(one.ends_omitted, other.ends_omitted, len(ends) - MAX_ENDS, 0),
        one.by_star + other.by_star,
        tuple(sorted({*one.undeclared, *other.undeclared})),
        one.uncertain_tasks | other.uncertain_tasks,
        one.uncertain_nodes | other.uncertain_nodes,
        one.rejected + other.rejected,
    )
