"""Violations as SARIF 2.1.0, which code hosts and editors show."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from lineage_tt.governance.rules.engine import RULES
from lineage_tt.governance.rules.violation import Violation
from lineage_tt.model.answers import Basis

_LEVELS: Final = {"error": "error", "warning": "warning", "info": "note"}
_SCHEMA: Final = "https://json.schemastore.org/sarif-2.1.0.json"


def sarif(violations: Sequence[Violation], basis: Basis, version: str) -> dict[str, Any]:
    """Return a SARIF log; a violation that an allowance covers is a suppressed result with the reason."""
    rules = [
        {
            "id": rule.name,
            "shortDescription": {"text": rule.words},
            "defaultConfiguration": {"level": _LEVELS[rule.severity]},
            **({"help": {"text": f"Also known as {rule.also}"}} if rule.also else {}),
        }
        for rule in RULES
    ]
    places = {rule.name: place for place, rule in enumerate(RULES)}
    run = {
        "tool": {"driver": {"name": "lineage-tt rules", "version": version, "rules": rules}},
        "properties": {"basis": basis.to_json()},
        "results": [_result(each, places) for each in violations],
    }
    return {"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}


def _result(each: Violation, places: dict[str, int]) -> dict[str, Any]:
    about = ", ".join(each.others)
    result: dict[str, Any] = {
        "ruleId": each.rule,
        "ruleIndex": places[each.rule],
        "level": _LEVELS[each.severity],
        "message": {"text": f"{each.subject}: {each.detail}{f' ({about})' if about else ''}"},
        "locations": [{"logicalLocations": [{"fullyQualifiedName": each.subject, "kind": "resource"}]}],
        "partialFingerprints": {"lineage/v1": "|".join((each.rule, each.subject, *each.others))},
        "properties": {"tasks": list(each.tasks), "owners": list(each.owners)},
    }
    if each.allowed is not None:
        result["suppressions"] = [{"kind": "external", "status": "accepted", "justification": each.allowed}]
    return result
