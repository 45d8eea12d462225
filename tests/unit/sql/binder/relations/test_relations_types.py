"""Declared types of columns: which have parts, and the fields that they name."""

from __future__ import annotations

import pytest

from ingest.sql.binder.relations.flow import IDENTITY, Column, Part, known_fields
from ingest.sql.binder.relations.types import has_parts, is_map, is_struct_type, parsed_type, typed, unnested_width


def column(text: str, dialect: str = "spark") -> Column:
    """A column of a type."""
    return typed(Column("s", (Part({"n:d.t#s": IDENTITY}, "d.t.s"),)), parsed_type(text, dialect))


def fields(found: Column) -> list[tuple[str, list[str]]]:
    """The names and the sources of a column's fields."""
    return [(field.name, sorted(field.flow())) for field in known_fields(found) or ()]


@pytest.mark.parametrize("text", ["int", "DECIMAL(10, 2)", "", "structure", "STRUCT<x", "struct", "varchar(9)", "map<"])
def test_a_type_without_parts_makes_no_column_know_anything(text: str) -> None:
    """Neither does one that cannot be read: nobody is stopped by it."""
    found = column(text)

    assert found.kind is None
    assert known_fields(found) is None


@pytest.mark.parametrize(
    ("text", "dialect"),
    [
        (" struct<A: int, b: string>", "spark"),
        ("ROW(A integer, b varchar)", "trino"),
        ("struct<`A` int64, `b` string>", "trino"),
    ],
)
def test_a_struct_has_its_fields_in_order(text: str, dialect: str) -> None:
    """As they are written, in the dialect's way; names in backticks are read in any dialect."""
    assert fields(column(text, dialect)) == [("A", ["n:d.t#s.A"]), ("b", ["n:d.t#s.b"])]


def test_fields_that_are_structs_have_fields_too() -> None:
    """Those of an array of structs are its elements'; a map has none."""
    found = column("STRUCT<x: ARRAY<ARRAY<STRUCT<y: INT>>>, m: MAP<STRING, STRUCT<z: INT>>>")
    x, m = known_fields(found) or [found, found]

    assert fields(x) == [("y", ["n:d.t#s.x.y"])]
    assert known_fields(m) is None
    assert is_map(m)
    assert fields(column("ARRAY<STRUCT<y: INT>>")) == [("y", ["n:d.t#s.y"])]


def test_a_struct_some_of_whose_fields_have_no_name_has_none_that_are_known() -> None:
    """Their places say nothing about the others."""
    found = column("STRUCT<INT64, y INT64>", "bigquery")

    assert found.kind is not None
    assert known_fields(found) is None


def test_fields_that_are_known_already_stay() -> None:
    """What a query made says more than a declaration."""
    given = Column("s", (), fields=lambda: [Column("made", ())])

    assert fields(typed(given, parsed_type("STRUCT<x: INT>", "spark"))) == [("made", [])]
    assert is_struct_type(given.kind)


def test_only_what_has_parts_is_a_struct_or_a_map() -> None:
    """A type without a tree is none, and neither is not a column."""
    assert [is_map(each) for each in (None, column("int"), column("MAP<INT, INT>"), column("ARRAY<INT>"))] == [
        False, False, True, False,
    ]  # fmt: skip
    kinds = [parsed_type(text, "spark") for text in ("STRUCT<x: INT>", "ARRAY<STRUCT<x: INT>>", "int")]
    assert [is_struct_type(kind) for kind in kinds] == [True, False, False]
    assert [has_parts(kind) for kind in kinds] == [True, True, False]


@pytest.mark.parametrize(
    ("text", "width"),
    [("MAP<INT, STRUCT<x: INT, y: INT>>", 2), ("ARRAY<INT>", 1), ("ARRAY<STRUCT<x: INT, y: INT, z: INT>>", 3),
     ("ARRAY<ARRAY<INT>>", 1), ("STRUCT<x: INT>", None), ("int", None)],
)  # fmt: skip
def test_unnest_makes_a_column_of_each_part(text: str, width: int | None) -> None:
    """Of a map key and value, of an array of structs each field; of another type it is not known."""
    assert unnested_width(parsed_type(text, "spark")) == width
