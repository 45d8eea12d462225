"""Labels that the release brings to new nodes: for example, ``pii`` that newly reaches a board.

A label on a column follows its values (DIRECT edges); a label on a dataset applies to all its columns.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial

from lineage_tt.impact.base.closure import STAR, path_to, walk
from lineage_tt.impact.base.port import Facts
from lineage_tt.impact.release.release import Change, Release
from lineage_tt.impact.report import LabelReach
from lineage_tt.model.edges import DIRECT, TaskEdge, dataset_of
from lineage_tt.model.facts import names_of
from lineage_tt.model.names import and_more


def newly_reached(release: Release, facts: Facts) -> tuple[LabelReach, ...]:
    """Return, for each label, the datasets that it reaches after the release and not before, with the path."""
    if not facts.labels:
        return ()
    starts = _added_targets(release)
    if not starts:
        return ()
    below = walk(starts, release.edges_from, release.edges_of, direct_only=True)
    after = _labels_above(below, release.edges_into, release.edges_of, facts.labels)
    before = _labels_above(below, release.base.edges_into, release.base.edges_of, facts.labels)
    had: dict[str, set[str]] = defaultdict(set)
    for node, labels in before.items():
        had[dataset_of(node)] |= labels.keys()
    result: dict[tuple[str, str], LabelReach] = {}
    for node in sorted(after, key=lambda each: (below[each].steps, each)):
        dataset = dataset_of(node)
        for label, path in sorted(after[node].items()):
            if label in had[dataset] or label in facts.labels.get(dataset, ()) or (label, dataset) in result:
                continue
            owners = facts.owners_of(node, dataset)
            result[label, dataset] = LabelReach(label, path[0], node, path, owners, facts.priority_of(node, dataset))
    return tuple(result.values())


def label_doubts(release: Release, facts: Facts) -> Iterator[str]:
    """Yield, in words, the labels that may reach a column made of a template part whose value is not known.

    No edge shows what such a part holds. It may name any column of the task's sources, so all their labels count that
    the dataset does not have already.
    """
    for task, change in sorted(release.changes.items()) if facts.labels else ():
        columns = list(_templated(change))
        if not columns:
            continue
        sources = {dataset_of(edge[0]) for edge in change.edges}
        nodes = sources | {f"{each}#{name}" for each in sources for name in names_of(release.after.get(each) or ())}
        above = _labels_above(nodes, release.edges_into, release.edges_of, facts.labels)
        labels = {label for found in above.values() for label in found}
        for dataset, column in columns:
            mine = {dataset, *(f"{dataset}#{name}" for name in dict(change.lineage.outputs)[dataset])}
            held = _labels_above(mine, release.edges_into, release.edges_of, facts.labels)
            known = {*facts.labels.get(dataset, ()), *(label for found in held.values() for label in found)}
            if more := sorted(labels - known):
                made = f"{task} makes {column} of a template part without a value"
                yield f"{and_more(more)} may reach {dataset}: {made}"


def _templated(change: Change) -> Iterator[tuple[str, str]]:
    """Yield the new and changed columns that have no source, in texts with template parts that have no value."""
    if change.unreadable or change.is_same or all(each.code != "template" for each in change.lineage.problems):
        return
    made = {edge[1].lower() for edge in change.edges if edge[2] == DIRECT}
    old = {name.lower() for _, names in (change.old.outputs if change.old else ()) for name in names}
    changed = set(change.difference.changed) if change.difference is not None else {STAR}
    for dataset, names in change.lineage.outputs:
        for name in names:
            is_new = name.lower() not in old or name.lower() in changed or STAR in changed
            if is_new and f"{dataset}#{name}".lower() not in made:
                yield dataset, name


def _added_targets(release: Release) -> set[str]:
    """Return the targets of values that did not flow before."""
    targets = set()
    for change in release.changes.values():
        old = {(edge[0], edge[1]) for edge in change.before_edges if edge[2] == DIRECT}
        targets |= {edge[1] for edge in change.edges if edge[2] == DIRECT and (edge[0], edge[1]) not in old}
    for reread in release.readers.values():
        old = {(edge[0], edge[1]) for edge in reread.old.edges}
        targets |= {edge[1] for edge in reread.new.edges if edge[2] == DIRECT and (edge[0], edge[1]) not in old}
    return targets


def _labels_above(
    nodes: Iterable[str],
    edges_into: Callable[[Iterable[str]], Sequence[TaskEdge]],
    edges_of: Callable[[Iterable[str]], Sequence[TaskEdge]],
    labels: Mapping[str, tuple[str, ...]],
) -> dict[str, dict[str, tuple[str, ...]]]:
    """Return for each node the labels of what its values come from, each with the path from there."""
    edges: dict[str, list[TaskEdge]] = defaultdict(list)
    seen: set[str] = set()
    waiting = {dataset_of(node) for node in nodes}
    while waiting:
        seen |= waiting
        entering = [edge for edge in edges_into(waiting) if edge.type == DIRECT]
        for edge in entering:
            edges[edge.source].append(edge)
        waiting = {dataset_of(edge.source) for edge in entering} - seen
    sources = {node for node in {*edges, *labels} if labels.get(node) or labels.get(dataset_of(node))}
    below = set(nodes)
    result: dict[str, dict[str, tuple[str, ...]]] = defaultdict(dict)
    for label in sorted({label for node in sources for label in _of(node, labels)}):
        marked = [node for node in sources if label in _of(node, labels)]
        by_dataset: dict[str, list[TaskEdge]] = defaultdict(list)
        for source, leaving in edges.items():
            by_dataset[dataset_of(source)] += leaving
        reached = walk(marked, partial(_leaving, by_dataset), edges_of)
        for node in reached:
            star = f"{dataset_of(node)}#{STAR}"  # the star node is any column, this one as well
            for one in {node, star} & below:
                result[one].setdefault(label, path_to(node, reached))
    return result


def _leaving(by_dataset: Mapping[str, list[TaskEdge]], datasets: Iterable[str]) -> list[TaskEdge]:
    return [edge for dataset in datasets for edge in by_dataset.get(dataset, ())]


def _of(node: str, labels: Mapping[str, tuple[str, ...]]) -> tuple[str, ...]:
    return (*labels.get(node, ()), *labels.get(dataset_of(node), ()))
