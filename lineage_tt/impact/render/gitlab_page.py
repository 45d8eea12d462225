"""GitLab's code quality report: a list of findings, each at a file and a line."""

from __future__ import annotations

import json
from typing import Final

from lineage_tt.impact.render.sarif_page import fingerprint
from lineage_tt.impact.report import ADDITIVE, BREAKING, NONE, POTENTIALLY, UNKNOWN, Report
from lineage_tt.model.names import shown

_SEVERITIES: Final = {BREAKING: "critical", UNKNOWN: "major", POTENTIALLY: "minor", ADDITIVE: "info", NONE: "info"}


def page(report: Report) -> str:
    """Return the findings that are not allowed, in GitLab's format."""
    issues = [
        {
            "description": shown(finding.reason),
            "check_name": f"lineage-tt/{finding.kind}",
            "fingerprint": fingerprint(finding),
            "severity": _SEVERITIES[finding.class_],
            "location": {"path": finding.file or finding.task, "lines": {"begin": max(finding.line or 1, 1)}},
        }
        for finding in report.findings
        if not finding.allowed
    ]
    return json.dumps(issues, indent=1) + "\n"
