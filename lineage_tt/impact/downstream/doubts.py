"""What cannot be judged: readers whose lineage is partial or opaque, columns after a star, contradicted declarations.

None of these is safe: their class is ``unknown``. A reader counts if it may use what the release touches in a way that
no edge shows, as in the completeness of every answer of the store.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final

from lineage_tt.impact.base.closure import Reached, path_to
from lineage_tt.impact.release.release import Change, Release
from lineage_tt.impact.report import BREAKING, UNKNOWN, ColumnChange, Finding
from lineage_tt.model.completeness.gaps import NO_TARGET, UNTRACED_READ, CoverageRow, Detail, gap_of
from lineage_tt.model.completeness.summary import Completeness, Gap, GapsAt, Reason, summed
from lineage_tt.model.edges import dataset_of, name_of

#: Problems of tasks in force which show that a dataset has more columns than are declared.
CONTRADICTIONS: Final = frozenset(["unknown-column", "column-count"])
_HARMLESS: Final = frozenset(["template", "column-order"])
#: Kinds of findings that rest on the declared columns of their subject.
_BY_DECLARATION: Final = frozenset(["task-fails", "stale-reader", "shifted-insert", "type-change", "captured-name"])


def own_doubts(change: Change, columns: Sequence[ColumnChange]) -> Iterator[Finding]:
    """Yield findings that the columns of a candidate's dataset, after or before the release, cannot be determined."""
    if change.op != "update" or change.unreadable or change.is_same:
        return
    task = change.candidate.task_id
    outputs = dict(change.lineage.outputs)
    for dataset in sorted(change.writes() & change.writes_before()):
        stars = [{e[:2] for e in edges if e[1] == f"{dataset}#*"} for edges in (change.before_edges, change.edges)]
        if stars[0] == stars[1]:
            continue
        when = "has after the change" if stars[1] and dataset not in outputs else "had before the change"
        of = ", ".join(sorted({dataset_of(e[0]) for e in (*change.edges, *change.before_edges) if e[0].endswith("#*")}))
        reason = f"which columns {dataset} {when} is not known: a star brings those of {of}, which are not declared"
        yield Finding("unknown-columns", UNKNOWN, task, dataset, reason)
    gap = _gap_after(change)
    if gap is not None and any(each.change in ("added", "moved") for each in columns) and not _is_judged(change):
        reason = f"its own lineage is {gap.coverage} ({_why(gap, gap.reads | gap.writes)}): the change cannot be judged"
        yield Finding("unknown-effect", UNKNOWN, task, task, reason)


def _is_judged(change: Change) -> bool:
    """Return whether the gaps in a text's lineage do not affect the comparison with the text before."""
    return all(problem.code not in CONTRADICTIONS for problem in change.lineage.problems)


def _gap_after(change: Change) -> Gap | None:
    """Return the gap in a candidate's lineage after the release."""
    lineage, task = change.lineage, change.candidate.task_id
    if lineage.coverage == "complete" or change.candidate.op == "offline":
        return None
    detail = Detail(
        tuple(Reason(problem.code, problem.detail, problem.subject) for problem in lineage.problems),
        frozenset(edge[0].partition("#")[0] + ("#" if "#" in edge[0] else "") for edge in change.edges),
        frozenset(dataset_of(edge[1]) for edge in change.edges),
        tuple((dataset, tuple(columns)) for dataset, columns in lineage.outputs),
        change.candidate.target,
    )
    return gap_of(task, CoverageRow(0, "update", "", None, None, None, None, lineage.coverage), detail)


def completeness_of(
    release: Release, gaps: GapsAt, reached: Mapping[str, Reached], widened: Collection[str]
) -> Completeness:
    """Return which tasks downstream of the release, its own among them, are partial or opaque."""
    datasets = {dataset_of(node) for node in reached} | set(widened)
    tasks = {at.task for at in reached.values() if at.task is not None}
    known = [gap for gap in (*gaps.reading(datasets), *gaps.of(tasks)) if gap.task_id not in release.changes]
    mine = [gap for change in release.changes.values() if not change.is_same and (gap := _gap_after(change))]
    return summed([*known, *mine])


def reader_doubts(
    release: Release, gaps: GapsAt, reached: Mapping[str, Reached], widened: Mapping[str, Collection[str]]
) -> list[Finding]:
    """Return the tasks downstream that may use what changes in ways that no edge shows.

    ``widened`` are the datasets whose columns are extended or reordered, with the tasks that do this; only their direct
    readers are considered.
    """
    nearest: dict[str, str] = {}
    for node in sorted(reached, key=lambda node: (reached[node].steps, node)):
        nearest.setdefault(dataset_of(node), node)
    datasets = nearest.keys() | widened.keys()
    doubts = []
    edited = release.changes.keys()
    known = [gap for gap in gaps.reading(datasets) if gap.task_id not in edited]
    for gap in [*known, *_of_candidates(release, datasets)]:
        if _is_harmless(gap):
            continue
        mine = sorted(gap.unknown_reads & datasets, key=lambda d: (reached[nearest[d]].steps if d in nearest else 0, d))
        if nearest.keys().isdisjoint(mine) and _reads_the_same(release, gap):
            continue
        path = path_to(nearest[mine[0]], reached) if mine[0] in nearest else (mine[0],)
        for task in sorted(_writers_of(release, path[0], widened) - {gap.task_id}):
            reason = (
                f"what {gap.task_id} does with {mine[0]} is not known: its lineage is {gap.coverage}"
                f" ({_why(gap, mine)})"
            )
            doubts.append(Finding("unknown-reader", UNKNOWN, task, mine[0], reason, gap.task_id, path))
    return doubts


def _is_harmless(gap: Gap) -> bool:
    """Return whether a gap does not affect what the task reads.

    This holds for values of template parts that are not in the name of a written dataset, and for the order of columns
    in the table that the task writes. A gap without stored reasons may be anything.
    """
    codes = {reason.code for reason in gap.reasons}
    return bool(codes) and codes <= _HARMLESS and not any("{" in name for name in gap.writes)


def _reads_the_same(release: Release, gap: Gap) -> bool:
    """Return whether a query of which only the target is not known says the same with more columns in its sources."""
    reread = release.readers.get(gap.task_id)
    codes = {reason.code for reason in gap.reasons}
    if reread is None or not NO_TARGET in codes <= {NO_TARGET, UNTRACED_READ} or not reread.difference.same:
        return False
    sql = reread.text.sql or ""
    return not reread.new.stars and not any(_may_take_rows(sql, dataset) for dataset in gap.reads)


def _may_take_rows(sql: str, dataset: str) -> bool:
    """Return whether a text may use whole rows of a dataset, as ``to_json(s)`` does: it names it or an alias again."""
    last = re.escape(name_of(dataset).rpartition(".")[2])
    aliases = re.findall(rf"\b{last}\b\W?\s+(?:as\s+)?\W?(\w+)", sql, re.IGNORECASE)
    return any(
        len(re.findall(rf"\b{word}\b(?!\W?\s*\.)", sql, re.IGNORECASE)) > 1
        for word in {last, *(each.lower() for each in aliases)}
    )


def _of_candidates(release: Release, datasets: Collection[str]) -> Iterator[Gap]:
    """Yield the gaps of the release's own tasks that may read any of these datasets."""
    for change in release.changes.values():
        gap = _gap_after(change)
        if gap is not None and not change.unreadable and not gap.unknown_reads.isdisjoint(datasets):
            yield gap


def _writers_of(release: Release, start: str, widened: Mapping[str, Collection[str]]) -> set[str]:
    """Return the candidates that write the dataset at which a path begins."""
    dataset = dataset_of(start)
    writers = {task for task, c in release.changes.items() if dataset in c.writes() or dataset in c.writes_before()}
    return writers or set(widened.get(dataset, ()))


def _why(gap: Gap, datasets: Iterable[str]) -> str:
    """Return why a task's lineage is not complete; reasons about these datasets come first."""
    listed = set(datasets)
    reasons = [reason for reason in gap.reasons if not reason.code.startswith("untraced")] or list(gap.reasons)
    reasons.sort(key=lambda reason: dataset_of(reason.subject) not in listed)
    return (reasons[0].detail or reasons[0].code) if reasons else "no reason is stored"


def weakened(findings: Iterable[Finding], gaps: GapsAt) -> list[Finding]:
    """Return the findings; one based on a declaration that tasks in force contradict is unknown, not breaking."""
    listed = list(findings)
    breaking = {dataset_of(f.subject) for f in listed if f.class_ == BREAKING and f.kind in _BY_DECLARATION}
    contradicted: dict[str, list[str]] = defaultdict(list)
    for gap in (*gaps.reading(breaking), *gaps.writing(breaking)) if breaking else ():
        for reason in gap.reasons:
            if reason.code in CONTRADICTIONS and reason.subject in breaking:
                contradicted[reason.subject].append(gap.task_id)
    return [_weaker(each, sorted(set(contradicted.get(dataset_of(each.subject), ())))) for each in listed]


def _weaker(finding: Finding, tasks: Sequence[str]) -> Finding:
    if not tasks or finding.class_ != BREAKING or finding.kind not in _BY_DECLARATION:
        return finding
    more = f" and {len(tasks) - 1} more" if len(tasks) > 1 else ""
    dataset = dataset_of(finding.subject)
    doubt = f"the declared columns of {dataset} are not all, as {tasks[0]}{more} in force uses others"
    return replace(finding, class_=UNKNOWN, reason=f"{finding.reason}; but {doubt}")
