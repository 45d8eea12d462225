"""The report in its forms: what is first, what is escaped, what is cut."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

import pytest
from releases import TASKS, assessed, candidate, platform

from lineage_tt.impact.policy import Policy
from lineage_tt.impact.render import FORMATS, rendered
from lineage_tt.impact.render.sarif_page import KINDS
from lineage_tt.impact.report import BREAKING, Finding, Reader, Report, TaskImpact

#: A name that somebody chose to break out of Markdown, HTML, Mermaid and terminals, and to call everybody.
EVIL = 'hive:x`|</td><script>alert(1)</script> "]\n;@everyone [a](http://x)\x1b[31m\u202e'
ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Report:
    """A report of a release that breaks readers."""
    store = platform(tmp_path_factory.mktemp("formats"))
    sql = TASKS["sales"].replace("amount, ", "")
    policy = Policy(owners={"bi:board/42": ("ana",)}, fail_on=("breaking",), labels={"hive:ods.orders#id": ("key",)})
    fresh = candidate("fresh", "CREATE TABLE fresh AS SELECT id FROM sales", path="jobs/fresh.sql")
    return assessed(store, candidate("sales", sql, path="jobs/sales.sql"), fresh, policy=policy)


def large(report: Report, tasks: int) -> Report:
    """The report with so many tasks, findings and readers of long names."""
    name = "hive:warehouse.a_rather_long_name_of_a_table_number_{}#a_column_of_it"
    findings = tuple(
        Finding("stale-reader", BREAKING, f"task_{i}", name.format(i), f"reader {i} reads {name.format(i)} " * 3,
                f"reader_{i}", path=(name.format(i), name.format(i + 1)))
        for i in range(tasks)
    )  # fmt: skip
    readers = tuple(
        Reader(name.format(i), BREAKING, ("a", "b"), (f"reader_{i}",), 1, (name.format(i), name.format(i + 1)))
        for i in range(tasks)
    )
    impacts = tuple(
        TaskImpact(f"task_{i}", "update", BREAKING, ("because",), writes=(name.format(i),)) for i in range(tasks)
    )
    counts = {**report.counts, "tasks": tasks, "breaking": tasks, "findings": tasks, "readers": tasks}
    return replace(report, tasks=impacts, findings=findings, readers=readers, counts=counts)


def test_every_format_is_written(report: Report) -> None:
    """Each format gives text that ends in a newline, and the same text for the same report."""
    for form in FORMATS:
        text = rendered(report, form)
        assert text.endswith("\n"), form
        assert text == rendered(report, form), form


def test_the_first_screen_of_markdown(report: Report) -> None:
    """The marker, then the verdict, the counts and the three worst findings, before any table or fold."""
    lines = rendered(report, "markdown").splitlines()
    fold = next(i for i, line in enumerate(lines) if line.startswith(("<details", "|")))
    first = "\n".join(lines[:fold])

    assert lines[0] == "<!-- lineage-tt-impact -->"
    assert "Lineage impact: breaking" in lines[1]
    assert fold <= 24
    assert "1 of 2 tasks breaks what others read" in first
    assert "1 breaking, 1 additive" in first
    assert len(re.findall(r"(?m)^\d\. .*breaking", first)) == 3
    assert "Gate: **failed**" in first


@pytest.mark.parametrize("tasks", [30, 400, 5_000])
def test_markdown_stays_under_64_kb(report: Report, tasks: int) -> None:
    """However large a release is, its comment fits, with the worst kept and the rest counted."""
    text = rendered(large(report, tasks), "markdown")

    assert len(text.encode()) < 64 * 1024
    assert f"({tasks:,})" in text
    assert text.count("<details>") == text.count("</details>")
    assert text.count("```") % 2 == 0


def test_mermaid_is_cut_to_size(report: Report) -> None:
    """A graph of a large release has at most so many nodes, and says how many it leaves out."""
    text = rendered(large(report, 400), "mermaid")

    assert len(re.findall(r"(?m)^  n\d+\[", text)) <= 40
    assert re.search(r'more\["… and [\d,]+ more"\]', text)


def test_json_comes_back_as_the_same_report(report: Report) -> None:
    """What a server sends is read back whole."""
    document = json.loads(rendered(report, "json"))

    assert set(document) == {"basis", "completeness", "result"}
    assert Report.from_answer(document) == report


def test_sarif_names_rules_files_and_lines(report: Report) -> None:
    """Each result has a rule that is described, a level, a place in a file, and a fingerprint of its own."""
    log = json.loads(rendered(report, "sarif"))
    run = log["runs"][0]
    rules = {rule["id"] for rule in run["tool"]["driver"]["rules"]}
    found = [r for r in run["results"] if r["ruleId"] != "label-reach"]

    assert (log["version"], log["$schema"].endswith("sarif-2.1.0.json")) == ("2.1.0", True)
    assert {result["ruleId"] for result in run["results"]} == rules
    assert {result["level"] for result in found} == {"error"}
    assert {r["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] for r in found} == {"jobs/sales.sql"}
    assert all(r["locations"][0]["physicalLocation"]["region"]["startLine"] >= 1 for r in found)
    prints = [result["partialFingerprints"]["lineageTtImpact/v1"] for result in run["results"]]
    assert len(set(prints)) == len(prints)


def test_sarif_points_at_the_line_of_a_syntax_error(tmp_path: Path) -> None:
    """A text that cannot be read is reported where it stops being readable."""
    sql = "CREATE TABLE sales AS\nSELECT id\nFROM ods.orders WHERE AND id"
    log = json.loads(rendered(assessed(platform(tmp_path), candidate("sales", sql, path="a.sql")), "sarif"))
    result = log["runs"][0]["results"][0]

    assert (result["ruleId"], result["level"]) == ("unreadable", "warning")
    assert result["locations"][0]["physicalLocation"]["region"]["startLine"] == 3


def test_junit_and_gitlab(report: Report) -> None:
    """JUnit has a test for each task; GitLab's list has what it asks for, at most once each."""
    suite = ElementTree.fromstring(rendered(report, "junit"))[0]
    listed = json.loads(rendered(report, "gitlab"))

    assert (suite.get("tests"), suite.get("failures")) == ("2", "1")
    assert [case.get("name") for case in suite.findall("testcase") if case.find("failure") is not None] == ["sales"]
    assert {"description", "check_name", "fingerprint", "severity", "location"} == set(listed[0])
    assert len({entry["fingerprint"] for entry in listed}) == len(listed)
    assert {entry["severity"] for entry in listed} == {"critical"}


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


def test_html_is_well_formed_and_loads_nothing(report: Report) -> None:
    """Every tag that opens closes, and nothing is fetched from anywhere."""
    opened: list[str] = []

    class Tags(HTMLParser):
        def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
            assert not {"src", "href"} & {name for name, _ in attrs}
            if tag != "meta":
                opened.append(tag)

        def handle_endtag(self, tag: str) -> None:
            assert opened.pop() == tag

    Tags().feed(rendered(report, "html"))

    assert opened == []


def test_every_kind_of_finding_is_described() -> None:
    """Each kind that the code makes has a sentence in SARIF and a line in the reference."""
    source = "".join(path.read_text() for path in (ROOT / "lineage_tt" / "impact").glob("*.py"))
    made = set(re.findall(r'Finding\(\s*"([a-z-]+)"', source)) | {"shifted-insert", "stale-reader", "label-reach"}
    page = (ROOT / "docs" / "reference" / "impact.md").read_text()

    assert made <= set(KINDS)
    assert [kind for kind in KINDS if f"`{kind}`" not in page] == []


def test_html_draws_the_datasets_that_the_release_touches(report: Report) -> None:
    """Each changed dataset and each reader is a box with the colour of its class; what is too much is counted."""
    text = rendered(report, "html")
    drawing = ElementTree.fromstring(text[text.index("<svg") : text.index("</svg>") + len("</svg>")])
    boxes = {
        group.findtext("{*}title"): (group.get("class") or "").split()[1]
        for group in drawing.iter("{http://www.w3.org/2000/svg}g")
        if (group.get("class") or "").startswith("table")
    }

    expected = {reader.dataset: reader.class_ for reader in report.readers}
    assert expected
    assert {dataset: boxes[dataset] for dataset in expected} == expected
    assert {dataset for task in report.tasks for dataset in task.writes} <= boxes.keys()
    assert "more that are not drawn" in rendered(large(report, 300), "html")
