"""What nobody can judge: stars whose columns are not known, incomplete readers, contradicted declarations."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from plain_base import PlainBase, PlainGaps, change, incomplete, release, reread, text
from reports import finding

from lineage_tt.impact.base.closure import Reached
from lineage_tt.impact.downstream.doubts import completeness_of, own_doubts, reader_doubts, weakened
from lineage_tt.impact.release.release import Change
from lineage_tt.impact.report import BREAKING, POTENTIALLY, UNKNOWN, ColumnChange
from lineage_tt.impact.texts import TextDifference
from lineage_tt.model.completeness.summary import Gap, Reason
from lineage_tt.model.messages import Problem

A, B, C = "n:a", "n:b", "n:c"
X, STAR = (f"{A}#x", f"{B}#x"), (f"{A}#*", f"{B}#*")
ADDED = [ColumnChange("added", B, "new")]


def gap(task: str, *reads: str, code: str = "unknown-columns", subject: str = "", writes: str = C, **more: Any) -> Gap:
    """Return a task in force that may read datasets in ways that no edge shows."""
    known = Gap(task, 3, "partial", (Reason(code, f"{code} it is", subject),), frozenset(reads), frozenset([writes]),
                frozenset(reads))  # fmt: skip
    return known._replace(**more)


# --- of the candidates themselves -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("before", "after", "outputs", "when"),
    [
        ([X], [X, STAR], (), "has after the change"),
        ([STAR], [X], (), "had before the change"),
        ([X], [X, STAR], [(B, ("x",))], "had before the change"),
        ([STAR], [(f"{C}#*", f"{B}#*")], (), "has after the change"),
    ],
)
def test_a_star_over_undeclared_columns_comes_or_goes(before: Any, after: Any, outputs: Any, when: str) -> None:
    """Nobody can say which columns there are, with it or without it; the reason names what is not declared."""
    made = change("t", before, after, sql="x", outputs=outputs)

    (found,) = own_doubts(made, [])

    assert (found.kind, found.class_, found.subject) == ("unknown-columns", UNKNOWN, B)
    sources = sorted({each[0][:3] for each in (*before, *after) if each[0].endswith("*")})
    assert found.reason == (
        f"which columns {B} {when} is not known: a star brings those of {', '.join(sources)}, which are not declared"
    )


def test_a_star_that_stays_or_that_cannot_be_judged_is_no_doubt() -> None:
    """Neither is one of a new task, a text that differs in nothing, or one that cannot be read at all."""
    for made in (
        change("t", [X, STAR], [STAR]),
        change("t", [], [STAR]),
        change("t", [X], [STAR], sql="x", coverage="opaque"),
        change("t", [X], [STAR], sql="x", had="y", difference=TextDifference(same=True)),
        change("t", [(f"{A}#x", f"{C}#x")], [STAR]),
    ):
        assert list(own_doubts(made, ADDED)) == []


def test_a_text_that_contradicts_a_declaration_cannot_add_columns_for_certain() -> None:
    """Its lineage is not complete, and says why; columns that only go, or other problems, are judged all the same."""
    problem = Problem("column-count", "2 for 3", B)
    made = change("t", [X], [X], sql="x", coverage="partial", problems=[problem])

    (found,) = own_doubts(made, ADDED)

    assert (found.kind, found.class_, found.subject) == ("unknown-effect", UNKNOWN, "t")
    assert found.reason == "its own lineage is partial (2 for 3): the change cannot be judged"
    assert list(own_doubts(made, [ColumnChange("removed", B, "x")])) == []
    template = change("t", [X], [X], sql="x", coverage="partial", problems=[Problem("template", "odd")])
    assert list(own_doubts(template, ADDED)) == []


# --- of what is downstream --------------------------------------------------------------------------------------------

REACHED = {f"{B}#x": Reached(0, None, None), f"{C}#x": Reached(1, f"{B}#x", "r")}


def edited(**more: Any) -> Change:
    """Return a task that writes ``B``."""
    return change("t", [X], [X], sql="x", **more)


def doubts(*gaps: Gap, widened: dict[str, set[str]] | None = None, made: Change | None = None) -> list[Any]:
    """Return what is in doubt downstream of ``B#x`` as (task, subject, reader, path)."""
    known = PlainGaps(*gaps)
    found = reader_doubts(release(PlainBase(), made or edited()), known, REACHED, widened or {})
    assert {(each.kind, each.class_) for each in found} <= {("unknown-reader", UNKNOWN)}
    return [(each.task, each.subject, each.reader, each.path) for each in found]


def test_a_reader_that_may_use_what_is_reached_is_in_doubt() -> None:
    """At the nearest of its datasets, with the way there and the task that begins it."""
    assert doubts(gap("near", C, B)) == [("t", B, "near", (f"{B}#x",))]
    assert doubts(gap("far", C)) == [("t", C, "far", (f"{B}#x", f"{C}#x"))]
    assert doubts(gap("elsewhere", "n:z")) == []


def test_the_reason_is_what_concerns_the_dataset() -> None:
    """Other reasons of the reader come after it; that a text reads what no edge shows is none."""
    reasons = Reason("untraced-read", "reads", B), Reason("a", "of another", "n:z"), Reason("b", "of this", f"{B}#x")
    made = reader_doubts(release(PlainBase(), edited()), PlainGaps(gap("r", B, reasons=reasons)), REACHED, {})
    bare = reader_doubts(release(PlainBase(), edited()), PlainGaps(gap("r", B, reasons=())), REACHED, {})

    assert made[0].reason == f"what r does with {B} is not known: its lineage is partial (of this)"
    assert bare[0].reason == f"what r does with {B} is not known: its lineage is partial (no reason is stored)"


def test_what_has_no_bearing_on_the_reading_is_harmless() -> None:
    """A value of a template, or an order of columns; not where the template is in the name of what is written."""
    harmless = [gap("r", B, code="template"), gap("r", B, code="column-order")]

    assert [doubts(each) for each in harmless] == [[], []]
    assert len(doubts(gap("r", B, code="template", writes="n:out_{day}"))) == 1
    assert len(doubts(harmless[0]._replace(reasons=(*harmless[0].reasons, Reason("odd", "", ""))))) == 1


def test_a_dataset_that_gets_columns_concerns_its_direct_readers() -> None:
    """Though nothing of it is reached; each task that widens it is named."""
    assert doubts(gap("r", "n:w"), widened={"n:w": {"u", "t"}}) == [
        ("t", "n:w", "r", ("n:w",)),
        ("u", "n:w", "r", ("n:w",)),
    ]


@pytest.mark.parametrize(
    ("code", "same", "widened", "is_doubtful"),
    [("no-target", True, "n:w", False), ("no-target", False, "n:w", True), ("no-target", True, B, True),
     ("unknown-columns", True, "n:w", True)],
    ids=["names its columns", "has a star", "reads what changes", "another gap"],
)  # fmt: skip
def test_a_query_without_a_target_is_in_doubt_where_it_says_something_else(
    code: str, same: bool, widened: str, is_doubtful: bool
) -> None:
    """A new column that a bare SELECT does not name changes nothing that it reads, whatever it feeds."""
    made = release(PlainBase(), edited())
    made.readers["r"] = reread("r", difference=TextDifference(same, comparable=True))

    found = reader_doubts(made, PlainGaps(gap("r", widened, code=code)), REACHED, {"n:w": {"t"}})

    assert bool(found) is is_doubtful


@pytest.mark.parametrize(
    ("sql", "is_doubtful"),
    [("SELECT w.x FROM w", False), ("SELECT s.x FROM n.w AS s WHERE s.x > 1", False),
     ("SELECT to_json(s) FROM w s", True), ("SELECT to_json(w) FROM n.w", True), ("SELECT x, s FROM `w` AS `s`", True)],
)  # fmt: skip
def test_a_query_that_may_take_whole_rows_is_in_doubt(sql: str, is_doubtful: bool) -> None:
    """The new column is in the row, though the text says the same."""
    made = release(PlainBase(), edited())
    read = reread("r", difference=TextDifference(True, comparable=True))
    made.readers["r"] = replace(read, text=text("r", sql))

    found = reader_doubts(made, PlainGaps(gap("r", "n:w", code="no-target")), REACHED, {"n:w": {"t"}})

    assert bool(found) is is_doubtful


def test_an_edited_task_is_judged_by_its_new_text() -> None:
    """What it lacked before is no matter; what it lacks now is, but for what it does with its own dataset."""
    assert doubts(gap("t", B)) == []
    reader = change("r", [], [(f"{B}#x", f"{C}#x")], sql="x", coverage="partial", problems=[Problem("odd", "é", B)])
    found = reader_doubts(release(PlainBase(), edited(), reader), PlainGaps(), REACHED, {})
    assert [(each.task, each.subject, each.reader) for each in found] == [("t", B, "r")]
    unread = replace(reader, lineage=replace(reader.lineage, coverage="opaque"))
    assert reader_doubts(release(PlainBase(), edited(), unread), PlainGaps(), REACHED, {}) == []
    own = change("t", [X], [(f"{B}#x", f"{B}#y")], sql="x", coverage="partial", problems=[Problem("odd", "", B)])
    assert doubts(made=own) == []
    second = change("u", [(f"{A}#y", f"{B}#y")], [(f"{A}#y", f"{B}#y")], sql="x")
    assert reader_doubts(release(PlainBase(), edited(), second), PlainGaps(gap("t", B)), REACHED, {}) == []


def test_an_answer_names_who_is_incomplete_downstream() -> None:
    """Readers of what is reached or widened, tasks on the way, and the release's own as they would be."""
    gaps = PlainGaps(gap("reads", C), gap("wide", "n:w"), gap("r", "n:z"), gap("t", B), gap("elsewhere", "n:q"))
    mine = change("u", [], [(f"{A}#x", "n:u#x")], sql="x", coverage="partial", problems=[Problem("odd")])
    same = edited(coverage="partial", problems=[Problem("odd")], had="y", difference=TextDifference(same=True))

    found = completeness_of(release(PlainBase(), same, mine), gaps, REACHED, {"n:w"})

    assert incomplete(found) == ["r", "reads", "u", "wide"]
    assert completeness_of(release(PlainBase(), edited()), PlainGaps(), REACHED, ()).complete


# --- declarations -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("given", "weak"),
    [
        (finding("task-fails", subject=f"{B}#z"), True),
        (finding("stale-reader", subject=B), True),
        (finding("gone-dataset", subject=B), False),
        (finding("stale-reader", subject=f"{C}#z"), False),
    ],
)
def test_a_break_that_rests_on_a_contradicted_declaration_is_unknown(given: Any, weak: bool) -> None:
    """A task in force uses columns that are not declared: then the one that is missing may be there."""
    gaps = PlainGaps(
        gap("other", B, code="unknown-column", subject=B), gap("last", A, code="column-count", subject=B, writes=B)
    )

    (found,) = weakened([given], gaps)

    doubt = f"; but the declared columns of {B} are not all, as last and 1 more in force uses others"
    mild = replace(given, class_=POTENTIALLY)
    assert weakened([given, mild], gaps)[1] == mild
    assert (found.class_, found.reason) == ((UNKNOWN, given.reason + doubt) if weak else (BREAKING, given.reason))


def test_what_does_not_break_or_is_not_contradicted_stays() -> None:
    """A problem of another code, or about another dataset, says nothing about this one's columns."""
    listed = [finding(class_=POTENTIALLY, subject=B), finding(subject=B)]
    gaps = PlainGaps(gap("a", B, code="template", subject=B), gap("b", B, code="unknown-column", subject=C))

    assert weakened(listed, gaps) == listed
    assert weakened(iter(listed), PlainGaps()) == listed
