"""What the release does to the shape of the lineage: two writers, cycles, sources that nobody writes, layers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fnmatch import fnmatchcase
from functools import cache

from lineage_tt.impact.base.closure import path_to, walk
from lineage_tt.impact.downstream.ended import meant, readers_of
from lineage_tt.impact.release.release import Change, Release
from lineage_tt.impact.report import BREAKING, POTENTIALLY, Finding
from lineage_tt.model.edges import ALIAS, TaskEdge, dataset_of
from lineage_tt.model.names import and_more


def structure_findings(release: Release, layers: Sequence[str] = ()) -> Iterator[Finding]:
    """Yield what is wrong with the shape after the release and was not before it."""
    yield from _two_writers(release)
    yield from _cycles(release)
    yield from _dangling(release)
    yield from _layers(release, layers)


def sources_of(change: Change) -> set[str]:
    """Return the datasets that a task reads after the release, none if its text cannot be read."""
    return set() if change.unreadable else {dataset_of(edge[0]) for edge in change.edges}


def _new_writes(release: Release) -> dict[str, set[str]]:
    writes: dict[str, set[str]] = {}
    for task, change in release.changes.items():
        for dataset in change.writes() - change.writes_before() if not change.declares else ():
            writes.setdefault(dataset, set()).add(task)
    return writes


def _two_writers(release: Release) -> Iterator[Finding]:
    fresh = _new_writes(release)
    writers: dict[str, set[str]] = {dataset: set(tasks) for dataset, tasks in fresh.items()}
    for edge in release.edges_into(fresh) if fresh else ():
        writers[dataset_of(edge.target)].add(edge.task_id)
    for task, change in release.changes.items():
        for dataset in change.writes() & writers.keys() if not change.declares else ():
            writers[dataset].add(task)
    for dataset, tasks in sorted(fresh.items()):
        for task in sorted(tasks):
            others = sorted(writers[dataset] - {task})
            if others:
                reason = f"{dataset} is now written by {task} and by {and_more(others, 5)}"
                yield Finding("two-writers", POTENTIALLY, task, dataset, reason, others[0])
            elif not release.changes[task].is_same:
                yield from _first_writer(release, task, dataset)


def _first_writer(release: Release, task: str, dataset: str) -> Iterator[Finding]:
    """Yield those who read a dataset already that no task wrote: its rows came from elsewhere, and now from a task."""
    before = {edge.task_id for edge in release.base.edges_from([dataset])}
    for reader in readers_of(release, [dataset], exact=False):
        if reader != task and reader in before:
            reason = f"{reader} reads {dataset}, whose rows {task} changes; no task that the store knows did before"
            yield Finding("meaning", POTENTIALLY, task, dataset, reason, reader)


def _cycles(release: Release) -> Iterator[Finding]:
    """Yield datasets that are now made from themselves over others; a task that reads what it writes is not a cycle."""
    for task, change in sorted(release.changes.items()):
        old = {(dataset_of(e[0]), dataset_of(e[1])) for e in change.before_edges}
        new = {(dataset_of(e[0]), dataset_of(e[1])) for e in change.edges if e[3] != ALIAS} - old
        fresh = {(source, target) for source, target in new if source != target and not change.unreadable}
        for target in sorted({target for _, target in fresh}):
            sources = {source for source, end in fresh if end == target}
            reached = _datasets_below(release, target)
            for source in sorted(sources & reached.keys()):
                path = reached[source]
                reason = f"{task} closes a cycle: {' → '.join((*path, target))}; no order of running them makes all"
                yield Finding("cycle", BREAKING, task, target, reason, path=(*path, target))
                break


def _datasets_below(release: Release, dataset: str) -> dict[str, tuple[str, ...]]:
    """Return the datasets downstream of one, each with the datasets on the way."""

    def edges_from(nodes: Iterable[str]) -> list[TaskEdge]:
        edges = release.edges_from(nodes)
        return [e._replace(source=dataset_of(e.source), target=dataset_of(e.target)) for e in edges]

    reached = walk([dataset], edges_from)
    return {node: path_to(node, reached) for node in reached}


def _dangling(release: Release) -> Iterator[Finding]:
    """Yield sources that a task begins to read and that nobody writes, knows or ever read."""
    fresh: dict[str, set[str]] = {}
    for task, change in release.changes.items():
        before = {dataset_of(edge[0]) for edge in change.before_edges}
        for dataset in sources_of(change) - before:
            fresh.setdefault(dataset, set()).add(task)
    if not fresh:
        return
    written = {dataset_of(edge.target) for edge in release.edges_into(fresh)}
    read = {dataset_of(edge.source) for edge in release.base.edges_from(fresh)}
    doubtful = fresh.keys() - written - read - release.gone.keys() - set(release.after)
    named = release.base.ever_named(doubtful) if doubtful else set()
    is_closed = cache(release.base.is_closed)  # of a namespace: a query over all edges in force
    for dataset in sorted(fresh.keys() - written):
        for task in sorted(fresh[dataset]):
            if dataset in release.gone:
                reason = f"{task} reads {dataset}, which no task writes any more"
                yield Finding("gone-dataset", BREAKING, task, dataset, reason, task)
                continue
            if dataset in doubtful - named:
                closed = is_closed(dataset.partition(":")[0])
                known = "; all other sources are known, so it is not there" if closed else ""
                own = release.changes[task].writes() - release.before.keys()
                near = meant(dataset, release.after.keys() - own)
                reason = f"{task} reads {dataset}, which no task writes or has read before{known}{near}"
                yield Finding("dangling-source", BREAKING if closed else POTENTIALLY, task, dataset, reason)


def layer_of(dataset: str, layers: Sequence[str]) -> int | None:
    """Return the place of the first pattern that a dataset matches, lowest layer first."""
    return next((place for place, pattern in enumerate(layers) if fnmatchcase(dataset, pattern)), None)


def _layers(release: Release, layers: Sequence[str]) -> Iterator[Finding]:
    """Yield tasks that begin to make a lower layer from a higher one."""
    for task, change in sorted(release.changes.items()) if layers else ():
        old = {(dataset_of(e[0]), dataset_of(e[1])) for e in change.before_edges}
        for source, target in sorted({(dataset_of(e[0]), dataset_of(e[1])) for e in change.edges} - old):
            low, high = layer_of(target, layers), layer_of(source, layers)
            if low is not None and high is not None and high > low:
                reason = f"{task} makes {target} ({layers[low]}) from {source} ({layers[high]}), a higher layer"
                yield Finding("layer", POTENTIALLY, task, target, reason, path=(source, target))
