"""What a candidate changes in its own task: edges, columns, and what of its text fails."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from plain_base import PlainBase, change, release

from ingest.resolve.comparing import SqlAnalyst
from lineage_tt.impact.base.inferring import TypesOf
from lineage_tt.impact.release.candidates import Candidate
from lineage_tt.impact.release.edits import (
    column_changes,
    edge_changes,
    insert_findings,
    own_findings,
    types_of,
)
from lineage_tt.impact.release.release import Change
from lineage_tt.impact.report import BREAKING, UNKNOWN, EdgeChange
from lineage_tt.impact.texts import TextDifference
from lineage_tt.model.edges import Edge
from lineage_tt.model.facts import Field
from lineage_tt.model.messages import Lineage, Problem

A, B = "n:a", "n:b"
X, Y = (f"{A}#x", f"{B}#x"), (f"{A}#y", f"{B}#y")
WHERE = (f"{A}#x", B, "INDIRECT", "FILTER")


def columns(made: Change, base: PlainBase | None = None, **more: Any) -> list[tuple[str, str]]:
    """Return the column changes of one task as (change, column)."""
    return [(each.change, each.column) for each in column_changes(release(base or PlainBase(), made, **more), made)]


# --- edges ------------------------------------------------------------------------------------------------------------


def test_an_edge_of_the_same_ends_is_changed_and_the_rest_come_or_go() -> None:
    """Two that go and one that comes between two nodes: one is changed, the other removed; what stays is none."""
    before = [Edge(*X), Edge(*X, "DIRECT", "AGGREGATION", "sum(x)"), Edge(*Y)]
    after = [Edge(*X, "DIRECT", "TRANSFORMATION", "x + 1"), Edge(*Y), Edge(*WHERE)]

    assert edge_changes(before, after) == (
        EdgeChange("added", *WHERE[:2], None, "INDIRECT FILTER"),
        EdgeChange("changed", *X, "DIRECT AGGREGATION sum(x)", "DIRECT TRANSFORMATION x + 1"),
        EdgeChange("removed", *X, "DIRECT IDENTITY", None),
    )
    assert edge_changes(before, [*reversed(before), before[0]]) == ()
    assert edge_changes([], []) == ()


# --- columns ----------------------------------------------------------------------------------------------------------


def test_columns_of_edges_come_go_and_mean_something_else() -> None:
    """One with other edges means something else; a decision about rows touches every column that stays."""
    base = [X, Y]

    assert columns(change("t", base, [X, (f"{A}#z", f"{B}#z")])) == [("removed", "y"), ("added", "z")]
    assert columns(change("t", base, [X, (f"{A}#z", f"{B}#y")])) == [("meaning", "y")]
    assert columns(change("t", base, [*base, WHERE])) == [("meaning", "x"), ("meaning", "y")]
    assert columns(change("t", base, base)) == []
    assert columns(change("t", base, [*base, (f"{A}#x", f"{B}#xx")])) == [("added", "xx")]
    assert columns(change("t", [], [])) == []


def test_a_renamed_column_is_neither_gone_nor_new_and_its_readers_follow() -> None:
    """An edge that only takes another source's new name is not a change of meaning."""
    old, new = [(f"{A}#k", f"{B}#k"), X], [(f"{A}#k", f"{B}#k"), (f"{A}#x", f"{B}#new")]

    assert columns(change("t", old, new), renames={f"{B}#x": f"{B}#new"}) == [("renamed", "x")]
    assert columns(change("t", [X], [(f"{A}#now", f"{B}#x")]), renames={f"{A}#x": f"{A}#now"}) == []


def test_a_new_task_only_adds_and_a_dataset_that_is_gone_loses_all() -> None:
    """A task that goes offline while another writes its dataset takes no column away."""
    gone = Candidate("t", "offline")

    assert columns(change("t", [], [Y, X])) == [("added", "x"), ("added", "y")]
    assert columns(change("t", [X, Y], candidate_=gone), gone={B: frozenset("t")}) == [
        ("removed", "x"),
        ("removed", "y"),
    ]
    assert columns(change("t", [X, Y], candidate_=gone)) == []


def test_columns_of_another_order_are_moved_where_the_text_defines_them() -> None:
    """Whatever their case; while others come at the end; not where one goes, for then all of them move."""
    base = PlainBase(columns={B: ("a", "b", "c")})

    def moved(*names: str) -> list[tuple[str, str]]:
        found = columns(change("t", [X], [X], sql="x", outputs=[(B, names)]), base)
        return [each for each in found if each[0] != "meaning"]

    assert moved("B", "a", "c") == [("moved", "B"), ("moved", "a")]
    assert moved("a", "b", "c", "d") == [("added", "d")]
    assert moved("d", "a", "b", "c") == [("added", "d"), ("moved", "a"), ("moved", "b"), ("moved", "c")]
    assert moved("b", "c") == [("removed", "a")]


def test_a_star_may_bring_columns_that_nobody_names_still() -> None:
    """Only what it leaves out is gone; where the text defines its columns, nothing else is there."""
    star = (f"{A}#*", f"{B}#*")
    except_y = (*star, "DIRECT", "IDENTITY", "* EXCEPT (y)")

    assert columns(change("t", [X, Y, star], [star])) == []
    assert columns(change("t", [X, Y, star], [except_y])) == [("removed", "y")]
    assert columns(change("t", [X, Y], [X, star], sql="x", outputs=[(B, ("x",))])) == [("removed", "y")]


def test_a_text_says_which_columns_mean_something_else() -> None:
    """And of which type they are; where single columns cannot be followed, all that stay do."""

    def found(**more: Any) -> list[tuple[str, str]]:
        made = change("t", [X, Y], [X, Y], sql="x", had="y", difference=TextDifference(**more))
        return columns(made)

    assert found(same=True, changed=("x",)) == []
    assert found(comparable=True, changed=("x",)) == [("meaning", "x")]
    assert found(comparable=True, changed=("x",), types=(("x", "INT", "DATE"),)) == [("type", "x"), ("meaning", "x")]
    assert found(comparable=False) == [("meaning", "x"), ("meaning", "y")]
    assert found(comparable=True, changed=("*",)) == [("meaning", "x"), ("meaning", "y")]


def test_a_text_that_cannot_be_read_changes_no_column() -> None:
    """Nothing is known of them."""
    assert columns(change("t", [X], [], sql="x", coverage="opaque")) == []


def test_a_declaration_changes_types_and_no_meaning() -> None:
    """A dataset's own change, of types that it states."""
    base = PlainBase(columns={A: ("x", "y")}, types={A: {"x": "INT", "y": "INT"}})
    own = Candidate("dataset:n:a", dataset=A, fields=(Field("x", "DATE"), Field("y", "INT")))
    made = change("dataset:n:a", candidate_=own, outputs=[(A, ("x", "y"))], types=[(A, (("x", "DATE"), ("y", "INT")))],
                  old=Lineage(outputs=[(A, ("x", "y"))]))  # fmt: skip

    assert columns(made, base, types_of=TypesOf(base, SqlAnalyst(0))) == [("type", "x")]


# --- what fails -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("problem", "kind", "class_", "words"),
    [
        (Problem("syntax", "at (", "", 3, 5), "unreadable", UNKNOWN, "the text cannot be read: at ("),
        (Problem("unknown-column", "no z", f"{A}#z"), "task-fails", BREAKING, "the task fails when it is run: no z"),
        (Problem("column-count", "2 for 3", B), "task-fails", BREAKING, "the task fails when it is run: 2 for 3"),
        (Problem("misplaced-aggregate", "sum"), "task-fails", BREAKING, "the task fails when it is run: sum"),
        (Problem("ungrouped-column", "no b", "b"), "task-fails", BREAKING, "the task fails when it is run: no b"),
        (Problem("column-count", "2 for 3", "n:loaded"), "task-fails", UNKNOWN,
         "2 for 3, as its text in force fills them: the columns of n:loaded are not known"),
    ],
)  # fmt: skip
def test_a_problem_of_the_text_is_a_finding(problem: Problem, kind: str, class_: str, words: str) -> None:
    """At its place in the file; a task that nobody can name otherwise is named by its id."""
    given = Candidate("t", sql="x", path="t.sql")
    made = replace(change("t", [X], [X], problems=[problem], candidate_=given), positions={"n:loaded": ("a",)})

    (found,) = own_findings(release(PlainBase(), made), made)

    assert (found.kind, found.class_, found.reason) == (kind, class_, words)
    assert (found.task, found.subject, found.file) == ("t", problem.subject or "t", "t.sql")
    assert (found.line, found.column) == (problem.line, problem.column)


def test_a_problem_that_was_there_before_is_no_news() -> None:
    """Of the same code and words about the same subject; codes that say nothing about failing are judged apart."""
    old = Lineage(problems=[Problem("unknown-column", "no z", A)])
    problems = [Problem("unknown-column", "no z", A), Problem("unknown-column", "no y", A), Problem("template", "odd")]
    made = change("t", [X], [X], sql="x", problems=problems, old=old)

    (found,) = own_findings(release(PlainBase(), made), made)
    assert (found.subject, found.reason) == (A, "the task fails when it is run: no y")


def test_a_text_that_differs_in_nothing_is_as_readable_as_before() -> None:
    """A syntax that the parser never knew breaks nothing."""
    made = change("t", sql="x", had="x ", problems=[Problem("syntax")], difference=TextDifference(same=True))

    assert own_findings(release(PlainBase(), made), made) == []


def test_a_name_of_several_sources_fails() -> None:
    """The database refuses it."""
    made = change("t", [X], [X], sql="x", difference=TextDifference(ambiguous=("id",)))

    (found,) = own_findings(release(PlainBase(), made), made)

    assert (found.kind, found.class_, found.subject) == ("task-fails", BREAKING, "id")
    assert found.reason == "the task fails when it is run: id may come from several of its sources"


@pytest.mark.parametrize(
    ("kind", "declared", "after", "new", "fails"),
    [
        ("insert", "INT", "STRING", "z", True),
        ("overwrite", "DATE", "varchar(3)", "z", True),
        ("insert", "INT", "STRING", "x", False),
        ("insert", "STRING", "INT", "z", False),
        ("insert", "INT", "DATE", "z", False),
        ("ctas", "INT", "STRING", "z", False),
    ],
    ids=[
        "text for numbers",
        "text for times",
        "the same source",
        "numbers for text",
        "times for numbers",
        "a new table",
    ],
)
def test_text_of_another_source_does_not_fit_numbers_or_times(
    kind: str, declared: str, after: str, new: str, fails: bool
) -> None:
    """A column that keeps its source may be cast as before; a table that is made takes any type."""
    base = PlainBase(types={B: {"x": declared}})
    difference = TextDifference(writes=((B, kind),), types=(("x", declared, after),))
    made = change("t", [X], [(f"{A}#{new}", f"{B}#X")], sql="x", had="y", difference=difference)

    found = insert_findings(release(base, made, types_of=TypesOf(base, SqlAnalyst(0))), made)

    assert [(each.kind, each.class_, each.subject) for each in found] == (
        [("task-fails", BREAKING, f"{B}#x")] if fails else []
    )
    assert types_of(made) == {"x": (declared, after)}
