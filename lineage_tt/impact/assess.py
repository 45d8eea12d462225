"""The assessment: a release on a base becomes a report."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Final

from lineage_tt.impact.base.closure import EdgesFrom, Reached, by_dataset, path_to, walk
from lineage_tt.impact.base.port import Base, Facts
from lineage_tt.impact.downstream.backfill import backfill_of
from lineage_tt.impact.downstream.doubts import completeness_of, own_doubts, reader_doubts, weakened
from lineage_tt.impact.downstream.labels import newly_reached
from lineage_tt.impact.downstream.stale import stale_findings
from lineage_tt.impact.downstream.structure import structure_findings
from lineage_tt.impact.notes import notes_of
from lineage_tt.impact.policy import Policy, judge
from lineage_tt.impact.release.candidates import Candidate, distinct
from lineage_tt.impact.release.edits import (
    MEANING,
    NOT_READ,
    column_changes,
    edge_changes,
    insert_findings,
    meaning_findings,
    own_class,
    own_findings,
)
from lineage_tt.impact.release.release import Change, Release
from lineage_tt.impact.release.resolving import resolve
from lineage_tt.impact.report import (
    ADDITIVE,
    BREAKING,
    CLASSES,
    NONE,
    POTENTIALLY,
    UNKNOWN,
    ColumnChange,
    DerivedChange,
    Finding,
    Reader,
    Report,
    SignedEdge,
    TaskImpact,
    worst,
)
from lineage_tt.impact.texts import Analyst
from lineage_tt.model.edges import TaskEdge, dataset_of
from lineage_tt.model.format import ChangeTuple
from lineage_tt.model.names import first_lines
from lineage_tt.model.times import format_instant

#: The most reasons of findings that a task lists.
MAX_REASONS: Final = 20


def assess(
    candidates: Sequence[Candidate], base: Base, analyst: Analyst, policy: Policy, effective_at: int | None = None
) -> Report:
    """Return what these candidates, deployed together at ``effective_at`` (default: the basis), would do.

    Raises InvalidRequestError if two candidates are for the same task. Nothing is written anywhere.
    """
    at = base.basis.valid_at if effective_at is None else effective_at
    release = resolve(distinct(candidates), base, analyst, at)
    release.fetch_readers()
    columns = {task: column_changes(release, change) for task, change in release.changes.items()}
    facts = policy.facts(base.facts())
    findings = [finding for change in release.changes.values() for finding in own_findings(release, change)]
    findings += [finding for change in release.changes.values() for finding in insert_findings(release, change)]
    findings += [
        f for task, change in release.changes.items() for f in meaning_findings(release, change, columns[task])
    ]
    findings += stale_findings(release, columns)
    findings += structure_findings(release, policy.layers)
    findings += [f for task, change in release.changes.items() for f in own_doubts(change, columns[task])]
    findings = weakened(findings, base.gaps())
    placed = base.placed({task: (at, change.edges) for task, change in release.changes.items()})
    impacts = _impacts(release, columns, findings, placed)
    reached = walk(_starts(release, impacts), _after_and_before(release), release.edges_of)
    if doubts := reader_doubts(release, base.gaps(), reached, _widened(columns)):
        findings += doubts
        impacts = _impacts(release, columns, findings, placed)
    findings = _all_placed(findings, release, facts, reached)
    findings.sort(key=lambda f: (CLASSES.index(f.class_), f.priority or "~", f.task, f.kind, f.subject, f.reader or ""))
    readers = _readers(release, reached, findings, facts, policy)
    labels = newly_reached(release, facts)
    tasks = tuple(sorted(impacts.values(), key=lambda i: (CLASSES.index(i.class_), i.task_id)))
    report = Report(
        basis=base.basis.to_json(),
        effective_at=format_instant(at) or "",
        verdict=worst(impact.class_ for impact in tasks),
        counts=_counts(tasks, findings, readers, labels),
        tasks=tasks,
        findings=tuple(findings),
        readers=readers,
        labels=labels,
        backfill=backfill_of(release, impacts, reached),
        derived=tuple(_derived(release)),
        notes=tuple(notes_of(release, policy)),
        completeness=completeness_of(release, base.gaps(), reached, _widened(columns)).to_json(),
    )
    return judge(report, policy)


def _impacts(
    release: Release,
    columns: Mapping[str, tuple[ColumnChange, ...]],
    findings: Iterable[Finding],
    placed: Mapping[str, Sequence[ChangeTuple]],
) -> dict[str, TaskImpact]:
    by_task = _grouped(findings)
    return {
        task: _impact(release, change, columns[task], by_task.get(task, []), placed[task])
        for task, change in release.changes.items()
    }


def _widened(columns: Mapping[str, tuple[ColumnChange, ...]]) -> dict[str, set[str]]:
    """Return the datasets whose columns are extended or reordered, with the tasks that do this."""
    result: dict[str, set[str]] = {}
    for task, changed in columns.items():
        for each in changed:
            if each.change in ("added", "moved"):
                result.setdefault(each.dataset, set()).add(task)
    return result


def _grouped(findings: Iterable[Finding]) -> dict[str, list[Finding]]:
    result: dict[str, list[Finding]] = {}
    for finding in findings:
        result.setdefault(finding.task, []).append(finding)
    return result


def _impact(
    release: Release,
    change: Change,
    columns: tuple[ColumnChange, ...],
    mine: Sequence[Finding],
    placed: Sequence[ChangeTuple],
) -> TaskImpact:
    task = change.candidate.task_id
    own, reasons = own_class(release, change, columns)
    class_ = worst([own, *(finding.class_ for finding in mine)])
    reported = list(dict.fromkeys(finding.reason for finding in mine if finding.class_ == class_))
    reasons = [reason for reason in reasons if not _is_reported(reason, reported)]
    return TaskImpact(
        task_id=task,
        op=change.op,
        class_=class_,
        reasons=(*first_lines(reported, MAX_REASONS, "the findings"), *reasons),
        file=change.candidate.path,
        writes=tuple(sorted(change.writes() or change.writes_before())),
        coverage=None if change.candidate.op == "offline" else change.lineage.coverage,
        edges=edge_changes(change.before_edges, change.edges),
        columns=columns,
        predicted=tuple(SignedEdge(*each) for each in placed),
        known=change.known,
        kind="dataset" if change.candidate.dataset is not None else "task",
    )


def _is_reported(reason: str, reported: Sequence[str]) -> bool:
    """Return whether one of the reported reasons is the same as this reason, or contains it."""
    subject = reason.partition(": ")[2] if reason.startswith(MEANING) else reason
    return any(subject in each for each in reported) or (reason == NOT_READ and bool(reported))


def _derived(release: Release) -> Iterable[DerivedChange]:
    """Yield the readers that nobody edits but whose edges change with the release."""
    for task, reread in sorted(release.readers.items()):
        if changes := edge_changes(reread.old.edges, reread.new.edges):
            yield DerivedChange(task, changes)


def _starts(release: Release, impacts: Mapping[str, TaskImpact]) -> set[str]:
    """Return the nodes whose values change, where the closure begins."""
    starts: set[str] = set()
    for task, impact in impacts.items():
        starts |= release.changes[task].empties()
        if impact.op == "online":
            starts |= (targets := {edge[1] for edge in release.changes[task].edges})
            if not release.changes[task].declares:
                starts |= set(impact.writes) - set(map(dataset_of, targets))  # constants have no source
            continue
        touched = {f"{each.dataset}#{each.column}" for each in impact.columns if each.change not in ("added", "moved")}
        starts |= touched
        if impact.op == "offline" or impact.class_ == UNKNOWN:
            starts |= {edge[1] for edge in release.changes[task].before_edges}
            starts |= set(impact.writes)
        elif _all_rows(release.changes[task]):
            starts |= set(impact.writes)
    return starts


def _all_rows(change: Change) -> bool:
    difference = change.difference
    if difference is None:
        return any("#" not in each.target for each in edge_changes(change.before_edges, change.edges))
    return not difference.same and bool(set(difference.reasons) - {"expression", "order"})


def _after_and_before(release: Release) -> EdgesFrom:
    """Return how the walk continues: over edges after the release, and those by which readers read before."""

    def edges_from(datasets: Iterable[str]) -> list[TaskEdge]:
        listed = set(datasets)
        old = [edge for edge in release.base.edges_from(listed) if edge.task_id in release.readers]
        return [*release.edges_from(listed), *old]

    return edges_from


def _all_placed(
    findings: Sequence[Finding], release: Release, facts: Facts, reached: Mapping[str, Reached]
) -> list[Finding]:
    """Add to each finding its owners, the path to it, and the file from which it comes."""
    readers = {finding.reader for finding in findings if finding.reader}
    written = _written_by(release, readers)
    direct = _direct(release, {(finding.reader, finding.subject) for finding in findings if finding.reader})
    nearest: dict[str, str] = {}
    for node in sorted(reached, key=lambda node: (reached[node].steps, node)):
        nearest.setdefault(dataset_of(node), node)
    result = []
    for finding in findings:
        targets = written.get(finding.reader or "", ())
        nodes = (f"task:{finding.reader}" if finding.reader else None, *targets, dataset_of(finding.subject))
        owners = facts.owners_of(*nodes, None if finding.reader else f"task:{finding.task}")
        end = min((nearest[d] for d in targets if d in nearest), key=lambda n: (reached[n].steps, n), default=None)
        path = finding.path or direct.get((finding.reader, finding.subject), ())
        path = path or (path_to(end, reached) if end is not None else ())
        file = finding.file or release.changes[finding.task].candidate.path
        result.append(replace(finding, owners=owners, priority=facts.priority_of(*nodes), path=path, file=file))
    return result


def _direct(release: Release, readings: set[tuple[str | None, str]]) -> dict[tuple[str | None, str], tuple[str, ...]]:
    """Return the path from a node to the first column that a reader makes from it, if the reader names the node."""
    result: dict[tuple[str | None, str], tuple[str, ...]] = {}
    for edge in release.base.edges_from({dataset_of(subject) for _, subject in readings}):
        if (edge.task_id, edge.source) in readings:
            result.setdefault((edge.task_id, edge.source), (edge.source, edge.target))
    return result


def _written_by(release: Release, tasks: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """Return the datasets that these tasks write after the release."""
    known = {**{t: c.edges for t, c in release.changes.items()}, **{t: r.new.edges for t, r in release.readers.items()}}
    datasets_by_task: dict[str, set[str]] = {
        task: {dataset_of(edge[1]) for edge in known.get(task, ())} for task in tasks
    }
    for edge in release.base.edges_of(task for task in datasets_by_task if task not in known):
        datasets_by_task[edge.task_id].add(dataset_of(edge.target))
    return {task: tuple(sorted(datasets)) for task, datasets in datasets_by_task.items()}


def _readers(
    release: Release, reached: Mapping[str, Reached], findings: Sequence[Finding], facts: Facts, policy: Policy
) -> tuple[Reader, ...]:
    broken = {finding.reader: finding.class_ for finding in reversed(findings) if finding.reader}
    readers = []
    for dataset, nodes in by_dataset(reached).items():
        first = nodes[0]
        tasks = tuple(sorted({task for node in nodes if (task := reached[node].task) is not None}))
        columns = tuple(sorted(node.partition("#")[2] for node in nodes if "#" in node))
        path = path_to(first, reached)
        class_ = worst([POTENTIALLY, *(broken[task] for task in tasks if task in broken)])
        owners = facts.owners_of(dataset, *(f"task:{task}" for task in tasks))
        priority = facts.priority_of(dataset, *(f"task:{task}" for task in tasks))
        steps, protected = reached[first].steps, policy.is_protected(dataset, columns)
        readers.append(Reader(dataset, class_, columns, tasks, steps, path, owners, priority, protected))
    return tuple(sorted(readers, key=lambda r: (CLASSES.index(r.class_), not r.protected, r.steps, r.dataset)))


def _counts(
    tasks: Sequence[TaskImpact], findings: Sequence[Finding], readers: Sequence[Reader], labels: Sequence[object]
) -> dict[str, int]:
    classes = Counter(impact.class_ for impact in tasks)
    return {
        "tasks": len(tasks),
        **{name: classes[name] for name in (BREAKING, POTENTIALLY, ADDITIVE, NONE, UNKNOWN)},
        "findings": len(findings),
        "readers": len(readers),
        "labels": len(labels),
        "unknown_to_store": sum(not impact.known for impact in tasks),
        "unmapped": 0,
        "edges_added": sum(e.change == "added" for impact in tasks for e in impact.edges),
        "edges_removed": sum(e.change == "removed" for impact in tasks for e in impact.edges),
        "edges_changed": sum(e.change == "changed" for impact in tasks for e in impact.edges),
    }
