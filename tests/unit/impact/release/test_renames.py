"""Columns that a release renames: found by their sources, followed over tasks, and by what messages state."""

from __future__ import annotations

import pytest
from plain_base import PlainBase, change, edge, release

from lineage_tt.impact.release.candidates import Candidate
from lineage_tt.impact.release.release import Change
from lineage_tt.impact.release.renames import (
    apart,
    by_dataset,
    columns_of,
    find_renames,
    followed_by,
    is_open,
    newly_left_out,
)
from lineage_tt.model.edges import Edge
from lineage_tt.model.facts import Field
from lineage_tt.model.messages import Lineage

A, B, C = "n:a", "n:b", "n:c"


def renames(*changes: Change, base: PlainBase | None = None) -> dict[str, str]:
    """Return what a release of these changes renames."""
    made = release(base or PlainBase(), *changes)
    find_renames(made)
    return made.renames


def test_the_one_new_column_with_all_that_the_old_one_had_is_its_new_name() -> None:
    """A column beside it that stays, or one that comes with other sources, is none."""
    before = [(f"{A}#x", f"{B}#old", "DIRECT", "AGGREGATION", "sum(x)"), (f"{A}#k", f"{B}#k")]
    after = [(f"{A}#x", f"{B}#new", "DIRECT", "AGGREGATION", "sum(x)"), (f"{A}#k", f"{B}#k"), (f"{A}#x", f"{B}#more")]

    assert renames(change("t", before, after)) == {f"{B}#old": f"{B}#new"}


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ([(f"{A}#x", f"{B}#old")], [(f"{A}#x", f"{B}#new"), (f"{A}#x", f"{B}#too")]),
        ([(f"{A}#x", f"{B}#old")], [(f"{A}#x", f"{B}#new"), (f"{A}#y", f"{B}#new")]),
        ([(f"{A}#x", f"{B}#old")], [(f"{A}#x", f"{B}#new", "DIRECT", "TRANSFORMATION", "x + 1")]),
        ([(f"{A}#x", f"{B}#old")], [(f"{A}#x", f"{C}#new")]),
        ([(f"{A}#x", f"{B}#Old")], [(f"{A}#x", f"{B}#old")]),
        ([(f"{A}#x", f"{B}#old")], []),
    ],
    ids=["two of them", "more sources", "another expression", "another dataset", "case alone", "gone"],
)
def test_what_may_be_another_column_is_no_rename(before: list[tuple[str, ...]], after: list[tuple[str, ...]]) -> None:
    """Readers then lose the column."""
    assert renames(change("t", before, after)) == {}


def test_a_column_made_of_nothing_is_never_renamed() -> None:
    """Two constants are alike in all that is known, and may say different things."""
    made = change("t", [(f"{A}#x", f"{B}#x")], [(f"{A}#x", f"{B}#x")], sql="x", outputs=[(B, ("x", "two"))])

    assert renames(made, base=PlainBase(columns={B: ("x", "one")})) == {}


def test_two_columns_of_equal_sources_that_go_have_no_new_name_by_turns() -> None:
    """Each of the new ones could be either."""
    before = [(f"{A}#x", f"{B}#p"), (f"{A}#x", f"{B}#q")]
    after = [(f"{A}#x", f"{B}#r"), (f"{A}#x", f"{B}#s")]

    assert renames(change("t", before, after)) == {}


def test_a_rename_is_followed_over_tasks_in_any_order() -> None:
    """A reader that takes the column by its new name renames its own in turn; expressions say the new names."""
    reader = change("r", [(f"{B}#old", f"{C}#o", "DIRECT", "TRANSFORMATION", "old + 1")],
                    [(f"{B}#new", f"{C}#n", "DIRECT", "TRANSFORMATION", "new + 1")])  # fmt: skip
    writer = change("t", [(f"{A}#x", f"{B}#old")], [(f"{A}#x", f"{B}#new")])
    expected = {f"{B}#old": f"{B}#new", f"{C}#o": f"{C}#n"}

    assert renames(reader, writer) == renames(writer, reader) == expected


def test_a_column_that_another_task_still_fills_keeps_its_name() -> None:
    """Of two writers one renames: the column is there as before, beside the new one."""
    writer = change("t", [(f"{A}#x", f"{B}#old")], [(f"{A}#x", f"{B}#new")])

    assert renames(writer, base=PlainBase(edge("t", f"{A}#x", f"{B}#old"), edge("u", f"{A}#y", f"{B}#old"))) == {}


def test_a_dataset_message_says_itself_what_it_renames() -> None:
    """What it does not say is not a rename, however alike the columns are."""
    own = Candidate("dataset:n:b", dataset=B, fields=(Field("new", renamed_from="old"), Field("other")))
    made = change("dataset:n:b", candidate_=own, outputs=[(B, ("new", "other"))],
                  old=Lineage(outputs=[(B, ("old", "gone"))]))  # fmt: skip

    assert renames(made, base=PlainBase(columns={B: ("old", "gone")})) == {f"{B}#old": f"{B}#new"}


def test_a_text_that_cannot_be_read_renames_nothing() -> None:
    """Nor does a new task."""
    before, after = [(f"{A}#x", f"{B}#old")], [(f"{A}#x", f"{B}#new")]

    assert renames(change("t", before, after, sql="x", coverage="opaque"), change("u", [], after)) == {}


def test_columns_are_those_of_the_catalog_where_the_text_defines_them() -> None:
    """In their order; else those that edges name, by name, the star and the dataset itself aside."""
    edges = [(f"{A}#x", f"{B}#z"), (f"{A}#x", f"{B}#a"), (f"{A}#*", f"{B}#*"), (A, B)]
    defined = change("t", edges, edges, outputs=[(B, ("z", "new"))])

    known = release(PlainBase(columns={B: ("z", "a")}), defined)
    assert columns_of(known, defined, B) == (("z", "a"), ("z", "new"))
    assert columns_of(release(PlainBase(), defined), defined, B) == (("a", "z"), ("z", "new"))
    plain = change("t", edges, edges[:1])
    assert columns_of(release(PlainBase(), plain), plain, B) == (("a", "z"), ("z",))


@pytest.mark.parametrize(
    ("before", "after", "gone"),
    [
        ([""], ["* EXCEPT (p, q)"], {"p", "q"}),
        (["* EXCEPT (p)"], ["* EXCEPT (p, q)"], {"q"}),
        ([""], ["* EXCEPT (p)", "* EXCEPT (p, q)"], {"p"}),
        ([""], ["* EXCEPT (p)", ""], set()),
        ([], ["* EXCEPT (p)"], set()),
        ([""], [], set()),
    ],
    ids=["left out now", "left out before", "by both stars", "by one of two", "no star before", "no star after"],
)
def test_a_column_is_newly_left_out_where_no_star_brings_it_any_more(
    before: list[str], after: list[str], gone: set[str]
) -> None:
    """And one of those before did."""
    old, new = ([(f"n:{place}#*", f"{B}#*", "DIRECT", "IDENTITY", words) for place, words in enumerate(each)]
                for each in (before, after))  # fmt: skip

    assert newly_left_out(change("t", old, new), B) == gone
    named = [*new, (f"{A}#p", f"{B}#p")]
    assert newly_left_out(change("t", old, named), B) == gone - {"p"}


def test_names_are_apart_whatever_their_case() -> None:
    """In the order in which they were given."""
    assert apart(["b", "A", "É"], ["a", "é", "c"]) == (["b"], ["c"])
    assert apart([], ["x"]) == ([], ["x"])


def test_a_dataset_is_open_where_a_star_fills_it() -> None:
    """A star that it is read by does not count."""
    assert is_open([Edge(f"{A}#*", f"{B}#*")], B)
    assert not is_open([Edge(f"{B}#*", f"{A}#*"), Edge(f"{A}#x", f"{B}#x")], B)


def test_edges_follow_renames_at_both_ends_and_texts_by_lower_case() -> None:
    """What is not renamed stays as it is."""
    given = {f"{A}#Old": f"{A}#New", f"{B}#x": f"{B}#y", f"{A}#k": f"{A}#l"}

    assert followed_by([Edge(f"{A}#Old", f"{B}#x", "DIRECT", "IDENTITY", "e"), Edge(A, C)], given) == [
        (f"{A}#New", f"{B}#y", "DIRECT", "IDENTITY", "e"), (A, C, "DIRECT", "IDENTITY", ""),
    ]  # fmt: skip
    assert by_dataset(given) == {A: {"old": "New", "k": "l"}, B: {"x": "y"}}
