"""The report as the one JSON object that every command prints: basis and result."""

from __future__ import annotations

import json

from lineage_tt.impact.report import Report


def page(report: Report) -> str:
    """Return the report as one line of JSON."""
    result = report.to_json()
    basis = result.pop("basis")
    return json.dumps({"basis": basis, "result": result}) + "\n"
