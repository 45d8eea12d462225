"""The report for a terminal."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from lineage_tt.impact.render.words import (
    TITLES,
    basis_line,
    column_words,
    counts_line,
    group_words,
    incomplete_line,
    path_words,
    place_words,
    reason_lines,
    unmapped_line,
    verdict_line,
)
from lineage_tt.impact.report import NONE, Report
from lineage_tt.model.names import and_more, shown

MAX_LISTED: Final = 40


def page(report: Report) -> str:
    """Return the report as lines of text."""
    return "\n".join(shown(line) for line in _lines(report)) + "\n"


def _lines(report: Report) -> Iterator[str]:
    yield f"{TITLES[report.verdict].upper()}: {verdict_line(report)}"
    yield counts_line(report)
    for finding in report.findings[:MAX_LISTED]:
        allowed = f" [allowed: {finding.allowed}]" if finding.allowed else ""
        place = f"{place_words(finding)}: " if finding.file else ""
        whose = f" [owners: {', '.join(finding.owners)}]" if finding.owners else ""
        yield f"  {place}{TITLES[finding.class_]}: {finding.reason}{whose}{allowed}"
        if len(finding.path) > 1:
            yield f"      {path_words(finding.path)}"
    yield from _more(len(report.findings))
    yield ""
    for task in report.tasks[:MAX_LISTED]:
        yield f"{task.task_id} ({task.op}): {TITLES[task.class_]}"
        if task.class_ != NONE:
            yield from (f"    {reason}" for reason in reason_lines(task))
        if task.columns:
            yield f"    columns: {column_words(task)}"
    yield from _more(len(report.tasks))
    if report.readers:
        yield ""
        yield "downstream:"
        for reader in report.readers[:MAX_LISTED]:
            columns = and_more(reader.columns, 6)
            owners = f" [{', '.join(reader.owners)}]" if reader.owners else ""
            yield f"  {reader.dataset} ({columns}) by {', '.join(reader.tasks)}{owners}"
            yield f"      {path_words(reader.path)}"
        yield from _more(len(report.readers))
    if report.level is not None:
        yield ""
        yield f"downstream, by {report.level}:"
        for group in report.groups[:MAX_LISTED]:
            yield f"  {group.group}: {TITLES[group.class_]} ({group_words(group)})"
        yield from _more(len(report.groups))
    for reach in report.labels:
        whom = f", whose owner is {', '.join(reach.owners)}" if reach.owners else ""
        yield f"label: this makes {reach.label} reach {reach.node}{whom}: {path_words(reach.path)}"
    if report.backfill:
        yield "backfill, in this order: " + and_more([each.task_id for each in report.backfill], MAX_LISTED)
    if report.unmapped:
        yield unmapped_line(report) + ":"
        yield from (f"  {path}" for path in report.unmapped[:MAX_LISTED])
        yield from _more(len(report.unmapped))
    if incomplete := incomplete_line(report):
        yield incomplete
    yield from (f"note: {note}" for note in report.notes)
    yield from (f"gate: {reason}" for reason in report.gate.tripped)
    yield from (f"allow-list: {words}" for words in report.gate.expired)
    yield f"gate: {'passed' if report.gate.passed else 'FAILED'} (fail on {', '.join(report.gate.fail_on)})"
    yield basis_line(report)


def _more(count: int) -> Iterator[str]:
    if count > MAX_LISTED:
        yield f"  … and {count - MAX_LISTED:,} more: see --format json"
