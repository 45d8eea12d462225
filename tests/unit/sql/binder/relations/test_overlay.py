"""Columns that are laid over each other: names, derivations and fields of what comes out."""

from __future__ import annotations

from ingest.sql.binder.relations.flow import FILTER, IDENTITY, Column, Part, known_fields
from ingest.sql.binder.relations.overlay import (
    MAX_PARTS,
    laid_by_name,
    laid_by_position,
    laid_over,
    structs,
    union_parts,
)


def column(name: str, *nodes: str, fields: list[Column] | None = None) -> Column:
    """A column that is the value of some nodes; a struct with fields."""
    made = Column(name, (Part(dict.fromkeys(nodes, IDENTITY), name),))
    made.fields = (lambda: fields) if fields is not None else None
    return made


def shown(columns: list[Column] | None) -> list[tuple[str, list[str]]]:
    """Each column's name and its sources."""
    assert columns is not None
    return [(each.name, sorted(each.flow())) for each in columns]


def test_the_derivations_of_all_are_kept_each_once() -> None:
    """One that several columns share is one."""
    shared, other = Part({"t#a": IDENTITY}, "a"), Part({"t#a": IDENTITY}, "a")

    assert union_parts([Column("x", (shared, other)), Column("y", (shared,))]) == (shared, other)
    assert union_parts([]) == ()


def test_many_derivations_become_one_of_all_sources() -> None:
    """Its text has each text once; as many as are kept are still apart."""
    many = [Column("x", (Part({f"t#{at:02}": FILTER}, f"e{at % 3}"),)) for at in range(MAX_PARTS + 1)]

    assert len(union_parts(many[:-1])) == MAX_PARTS
    (merged,) = union_parts(many)
    assert merged.flow == {f"t#{at:02}": FILTER for at in range(MAX_PARTS + 1)}
    assert merged.text == "e0 | e1 | e2"


def test_what_comes_out_is_called_as_the_first() -> None:
    """If no other name is given; an empty one is a name."""
    both = (column("a", "t#a"), column("b", "u#b"))

    assert shown([laid_over(both), laid_over(both, "c"), laid_over(both, "")]) == [
        ("a", ["t#a", "u#b"]), ("c", ["t#a", "u#b"]), ("", ["t#a", "u#b"]),
    ]  # fmt: skip


def test_unknown_columns_of_several_leave_out_what_all_of_them_do() -> None:
    """A name that one of them may have is one that they may have together."""
    stars = [Column("*", (), excluded=frozenset(names)) for names in (("a", "b"), ("b", "c"))]

    assert laid_over(stars).excluded == {"b"}


def test_columns_at_one_place_are_one_as_far_as_the_shortest_row_goes() -> None:
    """Whatever they are called; of no rows there is none."""
    rows = [[column("a", "t#a"), column("b", "t#b")], [column("x", "u#x")]]

    assert shown(laid_by_position(rows)) == [("a", ["t#a", "u#x"])]
    assert laid_by_position([]) == []


def test_columns_of_one_name_are_one_in_any_case_of_letters() -> None:
    """Others stand after those of the left side; of two of one name on the left the first takes it."""
    left = [column("A", "t#a"), column("b", "t#b"), column("a", "t#a2")]
    right = [column("c", "u#c"), column("a", "u#a")]

    assert shown(laid_by_name(left, right)) == [
        ("A", ["t#a", "u#a"]), ("b", ["t#b"]), ("a", ["t#a2"]), ("c", ["u#c"]),
    ]  # fmt: skip


def test_structs_with_as_many_fields_are_laid_by_place() -> None:
    """Under the names of the first; with another number of fields they are laid by name."""
    first, same = [column("x", "t#x"), column("y", "t#y")], [column("p", "u#p"), column("q", "u#q")]
    longer = [column("Y", "u#y"), column("x", "u#x"), column("z", "u#z")]

    assert shown(structs([first, same], lambda place: column(""))) == [("x", ["t#x", "u#p"]), ("y", ["t#y", "u#q"])]
    assert shown(structs([first, longer], lambda place: column(""))) == [("x", ["t#x", "u#x"]), ("y", ["t#y", "u#y"])]
    assert structs([None, []], lambda place: column("")) is None


def test_a_struct_whose_fields_are_not_known_gives_one_of_each_name() -> None:
    """Where it is the first, the names of the whole are not known: any other field may come from all, and is hidden."""
    known, opaque = [column("x", "u#x")], column("s", "t#s")

    assert shown(structs([known, None], lambda place: opaque)) == [("x", ["t#s.x", "u#x"])]
    found = structs([None, known], lambda place: opaque)
    assert shown(found) == [("x", ["t#s.x", "u#x"]), ("*", ["t#s.*", "t#s.x", "u#x"])]
    assert found is not None
    assert [each.hidden for each in found] == [False, True]


def test_structs_with_unknown_fields_have_the_names_that_any_of_them_has() -> None:
    """A closed one says all names; else those of all, where the first one's unknown fields stand."""
    opened = [column("x", "t#x"), column("*", "t#s.*")]
    other = [column("y", "u#y"), column("*", "u#s.*")]

    assert shown(structs([opened, [column("Y", "u#y")]], lambda place: column(""))) == [("Y", ["t#s.Y", "u#y"])]
    assert shown(structs([opened, other], lambda place: column(""))) == [
        ("x", ["t#x", "u#s.x"]), ("y", ["t#s.y", "u#y"]), ("*", ["t#s.*", "u#s.*"]),
    ]  # fmt: skip


def test_fields_of_what_comes_out_are_laid_over_each_other_when_they_are_asked_for() -> None:
    """Columns of which none is a struct have none."""
    one, other = column("s", "t#s", fields=[column("x", "t#x")]), column("r", "u#r", fields=[column("x", "u#x")])

    assert shown(known_fields(laid_over([one, other]))) == [("x", ["t#x", "u#x"])]
    assert shown(known_fields(laid_over([one, column("r", "u#r")]))) == [("x", ["t#x", "u#r.x"])]
    assert laid_over([column("a"), column("b")]).fields is None
