"""GitLab's code quality report: a list of findings, each at a file and a line."""

from __future__ import annotations

import hashlib
import json
from typing import Any, Final

from lineage_tt.impact.render.sarif_page import fingerprint
from lineage_tt.impact.render.words import not_judged
from lineage_tt.impact.report import ADDITIVE, BREAKING, NONE, POTENTIALLY, UNKNOWN, Report
from lineage_tt.model.names import shown

_SEVERITIES: Final = {BREAKING: "critical", UNKNOWN: "major", POTENTIALLY: "minor", ADDITIVE: "info", NONE: "info"}


def page(report: Report) -> str:
    """Return the findings that are not allowed, and the files that were not judged, in GitLab's format."""
    issues: list[dict[str, Any]] = [
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
    issues += [_not_judged(path) for path in report.unmapped]
    return json.dumps(issues, indent=1) + "\n"


def _not_judged(path: str) -> dict[str, Any]:
    return {
        "description": not_judged(path),
        "check_name": "lineage-tt/not-judged",
        "fingerprint": hashlib.sha256(f"not-judged\0{path}".encode(errors="surrogatepass")).hexdigest()[:32],
        "severity": _SEVERITIES[NONE],
        "location": {"path": path, "lines": {"begin": 1}},
    }
