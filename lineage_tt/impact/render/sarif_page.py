"""SARIF 2.1.0 for code scanning: a result for each finding, at the file and line from which it comes."""

from __future__ import annotations

import hashlib
import json
from typing import Any, Final

from lineage_tt.impact.render.words import not_judged, path_words
from lineage_tt.impact.report import ADDITIVE, BREAKING, NONE, POTENTIALLY, UNKNOWN, Finding, Report
from lineage_tt.model.names import shown

LEVELS: Final = {BREAKING: "error", UNKNOWN: "warning", POTENTIALLY: "warning", ADDITIVE: "note", NONE: "none"}
#: The kinds of findings, each in one sentence: the rules of SARIF, and the list in docs/reference/impact.md.
KINDS: Final = {
    "stale-reader": "A task reads a column that no longer exists.",
    "gone-dataset": "A task uses a dataset that is dropped or renamed, or reads one that no task writes.",
    "emptied-dataset": "A task reads a dataset from which a change deletes rows.",
    "shifted-insert": "A reader's columns shift: by position it now takes others.",
    "captured-name": "A name in a reader now means another column, or several.",
    "narrowed-star": "A star loses columns.",
    "widened-star": "A star gets more columns.",
    "type-change": "A column that is read changes its type.",
    "task-fails": "The task itself fails when it is run.",
    "unreadable": "The text could not be read.",
    "meaning": "Values or rows that may be read mean something else.",
    "unread": "A column or dataset goes that no known task reads.",
    "two-writers": "Two tasks write one dataset.",
    "cycle": "A dataset is made from itself over others.",
    "dangling-source": "A task reads a dataset that no task writes.",
    "layer": "A lower layer is made from a higher one.",
    "unknown-reader": "What a task downstream does with the change is not known.",
    "unknown-columns": "Which columns a dataset has is not known.",
    "unknown-effect": "The lineage of the task is not complete: what the change does cannot be judged.",
    "rule-violation": "A rule of governance.toml is violated and was not before.",
    "denied-source": "The principal may not read a source of the text.",
    "label-reach": "A label reaches a dataset that it did not reach.",
}


def page(report: Report) -> str:
    """Return the report as a SARIF log."""
    results = [_result(finding) for finding in report.findings]
    results += [
        _result(Finding("label-reach", POTENTIALLY, "", each.node, f"{each.label} reaches {each.node}", path=each.path))
        for each in report.labels
    ]
    used = sorted({result["ruleId"] for result in results})
    rules = [{"id": kind, "shortDescription": {"text": KINDS[kind]}} for kind in used]
    driver = {"name": "lineage-tt impact", "rules": rules}
    run: dict[str, Any] = {"tool": {"driver": driver}}
    if report.unmapped:
        notices = [_not_judged(path) for path in report.unmapped]
        run["invocations"] = [{"executionSuccessful": True, "toolExecutionNotifications": notices}]
    run |= {
        "results": results,
        "columnKind": "unicodeCodePoints",
        "properties": {"verdict": report.verdict, "basis": dict(report.basis)},
    }
    log = {"$schema": "https://json.schemastore.org/sarif-2.1.0.json", "version": "2.1.0", "runs": [run]}
    return json.dumps(log, indent=1) + "\n"


def fingerprint(finding: Finding) -> str:
    """Return a fingerprint that distinguishes a finding from others and stays the same from run to run."""
    parts = (finding.kind, finding.task, finding.subject, finding.reader or "")
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:32]


def _not_judged(path: str) -> dict[str, Any]:
    """Return the notification of a changed file that was not judged."""
    return {
        "level": "warning",
        "message": {"text": not_judged(path)},
        "locations": [{"physicalLocation": {"artifactLocation": {"uri": path}}}],
    }


def _result(finding: Finding) -> dict[str, Any]:
    words = shown(finding.reason) + (f" ({shown(path_words(finding.path))})" if len(finding.path) > 1 else "")
    result: dict[str, Any] = {
        "ruleId": finding.kind,
        "level": LEVELS[finding.class_],
        "message": {"text": words},
        "partialFingerprints": {"lineageTtImpact/v1": fingerprint(finding)},
        "properties": {"class": finding.class_, "task": finding.task, "subject": finding.subject},
    }
    location: dict[str, Any] = {"logicalLocations": [{"fullyQualifiedName": finding.task or finding.subject}]}
    if finding.file:
        region = {"startLine": max(finding.line or 1, 1)}
        if finding.column:
            region["startColumn"] = max(finding.column, 1)
        location["physicalLocation"] = {"artifactLocation": {"uri": finding.file}, "region": region}
    result["locations"] = [location]
    if finding.allowed:
        result["suppressions"] = [{"kind": "external", "justification": finding.allowed}]
    return result
