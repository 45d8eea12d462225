"""What a candidate changes in its own task: edges, columns, and the class of the change with its reasons."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final

from lineage_tt.impact.release.declaring import matters, type_changes
from lineage_tt.impact.release.given_edges import meanings_of_edges, missing_sources, new_targets, reasons_of_edges
from lineage_tt.impact.release.release import UNREADABLE, Change, Release
from lineage_tt.impact.release.renames import apart, columns_of, is_open, matches, newly_left_out
from lineage_tt.impact.release.types import family
from lineage_tt.impact.report import (
    ADDITIVE,
    BREAKING,
    NONE,
    POTENTIALLY,
    UNKNOWN,
    ColumnChange,
    EdgeChange,
    Finding,
)
from lineage_tt.model.edges import EdgeTuple
from lineage_tt.model.messages import Lineage, Problem
from lineage_tt.model.names import and_more

#: Problems that make a statement fail when it runs, unless they existed before.
FAILING: Final = {
    "unknown-column": "it names a column that a table does not have",
    "column-count": "it gives another number of columns than there is place for",
    "repeated-column": "it gives a table a column twice",
    "unnamed-column": "it makes a table with a column that has no name",
    "misplaced-aggregate": "it has an aggregate or window function where none may be",
    "ungrouped-column": "it selects a column that is in no aggregate and that it does not group by",
}
NOT_READ: Final = "the text could not be read as a whole, so its effect is unknown"
ENDS_UNREAD: Final = "the task goes offline: its text could not be read, so what ends with it is unknown"
MEANING: Final = "columns that mean something else"
UNSEEN: Final = "changed, unknown to the store: compared with its own text at the base revision"
WORDS: Final = {
    "filter": "its filter changes, so other rows come through",
    "join": "its joins change, so other rows come through",
    "grouping": "its grouping changes, so rows mean something else",
    "limit": "its limit changes",
    "order": "its order changes",
    "union": "the queries that it puts together change",
    "source": "it reads other sources",
    "sampling": "its sampling changes",
    "expression": "expressions of columns change",
    "statement": "it writes in another way",
    "template": "its template changes",
    "setting": "its settings change",
    "script": "what decides whether and how its statements run changes",
    "spelling": "names of its columns are spelt with other letters, which quotes keep",
    "unread": "a part of its text changes whose effect is not known",
}


def edge_changes(before: Iterable[EdgeTuple], after: Iterable[EdgeTuple]) -> tuple[EdgeChange, ...]:
    """Return the edges that are added, removed, or changed (same ends, different type, subtype or expression)."""
    old, new = set(before), set(after)
    gone, come = defaultdict(list), defaultdict(list)
    for edge in sorted(old - new):
        gone[edge[:2]].append(edge)
    for edge in sorted(new - old):
        come[edge[:2]].append(edge)
    changes = []
    for ends in sorted({*gone, *come}):
        pairs = min(len(gone[ends]), len(come[ends]))
        for one, other in zip(gone[ends][:pairs], come[ends][:pairs], strict=True):
            changes.append(EdgeChange("changed", *ends, _edge_text(one), _edge_text(other)))
        changes += [EdgeChange("removed", *ends, _edge_text(edge), None) for edge in gone[ends][pairs:]]
        changes += [EdgeChange("added", *ends, None, _edge_text(edge)) for edge in come[ends][pairs:]]
    return tuple(changes)


def _edge_text(edge: EdgeTuple) -> str:
    return " ".join(filter(None, (edge[2], edge[3], edge[4])))


def column_changes(release: Release, change: Change) -> tuple[ColumnChange, ...]:
    """Return the columns of the written datasets that come, go, are renamed, move, or change type or meaning."""
    changes: list[ColumnChange] = []
    for dataset in sorted(change.writes() | change.writes_before()) if not change.unreadable else ():
        old, new = columns_of(release, change, dataset)
        if dataset in release.gone or change.candidate.op == "offline":
            if dataset in release.gone:
                changes += [ColumnChange("removed", dataset, name) for name in old]
            continue
        if not old and (change.op == "online" or change.declares):
            changes += [ColumnChange("added", dataset, name) for name in new]
            continue
        changes += _between(release, dataset, old, new, change)
    return tuple(changes)


def _between(
    release: Release, dataset: str, old: Sequence[str], new: Sequence[str], change: Change
) -> list[ColumnChange]:
    removed, added = apart(old, new)
    if is_open(change.edges, dataset) and dataset not in dict(change.lineage.outputs):
        left_out = newly_left_out(change, dataset)  # a star may still bring all others; see doubts
        removed = [name for name in removed if name in left_out]
    columns: list[ColumnChange] = []
    for name, match in matches(release, change, dataset, removed, added).items():
        removed.remove(name)
        added.remove(match)
        columns.append(ColumnChange("renamed", dataset, name, name, match))
    columns += [ColumnChange("removed", dataset, name) for name in removed]
    columns += [ColumnChange("added", dataset, name) for name in added]
    common = [name for name in new if name.lower() in {each.lower() for each in old}]
    if dataset in dict(change.lineage.outputs) and not removed and not any(c.change == "renamed" for c in columns):
        places = {name.lower(): place for place, name in enumerate(old)}
        columns += [ColumnChange("moved", dataset, n) for i, n in enumerate(new) if places.get(n.lower(), i) != i]
    if change.declares:
        return columns + type_changes(release, change, dataset)
    return columns + _meanings(release, dataset, common, change)


def _meanings(release: Release, dataset: str, common: Sequence[str], change: Change) -> list[ColumnChange]:
    difference = change.difference
    if difference is None or change.before is None or change.before.sql is None:
        return meanings_of_edges(release, dataset, common, change)
    if difference.same:
        return []
    kinds = {name: (before, after) for name, before, after in difference.types}
    followed = difference.comparable and "*" not in difference.changed
    changed = set(difference.changed) if followed else {name.lower() for name in common}
    columns = [ColumnChange("type", dataset, n, *kinds[n.lower()]) for n in common if n.lower() in kinds]
    return columns + [ColumnChange("meaning", dataset, name) for name in common if name.lower() in changed]


def newly_failing(old: Lineage | None, new: Lineage) -> Iterator[Problem]:
    """Yield the problems for which a text fails when it is run, and which are not those that it had before."""
    before = old.problems if old is not None else ()
    known, details = {(problem.code, problem.subject) for problem in before}, {problem.detail for problem in before}
    for problem in new.problems:
        if problem.code in FAILING and ((problem.code, problem.subject) not in known or problem.detail not in details):
            yield problem


def own_findings(release: Release, change: Change) -> list[Finding]:
    """Return what is wrong with a candidate itself: its text cannot be read, or it would fail when it runs."""
    candidate, findings = change.candidate, []
    failing = set(newly_failing(change.old, change.lineage))
    for problem in change.lineage.problems:
        subject = problem.subject or candidate.task_id
        if problem.code in UNREADABLE and not change.is_same:
            reason = f"the text cannot be read: {problem.detail}"
            finding = Finding("unreadable", UNKNOWN, candidate.task_id, subject, reason)
        elif problem.code == "column-count" and problem.subject in change.positions:
            reason = f"{problem.detail}, as its text in force fills them: the columns of {subject} are not known"
            finding = Finding("task-fails", UNKNOWN, candidate.task_id, subject, reason)
        elif problem in failing:
            reason = f"the task fails when it is run: {problem.detail}"
            finding = Finding("task-fails", BREAKING, candidate.task_id, subject, reason)
        else:
            continue
        findings.append(replace(finding, file=candidate.path, line=problem.line, column=problem.column))
    difference = change.difference
    for name in difference.ambiguous if difference is not None else ():
        reason = f"the task fails when it is run: {name} may come from several of its sources"
        findings.append(Finding("task-fails", BREAKING, candidate.task_id, name, reason, file=candidate.path))
    return [*findings, *missing_sources(release, change)]


def insert_findings(release: Release, change: Change) -> list[Finding]:
    """Return the columns of a table that hold numbers or times and that an insert now fills with text."""
    findings = []
    kinds = dict(change.difference.writes) if change.difference is not None else {}
    for dataset, kind in kinds.items():
        declared = release.types_before([dataset]).get(dataset, {}) if kind in ("insert", "overwrite") else {}
        for name, (_, after) in types_of(change).items() if declared else ():
            node = f"{dataset}#{name}"
            old = {edge[0] for edge in change.before_edges if edge[1].lower() == node.lower()}
            new = {edge[0] for edge in change.edges if edge[1].lower() == node.lower()}
            if family(declared.get(name)) in ("number", "temporal") and family(after) == "text" and not old & new:
                reason = f"the task fails when it is run: text goes into {name}, which is {declared[name]}"
                task = change.candidate.task_id
                findings.append(Finding("task-fails", BREAKING, task, node, reason, file=change.candidate.path))
    return findings


def own_class(release: Release, change: Change, columns: Sequence[ColumnChange]) -> tuple[str, list[str]]:
    """Return the class of a change without regard to readers, and the reasons in words."""
    if change.unseen:
        return UNKNOWN, [change.unseen]
    class_, reasons = _own_class(release, change, columns)
    return class_, reasons if change.known else [UNSEEN, *reasons]


def _own_class(release: Release, change: Change, columns: Sequence[ColumnChange]) -> tuple[str, list[str]]:
    if change.candidate.op == "offline":
        if change.candidate.dataset is None and change.was_unreadable:
            return UNKNOWN, [ENDS_UNREAD]
        what = "the dataset is not declared" if change.candidate.dataset else "what it wrote is not updated"
        return POTENTIALLY, [f"the {'dataset' if change.candidate.dataset else 'task'} goes offline: {what} any more"]
    if change.unreadable:
        return UNKNOWN, [NOT_READ]
    again = change.declares and all(dataset in release.before for dataset, _ in change.lineage.outputs)
    if change.op == "online" and not again:
        return ADDITIVE, ["a new dataset" if change.candidate.dataset else "a new task"]
    reasons, by = _reasons(release, change), defaultdict(list)
    for each in columns:
        by[each.change].append(each.column)
    words = [f"columns {word}: {and_more(by[word])}" for word in ("removed", "renamed", "moved", "added") if by[word]]
    if by["type"]:
        words.append(f"columns of another type: {and_more(by['type'])}")
    if by["meaning"]:
        words.append(f"{MEANING}: {and_more(by['meaning'])}")
    if by["removed"] or by["renamed"] or by["meaning"] or any(map(matters, columns)) or reasons:
        return POTENTIALLY, reasons + words
    if by["added"] or by["moved"] or by["type"]:
        return ADDITIVE, words
    if change.difference is not None and not change.is_same and change.candidate.sql is not None and change.before:
        return ADDITIVE, ["its list of columns changes"]
    if more := new_targets(change):
        return ADDITIVE, [f"it also writes {and_more(more)}"]
    if again:
        return NONE, ["the columns are as they are known"]
    return NONE, ["nothing but layout, comments or names inside the text"]


def _reasons(release: Release, change: Change) -> list[str]:
    if change.before is None and not change.before_edges:
        return []
    difference = change.difference
    if difference is not None and change.before is not None and change.before.sql is not None:
        return [] if difference.same else [WORDS.get(reason, reason) for reason in difference.reasons]
    if change.before is not None and change.before.sql is not None:
        return ["its SQL is replaced by edges: what else changes is not known"]
    if change.lacks_text_before:
        return [] if change.is_same else ["the store does not keep its text: what else changes is not known"]
    if change.candidate.sql is not None:
        return ["its edges are replaced by SQL: what else changes is not known"]
    return reasons_of_edges(release, change)


def meaning_findings(release: Release, change: Change, columns: Sequence[ColumnChange]) -> list[Finding]:
    """Return the findings that an edited task's rows or values now mean something else."""
    if change.op != "update" or change.unreadable or change.candidate.dataset is not None:
        return []
    touched = [each for each in columns if each.change == "meaning"]
    reasons = _reasons(release, change)
    if not touched and not reasons:
        return []
    datasets = sorted({each.dataset for each in touched} or change.writes())
    names = f" ({and_more([each.column for each in touched])})" if touched else ""
    reason = "; ".join(reasons) or "columns mean something else"
    task = change.candidate.task_id
    return [
        Finding(
            "meaning",
            POTENTIALLY,
            task,
            datasets[0] if datasets else task,
            f"{reason}{names}",
            file=change.candidate.path,
        )
    ]


def types_of(change: Change) -> Mapping[str, tuple[str, str]]:
    """Return the columns whose type changes, by lower-case name: the type before and after."""
    difference = change.difference
    return {name: (before, after) for name, before, after in difference.types} if difference is not None else {}
