"""The class of a change by itself, with its reasons, and the finding that another meaning is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from plain_base import PlainBase, change, release, text

from lineage_tt.impact.release.candidates import Candidate
from lineage_tt.impact.release.edits import (
    NOT_READ,
    UNSEEN,
    meaning_findings,
    own_class,
)
from lineage_tt.impact.release.release import Change
from lineage_tt.impact.report import ADDITIVE, NONE, POTENTIALLY, UNKNOWN, ColumnChange
from lineage_tt.impact.texts import TextDifference
from lineage_tt.model.messages import Lineage, Problem

A, B = "n:a", "n:b"
X, WHERE = (f"{A}#x", f"{B}#x"), (f"{A}#x", B, "INDIRECT", "FILTER")


def judged(made: Change, changes: Sequence[ColumnChange] = (), base: PlainBase | None = None) -> tuple[str, list[str]]:
    """Return the class of a change with these column changes, and its reasons."""
    return own_class(release(base or PlainBase(), made), made, changes)


def edited(**more: Any) -> Change:
    """Return a change of a text in force."""
    return change("t", [X], [X], sql="x", had="y", difference=TextDifference(comparable=True, **more))


def col(kind: str, name: str = "x", before: str | None = None, after: str | None = None) -> ColumnChange:
    """Return a change of a column."""
    return ColumnChange(kind, B, name, before, after)


@pytest.mark.parametrize(
    ("made", "changes", "expected"),
    [
        (change("t", [X], candidate_=Candidate("t", "offline")), [],
         (POTENTIALLY, ["the task goes offline: what it wrote is not updated any more"])),
        (change("d", candidate_=Candidate("d", "offline", dataset=B)), [],
         (POTENTIALLY, ["the dataset goes offline: the dataset is not declared any more"])),
        (change("t", [X], [X], sql="x", coverage="opaque"), [], (UNKNOWN, [NOT_READ])),
        (change("t", [], [X]), [col("added")], (ADDITIVE, ["a new task"])),
        (change("d", candidate_=Candidate("d", dataset=B, fields=()), outputs=[(B, ("x",))]), [],
         (ADDITIVE, ["a new dataset"])),
        (edited(same=True), [], (NONE, ["nothing but layout, comments or names inside the text"])),
        (edited(), [], (ADDITIVE, ["its list of columns changes"])),
        (edited(), [col("added", "é"), col("moved")], (ADDITIVE, ["columns moved: x", "columns added: é"])),
        (edited(), [col("removed")], (POTENTIALLY, ["columns removed: x"])),
        (edited(), [col("renamed")], (POTENTIALLY, ["columns renamed: x"])),
        (edited(), [col("meaning")], (POTENTIALLY, ["columns that mean something else: x"])),
        (edited(), [col("type", "x", "INT", "BIGINT")], (ADDITIVE, ["columns of another type: x"])),
        (edited(), [col("type", "x", "BIGINT", "INT")], (POTENTIALLY, ["columns of another type: x"])),
        (edited(reasons=("filter", "odd")), [],
         (POTENTIALLY, ["its filter changes, so other rows come through", "odd"])),
        (change("t", [X], [X, WHERE]), [], (POTENTIALLY, ["what decides about its rows changes (filter)"])),
        (change("t", [X], [X, (f"{A}#y", f"{B}#y")]), [col("added", "y")], (ADDITIVE, ["columns added: y"])),
        (change("t", [X], [X]), [], (NONE, ["nothing but layout, comments or names inside the text"])),
        (change("t", [X], [X], had="y"), [],
         (POTENTIALLY, ["its SQL is replaced by edges: what else changes is not known"])),
        (replace(change("t", [X], [X], sql="x"), before=text("t", None)), [],
         (POTENTIALLY, ["its edges are replaced by SQL: what else changes is not known"])),
        (replace(change("t", [X], [X], sql="x"), before=text("t", None, text_sha256="0")), [],
         (POTENTIALLY, ["the store does not keep its text: what else changes is not known"])),
    ],
)  # fmt: skip
def test_a_change_has_a_class_with_reasons(made: Change, changes: list[ColumnChange], expected: object) -> None:
    """By itself, whoever reads it; reasons name columns by their change."""
    assert judged(made, changes) == expected


@pytest.mark.parametrize(
    ("coverage", "codes", "expected"),
    [("opaque", [], UNKNOWN),
     ("partial", ["opaque-call"], UNKNOWN),
     ("partial", ["syntax"], UNKNOWN),
     ("partial", ["unknown-columns"], POTENTIALLY),
     ("complete", [], POTENTIALLY)],
)  # fmt: skip
def test_a_task_that_ends_is_unknown_where_its_text_could_not_be_read(
    coverage: Any, codes: list[str], expected: str
) -> None:
    """What it did is not known, so neither is what ends with it; as stored where the text is not kept."""
    gone = Candidate("t", "offline")
    old = Lineage(coverage=coverage, problems=[Problem(code, code) for code in codes])
    stored = text("t", None, text_sha256="0", coverage=coverage)

    assert judged(change("t", [X], candidate_=gone, had="CALL x()", old=old))[0] == expected
    unkept = judged(replace(change("t", candidate_=gone), before=stored))
    assert unkept[0] == (UNKNOWN if coverage == "opaque" else POTENTIALLY)


def test_a_declaration_of_what_is_known_is_none() -> None:
    """DDL of a table that another task made: no new task, as its columns are there."""
    ddl = change("ddl", sql="x", outputs=[(B, ("x",))])

    assert judged(ddl, base=PlainBase(columns={B: ("x",)})) == (NONE, ["the columns are as they are known"])
    assert judged(ddl) == (ADDITIVE, ["a new task"])


def test_a_task_that_the_store_never_saw_says_so_first() -> None:
    """Whatever else there is to say."""
    made = replace(edited(same=True), known=False)

    assert judged(made)[1][0] == UNSEEN
    assert judged(made)[0] == NONE


def test_many_columns_are_cut() -> None:
    """Eight are named, the rest counted."""
    names = [col("removed", f"c{place}") for place in range(10)]

    assert judged(edited(), names)[1] == ["columns removed: c0, c1, c2, c3, c4, c5, c6, c7 and 2 more"]


def test_another_meaning_is_a_finding_of_the_edited_task() -> None:
    """With all reasons and the columns; of a new, unread or unchanged one, and of a dataset's own change, none is."""

    def found(made: Change, changes: Sequence[ColumnChange] = ()) -> list[tuple[str, str, str]]:
        listed = meaning_findings(release(PlainBase(), made), made, changes)
        return [(each.class_, each.subject, each.reason) for each in listed]

    whole = edited(reasons=("filter", "join"))
    assert found(whole, [col("meaning"), col("added", "z")]) == [
        (
            POTENTIALLY,
            B,
            "its filter changes, so other rows come through; its joins change, so other rows come through (x)",
        )
    ]
    assert found(edited(), [col("meaning")]) == [(POTENTIALLY, B, "columns mean something else (x)")]
    assert found(change("t", [], [], sql="x", had="y", difference=TextDifference(reasons=("odd",)))) == [
        (POTENTIALLY, "t", "odd")
    ]
    assert found(edited(same=True)) == []
    assert found(change("t", [], [X]), [col("meaning")]) == []
    assert found(change("t", [X], [], sql="x", coverage="opaque"), [col("meaning")]) == []
    own = change("d", candidate_=Candidate("d", dataset=B, fields=()), old=Lineage())
    assert found(own, [col("meaning")]) == []
