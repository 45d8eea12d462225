"""SARIF for code scanning: rules, results, places, and what is allowed."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest
from reports import finding, report, story

from lineage_tt.impact.render.sarif_page import KINDS, fingerprint, page
from lineage_tt.impact.report import ADDITIVE, BREAKING, POTENTIALLY, UNKNOWN

ROOT = Path(__file__).resolve().parents[4]


def test_it_names_rules_files_and_lines() -> None:
    """Each result has a rule that is described, a level, a place in a file, and a fingerprint of its own."""
    log = json.loads(page(story()))
    run = log["runs"][0]
    rules = {rule["id"] for rule in run["tool"]["driver"]["rules"]}
    found = [r for r in run["results"] if r["ruleId"] != "label-reach"]

    assert (log["version"], log["$schema"].endswith("sarif-2.1.0.json")) == ("2.1.0", True)
    assert {result["ruleId"] for result in run["results"]} == rules == {"stale-reader", "narrowed-star", "label-reach"}
    assert {result["level"] for result in found} == {"error"}
    assert {r["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] for r in found} == {"jobs/sales.sql"}
    assert [r["locations"][0]["physicalLocation"]["region"] for r in found] == [
        {"startLine": 3}, {"startLine": 1}, {"startLine": 3, "startColumn": 8},
    ]  # fmt: skip
    prints = [result["partialFingerprints"]["lineageTtImpact/v1"] for result in run["results"]]
    assert len(set(prints)) == len(prints)
    assert run["properties"]["verdict"] == "breaking"


@pytest.mark.parametrize(
    ("class_", "level"), [(BREAKING, "error"), (UNKNOWN, "warning"), (POTENTIALLY, "warning"), (ADDITIVE, "note")]
)
def test_a_class_is_a_level(class_: str, level: str) -> None:
    """Only what breaks is an error."""
    (result,) = json.loads(page(report(findings=[finding(class_=class_)])))["runs"][0]["results"]

    assert result["level"] == level


def test_an_allowed_finding_is_suppressed_with_its_reason() -> None:
    """It stays a result; without a file it has no place but its task."""
    (result,) = json.loads(page(report(findings=[finding(allowed="known (until 2025-01-01)")])))["runs"][0]["results"]

    assert result["suppressions"] == [{"kind": "external", "justification": "known (until 2025-01-01)"}]
    assert result["locations"] == [{"logicalLocations": [{"fullyQualifiedName": "sales"}]}]


def test_a_fingerprint_is_of_what_is_found_and_not_of_its_words() -> None:
    """Kind, task, subject and reader tell findings apart; the reason, the file and the line may change."""
    one = finding(reader="r")
    same = replace(one, reason="in other words", file="b.sql", line=9, class_=POTENTIALLY)

    assert fingerprint(one) == fingerprint(same)
    assert len({fingerprint(each) for each in (
        one, replace(one, kind="unread"), replace(one, task="x"), replace(one, subject="n:x"), replace(one, reader=None)
    )}) == 5  # fmt: skip
    assert fingerprint(replace(one, task="ab", subject="c")) != fingerprint(replace(one, task="a", subject="bc"))


def test_every_kind_of_finding_is_described() -> None:
    """Each kind that the code makes has a sentence in SARIF and a line in the reference."""
    source = "".join(path.read_text() for path in (ROOT / "lineage_tt" / "impact").rglob("*.py"))
    made = set(re.findall(r'Finding\(\s*"([a-z-]+)"', source)) | set(re.findall(r'Final = "([a-z]+-[a-z]+)"', source))
    reference = (ROOT / "docs" / "reference" / "impact.md").read_text()

    assert len(made) > 15
    assert made - set(KINDS) == set()
    assert [kind for kind in KINDS if f"`{kind}`" not in reference] == []


def test_files_that_were_not_judged_are_notifications() -> None:
    """The run succeeded without them; they were missing here. A release without such files has no invocation."""
    (run,) = json.loads(page(story().with_unmapped(["z.sql"])))["runs"]
    (notice,) = run["invocations"][0]["toolExecutionNotifications"]

    assert run["invocations"][0]["executionSuccessful"] is True
    assert notice["level"] == "warning"
    assert notice["message"]["text"] == "z.sql matches no path rule and was not judged: map it in impact.toml"
    assert notice["locations"][0]["physicalLocation"]["artifactLocation"] == {"uri": "z.sql"}
    assert "invocations" not in json.loads(page(story()))["runs"][0]
