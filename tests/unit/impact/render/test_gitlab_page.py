"""GitLab's code quality report."""

from __future__ import annotations

import json

import pytest
from reports import finding, report, story

from lineage_tt.impact.render.gitlab_page import page
from lineage_tt.impact.report import ADDITIVE, BREAKING, POTENTIALLY, UNKNOWN


def test_each_finding_has_what_gitlab_asks_for() -> None:
    """Five keys, a fingerprint of its own, and its place; without a line it is the first."""
    listed = json.loads(page(story()))

    assert {"description", "check_name", "fingerprint", "severity", "location"} == set(listed[0])
    assert len({entry["fingerprint"] for entry in listed}) == len(listed) == 3
    assert [entry["check_name"] for entry in listed] == ["lineage-tt/stale-reader"] * 2 + ["lineage-tt/narrowed-star"]
    assert [entry["location"] for entry in listed] == [
        {"path": "jobs/sales.sql", "lines": {"begin": line}} for line in (3, 1, 3)
    ]


@pytest.mark.parametrize(
    ("class_", "severity"),
    [(BREAKING, "critical"), (UNKNOWN, "major"), (POTENTIALLY, "minor"), (ADDITIVE, "info")],
)
def test_a_class_is_a_severity(class_: str, severity: str) -> None:
    """What is not known is worse than what may change."""
    assert [entry["severity"] for entry in json.loads(page(report(findings=[finding(class_=class_)])))] == [severity]


def test_what_is_allowed_is_left_out() -> None:
    """A release of which all is allowed has an empty list."""
    assert page(report(findings=[finding(allowed="ok")])) == "[]\n"


def test_a_finding_without_a_file_is_placed_at_its_task() -> None:
    """GitLab takes no entry without a path; lines begin at 1, and words hold no control characters."""
    (entry,) = json.loads(page(report(findings=[finding(reason="a\x1bb", line=0)])))

    assert entry["location"] == {"path": "sales", "lines": {"begin": 1}}
    assert entry["description"] == "a\\u001bb"


def test_a_file_that_was_not_judged_is_an_issue() -> None:
    """It was missing here; it is information at the file, with a fingerprint of its own."""
    one, other = json.loads(page(report().with_unmapped(["a.sql", "b.sql"])))

    assert one["fingerprint"] != other["fingerprint"]
    assert {key: one[key] for key in ("description", "check_name", "severity", "location")} == {
        "description": "a.sql matches no path rule and was not judged: map it in impact.toml",
        "check_name": "lineage-tt/not-judged",
        "severity": "info",
        "location": {"path": "a.sql", "lines": {"begin": 1}},
    }
