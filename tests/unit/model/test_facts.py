"""Columns as facts: field ids by name, shapes with the types that have parts, results of checks."""

from __future__ import annotations

import pytest

from lineage_tt.model.facts import (
    Field,
    FieldIdsSpentError,
    check_name,
    check_status,
    check_value,
    column_facts,
    fields_of,
    names_of,
    retyped,
    shape_of,
    type_facts,
    with_ids,
    with_named_ids,
)
from lineage_tt.model.names import MAX_INTEGER

BEFORE = [Field("id", "BIGINT", field_id=1), Field("amt", "INT", field_id=2)]


def ids(fields: list[Field], greatest: int = 2, after: tuple[Field, ...] = ()) -> dict[str, int | None]:
    """Return the ids by name that fields get after BEFORE."""
    return {field.name: field.field_id for field in with_ids(fields, BEFORE, greatest, after)}


def test_a_renamed_column_keeps_its_id() -> None:
    """The id follows ``renamed_from``; a new column of the former name gets one of its own."""
    assert ids([Field("amount", renamed_from="amt"), Field("amt")]) == {"amount": 2, "amt": 3}


def test_an_id_is_never_given_twice() -> None:
    """A dropped column that comes back gets a new id, also where a message states an id that is greater."""
    assert ids([Field("id"), Field("new")], greatest=7) == {"id": 1, "new": 8}
    assert ids([Field("id"), Field("own", field_id=20), Field("new")]) == {"id": 1, "own": 20, "new": 21}
    assert ids([Field("new")], after=(Field("new", field_id=5),)) == {"new": 5}


def test_without_a_greater_id_the_message_must_give_them() -> None:
    """The error names the column that cannot be given one."""
    with pytest.raises(FieldIdsSpentError, match="'new'"):
        ids([Field("new")], greatest=MAX_INTEGER)


def test_an_id_by_name_is_the_one_that_the_name_ever_had() -> None:
    """One made of the name else: the same whatever the others are, and never one id for two columns."""
    first, second = (with_named_ids([Field("c"), *more], {"d": 4, "e": 4}) for more in ([], [Field("d"), Field("e")]))

    assert first[0] == second[0]
    assert second[1].field_id == 4
    assert len({each.field_id for each in second}) == 3


def test_fields_are_read_back_from_their_facts() -> None:
    """Names, types, modes, ids and order survive; a field inside a struct stays nested."""
    fields = (
        Field("person", "STRUCT", "NULLABLE", field_id=4),
        Field("person.name", "STRING", nested=True, field_id=9),
        Field("a", field_id=1),
    )

    assert fields_of(reversed(column_facts("db:t", fields))) == fields


def test_a_shape_has_types_only_where_they_have_parts() -> None:
    """Fields inside are put into the type of their column; a repeated one is an array."""
    fields = [
        Field("id", "BIGINT"),
        Field("items", "RECORD", "REPEATED"),
        Field("items.sku", "STRING", nested=True),
        Field("tags", "map<string,int>"),
    ]
    shape = shape_of(fields)

    assert shape == ("id", ("items", "ARRAY<STRUCT<`sku` STRING>>"), ("tags", "map<string,int>"))
    assert names_of(shape) == ("id", "items", "tags")
    assert retyped(["tags", "other"], shape) == (("tags", "map<string,int>"), "other")


def test_types_that_a_statement_declares_have_the_places_of_its_columns() -> None:
    """A type of a column that the statement does not write is left out."""
    facts = type_facts({"db:t": ["a", "b"]}, [("db:t", (("b", "INT"), ("z", "INT")))])

    assert facts == [("db:t#b", "column", '{"ordinal":2,"type":"INT"}')]


def test_a_check_result_is_one_text_for_one_result() -> None:
    """A kind that may quote data is left out; values of other forms have no status."""
    assert check_value("failed", "not_null", "warn") == '{"kind":"not_null","severity":"warn","status":"failed"}'
    assert check_value("passed", "amount > 'secret'") == '{"status":"passed"}'
    assert [check_status(value) for value in ('{"status":"warned"}', '{"status":"odd"}', "[]", "{")] == [
        "warned", None, None, None,
    ]  # fmt: skip
    assert [check_name(key) for key in ("check:a", "check:", "label")] == ["a", None, None]
    with pytest.raises(ValueError, match="'done' is not a result"):
        check_value("done")
