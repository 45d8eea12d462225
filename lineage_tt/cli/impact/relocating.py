"""Maps findings back to lines and columns of the original files, since texts may be rewritten before parsing."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from lineage_tt.impact.release.candidates import Candidate
from lineage_tt.impact.report import Finding, Report


def relocated(report: Report, candidates: Iterable[Candidate]) -> Report:
    """Return the report with the positions of findings in the original files."""
    moved = {each.task_id: each for each in candidates if each.original is not None or each.line > 1}
    if not moved:
        return report
    return replace(report, findings=tuple(_placed(each, moved.get(each.task)) for each in report.findings))


def _placed(finding: Finding, candidate: Candidate | None) -> Finding:
    from ingest.sql.text.original_places import original_place

    if candidate is None or finding.file != candidate.path:
        return finding
    if finding.line is None or candidate.original is None or candidate.sql is None:
        return replace(finding, line=finding.line or candidate.line)
    line, column = original_place(candidate.sql, candidate.original, finding.line, finding.column)
    return replace(finding, line=line, column=column)
