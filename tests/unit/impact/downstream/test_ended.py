"""Datasets that are gone, dropped or emptied: who reads them, who writes them, and what nobody knows."""

from __future__ import annotations

from typing import Any

from plain_base import PlainBase, change, edge, release, reread

from lineage_tt.impact.downstream.ended import meant, of_ended, readers_of
from lineage_tt.impact.release.candidates import Candidate
from lineage_tt.impact.release.release import Change, Dropped
from lineage_tt.impact.report import BREAKING, POTENTIALLY, UNKNOWN
from lineage_tt.impact.texts import TextDifference

A, B, C = "hive:dw.a", "hive:dw.b", "bi:c"
READS = edge("r", f"{B}#x", f"{C}#x")


def ended(base: PlainBase, *changes: Change, **more: Any) -> list[tuple[Any, ...]]:
    """Return findings as (kind, class, task, subject, reader, reason)."""
    found = of_ended(release(base, *changes, **more))
    return [(each.kind, each.class_, each.task, each.subject, each.reader, each.reason) for each in found]


def offline(task: str = "t") -> Change:
    """Return a task that wrote ``B`` and goes."""
    return change(task, [(f"{A}#x", f"{B}#x")], candidate_=Candidate(task, "offline"))


def text(task: str = "t", after: Any = (), **difference: Any) -> Change:
    """Return a new text of a task."""
    return change(task, after=after, sql="x", difference=TextDifference(**difference))


def test_a_dataset_that_is_gone_breaks_each_reader_or_is_unread() -> None:
    """Also where two tasks stop writing it."""
    gone = {B: frozenset({"t"})}

    assert ended(PlainBase(READS), offline(), gone=gone) == [
        ("gone-dataset", BREAKING, "t", B, "r", f"r reads {B}, which no task writes any more")
    ]
    assert ended(PlainBase(), offline(), gone=gone) == [
        (
            "unread",
            POTENTIALLY,
            "t",
            B,
            None,
            f"{B} is written by no task any more; no task that the store knows reads it",
        )
    ]
    both = ended(PlainBase(READS), offline("u"), offline(), gone={B: frozenset({"t", "u"})})
    assert [(each[2], each[4]) for each in both] == [("t", "r"), ("u", "r")]


def test_a_task_that_renames_its_own_source_is_no_reader_that_breaks() -> None:
    """It ends the dataset itself; one that stops writing what it reads breaks itself."""
    renames = text("t", [(f"{B}#x", "hive:dw.new#x")], drops=(B,))
    base, gone = PlainBase(edge("u", f"{A}#x", f"{B}#x")), {B: frozenset({"t"})}

    assert [each[0] for each in ended(base, renames, gone=gone)] == ["unread"]
    stops = text("t", [(f"{B}#x", "hive:dw.new#x")])
    assert [(each[0], each[4]) for each in ended(base, stops, gone=gone)] == [("gone-dataset", "t")]


def test_a_dropped_dataset_breaks_readers_and_writers() -> None:
    """Those that drop it aside; a writer that reads it, too, is named once."""
    base = PlainBase(READS, edge("fill", f"{A}#x", f"{B}#x"), edge("self", f"{B}#x", f"{B}#y"))
    dropped = {B: Dropped(frozenset({"t"}), ("fill", "self", "t"), frozenset())}

    assert ended(base, text("t", [(f"{B}#x", f"{B}#z")], drops=(B,)), dropped=dropped) == [
        ("gone-dataset", BREAKING, "t", B, "r", f"r reads {B}, which t drops"),
        ("gone-dataset", BREAKING, "t", B, "self", f"self reads {B}, which t drops"),
        ("gone-dataset", BREAKING, "t", B, "fill", f"fill writes {B}, which t drops"),
    ]


def test_a_dataset_that_is_made_again_is_missing_only_until_then() -> None:
    """Who makes it is not a writer that breaks; a task that writes its rows under another name renames it."""
    dropped = {B: Dropped(frozenset({"t"}), ("fill", "make"), frozenset({"make"}))}
    renames = text("t", [(f"{B}#x", "hive:dw.new#x")], drops=(B,))

    assert ended(PlainBase(READS, edge("make", f"{A}#x", f"{B}#x")), renames, dropped=dropped) == [
        ("gone-dataset", POTENTIALLY, "t", B, "r", f"r reads {B}, which t renames until make creates it again"),
        ("gone-dataset", POTENTIALLY, "t", B, "fill", f"fill writes {B}, which t renames until make creates it again"),
    ]


def test_of_many_tasks_that_make_it_again_three_are_named() -> None:
    """The others are counted."""
    dropped = {B: Dropped(frozenset({"t"}), (), frozenset({"m1", "m2", "m3", "m4", "m5"}))}

    reasons = {each[-1] for each in ended(PlainBase(READS), text("t", drops=(B,)), dropped=dropped)}

    assert reasons == {f"r reads {B}, which t drops until m1, m2, m3 and 2 more create it again"}


def test_an_emptied_dataset_may_break_who_reads_it() -> None:
    """The task that empties it aside; one that is gone or dropped is not emptied besides."""
    base = PlainBase(READS)
    made = text("t", [(f"{B}#x", f"{C}#y")], empties=(B,))

    assert ended(base, made) == [
        ("emptied-dataset", POTENTIALLY, "t", B, "r", f"r reads {B}, from which t deletes rows and inserts none")
    ]
    assert {each[0] for each in ended(base, made, gone={B: frozenset({"t"})})} == {"gone-dataset"}
    dropped = {B: Dropped(frozenset({"t"}), (), frozenset())}
    assert {each[0] for each in ended(base, made, dropped=dropped)} == {"gone-dataset"}


def test_what_the_store_does_not_know_cannot_be_judged() -> None:
    """A dataset, or a column of a known one, with the name that may be meant; what the text makes itself is known."""
    base = PlainBase(READS, columns={B: ("id", "amount")})
    made = text(drops=("hive:dw.bb", "hive:dw.own", "hive:dw.b"), makes=("hive:dw.own",),
                alters=((B, "amuont"), (B, "ID"), (B, ""), ("hive:zz.q", "x")))  # fmt: skip

    assert ended(base, made) == [
        ("unknown-effect", UNKNOWN, "t", f"{B}#amuont", None,
         f"t changes amuont of {B}, which has no such column; did you mean amount?"),
        ("unknown-effect", UNKNOWN, "t", "hive:dw.bb", None,
         f"t changes hive:dw.bb, which the store does not know; did you mean {B}?"),
        ("unknown-effect", UNKNOWN, "t", "hive:zz.q", None, "t changes hive:zz.q, which the store does not know"),
    ]  # fmt: skip


def test_a_database_is_known_by_any_of_its_datasets() -> None:
    """And a dataset by an edge that once named it; a task that goes offline changes nothing itself."""
    base = PlainBase(columns={B: ("x",)}, named=["hive:dw.was"])

    assert ended(base, text(drops=("hive:dw.*", "hive:dw.was"))) == []
    assert [each[3] for each in ended(base, text(drops=("hive:d.*",)))] == ["hive:d.*"]
    assert (
        ended(base, change("t", candidate_=Candidate("t", "offline"), difference=TextDifference(drops=("n:z",)))) == []
    )


def test_a_dataset_that_is_unknown_and_gone_is_reported_once() -> None:
    """As what cannot be judged."""
    base, made = PlainBase(), text(drops=("hive:dw.odd",))

    assert [each[0] for each in ended(base, made, gone={"hive:dw.odd": frozenset({"t"})})] == ["unknown-effect"]


def test_readers_are_those_after_the_release_and_those_that_read_before() -> None:
    """Exactly a column, or anything of a dataset; in whatever case; each once."""
    star = reread("star", [(f"{B}#gone", f"{C}#gone")], [])
    made = release(PlainBase(READS, edge("s", f"{B}#Y", C), edge("star", f"{B}#gone", f"{C}#gone")),
                   change("t", after=[(f"{B}#x", "n:t#x"), (B, "n:t")]), readers={"star": star})  # fmt: skip

    assert readers_of(made, [f"{B}#X"], exact=True) == ["r", "t"]
    assert readers_of(made, [f"{B}#y"], exact=True) == ["s"]
    assert readers_of(made, [f"{B}#gone"], exact=True) == ["star"]
    assert readers_of(made, [B], exact=True) == ["t"]
    assert readers_of(made, [B], exact=False) == ["r", "s", "star", "t"]
    assert readers_of(made, [], exact=False) == []


def test_a_name_is_asked_about_only_where_it_is_near() -> None:
    """The nearest of those known; a far one is no help."""
    assert meant("salse", ["sales", "sale_items", "zz"]) == "; did you mean sales?"
    assert meant("salse", ["orders"]) == meant("salse", []) == ""
