"""What must be rebuilt after the release, in an order in which the sources of each task are ready."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from graphlib import CycleError, TopologicalSorter

from lineage_tt.impact.base.closure import Reached
from lineage_tt.impact.release.release import Release
from lineage_tt.impact.report import ADDITIVE, NONE, Backfill, TaskImpact
from lineage_tt.model.edges import dataset_of


def backfill_of(
    release: Release, tasks: Mapping[str, TaskImpact], reached: Mapping[str, Reached]
) -> tuple[Backfill, ...]:
    """Return the tasks to run again: the edited ones whose output changes, and the readers of what they change."""
    reasons: dict[str, str] = {}
    for task, impact in tasks.items():
        if impact.op != "offline" and impact.class_ != NONE and impact.kind == "task":
            added = ", ".join(each.column for each in impact.columns if each.change == "added")
            reasons[task] = f"fills {added}" if impact.class_ == ADDITIVE and added else "its output changes"
    for _node, at in reached.items():
        if at.task is not None and at.task not in reasons:
            reasons[at.task] = f"reads {dataset_of(at.before or '')}"
    for task, reread in release.readers.items():
        if reread.old.outputs != reread.new.outputs or set(reread.old.edges) != set(reread.new.edges):
            reasons.setdefault(task, "its columns change with those of its sources")
    return _ordered(release, reasons, reached)


def _ordered(release: Release, reasons: Mapping[str, str], reached: Mapping[str, Reached]) -> tuple[Backfill, ...]:
    datasets = {dataset_of(node) for node in reached} | {d for c in release.changes.values() for d in c.writes()}
    reads: dict[str, set[str]] = defaultdict(set)
    writes: dict[str, set[str]] = defaultdict(set)
    for edge in [*release.edges_from(datasets), *release.edges_into(datasets)]:
        if edge.task_id in reasons:
            reads[edge.task_id].add(dataset_of(edge.source))
            writes[edge.task_id].add(dataset_of(edge.target))
    writers: dict[str, set[str]] = defaultdict(set)
    for task, written in writes.items():
        for dataset in written:
            writers[dataset].add(task)
    graph = {
        task: {other for dataset in sorted(reads[task]) for other in writers[dataset]} - {task}
        for task in sorted(reasons)
    }
    try:
        order = list(TopologicalSorter(graph).static_order())
    except CycleError:
        order = sorted(reasons)
    return tuple(Backfill(task, tuple(sorted(writes[task])), reasons[task]) for task in order)
