"""The words that all forms of a report share: names that cannot break out, counts, and the verdict in a sentence."""

from __future__ import annotations

import pytest
from reports import finding, report, story, task

from lineage_tt.impact.render import words
from lineage_tt.impact.report import (
    ADDITIVE,
    BREAKING,
    NONE,
    POTENTIALLY,
    UNKNOWN,
    ColumnChange,
    GroupReach,
)


@pytest.mark.parametrize(
    ("text", "shown"),
    [("a_b *c*", "a\\_b \\*c\\*"), ("<b>&", "&lt;b&gt;&amp;"), ("x | y\n  z", "x \\| y z"), ("@all", "@\u200ball"),
     ("[a](b)", "\\[a\\]\\(b\\)"), ("", "")],
)  # fmt: skip
def test_markdown_shows_text_as_it_is(text: str, shown: str) -> None:
    """Neither markup nor HTML nor a mention comes of it, and it stays on one line."""
    assert words.md(text) == shown


@pytest.mark.parametrize(
    ("text", "shown"), [("a|b", "`a\\|b`"), ("a`b", "`aˋb`"), (" a \n b ", "`a b`"), ("", ""), ("  ", "")]
)
def test_a_span_of_code_ends_where_it_should(text: str, shown: str) -> None:
    """A backtick or a bar in a name ends neither span nor cell; an empty name is not a span."""
    assert words.code(text) == shown


@pytest.mark.parametrize(
    ("classes", "line"),
    [
        ([BREAKING], "the task breaks what others read"),
        ([BREAKING, BREAKING, NONE], "2 of 3 tasks break what others read"),
        ([BREAKING, UNKNOWN], "1 of 2 tasks breaks what others read"),
        ([UNKNOWN], "the task cannot be judged"),
        ([UNKNOWN, POTENTIALLY], "1 of 2 tasks cannot be judged"),
        ([POTENTIALLY], "the task changes what data means"),
        ([POTENTIALLY, POTENTIALLY], "2 of 2 tasks change what data means"),
        ([ADDITIVE, NONE], "something is added; no known reader is affected"),
        ([NONE], "nothing that is read changes"),
        ([], "no task changes"),
    ],
)
def test_the_verdict_is_a_sentence(classes: list[str], line: str) -> None:
    """The worst class speaks, and says of how many tasks it is true."""
    made = report([task(f"t{place}", class_) for place, class_ in enumerate(classes)])

    assert words.verdict_line(made) == line


def test_counts_name_what_there_is() -> None:
    """Classes from the worst, readers always, edges always; what is zero otherwise is left out."""
    assert (
        words.counts_line(story()) == "1 breaking, 1 additive, 2 datasets downstream, edges +1 −1 ~0, 1 label reaches"
    )
    assert words.counts_line(report()) == "0 datasets downstream, edges +0 −0 ~0"


def test_counts_name_what_was_not_judged() -> None:
    """Tasks that the store never saw, and changed files that no rule matches."""
    unseen = report([task("t", POTENTIALLY, known=False)]).with_unmapped(["b.sql", "a.sql", "b.sql"])

    assert words.counts_line(unseen) == (
        "1 potentially breaking, 0 datasets downstream, 1 changed, unknown to the store, "
        "2 changed .sql files not judged, edges +0 −0 ~0"
    )
    assert words.unmapped_line(unseen) == (
        "2 changed .sql files match no path rule and were not judged: map them in impact.toml"
    )
    assert words.unmapped_line(report().with_unmapped(["a.sql"])) == (
        "1 changed .sql file matches no path rule and was not judged: map them in impact.toml"
    )


def test_columns_in_a_few_words() -> None:
    """A sign for each change, renames and types with both sides, the rest counted."""
    kinds = [("added", "a", None, None), ("removed", "b", None, None), ("renamed", "c", "c", "d"),
             ("type", "e", "INT", "DATE"), ("meaning", "f", None, None), ("moved", "g", None, None)]  # fmt: skip
    six = task("t", columns=tuple(ColumnChange(kind, "n:t", name, *sides) for kind, name, *sides in kinds))

    assert words.column_words(six) == "+a, −b, c → d, e: INT → DATE, ~f, ⇄ g"
    assert words.column_words(six, 2) == "+a, −b, … 4 more"
    assert words.column_words(task("t")) == ""


def test_a_place_has_a_line_and_a_column_only_beside_it() -> None:
    """Without a line the first is meant, and a column says nothing."""
    assert words.place_words(finding(file="a.sql", line=3, column=8)) == "a.sql:3:8"
    assert words.place_words(finding(file="a.sql", line=3)) == "a.sql:3"
    assert words.place_words(finding(file="a.sql", column=8)) == "a.sql:1"


def test_incomplete_tasks_are_named_up_to_five() -> None:
    """Those that the answer itself leaves out are counted, too; where all is complete there is no line."""
    tasks = [{"task_id": f"t{place}", "coverage": "partial"} for place in range(6)]
    some = report(completeness={"tasks": tasks, "tasks_omitted": 3})

    assert words.incomplete_line(some) == (
        "incomplete: what is known of t0 (partial), t1 (partial), t2 (partial), t3 (partial), t4 (partial)"
        " and 4 more is not complete"
    )
    assert words.incomplete_line(report(completeness={"tasks": tasks[:1]})) == (
        "incomplete: what is known of t0 (partial) is not complete"
    )
    assert words.incomplete_line(report()) is None


def test_allowed_findings_are_not_shown_first() -> None:
    """The first three that nobody allowed, in their order."""
    listed = [finding(of=str(place), allowed="ok" if place == 1 else None) for place in range(5)]

    assert [each.task for each in words.worst_findings(report(findings=listed))] == ["0", "2", "3"]
    assert words.worst_findings(report()) == []


def test_a_group_says_how_much_and_how_near() -> None:
    """One is singular, none is plural, thousands have a comma."""
    group = GroupReach("crm", BREAKING, 1, 1200, 0, 2)

    assert words.group_words(group) == "1 dataset, 1,200 columns, 0 tasks, 2 steps"


def test_the_basis_says_both_instants() -> None:
    """The point that was read, and the moment of the deployment."""
    assert words.basis_line(report(effective_at="2024-07-01T00:00:00Z")) == (
        "basis: version 9, valid at 2024-06-01T00:00:00Z; effective at 2024-07-01T00:00:00Z"
    )
