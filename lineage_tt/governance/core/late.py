"""Which promise breaks when a task is late, and whom to tell."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Any, NamedTuple

from lineage_tt.governance.core.chain import Chain, chain_of, ends_of
from lineage_tt.governance.core.promises import Promise, owners_of, task_nodes
from lineage_tt.governance.core.schedule import schedule
from lineage_tt.governance.core.tasks import TaskGraph
from lineage_tt.governance.core.timings import Timing, time_text
from lineage_tt.model.errors import InvalidRequestError


class PromiseAtRisk(NamedTuple):
    """A promise, and when its node is done with and without the delay; microseconds of the day, UTC.

    ``breaks``: it is kept without the delay, and not with it. ``broken``: it is not kept either way. ``tell`` are the
    owners of the node, and of the tasks from the late task to the node.
    """

    promise: Promise
    finish: int
    late_finish: int
    tell: tuple[str, ...]

    @property
    def broken(self) -> bool:
        """Whether it is not kept even if nothing is late."""
        return self.promise.at is not None and self.finish > self.promise.at

    @property
    def breaks(self) -> bool:
        """Whether the delay breaks it."""
        return self.promise.at is not None and not self.broken and self.late_finish > self.promise.at

    def to_json(self) -> dict[str, Any]:
        """Return the promise as an object."""
        at = self.promise.at
        return {
            "node": self.promise.node, "sla": None if at is None else time_text(at),
            "priority": self.promise.priority, "finish": time_text(self.finish),
            "late_finish": time_text(self.late_finish), "breaks": self.breaks, "broken": self.broken,
            "tell": list(self.tell),
        }  # fmt: skip


def unsure_promises(
    graph: TaskGraph, task: str, promises: Iterable[Promise], timings: Mapping[str, Timing]
) -> list[Chain]:
    """Return, in order, the chains of the promises after ``task`` for which not all times are known.

    They may break although their known times do not show it.
    """
    later = graph.downstream([task])
    after = (promise for promise in promises if ends_of(graph, promise.node) & later)
    chains = (chain_of(graph, promise.node, timings, promise) for promise in after)
    return [chain for chain in chains if chain.unknown or chain.unreadable]


def promises_at_risk(
    graph: TaskGraph,
    task: str,
    by: int,
    promises: Iterable[Promise],
    timings: Mapping[str, Timing],
    owners: dict[tuple[str, str], list[str]],
) -> list[PromiseAtRisk]:
    """Return every promise whose node is done later when ``task`` takes ``by`` microseconds longer.

    Those that break come first, then in the order of ``promises``. Raises InvalidRequestError for a task without edges
    at the point, and for a delay that is not positive.
    """
    if task not in graph.tasks:
        raise InvalidRequestError(
            f"the task {task!r} has no edges at that point", hint="list the tasks with: lineage-tt tasks"
        )
    if by <= 0:
        raise InvalidRequestError("a delay is more than 0", hint="give one such as 2h")
    later = graph.downstream([task])
    result = []
    for promise in promises:
        ends = ends_of(graph, promise.node)
        if promise.at is None or not ends & later:
            continue
        tasks = graph.upstream(ends)
        finish, late_finish = (_finish(graph, tasks, ends, timings, late) for late in (None, {task: by}))
        if late_finish > finish:
            between = task_nodes(tasks & later)
            result.append(PromiseAtRisk(promise, finish, late_finish, owners_of([promise.node, *between], owners)))
    return sorted(result, key=lambda each: not each.breaks)


def _finish(
    graph: TaskGraph, tasks: Collection[str], ends: Collection[str], timings: Mapping[str, Timing],
    late: Mapping[str, int] | None,
) -> int:  # fmt: skip
    scheduled = schedule(graph, tasks, timings, ends, late=late)
    return max(scheduled.times[unit].finish for unit in scheduled.units if set(ends) & set(unit))
