"""The report for a pull request: the verdict, the counts and the worst three first; details folded; one sticky comment.

GitHub refuses comments over 65,536 characters: tables are cut, with the worst rows kept, until the comment fits.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from lineage_tt.impact.render.mermaid_page import graph
from lineage_tt.impact.render.words import (
    TITLES,
    code,
    column_words,
    counts_line,
    group_words,
    incomplete_line,
    md,
    path_words,
    place_words,
    unmapped_line,
    verdict_line,
    worst_findings,
)
from lineage_tt.impact.report import NONE, Report

#: Identifies the comment to replace.
MARKER: Final = "<!-- lineage-tt-impact -->"
MAX_BYTES: Final = 64_000
_ROWS: Final = (200, 100, 50, 25, 12, 6, 3)
_SIGNS: Final = {
    "breaking": "🔴",
    "unknown": "⚪",
    "potentially_breaking": "🟡",
    "additive": "🟢",
    "none": "🟢",
}


def page(report: Report) -> str:
    """Return the report in Markdown, below 64 KB."""
    text = ""
    for rows in _ROWS:
        text = "\n".join(_lines(report, rows)) + "\n"
        if len(text.encode()) < MAX_BYTES:
            return text
    return text.encode()[: MAX_BYTES - 100].decode(errors="ignore") + "\n\n… cut\n"


def _lines(report: Report, rows: int) -> Iterator[str]:
    yield MARKER
    yield f"## {_SIGNS[report.verdict]} Lineage impact: {TITLES[report.verdict]}"
    yield ""
    yield f"**{md(verdict_line(report))}**"
    yield ""
    yield counts_line(report)
    if incomplete := incomplete_line(report):
        yield ""
        yield md(incomplete)
    yield ""
    for number, finding in enumerate(worst_findings(report), 1):
        owners = f" — {md(', '.join(finding.owners[:3]))}" if finding.owners else ""
        yield f"{number}. {_SIGNS[finding.class_]} **{TITLES[finding.class_]}**: {md(finding.reason[:300])}{owners}"
    yield ""
    gate = "passed" if report.gate.passed else "**failed**"
    yield f"Gate: {gate} (fail on {', '.join(report.gate.fail_on)})"
    yield from (f"- {md(reason)}" for reason in (*report.gate.tripped[:rows], *report.gate.expired[:rows]))
    yield ""
    yield from _tasks(report, rows)
    yield from _folded("Findings", len(report.findings), rows, lambda: _findings(report, rows))
    yield from _folded("Downstream", len(report.readers), rows, lambda: _readers(report, rows))
    yield from _folded(f"Downstream, by {report.level}", len(report.groups), rows, lambda: _groups(report, rows))
    yield from _folded("Labels that newly reach a dataset", len(report.labels), rows, lambda: _labels(report, rows))
    yield from _folded("Backfill, in this order", len(report.backfill), rows, lambda: _backfill(report, rows))
    yield from _folded(
        "Changed .sql files that no path rule matches", len(report.unmapped), rows, lambda: _unmapped(report, rows)
    )
    yield from _folded("Notes", len(report.notes), rows, lambda: (f"- {md(note)}" for note in report.notes[:rows]))
    if report.readers:
        yield from ["<details><summary>Graph</summary>", "", "```mermaid", *graph(report, min(40, rows)), "```", ""]
        yield from ["</details>", ""]
    basis = report.basis
    yield f"<sub>Predicted at version {basis['version']}, valid at {basis['valid_at']}, effective at "
    yield f"{report.effective_at}. Nothing was written to the store.</sub>"


def _tasks(report: Report, rows: int) -> Iterator[str]:
    shown = [task for task in report.tasks if task.class_ != NONE][:rows]
    if shown:
        yield "| | task | change | columns | why |"
        yield "|---|---|---|---|---|"
    for task in shown:
        why = md(task.reasons[0][:200]) if task.reasons else ""
        columns = md(column_words(task))
        class_ = f"{_SIGNS[task.class_]} {TITLES[task.class_]}"
        yield f"| {class_} | {code(task.task_id)} | {task.op} | {columns} | {why} |"
    if shown:
        yield ""
    quiet = sum(task.class_ == NONE for task in report.tasks)
    left_out = len(report.tasks) - quiet - len(shown)
    if left_out:
        yield f"… and {left_out:,} more tasks"
        yield ""
    if quiet:
        yield f"{quiet} task{'s' * (quiet != 1)} without impact."
        yield ""


def _folded(title: str, count: int, rows: int, body: Callable[[], Iterator[str]]) -> Iterator[str]:
    if not count:
        return
    yield f"<details><summary>{title} ({count:,})</summary>"
    yield ""
    yield from body()
    if count > rows:
        yield ""
        yield f"… and {count - rows:,} more"
    yield ""
    yield "</details>"
    yield ""


def _findings(report: Report, rows: int) -> Iterator[str]:
    yield "| | kind | what | owners | file |"
    yield "|---|---|---|---|---|"
    for finding in report.findings[:rows]:
        allowed = f" (allowed: {md(finding.allowed)})" if finding.allowed else ""
        place = code(place_words(finding)) if finding.file else ""
        way = f"<br>{code(path_words(finding.path)[:400])}" if len(finding.path) > 1 else ""
        reason = md(finding.reason[:400])
        owners = md(", ".join(finding.owners[:5]))
        yield f"| {_SIGNS[finding.class_]} | {finding.kind} | {reason}{allowed}{way} | {owners} | {place} |"


def _readers(report: Report, rows: int) -> Iterator[str]:
    yield "| | dataset | columns | by | owners | priority | way |"
    yield "|---|---|---|---|---|---|---|"
    for reader in report.readers[:rows]:
        columns = md(", ".join(reader.columns[:8])) + (" …" if len(reader.columns) > 8 else "")
        tasks = ", ".join(code(task) for task in reader.tasks[:3]) + (" …" if len(reader.tasks) > 3 else "")
        mark = " 🔒" if reader.protected else ""
        way = code(path_words(reader.path)[:400])
        yield (
            f"| {_SIGNS[reader.class_]} | {code(reader.dataset)}{mark} | {columns} | {tasks} "
            f"| {md(', '.join(reader.owners[:5]))} | {md(reader.priority or '')} | {way} |"
        )


def _groups(report: Report, rows: int) -> Iterator[str]:
    for group in report.groups[:rows]:
        yield f"- {_SIGNS[group.class_]} {code(group.group)}: {group_words(group)}"


def _labels(report: Report, rows: int) -> Iterator[str]:
    for reach in report.labels[:rows]:
        whom = f" (owner: {md(', '.join(reach.owners[:5]))})" if reach.owners else ""
        way = code(path_words(reach.path)[:400])
        yield f"- this makes **{md(reach.label)}** reach {code(reach.node)}{whom}: {way}"


def _unmapped(report: Report, rows: int) -> Iterator[str]:
    yield f"{unmapped_line(report)}."
    yield ""
    yield from (f"- {code(path)}" for path in report.unmapped[:rows])


def _backfill(report: Report, rows: int) -> Iterator[str]:
    for number, each in enumerate(report.backfill[:rows], 1):
        yield f"{number}. {code(each.task_id)}: {md(each.reason)}"
