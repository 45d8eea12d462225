"""The report for a pull request: what is first, what is folded, what is cut so that a comment takes it."""

from __future__ import annotations

import re

import pytest
from reports import finding, large, reader, report, story, task

from lineage_tt.impact.render.markdown_page import MARKER, MAX_BYTES, page
from lineage_tt.impact.report import BREAKING, NONE, GroupReach, LabelReach


def test_the_first_screen_has_the_verdict_and_the_worst() -> None:
    """The marker, then the verdict, the counts and the three worst findings, before any table or fold."""
    lines = page(story()).splitlines()
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
def test_it_stays_under_64_kb(tasks: int) -> None:
    """However large a release is, its comment fits, with the worst kept and the rest counted."""
    text = page(large(tasks))

    assert len(text.encode()) < 64 * 1024
    assert f"({tasks:,})" in text
    assert text.count("<details>") == text.count("</details>")
    assert text.count("```") % 2 == 0


def test_lists_keep_as_many_rows_as_fit() -> None:
    """201 short findings are cut at 200, and one more is counted; 200 are all shown."""
    many = [finding(of=str(place), reason="r") for place in range(201)]

    assert page(report(findings=many)).count("| stale-reader |") == 200
    assert "… and 1 more\n" in page(report(findings=many))
    assert "… and" not in page(report(findings=many[:200]))


@pytest.mark.parametrize("before", ["", "x"])
def test_a_report_that_no_cut_makes_fit_is_cut_off(before: str) -> None:
    """A name of tens of kilobytes: the text ends before the limit, and within no letter."""
    text = page(report(notes=[before + "é" * 40_000]))

    assert len(text.encode()) < MAX_BYTES
    assert text.endswith("é\n\n… cut\n")


def test_tasks_without_impact_are_counted_only() -> None:
    """One is a task, two are tasks; the table is for the others."""
    text = page(report([task("a", BREAKING, "r"), task("b", NONE), task("c", NONE)]))

    assert "| 🔴 breaking | `a` | update |  | r |" in text
    assert "`b`" not in text
    assert "2 tasks without impact." in text
    assert "1 task without impact." in page(report([task("b", NONE)]))


def test_readers_labels_groups_and_files_have_a_fold_each() -> None:
    """A protected dataset has a lock; more than eight columns and three tasks are cut."""
    down = reader("n:x", BREAKING, columns=tuple("abcdefghi"), tasks=("t1", "t2", "t3", "t4"), protected=True,
                  owners=("ana_b",), priority="P0")  # fmt: skip
    label = LabelReach("pii", "n:a#x", "n:x#a", ("n:a#x", "n:x#a"), ("bo",))
    made = report(readers=[down], labels=[label], level="owner", groups=(GroupReach("ana", BREAKING, 1, 9, 1, 1),))
    text = page(made.with_unmapped(["x.sql"]))

    assert (
        "| 🔴 | `n:x` 🔒 | a, b, c, d, e, f, g, h … | `t1`, `t2`, `t3` … | ana\\_b | P0 | `hive:dw.sales → n:x` |"
    ) in text
    assert "- this makes **pii** reach `n:x#a` (owner: bo): `n:a#x → n:x#a`" in text
    assert "<details><summary>Downstream, by owner (1)</summary>\n\n- 🔴 `ana`: 1 dataset, 9 columns, 1 task" in text
    assert "not judged: map them in impact.toml.\n\n- `x.sql`" in text


def test_an_allowed_finding_says_why_and_is_not_among_the_worst() -> None:
    """It stays in the table."""
    text = page(report(findings=[finding(allowed="known_bug (until 2025-01-01)")]))

    assert "stale-reader of hive:dw.sales (allowed: known\\_bug \\(until 2025-01-01\\)) |" in text
    assert "\n1. " not in text


def test_the_comment_is_found_again_and_names_its_basis() -> None:
    """The same marker each time; the end says that nothing was written."""
    assert MARKER == "<!-- lineage-tt-impact -->"
    assert page(report()).endswith(
        "<sub>Predicted at version 9, valid at 2024-06-01T00:00:00Z, effective at \n"
        "2024-06-01T00:00:00Z. Nothing was written to the store.</sub>\n"
    )
