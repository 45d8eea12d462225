"""A real report in all its forms; what each form shows by itself is in ``tests/unit/impact``."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest
from releases import TASKS, assessed, candidate, platform

from lineage_tt.impact.policy import Policy
from lineage_tt.impact.render import FORMATS, rendered
from lineage_tt.impact.report import BREAKING, Finding, Reader, Report, TaskImpact

#: A name that somebody chose to break out of Markdown, HTML, Mermaid and terminals, and to call everybody.
EVIL = 'hive:x`|</td><script>alert(1)</script> "]\n;@everyone [a](http://x)\x1b[31m\u202e'


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Report:
    """A report of a release that breaks readers."""
    store = platform(tmp_path_factory.mktemp("formats"))
    sql = TASKS["sales"].replace("amount, ", "")
    policy = Policy(owners={"bi:board/42": ("ana",)}, fail_on=("breaking",), labels={"hive:ods.orders#id": ("key",)})
    fresh = candidate("fresh", "CREATE TABLE fresh AS SELECT id FROM sales", path="jobs/fresh.sql")
    return assessed(store, candidate("sales", sql, path="jobs/sales.sql"), fresh, policy=policy)


def test_every_format_is_written(report: Report) -> None:
    """Each format gives text that ends in a newline, and the same text for the same report, which JSON gives back."""
    for form in FORMATS:
        text = rendered(report, form)
        assert text.endswith("\n"), form
        assert text == rendered(report, form), form
    assert Report.from_answer(json.loads(rendered(report, "json"))) == report


def test_sarif_points_at_the_line_of_a_syntax_error(tmp_path: Path) -> None:
    """A text that cannot be read is reported where it stops being readable."""
    sql = "CREATE TABLE sales AS\nSELECT id\nFROM ods.orders WHERE AND id"
    log = json.loads(rendered(assessed(platform(tmp_path), candidate("sales", sql, path="a.sql")), "sarif"))
    result = log["runs"][0]["results"][0]

    assert (result["ruleId"], result["level"]) == ("unreadable", "warning")
    assert result["locations"][0]["physicalLocation"]["region"]["startLine"] == 3


def test_names_cannot_break_out(report: Report) -> None:
    """A name that holds markup, a mention, a line break or terminal codes stays a name in every form."""
    finding = Finding("stale-reader", BREAKING, EVIL, EVIL, f"{EVIL} is gone", EVIL, (EVIL, EVIL), (EVIL,), file=EVIL)
    reader = Reader(EVIL, BREAKING, (EVIL,), (EVIL,), 1, (EVIL, EVIL), (EVIL,))
    task = TaskImpact(EVIL, "update", BREAKING, (EVIL,), EVIL, (EVIL,))
    evil = replace(report, findings=(finding,), readers=(reader,), tasks=(task,), notes=(EVIL,), labels=())

    for form in FORMATS:
        text = rendered(evil, form)
        assert "\x1b" not in text, form
        assert "\u202e" not in text, form
        if form in ("markdown", "html", "mermaid"):
            text = re.sub(r"```mermaid.*?```", "", text, flags=re.DOTALL)  # nobody is called in a block of code
            outside = re.sub(r"(?<!\\)`[^`\n]*`", "", text) if form == "markdown" else text
            assert "<script" not in outside, form
            assert "@everyone" not in outside or form != "markdown"
    tables = re.sub(r"```mermaid.*?```", "", rendered(evil, "markdown"), flags=re.DOTALL)
    assert {line.count("|") - line.count("\\|") for line in tables.splitlines()} == {0, 6, 8}
    assert len(re.findall(r"(?m)^  n\d+\[", rendered(evil, "mermaid"))) == 1
