"""The chain of one node: the tasks that make it, their times, and what joined or left the chain between two points."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, NamedTuple

from lineage_tt.governance.core.promises import Promise
from lineage_tt.governance.core.schedule import Schedule, schedule
from lineage_tt.governance.core.tasks import TaskGraph
from lineage_tt.governance.core.timings import Timing, of_task, time_text
from lineage_tt.model.edges import dataset_of
from lineage_tt.model.facts import task_node

#: The prefix of a task's node.
_TASK = task_node("")


class Link(NamedTuple):
    """A task of the chain: times of day (UTC) and durations in microseconds.

    ``start`` and ``finish`` are the earliest possible; ``slack`` is how late it may be before the promise breaks
    (without a promise: before the node is done later). ``circle`` are tasks that wait for this one while it waits for
    them.
    """

    task_id: str
    duration: int
    origin: str
    start: int
    finish: int
    slack: int | None
    critical: bool
    waits_for: tuple[str, ...]
    circle: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """Return the task as an object: lengths in seconds, times of day as ``HH:MM:SS``."""
        return {
            "task_id": self.task_id, "duration_s": self.duration / 1e6, "duration_from": self.origin,
            "start": time_text(self.start), "finish": time_text(self.finish),
            "slack_s": None if self.slack is None else self.slack / 1e6, "critical": self.critical,
            "waits_for": list(self.waits_for), "circle": list(self.circle),
        }  # fmt: skip


class Chain(NamedTuple):
    """All tasks that make a node, in an order in which each task comes after those it waits for.

    ``finish`` is the earliest time of day at which the node is done, None where no task makes it. ``unknown`` counts
    the tasks whose duration nobody stated or observed: they count as 0, so ``finish`` may really be later.
    """

    node: str
    promise: Promise | None
    links: tuple[Link, ...]
    critical: tuple[str, ...]
    finish: int | None

    @property
    def unknown(self) -> int:
        """How many tasks of the chain have no known duration."""
        return sum(link.origin == "unknown" for link in self.links)

    @property
    def unreadable(self) -> tuple[str, ...]:
        """The values stated as its SLA that are not times of day."""
        return self.promise.unreadable if self.promise else ()

    @property
    def slack(self) -> int | None:
        """The time left between the finish and the promise, in microseconds; None if either is missing."""
        if self.promise is None or self.promise.at is None or self.finish is None:
            return None
        return self.promise.at - self.finish

    def to_json(self) -> dict[str, Any]:
        """Return the chain as an object."""
        promise = self.promise
        return {
            "node": self.node,
            "sla": time_text(promise.at) if promise and promise.at is not None else None,
            "sla_unreadable": list(self.unreadable),
            "priority": promise.priority if promise else None,
            "owners": list(promise.owners) if promise else [],
            "finish": None if self.finish is None else time_text(self.finish),
            "slack_s": None if self.slack is None else self.slack / 1e6,
            "in_time": None if self.slack is None else self.slack >= 0,
            "durations_unknown": self.unknown,
            "critical_path": list(self.critical),
            "tasks": [link.to_json() for link in self.links],
        }


class ChainChange(NamedTuple):
    """What differs between the chains of a node at two points; a pair (task, task it waits for) is a link."""

    joined: tuple[str, ...]
    left: tuple[str, ...]
    links_joined: tuple[tuple[str, str], ...]
    links_left: tuple[tuple[str, str], ...]
    finish_before: int | None
    finish_after: int | None
    critical_before: tuple[str, ...]
    critical_after: tuple[str, ...]

    def to_json(self) -> dict[str, Any]:
        """Return the difference as an object."""
        pairs = {"links_joined": self.links_joined, "links_left": self.links_left}
        moved = None
        if self.finish_before is not None and self.finish_after is not None:
            moved = (self.finish_after - self.finish_before) / 1e6
        return {
            "joined": list(self.joined), "left": list(self.left),
            **{name: [{"task_id": task, "waits_for": other} for task, other in each] for name, each in pairs.items()},
            "finish_before": None if self.finish_before is None else time_text(self.finish_before),
            "finish_after": None if self.finish_after is None else time_text(self.finish_after),
            "finish_moved_s": moved,
            "critical_before": list(self.critical_before), "critical_after": list(self.critical_after),
        }  # fmt: skip


def ends_of(graph: TaskGraph, node: str) -> set[str]:
    """Return the tasks that make a node: those that write its dataset, or the task itself (``task:ID``)."""
    if node.startswith(_TASK):
        task = node.removeprefix(_TASK)
        return {task} if task in graph.tasks else set()
    return graph.writers_of(dataset_of(node))


def chain_of(graph: TaskGraph, node: str, timings: Mapping[str, Timing], promise: Promise | None = None) -> Chain:
    """Return the chain of a node; it has no tasks if no task writes the node."""
    ends = ends_of(graph, node)
    tasks = graph.upstream(ends)
    scheduled = schedule(graph, tasks, timings, ends, promise.at if promise else None)
    critical = [task for unit in scheduled.critical for task in unit]
    links = _links(graph, tasks, timings, scheduled, set(critical))
    finish = max((scheduled.times[unit].finish for unit in scheduled.units if ends & set(unit)), default=None)
    return Chain(node, promise, links, tuple(critical), finish)


def _links(
    graph: TaskGraph, tasks: Collection[str], timings: Mapping[str, Timing], scheduled: Schedule, critical: set[str]
) -> tuple[Link, ...]:
    links = []
    for unit in scheduled.units:
        times = scheduled.times[unit]
        for task in unit:
            timing = of_task(timings, task)
            circle = tuple(each for each in unit if each != task)
            waits = tuple(sorted((graph.before.get(task, set()) & set(tasks)) - set(circle)))
            links.append(Link(task, timing.duration, timing.origin, times.start, times.finish, times.slack,
                              task in critical, waits, circle))  # fmt: skip
    return tuple(links)


def difference(before: Chain, after: Chain) -> ChainChange:
    """Return what joined and left the chain between two points, and how its end moved."""
    one, other = ({link.task_id for link in chain.links} for chain in (before, after))
    first, second = (
        {(link.task_id, each) for link in chain.links for each in (*link.waits_for, *link.circle)}
        for chain in (before, after)
    )
    return ChainChange(
        tuple(sorted(other - one)), tuple(sorted(one - other)), tuple(sorted(second - first)),
        tuple(sorted(first - second)), before.finish, after.finish, before.critical, after.critical,
    )  # fmt: skip
