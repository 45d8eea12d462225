"""What one task of a release reads and writes, and the lineage as it is after the release."""

from __future__ import annotations

from dataclasses import replace

import pytest
from plain_base import PlainBase, change, edge, release, reread, text

from ingest.resolve.comparing import SqlAnalyst
from lineage_tt.impact.base.inferring import TypesOf
from lineage_tt.impact.release.candidates import Candidate
from lineage_tt.impact.release.release import Change
from lineage_tt.impact.texts import TextDifference
from lineage_tt.model.messages import Lineage, Problem
from lineage_tt.model.redaction.policy import TextPolicy
from lineage_tt.model.redaction.texts import text_sha256

A, B, C = "n:a", "n:b", "n:c"
OLD, NEW = [(f"{A}#x", f"{B}#x")], [(f"{A}#y", f"{C}#y")]
SAME = TextDifference(same=True)


@pytest.mark.parametrize(
    ("made", "unreadable"),
    [
        (change("t", sql="x", problems=[Problem("syntax")]), True),
        (change("t", sql="x", problems=[Problem("unknown-column"), Problem("timeout")]), True),
        (change("t", sql="x", problems=[Problem("unknown-column")]), False),
        (change("t", sql="x", coverage="opaque"), True),
        (change("t", sql="x", coverage="partial"), False),
        (change("t", sql="x", had="y", coverage="opaque", difference=SAME), False),
        (change("t", sql="x", coverage="opaque", difference=SAME), True),
        (change("t", after=NEW, problems=[Problem("syntax")]), False),
    ],
    ids=["syntax", "among others", "fails", "opaque", "partial", "the same as before", "nothing before", "edges"],
)
def test_a_text_is_unreadable_where_nothing_can_be_said_of_it(made: Change, unreadable: bool) -> None:
    """A text that differs in nothing that counts is as well known as the one before."""
    assert made.unreadable is unreadable


def test_an_unreadable_task_writes_what_it_wrote() -> None:
    """Nobody knows better; what a readable one writes are the ends of its edges, its outputs, and what it fills."""
    unread = change("t", OLD, NEW, sql="x", coverage="opaque")
    read = change("t", OLD, NEW, sql="x", outputs=[("n:made", ("x",))],
                  difference=TextDifference(writes=(("n:view", "view"),), fills=("n:filled",)))  # fmt: skip

    assert unread.writes() == unread.writes_before() == {B}
    assert read.writes() == {C, "n:made", "n:view", "n:filled"}
    assert read.writes_before() == {B}
    assert replace(read, old=Lineage(outputs=[("n:was", ("x",))])).writes_before() == {B, "n:was"}


def test_an_offline_task_writes_nothing_though_its_text_did() -> None:
    """What is asked of its text in force says what it wrote."""
    gone = change("t", OLD, candidate_=Candidate("t", "offline"), difference=TextDifference(fills=(B,)))

    assert (gone.op, gone.writes(), gone.writes_before()) == ("offline", set(), {B})


@pytest.mark.parametrize(
    ("made", "op"),
    [
        (change("t", after=NEW), "online"),
        (change("t", OLD, NEW), "update"),
        (change("t", after=NEW, sql="x", had="y"), "update"),
        (change("dataset:n:a", candidate_=Candidate("dataset:n:a", dataset=A, fields=())), "online"),
        (change("dataset:n:a", candidate_=Candidate("dataset:n:a", dataset=A, fields=()), old=Lineage()), "update"),
        (change("t", old=Lineage(), sql="x"), "online"),
        (change("t", OLD, candidate_=Candidate("t", "offline")), "offline"),
    ],
)  # fmt: skip
def test_a_task_is_new_where_nothing_of_it_is_in_force(made: Change, op: str) -> None:
    """Neither a text nor edges; a dataset is new where nobody declared it."""
    assert made.op == op


@pytest.mark.parametrize(
    ("made", "declares"),
    [
        (change("d", candidate_=Candidate("dataset:n:a", dataset=A, fields=())), True),
        (change("t", sql="x", outputs=[(A, ("x",))]), True),
        (change("t", sql="x", outputs=[(A, ("x",))], difference=TextDifference(writes=((A, "other"),))), True),
        (change("t", sql="x", outputs=[(A, ("x",))], difference=TextDifference(writes=((A, "ctas"),))), False),
        (change("t", sql="x", outputs=[(A, ("x",))], difference=TextDifference(fills=(A,))), False),
        (change("t", OLD, sql="x", outputs=[(A, ("x",))]), False),
        (change("t", after=NEW, sql="x", outputs=[(A, ("x",))]), False),
        (change("t", sql="x"), False),
    ],
)
def test_a_text_declares_where_it_fills_nothing(made: Change, declares: bool) -> None:
    """Neither now nor before; its types count only then."""
    made.lineage.types = [(A, (("x", "INT"),))]

    assert made.declares is declares
    assert made.declared == ({A: (("x", "INT"),)} if declares else {})


def test_a_text_that_is_not_kept_is_the_same_by_its_digest() -> None:
    """As it came or without its literals; another text, or one compared as different, is an edit."""
    sql = "SELECT a FROM t WHERE b = 'x'"
    kept = [
        text("t", None, text_sha256=text_sha256(sql, "spark", policy)) for policy in (TextPolicy.KEEP, TextPolicy.MASK)
    ]
    made = [replace(change("t", OLD, OLD, sql=sql, difference=SAME), before=before) for before in kept]
    other = replace(change("t", OLD, OLD, sql=f"{sql} AND c", difference=SAME), before=kept[0])

    assert [each.is_same for each in made] == [True, True]
    assert (other.is_same, other.lacks_text_before) == (False, True)
    assert replace(made[0], difference=TextDifference()).is_same is False
    assert change("t", sql=sql, had=sql, difference=SAME).lacks_text_before is False


def test_what_is_dropped_and_made_again_is_not_dropped() -> None:
    """The same holds for what is emptied and filled; a dataset's own change drops it where it goes offline."""
    made = change("t", after=NEW, sql="x", difference=TextDifference(drops=(B, C), empties=(A, C)))
    own = Candidate("dataset:n:a", "offline", dataset=A)

    assert (made.drops(), made.empties()) == ({B}, {A})
    assert change("d", candidate_=own).drops() == {A}
    assert change("d", candidate_=replace(own, op="update", fields=())).drops() == set()
    assert change("t").drops() == change("t").empties() == set()


BASE = PlainBase(edge("t", f"{A}#x", f"{B}#x"), edge("r", f"{B}#x", f"{C}#x"), edge("u", f"{B}#x", "n:u#x"))


def test_edges_after_the_release_are_those_of_its_tasks_and_readers_beside_the_others() -> None:
    """By where they begin, where they end, and whose they are."""
    after = release(BASE, change("t", OLD, NEW), readers={"r": reread("r", after=[(f"{A}#y", f"{C}#x")])})
    new, again, rest = edge("t", f"{A}#y", f"{C}#y"), edge("r", f"{A}#y", f"{C}#x"), edge("u", f"{B}#x", "n:u#x")

    assert after.edges_from([A]) == [new, again]
    assert after.edges_from([B, "n:nowhere"]) == [rest]
    assert after.edges_into([C]) == [new, again]
    assert after.edges_into([B]) == []
    assert after.edges_of(["t", "r", "u"]) == [new, again, rest]
    assert after.edges_of([]) == []


def test_a_reader_that_is_noted_counts_from_then_on() -> None:
    """Also where edges were asked for before."""
    after = release(BASE, change("t", OLD, NEW))
    assert after.edges_into([C]) == [edge("r", f"{B}#x", f"{C}#x"), edge("t", f"{A}#y", f"{C}#y")]

    after.note_reader("r", reread("r", after=[(f"{A}#z", f"{C}#w")]))

    assert after.edges_into([C]) == [edge("t", f"{A}#y", f"{C}#y"), edge("r", f"{A}#z", f"{C}#w")]


def test_types_after_the_release_replace_those_before_dataset_by_dataset() -> None:
    """A release that infers nothing knows none before."""
    base = PlainBase(types={A: {"X": "INT", "y": "INT"}, B: {"x": "DATE"}})
    after = release(base, types_of=TypesOf(base, SqlAnalyst(0)), types={A: {"x": "STRING"}, C: {"z": "INT"}})

    assert after.types_before([A, B]) == {A: {"x": "INT", "y": "INT"}, B: {"x": "DATE"}}
    assert after.types_after([A, B]) == {A: {"x": "STRING"}, B: {"x": "DATE"}}
    assert release(base).types_before([A]) == {}


def test_readers_are_asked_for_at_once() -> None:
    """Of all that is and was written: the base remembers them."""
    base = PlainBase()

    release(base, change("t", OLD, NEW), change("u", [(A, "n:u")], [(A, "n:v")])).fetch_readers()

    assert base.asked == [{B, C, "n:u", "n:v"}]
