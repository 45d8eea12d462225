"""What flows where: ways that compose, and columns with their derivations, fields and unknown ones."""

from __future__ import annotations

import pytest

from ingest.sql.binder.relations.flow import (
    AGGREGATION,
    CONDITIONAL,
    FILTER,
    GROUP_BY,
    IDENTITY,
    JOIN,
    TRANSFORMATION,
    WINDOW,
    Column,
    Flow,
    Once,
    Part,
    add,
    add_fields,
    field_part,
    known_fields,
    picked,
    through,
)
from ingest.sql.render import LONGEST_TEXT


def column(name: str, *nodes: str, text: str = "?") -> Column:
    """A column that is the value of some nodes."""
    return Column(name, (Part(dict.fromkeys(nodes, IDENTITY), text),))


@pytest.mark.parametrize(
    ("kinds", "by", "made"),
    [
        (IDENTITY, TRANSFORMATION, TRANSFORMATION),
        (IDENTITY | TRANSFORMATION, AGGREGATION, AGGREGATION),
        (AGGREGATION, TRANSFORMATION, AGGREGATION),
        (IDENTITY | AGGREGATION, TRANSFORMATION, TRANSFORMATION | AGGREGATION),
        (TRANSFORMATION | JOIN, IDENTITY, TRANSFORMATION | JOIN),
        (IDENTITY | FILTER, TRANSFORMATION, TRANSFORMATION | FILTER),
        (IDENTITY | CONDITIONAL, AGGREGATION, AGGREGATION | CONDITIONAL),
        (CONDITIONAL | WINDOW, TRANSFORMATION, CONDITIONAL | WINDOW),
        (CONDITIONAL, AGGREGATION, CONDITIONAL),
        (IDENTITY | AGGREGATION | FILTER, GROUP_BY, GROUP_BY),
        (CONDITIONAL, JOIN, JOIN),
    ],
)
def test_two_steps_of_a_way_are_one(kinds: int, by: int, made: int) -> None:
    """An aggregate stays one in an expression; what decides stays a decision; a use that decides makes all decide."""
    assert through(kinds, by) == made


def test_flows_are_added_way_by_way() -> None:
    """One source may reach a value in several ways; what is added stays as it was."""
    given: Flow = {"t#a": IDENTITY, "t#b": FILTER}
    out: Flow = {}
    add(out, given)
    add(out, {"t#a": IDENTITY}, AGGREGATION)
    add(out, {"t#a": IDENTITY, "t#c": AGGREGATION}, TRANSFORMATION)

    assert out == {"t#a": IDENTITY | AGGREGATION | TRANSFORMATION, "t#b": FILTER, "t#c": AGGREGATION}
    assert given == {"t#a": IDENTITY, "t#b": FILTER}
    add(out, {})
    add(out, {}, JOIN)
    assert len(out) == 3


def test_fields_are_worked_out_once_and_not_while_they_are_worked_out() -> None:
    """A column that is made of itself has no answer yet when it is asked from within."""
    inner: list[list[Column] | None] = []

    def make() -> list[Column]:
        inner.append(once())
        return [column("x")]

    once = Once(make)
    assert [field.name for field in once() or ()] == ["x"]
    assert once() is once()
    assert inner == [None]


def test_a_text_is_made_when_it_is_asked_for_and_cut() -> None:
    """Once, however often it is asked."""
    made: list[int] = []

    def text() -> str:
        made.append(1)
        return "a + " * LONGEST_TEXT

    part = Part({}, text)
    assert made == []
    assert part.text == part.text
    assert len(part.text) <= LONGEST_TEXT
    assert made == [1]


def test_a_column_of_several_derivations_shows_each_text_once() -> None:
    """One of none shows that nothing is known."""
    both = Column("x", (Part({}, "a"), Part({}, "b"), Part({}, "a")))

    assert both.text == "(a | b)"
    assert Column("x", (Part({}, "a"), Part({}, "a"))).text == "a"
    assert Column("x", ()).text == "?"


def test_the_flow_of_a_column_is_that_of_all_its_derivations() -> None:
    """And that of one that keeps none of its derivations' texts is the same."""
    both = Column("x", (Part({"t#a": IDENTITY}, "a"), Part({"t#a": JOIN, "u#b": AGGREGATION}, "b")), position=2)

    assert both.flow() == {"t#a": IDENTITY | JOIN, "u#b": AGGREGATION}
    plain = both.without_text("?")
    assert (plain.name, plain.flow(), plain.text, plain.position, len(plain.parts)) == ("x", both.flow(), "?", 2, 1)
    assert Column("x", ()).flow() == {}


def test_a_renamed_column_is_in_sight_and_keeps_its_fields() -> None:
    """A new name is one that the query gave: its place says nothing any more."""
    given = Column("x", (Part({}, "x"),), hidden=True, position=3, fields=lambda: [column("f")])
    given.kind = "STRUCT"
    found = given.renamed("y")

    assert (found.name, found.hidden, found.position, found.kind) == ("y", False, None, "STRUCT")
    assert [field.name for field in known_fields(found) or ()] == ["f"]
    assert known_fields(None) is None
    assert known_fields(column("x")) is None


def test_unknown_columns_less_some_leave_these_out() -> None:
    """As the dialect spells them in its derivations, and in any case of letters where a name is looked for."""
    star = Column("*", (Part({"t#*": IDENTITY}, "t.*"),), excluded=frozenset(["a"]), hidden=True)
    less = star.without(["B", "c"])

    assert (less.is_open, less.hidden) == (True, True)
    assert less.excluded == {"a", "b", "c"}
    assert less.parts[0].left_out == {"B", "c"}
    assert star.parts[0].left_out == frozenset()
    assert less.without(["D"]).parts[0].left_out == {"B", "c", "D"}


def test_a_column_out_of_unknown_ones_takes_its_name_in_each_source() -> None:
    """Of a dataset as of a struct; what was known already stays."""
    star = Column("*", (Part({"t#*": IDENTITY, "u#s.*": IDENTITY, "u#known": JOIN}, "t.*"), Part({}, "f(?)")))
    found = star.named("Z")

    assert found.parts[0].flow == {"t#Z": IDENTITY, "u#s.Z": IDENTITY, "u#known": JOIN}
    assert [part.text for part in found.parts] == ["t.Z", "f(?)"]
    assert not found.is_open


def test_a_field_is_found_by_name_by_place_and_below_another_one() -> None:
    """In any case of letters; of two of one name the first; an unknown one is looked for among unknown ones."""
    inner = Column("In", (Part({}, "in"),), fields=lambda: [column("z", "t#deep")])
    struct = Column(
        "s", (Part({"t#s": IDENTITY}, "s"),), fields=lambda: [column("x", "t#1"), column("X", "t#2"), inner]
    )

    assert struct.field("X").flow() == {"t#1": IDENTITY}
    assert struct.field("2").flow() == {"t#2": IDENTITY}
    assert struct.field("in.Z").flow() == {"t#deep": IDENTITY}
    lacking = struct.field("none.q")
    assert (lacking.name, lacking.flow(), lacking.missing) == ("q", {"t#s.none.q": IDENTITY}, True)
    assert struct.field("9").missing
    opened = Column("s", (), fields=lambda: [column("x"), Column("*", (Part({"t#s.*": IDENTITY}, "s.*"),))])
    assert (opened.field("q").flow(), opened.field("q").missing) == ({"t#s.q": IDENTITY}, False)


def test_a_field_of_a_struct_whose_fields_are_not_known_is_one_of_the_column() -> None:
    """Of a value that was computed it may come from all of it; nothing says that it is not there."""
    struct = Column("s", (Part({"t#s": IDENTITY, "t#q": TRANSFORMATION, "d:whole": IDENTITY}, "s"),))
    found = struct.field("x.y")

    assert (found.name, found.text, found.missing) == ("y", "s.x.y", False)
    assert found.flow() == {"t#s.x.y": IDENTITY, "t#q": TRANSFORMATION, "d:whole": IDENTITY}
    assert not Column("s", (), fields=lambda: None).field("x").missing
    assert field_part(Part({"t#s": AGGREGATION}, "f(s)"), "x").flow == {"t#s": AGGREGATION}
    assert field_part(Part({"t#*": IDENTITY}, "t.*"), "x").flow == {"t#*": IDENTITY}


def test_an_unknown_column_that_leaves_out_a_name_is_not_picked_for_it() -> None:
    """The next unknown one is; without one there is none."""
    first, second = Column("*", (), excluded=frozenset(["a"])), Column("*", (Part({"u#*": IDENTITY}, "u.*"),))
    found = picked([column("x"), first, second], "A")

    assert found is not None
    assert (found.name, found.flow()) == ("A", {"u#A": IDENTITY})
    assert picked([column("a"), first], "a") is None


def test_several_fields_of_a_column_are_added_as_sources() -> None:
    """Of a value that was computed its own sources are."""
    out: Flow = {"t#s.x": JOIN}
    add_fields(out, Column("s", (Part({"t#s": IDENTITY, "t#q": AGGREGATION, "whole": IDENTITY}, "s"),)), ["x", "y"])

    assert out == {"t#s.x": IDENTITY | JOIN, "t#s.y": IDENTITY, "t#q": AGGREGATION, "whole": IDENTITY}
