"""Readers that nobody edits: what they lose, what shifts under them, and what is of another type."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from plain_base import PlainBase, change, edge, release, reread

from lineage_tt.impact.downstream.stale import stale_findings
from lineage_tt.impact.release.candidates import Candidate
from lineage_tt.impact.release.release import Change, Release, Reread
from lineage_tt.impact.report import BREAKING, POTENTIALLY, ColumnChange
from lineage_tt.impact.texts import TextDifference
from lineage_tt.model.edges import TaskEdge
from lineage_tt.model.messages import Problem

A, B, C = "n:a", "n:b", "n:c"
READS = edge("r", f"{B}#x", f"{C}#x")
MADE = ((f"{A}#x", f"{B}#x"),)
REMOVED, RENAMED = ColumnChange("removed", B, "x"), ColumnChange("renamed", B, "x", "x", "new")


def found(made: Release, *changes: ColumnChange) -> list[tuple[Any, ...]]:
    """Return findings as (kind, class, subject, reader, reason)."""
    listed = stale_findings(made, {"t": changes})
    assert {each.task for each in listed} <= {"t"}
    return [(each.kind, each.class_, each.subject, each.reader, each.reason) for each in listed]


def loses(*base: TaskEdge, own: Change | None = None, **more: Any) -> Release:
    """Return a release of ``t``, which no longer makes ``B#x``."""
    return release(PlainBase(*base), own or change("t", MADE, []), **more)


# --- columns that go --------------------------------------------------------------------------------------------------


def test_a_reader_of_a_column_that_goes_breaks() -> None:
    """By its name in whatever case; with the new name where it has one."""
    shouting = edge("s", f"{B}#X", f"{C}#y")
    gone = "which no longer exists"

    assert found(loses(READS, shouting), REMOVED) == [
        ("stale-reader", BREAKING, f"{B}#x", "r", f"r reads x of {B}, {gone}"),
        ("stale-reader", BREAKING, f"{B}#x", "s", f"s reads x of {B}, {gone}"),
    ]
    assert found(loses(READS), RENAMED)[0][4] == f"r reads x of {B}, {gone} (it is called new now)"


def test_a_column_that_another_task_fills_still_is_not_lost() -> None:
    """Only rows may be missing; of several fillers three are named, and the others counted."""
    others = [edge(f"u{place}", f"{A}#y", f"{B}#x") for place in range(4)]

    assert found(loses(READS, *others), REMOVED) == [
        (
            "stale-reader",
            POTENTIALLY,
            f"{B}#x",
            "r",
            f"r reads x of {B}, which only u0, u1, u2 and 1 more fill from then on",
        )
    ]


@pytest.mark.parametrize(("each", "class_"), [(REMOVED, BREAKING), (RENAMED, POTENTIALLY)])
def test_a_column_that_is_declared_and_not_filled_any_more(each: ColumnChange, class_: str) -> None:
    """It is there, and empty; filled by position under another name it may be the same."""
    called = " (it is called new now)" if each is RENAMED else ""

    assert found(loses(READS, after={B: ("X",)}), each) == [
        ("stale-reader", class_, f"{B}#x", "r", f"r reads x of {B}, which no task fills any more{called}")
    ]


def test_a_column_that_nobody_reads_is_unread() -> None:
    """Whatever the store does not know may read it; tasks of the release that did follow it."""
    follows = change("u", [(f"{B}#X", f"{C}#x")], [(f"{B}#new", f"{C}#x")])

    assert found(loses(), REMOVED) == [
        ("unread", POTENTIALLY, f"{B}#x", None, f"x of {B} is removed; no task that the store knows reads it")
    ]
    itself = loses(own=change("t", [*MADE, (f"{B}#x", f"{B}#y")], []))
    assert found(itself, REMOVED)[0][4].endswith("no task that the store knows reads it")
    made = release(PlainBase(), change("t", MADE, []), follows)
    assert found(made, RENAMED)[0][4] == f"x of {B} is renamed to new; what reads it changes with it (u)"
    many = release(PlainBase(), change("t", MADE, []), *(change(f"u{n}", [(f"{B}#x", C)], []) for n in range(7)))
    assert found(many, REMOVED)[0][4].endswith("changes with it (u0, u1, u2, u3, u4 and 2 more)")


def test_a_declaration_takes_the_column_whoever_fills_it() -> None:
    """Readers break, and a task that fills it may."""
    own = change("t", candidate_=Candidate("t", dataset=B, fields=()))

    assert found(loses(READS, edge("u", f"{A}#y", f"{B}#x"), own=own), REMOVED) == [
        ("shifted-insert", POTENTIALLY, f"{B}#x", "u", f"u writes x of {B}, which is no longer declared"),
        ("stale-reader", BREAKING, f"{B}#x", "r", f"r reads x of {B}, which no longer exists"),
    ]


def test_columns_of_a_dataset_that_ends_are_not_reported_one_by_one() -> None:
    """The dataset is."""
    assert [each[:1] for each in found(loses(READS, gone={B: frozenset({"t"})}), REMOVED)] == [("gone-dataset",)]


# --- readers that were read again -------------------------------------------------------------------------------------


def again(*before: tuple[str, ...], after: Any = (), **more: Any) -> Release:
    """Return a release on which the reader ``r`` was read again."""
    made = reread("r", before, after, **more)
    return loses(*(edge("r", *each) for each in before), readers={"r": made})


def test_a_star_that_loses_a_column_breaks() -> None:
    """Nobody named it, and readers of the star may."""
    made = again((f"{B}#x", f"{C}#x"), (f"{B}#y", f"{C}#y"), after=[(f"{B}#y", f"{C}#y")],
                 old={"outputs": [(C, ("x", "y"))]}, new={"outputs": [(C, ("y",))]})  # fmt: skip

    assert found(made, REMOVED) == [
        ("stale-reader", BREAKING, f"{B}#x", "r", f"r selects * from {B} and loses x"),
        ("narrowed-star", BREAKING, C, "r", f"{C} of r loses x: a star brought what is not there now"),
    ]


def test_a_reader_that_takes_a_renamed_column_by_its_position_follows() -> None:
    """Its columns and edges are as before but for the source's name; one that does something else with it does not."""
    outputs = {"outputs": [(C, ("p", "q"))]}

    def renamed(*more: str, new: Any = outputs, **said: Any) -> list[tuple[Any, ...]]:
        after = [(f"{B}#new", f"{C}#p", *more)]
        return found(again((f"{B}#x", f"{C}#p"), after=after, old=outputs, new=new, **said), RENAMED)

    assert renamed() == []
    lost = ("stale-reader", BREAKING, f"{B}#x", "r", f"r reads x of {B}, which no longer exists (it is called new now)")
    assert renamed("DIRECT", "TRANSFORMATION", "f(new)")[0][:4] == lost[:4]
    assert renamed(difference=TextDifference(unknown=("x",)))[0] == lost
    assert renamed(new={"outputs": [(C, ("q", "p"))]})[0][:4] == lost[:4]


def test_a_reader_that_fails_says_how_once() -> None:
    """A problem that is new, or that says something else; a column that is reported as lost is not reported again."""
    old = [Problem("unknown-column", "no q", f"{A}#q"), Problem("column-count", "2 for 3", C)]
    new = [*old, Problem("unknown-column", "no z", f"{A}#z"), Problem("template", "odd", A)]

    def problems(*listed: Problem) -> dict[str, Any]:
        return {"problems": list(listed)}

    assert found(again(old=problems(*old), new=problems(*new))) == [
        ("stale-reader", BREAKING, f"{A}#z", "r", "r fails: no z")
    ]
    more = Problem("column-count", "2 for 4", C)
    assert found(again(old=problems(*old), new=problems(old[0], more))) == [
        ("shifted-insert", BREAKING, C, "r", "r fails: 2 for 4")
    ]
    elsewhere = problems(*old, Problem("unknown-column", "no q", f"{C}#q"))
    assert [each[2] for each in found(again(old=problems(*old), new=elsewhere))] == [f"{C}#q"]
    for problem in (Problem("unknown-column", "no w", f"{B}#w"), Problem("column-count", "1 for 2", f"{B}#x")):
        lost = again((f"{B}#x", f"{C}#x"), new=problems(problem))
        assert [each[:3] for each in found(lost, REMOVED)] == [("stale-reader", BREAKING, f"{B}#x")]


def test_a_bare_name_that_is_now_in_several_sources_is_captured() -> None:
    """The text did not change; what it names did."""
    made = again(difference=TextDifference(ambiguous=("id",)))

    assert found(made) == [
        ("captured-name", BREAKING, "id", "r",
         "r fails: id, which it names without a table, is now in several of its sources")
    ]  # fmt: skip


def test_columns_that_are_made_of_others_now_shift() -> None:
    """Of values by position, of decisions by a name that another source has now."""
    shifted = again((f"{B}#x", f"{C}#p"), after=[(f"{B}#y", f"{C}#p")])
    by_rows = again((f"{B}#y", f"{C}#p"), (f"{B}#y", C, "INDIRECT", "FILTER"),
                    after=[(f"{B}#y", f"{C}#p"), (f"{A}#é", C, "INDIRECT", "FILTER")])  # fmt: skip
    decided = again((f"{B}#y", f"{C}#p", "INDIRECT", "WINDOW"), after=[(f"{A}#y", f"{C}#p", "INDIRECT", "WINDOW")])

    assert [each for each in found(shifted) if each[0] != "widened-star"] == [
        ("shifted-insert", BREAKING, f"{C}#p", "r", f"{C}#p of r is now made of {B}#x, {B}#y: its columns shift")
    ]
    assert found(by_rows) == [
        ("captured-name", BREAKING, C, "r", "r now also decides by y, é, although it is not edited")
    ]
    assert found(decided) == [
        (
            "captured-name",
            BREAKING,
            f"{C}#p",
            "r",
            f"{C}#p of r now depends on other columns, although it is not edited",
        )
    ]


def test_what_is_lost_does_not_shift_as_well() -> None:
    """A column that is gone is missing among the sources of another; nothing else came."""
    fewer = reread("r", [(f"{B}#x", f"{C}#s"), (f"{B}#y", f"{C}#s")], [(f"{B}#y", f"{C}#s")])
    made = loses(before={B: ("x", "y")}, after={B: ("y",)}, readers={"r": fewer})

    assert found(made) == []


@pytest.mark.parametrize(
    ("before", "after", "kind", "class_", "words"),
    [
        (("x",), ("x", "é"), "widened-star", POTENTIALLY, f"{C} of r gets é: its star widens"),
        (("x", "y"), ("y", "x"), "widened-star", POTENTIALLY,
         f"the columns of {C} of r come in another order: its star follows"),
        (("x", "y"), ("x", "z"), "narrowed-star", BREAKING, f"{C} of r loses y: a star brought what is not there now"),
    ],
)  # fmt: skip
def test_a_star_follows_what_its_source_has(before: Any, after: Any, kind: str, class_: str, words: str) -> None:
    """More, fewer or other columns; less is worse than more."""
    made = again(old={"outputs": [(C, before)]}, new={"outputs": [(C, after)]})

    assert found(made) == [(kind, class_, C, "r", words)]
    assert found(again(old={"outputs": [(C, before)]}, new={"outputs": [(C, before)]})) == []


def test_a_star_of_a_text_without_a_table_widens_by_its_edges() -> None:
    """A report whose columns no catalog has: eight of the new ones are named, and the others counted."""
    many = [(f"{B}#{place}", f"{C}#{place}") for place in range(10)]

    (only,) = found(again(many[0], after=many))

    assert only[:4] == ("widened-star", POTENTIALLY, C, "r")
    assert only[4] == f"r now writes {', '.join(f'{C}#{place}' for place in range(1, 9))} and 1 more: its star widens"


# --- types ------------------------------------------------------------------------------------------------------------


def typed(before: str, after: str) -> ColumnChange:
    """Return that ``B#x`` is of another type."""
    return ColumnChange("type", B, "x", before, after)


def kept(readers: Mapping[str, Reread] | None = None, **more: Any) -> Release:
    """Return a release in which ``B#x`` is made of the same column as before."""
    return release(PlainBase(READS), change("t", MADE, MADE), readers=dict(readers or {}), **more)


def test_a_reader_that_computes_with_a_column_of_another_family_breaks() -> None:
    """One that only passes it on may; a type that holds more is no matter."""
    uses = TextDifference(same=True, uses=((f"{B}#X", "arithmetic"), (f"{B}#y", "temporal")))
    reader = {"r": reread("r", [(f"{B}#x", f"{C}#x")], [(f"{B}#x", f"{C}#x")], difference=uses)}

    assert found(kept(reader), typed("INT", "STRING")) == [
        ("type-change", BREAKING, f"{B}#x", "r",
         f"x of {B} becomes STRING (was INT): r computes with it (arithmetic)")
    ]  # fmt: skip
    assert found(kept(), typed("INT", "STRING")) == [
        ("type-change", POTENTIALLY, f"{B}#x", "r", f"x of {B} becomes STRING (was INT): r reads it")
    ]
    assert (
        found(kept(), typed("BIGINT", "INT"))[0][4]
        == f"x of {B} becomes INT (was BIGINT), which holds less: r reads it"
    )
    assert found(kept(), typed("INT", "BIGINT")) == []


def test_a_column_of_other_sources_and_another_type_breaks_whoever_reads_it() -> None:
    """No cast brings its values back; of one that had no sources before, nobody knows."""
    made = release(PlainBase(READS), change("t", MADE, [(f"{A}#z", f"{B}#x")]))

    assert found(made, typed("INT", "STRING")) == [
        ("type-change", BREAKING, f"{B}#x", "r", f"x of {B} becomes STRING (was INT), of other sources: r reads it")
    ]
    fresh = release(PlainBase(READS), change("t", [(f"{A}#q", f"{B}#q")], [(f"{A}#z", f"{B}#x")]))
    assert [each[1] for each in found(fresh, typed("INT", "STRING"))] == [POTENTIALLY]


def test_a_type_that_passes_through_a_reader_breaks_those_after_it() -> None:
    """Where they compute with it, and where it is known which dataset the reader writes."""
    passes = TextDifference(types=(("x", "INT", "STRING"),), writes=((C, "ctas"),))
    adds = TextDifference(same=True, uses=((f"{C}#x", "arithmetic"), (f"{C}#x", "temporal")))
    base = PlainBase(edge("s", f"{C}#x", "n:d#x"), edge("plain", f"{C}#x", "n:e#x"))
    s = reread("s", [(f"{C}#x", "n:d#x")], [(f"{C}#x", "n:d#x")], difference=adds)

    def findings(difference: TextDifference) -> list[tuple[Any, ...]]:
        return found(release(base, change("t", MADE, MADE), readers={"r": reread("r", difference=difference), "s": s}))

    assert findings(passes) == [
        ("type-change", BREAKING, f"{C}#x", "s",
         f"x of {C} becomes STRING (was INT): s computes with it (arithmetic, temporal)")
    ]  # fmt: skip
    assert findings(TextDifference(types=passes.types, writes=((C, "insert"), ("n:z", "insert")))) == []
    assert findings(TextDifference(types=(("x", "INT", "BIGINT"),), writes=((C, "ctas"),))) == []
