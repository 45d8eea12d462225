"""What a query makes: its columns by name, those that may be there, and what it does beside them."""

from __future__ import annotations

import pytest
from steps import calls_of

from ingest.sql.binder.relations.flow import FILTER, IDENTITY, JOIN, Column, Part, known_fields
from ingest.sql.binder.relations.relations import (
    Effects,
    Relation,
    all_meant,
    base_column,
    base_relation,
    meant,
    unknown_sources,
)
from ingest.sql.binder.relations.types import Kind, parsed_type

STAR = Column("*", (Part({"n:d.t#*": IDENTITY}, "d.t.*"),), excluded=frozenset(["b"]))
LOOSE = Column("*", (Part({"n:d.u#*": IDENTITY}, "d.u.*"),), hidden=True)


def test_a_column_is_found_in_any_case_of_letters() -> None:
    """One of the very case comes first, and of two of one name the first one; unknown ones are none."""
    upper, lower = Column("A", ()), Column("a", ())
    mixed = Column("Cc", ())
    relation = Relation([upper, lower, Column("a", ()), mixed, STAR])

    assert relation.get("A") is upper
    assert relation.get("a") is lower
    assert relation.get("CC") is relation.get("cc") is mixed
    assert relation.get("*") is None
    assert relation.get("b") is None


@pytest.mark.parametrize(
    ("name", "expected"), [("Id", ["Id"]), ("ID", ["ID"]), ("id", ["Id", "ID"]), ("X", ["x"]), ("k", [])]
)
def test_a_name_means_the_column_of_its_case_and_else_those_of_any_case(name: str, expected: list[str]) -> None:
    """Outside of the dialect columns may be declared in another case."""
    assert meant(name, ["Id", "ID", "x"]) == expected


def test_a_relation_is_open_where_a_star_brings_unknown_columns() -> None:
    """Hidden ones may be named, and no star brings them."""
    assert Relation([Column("a", ()), STAR]).is_open
    assert not Relation([Column("a", ()), LOOSE]).is_open
    assert not Relation([]).is_open
    assert Relation([LOOSE, STAR]).open_columns() == [LOOSE, STAR]


def test_a_name_may_be_a_column_of_each_unknown_source_that_does_not_leave_it_out() -> None:
    """Hidden ones count where they are asked for; the same question has the same answer."""
    relation = Relation([STAR, LOOSE])

    assert [sorted(found.flow()) for found in relation.guess("X")] == [["n:d.t#X"], ["n:d.u#X"]]
    assert [sorted(found.flow()) for found in relation.guess("B")] == [["n:d.u#B"]]
    assert [sorted(found.flow()) for found in relation.guess("X", hidden=False)] == [["n:d.t#X"]]
    assert relation.guess("x") is relation.guess("x")
    assert Relation([Column("a", ())]).guess("x") == []


def test_a_star_brings_what_is_visible_and_what_may_be_named_after_it() -> None:
    """Hidden columns that are known are neither."""
    known, hidden = Column("a", ()), Column("h", (), hidden=True)
    relation = Relation([known, hidden, STAR, LOOSE])

    assert relation.visible() == [known, STAR]
    assert relation.starred() == [known, STAR, LOOSE]


def test_a_stored_table_reads_itself_and_has_its_columns_in_order() -> None:
    """One without known columns is open, and is known to be the source of all of them."""
    found, unknown = base_relation("n:d.t", ("b", "a"), {}), base_relation("n:d.u", None, {})

    assert [(column.name, column.flow(), column.text) for column in found.columns] == [
        ("b", {"n:d.t#b": IDENTITY}, "d.t.b"), ("a", {"n:d.t#a": IDENTITY}, "d.t.a"),
    ]  # fmt: skip
    assert found.effects.reads == found.rows == {"n:d.t"}
    assert not found.is_open
    assert (unknown.is_open, unknown.columns[0].flow()) == (True, {"n:d.u#*": IDENTITY})
    assert base_relation("n:d.v", (), {}).columns == []


def test_a_stored_column_knows_the_fields_of_its_type() -> None:
    """The others of its table know none."""
    text = "STRUCT<x: INT>"
    found = base_relation("n:d.t", ("a", "s"), {"s": Kind(text, parsed_type(text, "spark"))})

    assert known_fields(found.columns[0]) is None
    inside = known_fields(found.columns[1]) or []
    assert [(field.name, field.flow()) for field in inside] == [("x", {"n:d.t#s.x": IDENTITY})]


def test_effects_are_added_up() -> None:
    """Ways of one source as well as datasets; what is added stays as it was."""
    one, other = Effects(), Effects()
    one.predicates["n:d.t#a"], other.predicates["n:d.t#a"] = FILTER, JOIN
    one.reads.add("n:d.t")
    other.reads.add("n:d.u")
    one.add(other)

    assert (one.predicates, one.reads) == ({"n:d.t#a": FILTER | JOIN}, {"n:d.t", "n:d.u"})
    assert (other.predicates, other.reads) == ({"n:d.t#a": JOIN}, {"n:d.u"})


def test_datasets_with_unknown_columns_are_named_once() -> None:
    """A struct's unknown fields make no dataset, and a column that is known none either."""
    inside = Column("*", (Part({"n:d.w#s.*": IDENTITY}, "s.*"),))
    both = Column("x", (Part({"n:d.t#*": IDENTITY, "n:d.u#*": JOIN}, "?"), *STAR.parts))

    assert unknown_sources([both, inside, base_column("n:d.v", "a")]) == {"n:d.t", "n:d.u"}
    assert unknown_sources([]) == set()


def test_names_mean_those_of_their_case_else_those_of_any() -> None:
    """All names at once are what each of them is alone, in one walk over the columns."""
    columns = ["a", "A", "b", "C", "c"]
    assert all_meant(["A", "B", "c", "d"], columns) == {"A": ["A"], "B": ["b"], "c": ["c"], "d": []}
    assert {name: meant(name, columns) for name in ("a", "B", "d")} == {"a": ["a"], "B": ["b"], "d": []}
    assert meant("X", ["x", "y"]) == ["x"]


def test_many_names_are_found_in_steps_that_grow_with_them() -> None:
    """All columns were copied and compared again for each name."""
    columns = [f"c{n}" for n in range(2_000)]
    wanted = [name.upper() for name in columns]

    assert all_meant(wanted, columns) == {name.upper(): [name] for name in columns}
    assert calls_of(lambda: all_meant(wanted, columns))["lower"] == 2 * len(columns)
