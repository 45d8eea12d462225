"""The plan: runs as steps that a scheduler can run, ordered so that what each run reads is repaired before it.

Where the order of tasks is the same over the whole window, a step is a task with all of its partitions. Where it
changed, the window is cut at the changes, and the parts follow one another.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Sequence
from typing import Any, NamedTuple

from lineage_tt.governance.backfill.cuts import cuts_of
from lineage_tt.governance.backfill.partitions import Grain, Partition, Span
from lineage_tt.governance.backfill.ports import InForce, Timeline
from lineage_tt.governance.backfill.propagation import Run, Spread, spread
from lineage_tt.governance.core.tasks import TaskGraph, Use
from lineage_tt.model.answers import Basis
from lineage_tt.model.completeness.summary import COMPLETE, Completeness
from lineage_tt.model.times import format_instant


class Step(NamedTuple):
    """Runs of one task over partitions in order, all with one text: that of the message ``in_force``.

    ``after`` are the numbers of the steps that must be done before; ``stage`` is 1 for a step that waits for none, and
    steps of one stage may run in parallel. ``now`` is what the task runs today, None where it is offline. ``circle``
    are tasks that wait for this one while it waits for them: run them by hand. ``uncertain``: it is not certain that
    the task reads what is wrong, since it writes from sources that no edge shows.
    """

    number: int
    task_id: str
    in_force: InForce | None
    now: InForce | None
    partitions: tuple[Partition, ...]
    reads: tuple[str, ...]
    writes: tuple[str, ...]
    after: tuple[int, ...]
    stage: int
    origin: bool
    circle: tuple[str, ...] = ()
    uncertain: bool = False

    def to_json(self) -> dict[str, Any]:
        """Return the step as an object."""
        then, now = self.in_force, self.now
        return {
            "step": self.number, "stage": self.stage, "task_id": self.task_id, "after": list(self.after),
            "version": then.version if then else None, "event_id": then.event_id if then else None,
            "version_now": now.version if now else None, "offline_now": now is None,
            "differs_from_now": then is not None and (now is None or now.version != then.version),
            "origin": self.origin, "reads": list(self.reads), "writes": list(self.writes),
            "circle": list(self.circle), "uncertain": self.uncertain,
            "partitions": [
                {"start": format_instant(each.start), "end": format_instant(each.end), "params": each.params()}
                for each in self.partitions
            ],
        }  # fmt: skip


class Plan(NamedTuple):
    """What to run again. ``skipped`` are tasks that need not run, with the datasets they read and why.

    ``cuts`` are (number of a step, dataset): all later steps read repaired data from only this dataset, so check it
    after that step, before continuing. ``open`` counts partitions that have not ended: their runs are still to come.
    """

    basis: Basis
    nodes: tuple[str, ...]
    window: Span
    steps: tuple[Step, ...]
    skipped: tuple[tuple[str, tuple[str, ...], str], ...]
    cuts: tuple[tuple[int, str], ...]
    open: int
    completeness: Completeness = COMPLETE

    def to_json(self) -> dict[str, Any]:
        """Return the plan as an object."""
        return {
            "nodes": list(self.nodes), "from": format_instant(self.window.start), "to": format_instant(self.window.end),
            "steps": [step.to_json() for step in self.steps],
            "skipped": [
                {"task_id": task, "reads": list(reads), "reason": reason} for task, reads, reason in self.skipped
            ],
            "cuts": [{"after_step": step, "dataset": dataset} for step, dataset in self.cuts],
            "partitions": sum(len(step.partitions) for step in self.steps),
            "partitions_not_ended": self.open,
        }  # fmt: skip


class _Group(NamedTuple):
    """Runs of one task with one text, in one part of the window."""

    task: str
    in_force: InForce | None
    runs: tuple[Run, ...]
    circle: tuple[str, ...]


def backfill(
    timeline: Timeline, nodes: Collection[str], window: Span, grain_of: Callable[[str], Grain], *, remake: bool = True
) -> Plan:
    """Return the plan that repairs what ``nodes`` made wrong in ``window``; see ``propagation``."""
    affected = spread(timeline, nodes, window, grain_of, remake=remake)
    timeline.read({run.task for run in affected.reads})
    groups: list[_Group] = []
    for runs in _parts(timeline, affected):
        graph = _graph(affected, runs)
        for unit in graph.units({run.task for run in runs}):
            for task in unit:
                groups += _by_text(timeline, task, [run for run in runs if run.task == task], unit)
    steps = _steps(timeline, affected, groups)
    skipped = tuple(
        (task, tuple(sorted(reads)), "reads none of the wrong columns") for task, reads in sorted(affected.idle.items())
    )
    datasets = {node.partition("#")[0] for node in nodes}
    return Plan(timeline.basis, tuple(nodes), window, steps, skipped, cuts_of(steps, datasets), affected.open)


def _graph(affected: Spread, runs: Collection[Run]) -> TaskGraph:
    """Return which tasks come before which, from what these runs read and write."""
    return TaskGraph(
        Use(run.task, source, target)
        for run in runs
        for source in affected.reads[run]
        for target in affected.writes[run]
    )


def _parts(timeline: Timeline, affected: Spread) -> list[list[Run]]:
    """Cut the runs into as few parts by time as possible: one part if no order contradicts another."""
    runs = sorted(affected.reads, key=lambda run: (run.partition.end, run.task, run.partition))
    if not _circular(affected, runs):
        return [runs]
    ends: dict[int, list[Run]] = defaultdict(list)
    for run in runs:
        ends[run.partition.end].append(run)
    parts: list[list[Run]] = []
    for _, members in sorted(ends.items()):
        joined = [*parts[-1], *members] if parts else members
        if parts and not _circular(affected, joined):
            parts[-1] = joined
        else:
            parts.append(members)
    return parts


def _circular(affected: Spread, runs: Collection[Run]) -> bool:
    return any(len(unit) > 1 for unit in _graph(affected, runs).units())


def _by_text(timeline: Timeline, task: str, runs: Sequence[Run], unit: tuple[str, ...]) -> list[_Group]:
    """Cut a task's runs, ordered by time, where its text changes."""
    groups: list[_Group] = []
    circle = tuple(each for each in unit if each != task)
    for run in sorted(runs, key=lambda run: run.partition):
        at = timeline.basis.valid_at if run.partition.grain == "none" else run.partition.end
        in_force = timeline.in_force(task, at)
        if groups and groups[-1].in_force == in_force:
            groups[-1] = groups[-1]._replace(runs=(*groups[-1].runs, run))
        else:
            groups.append(_Group(task, in_force, (run,), circle))
    return groups


def _steps(timeline: Timeline, affected: Spread, groups: Sequence[_Group]) -> tuple[Step, ...]:
    steps: list[Step] = []
    writers: dict[str, list[int]] = defaultdict(list)
    last: dict[str, int] = {}
    for number, group in enumerate(groups, 1):
        reads = {dataset for run in group.runs for dataset in affected.reads[run]}
        writes = {dataset for run in group.runs for dataset in affected.writes[run]}
        after = {each for dataset in reads for each in writers[dataset] if steps[each - 1].task_id != group.task}
        after |= {last[group.task]} if group.task in last else set()
        stage = 1 + max((steps[each - 1].stage for each in after), default=0)
        origin = any(run in affected.origins for run in group.runs)
        steps.append(
            Step(
                number, group.task, group.in_force, timeline.in_force(group.task, timeline.basis.valid_at),
                tuple(run.partition for run in group.runs), tuple(sorted(reads)), tuple(sorted(writes)),
                tuple(sorted(after)), stage, origin, group.circle, not origin and group.task in timeline.uncertain,
            )
        )  # fmt: skip
        for dataset in writes:
            writers[dataset].append(number)
        last[group.task] = number
    return tuple(steps)
