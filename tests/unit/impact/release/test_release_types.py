"""Families of SQL types: within one, values stay what they are for their readers."""

from __future__ import annotations

import pytest

from lineage_tt.impact.release.types import fails, family, narrows, same_type


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [("INT", "integer", True), ("decimal(10, 2)", "NUMERIC(10,2)", True), ("varchar", "string", True),
     ("decimal(10,2)", "decimal(10,3)", False), ("int", "bigint", False), ("array<int>", "ARRAY<INT>", True),
     ("array<int>", "array<bigint>", False), ("varchar(5)", "varchar(6)", False), ("datetime", "timestamp", True),
     ("bigint", "bigint unsigned", False), ("int unsigned", "INTEGER UNSIGNED", True), ("uint", "int unsigned", True),
     ("decimal(12,2) unsigned", "decimal(8,2) unsigned", False)],
)  # fmt: skip
def test_a_type_has_several_names(one: str, other: str, same: bool) -> None:
    """Case and white space say nothing; a size does."""
    assert same_type(one, other) is same
    assert same_type(other, one) is same


@pytest.mark.parametrize(
    ("before", "after", "less"),
    [("bigint", "int", True), ("int", "bigint", False), ("double", "float", True), ("varchar(20)", "varchar(10)", True),
     ("varchar(10)", "varchar(20)", False), ("string", "varchar(10)", True), ("varchar(10)", "string", False),
     ("decimal(10,2)", "decimal(10,4)", True), ("decimal(10,2)", "decimal(12,2)", False),
     ("decimal(10,2)", "int", True),
     ("int", "decimal(12,2)", False), ("int", "decimal(10,2)", True), ("double", "decimal(38,0)", True),
     ("decimal(10,2)", "double", False), ("timestamp", "date", True), ("int", "string", False),
     ("array<bigint>", "array<int>", False), (None, None, False),
     ("bigint", "bigint unsigned", True), ("bigint unsigned", "bigint", True), ("int unsigned", "bigint", False),
     ("int", "bigint unsigned", True), ("uint", "ubigint", False), ("ubigint", "uint", True),
     ("bigint", "float", True), ("bigint", "double", True), ("int", "float", True), ("int", "double", False),
     ("smallint", "float", False), ("int unsigned", "decimal(10,0)", False), ("int unsigned", "decimal(8,0)", True),
     ("decimal(12,2) unsigned", "decimal(8,2) unsigned", True), ("bigint unsigned", "decimal(19,0)", True),
     ("bigint unsigned", "decimal(20,0)", False)],
)  # fmt: skip
def test_a_type_of_the_same_family_may_hold_less(before: str | None, after: str | None, less: bool) -> None:
    """Then values may not fit any more."""
    assert narrows(before, after) is less


@pytest.mark.parametrize(
    ("kind", "name"),
    [("BIGINT", "number"), ("timestamp with time zone", "temporal"), ("int[]", "nested"), ("map<string,int>", "nested"),
     ("uuid", "uuid"), ("", None), (None, None), ("VARCHAR(3)", "text")],
)  # fmt: skip
def test_a_type_is_of_a_family(kind: str | None, name: str | None) -> None:
    """One that is not known is a family of its own."""
    assert family(kind) == name


@pytest.mark.parametrize(
    ("use", "after", "failing"),
    [("arithmetic", "string", True), ("arithmetic", "date", False), ("temporal", "int", True),
     ("text", "varchar(10)", False), ("text", "int", True), ("other", "string", False),
     ("arithmetic", None, False)],
)  # fmt: skip
def test_a_use_fails_once_the_type_leaves_what_it_needs(use: str, after: str | None, failing: bool) -> None:
    """Where the type is not known nothing is said."""
    assert fails(use, after) is failing
