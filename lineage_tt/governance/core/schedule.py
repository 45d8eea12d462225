"""Times of tasks that wait for each other: earliest and latest, slack, the critical path.

The critical path method (Kelley and Walker, "Critical-path planning and scheduling", 1959), with a time of day before
which a task does not begin. Tasks in a circle run one after another, in any order: together they are one unit.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import NamedTuple

from lineage_tt.governance.core.tasks import TaskGraph
from lineage_tt.governance.core.timings import Timing, of_task

Unit = tuple[str, ...]


class Times(NamedTuple):
    """When a unit of tasks begins and is done, at the earliest and at the latest; microseconds of the day, UTC.

    ``slack`` is how much later it may be done with everything still on time; negative where it is already too late. If
    nothing with a deadline waits for a unit, its ``latest_finish`` and ``slack`` are None.
    """

    start: int
    finish: int
    latest_finish: int | None
    slack: int | None


class Schedule(NamedTuple):
    """The times of units in their order, and the units of the critical path, first to last."""

    units: tuple[Unit, ...]
    times: Mapping[Unit, Times]
    critical: tuple[Unit, ...]

    @property
    def finish(self) -> int:
        """When the last unit is done at the earliest; 0 where there is none."""
        return max((each.finish for each in self.times.values()), default=0)


def schedule(
    graph: TaskGraph,
    tasks: Collection[str],
    timings: Mapping[str, Timing],
    ends: Collection[str],
    deadline: int | None = None,
    late: Mapping[str, int] | None = None,
) -> Schedule:
    """Return the times of ``tasks``, which contain all tasks before ``ends``.

    ``ends`` are the tasks that make the node asked for; they are to be done at ``deadline`` (None: the earliest time at
    which all of them can be done). ``late`` has delays of tasks in microseconds. The critical path is what determines
    when the last end is done: each of its units begins when the one before is done, or at its own time of day.
    """
    units = graph.units(tasks)
    unit_of = {task: unit for unit in units for task in unit}
    before = {
        unit: {unit_of[each] for task in unit for each in graph.before.get(task, ()) if each in unit_of} - {unit}
        for unit in units
    }
    length = {unit: sum(of_task(timings, task).duration + (late or {}).get(task, 0) for task in unit) for unit in units}
    begins = {unit: max(of_task(timings, task).begins for task in unit) for unit in units}
    start: dict[Unit, int] = {}
    finish: dict[Unit, int] = {}
    for unit in units:
        start[unit] = max([begins[unit], *(finish[each] for each in before[unit])])
        finish[unit] = start[unit] + length[unit]
    last = [unit_of[task] for task in sorted(ends) if task in unit_of]
    due = deadline if deadline is not None else max((finish[unit] for unit in last), default=0)
    latest: dict[Unit, int] = dict.fromkeys(last, due)
    for unit in reversed(units):
        if unit in latest:
            for each in before[unit]:
                latest[each] = min(latest.get(each, latest[unit] - length[unit]), latest[unit] - length[unit])
    times = {
        unit: Times(
            start[unit], finish[unit], latest.get(unit), latest[unit] - finish[unit] if unit in latest else None
        )
        for unit in units
    }
    return Schedule(tuple(units), times, _critical(last, before, start, finish))


def _critical(
    last: Collection[Unit], before: Mapping[Unit, set[Unit]], start: Mapping[Unit, int], finish: Mapping[Unit, int]
) -> tuple[Unit, ...]:
    """Walk back from the unit that is done last, over the units that it really waited for; ties by name."""
    if not last:
        return ()
    unit = min(last, key=lambda each: (-finish[each], each))
    path = [unit]
    while before[unit]:
        slowest = min(before[unit], key=lambda each: (-finish[each], each))
        if finish[slowest] < start[unit]:
            break  # it waits for its time of day, not for another task
        unit = slowest
        path.append(unit)
    return tuple(reversed(path))
