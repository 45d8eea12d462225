"""The report as a JSON object of the form that every command prints: basis and result."""

from __future__ import annotations

import json

from lineage_tt.impact.report import Report


def page(report: Report) -> str:
    """Return the report as one line of JSON."""
    result = report.to_json()
    basis, completeness = result.pop("basis"), result.pop("completeness")
    return json.dumps({"basis": basis, "completeness": completeness, "result": result}) + "\n"
