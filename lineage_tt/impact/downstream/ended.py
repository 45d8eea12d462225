"""Datasets that no longer exist after the release, or have no rows, and the tasks that read and write them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from lineage_tt.impact.base.names import VERY_NEAR, did_you_mean
from lineage_tt.impact.release.release import Dropped, Release
from lineage_tt.impact.report import BREAKING, POTENTIALLY, UNKNOWN, Finding
from lineage_tt.model.edges import dataset_of
from lineage_tt.model.facts import names_of
from lineage_tt.model.names import and_more


def of_ended(release: Release) -> Iterator[Finding]:
    """Yield readers of datasets that are gone, dropped or emptied, writers of dropped datasets, and unknown names."""
    doubts = list(_unknown(release))
    unknown = {(each.task, each.subject) for each in doubts}
    yield from doubts
    for dataset, tasks in sorted(release.gone.items()):
        all_readers = readers_of(release, [dataset], exact=False)
        for task in sorted(task for task in tasks if (task, dataset) not in unknown):
            ends = dataset in release.changes[task].drops()  # it reads what it renames
            readers = [reader for reader in all_readers if reader != task or not ends]
            for reader in readers:
                reason = f"{reader} reads {dataset}, which no task writes any more"
                yield Finding("gone-dataset", BREAKING, task, dataset, reason, reader)
            if not readers:
                reason = f"{dataset} is written by no task any more; no task that the store knows reads it"
                yield Finding("unread", POTENTIALLY, task, dataset, reason)
    for dataset, dropped in sorted(release.dropped.items()):
        for task in sorted(dropped.by):
            yield from _of_dropped(release, dataset, dropped, task)
    for task, change in sorted(release.changes.items()):
        for dataset in sorted(change.empties() - release.gone.keys() - release.dropped.keys()):
            for reader in readers_of(release, [dataset], exact=False):
                if reader != task:
                    reason = f"{reader} reads {dataset}, from which {task} deletes rows and inserts none"
                    yield Finding("emptied-dataset", POTENTIALLY, task, dataset, reason, reader)


def _unknown(release: Release) -> Iterator[Finding]:
    """Yield names that candidates end, drop, empty or alter but the store does not know, so who is affected is not."""
    for task, change in sorted(release.changes.items()):
        if change.unseen:
            yield Finding("unknown-effect", UNKNOWN, task, change.candidate.dataset or task, change.unseen)
        difference = change.difference
        if difference is None or change.candidate.op == "offline":
            continue
        own = {*difference.makes, *change.writes()}
        pairs = {*difference.alters, *((dataset, "") for dataset in (*difference.drops, *difference.empties))}
        datasets = {dataset for dataset, _ in pairs} - own
        known = {*release.before, *release.after, *release.base.ever_named(datasets)} if datasets else set()
        for dataset, column in sorted(pair for pair in pairs if pair[0] in datasets):
            whole = dataset.endswith(".*") and any(each.startswith(dataset[:-1]) for each in known)
            columns = names_of(release.before.get(dataset) or release.after.get(dataset) or ())
            if not (whole or dataset in known):
                reason = f"{task} changes {dataset}, which the store does not know{meant(dataset, known)}"
                yield Finding("unknown-effect", UNKNOWN, task, dataset, reason)
            elif column and columns and column.lower() not in {name.lower() for name in columns}:
                reason = f"{task} changes {column} of {dataset}, which has no such column{meant(column, columns)}"
                yield Finding("unknown-effect", UNKNOWN, task, f"{dataset}#{column}", reason)


def meant(name: str, known: Iterable[str]) -> str:
    """Return a question with the nearest known name of one that may be new; empty if none is very near."""
    return did_you_mean(name, known, VERY_NEAR)


def _of_dropped(release: Release, dataset: str, dropped: Dropped, task: str) -> Iterator[Finding]:
    makers = sorted(dropped.makers)
    word = "renames" if _renames(release, dataset, task) else "drops"
    until = f" until {and_more(makers, 3)} create{'s' * (len(makers) == 1)} it again" if makers else ""
    class_ = POTENTIALLY if makers else BREAKING
    readers = [each for each in readers_of(release, [dataset], exact=False) if each not in dropped.by]
    for reader in readers:
        reason = f"{reader} reads {dataset}, which {task} {word}{until}"
        yield Finding("gone-dataset", class_, task, dataset, reason, reader)
    for writer in dropped.writers:
        if writer not in (*dropped.by, *readers, *makers):
            reason = f"{writer} writes {dataset}, which {task} {word}{until}"
            yield Finding("gone-dataset", class_, task, dataset, reason, writer)


def _renames(release: Release, dataset: str, task: str) -> bool:
    """Return whether a task renames a dataset: its rows go to a dataset that the task writes."""
    return any(dataset_of(edge[0]) == dataset != dataset_of(edge[1]) for edge in release.changes[task].edges)


def readers_of(release: Release, nodes: Iterable[str], *, exact: bool) -> list[str]:
    """Return the tasks that read these nodes after the release, according to their texts at that time."""
    names = {node.lower() for node in nodes}
    datasets = {dataset_of(node) for node in nodes}
    readers = set()
    for edge in [*release.edges_from(datasets), *_before(release, datasets)]:
        if (edge[1].lower() if exact else dataset_of(edge[1]).lower()) in names:
            readers.add(edge[0])
    return sorted(readers)


def _before(release: Release, datasets: set[str]) -> Iterator[tuple[str, str]]:
    """Yield (task, source) of readers resolved again, as they read before: a star has lost what is gone."""
    for task, reread in release.readers.items():
        for edge in reread.old.edges:
            if dataset_of(edge[0]) in datasets:
                yield task, edge[0]
