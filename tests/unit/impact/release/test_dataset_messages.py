"""Dataset messages as candidates: what one declares, and what is refused."""

from __future__ import annotations

from typing import Any

import pytest

from lineage_tt.impact.release.dataset_messages import MAX_LEVELS, dataset_of_message, lineage_of
from lineage_tt.model.errors import InvalidRequestError
from lineage_tt.model.facts import Field


def test_columns_come_in_order_with_fields_below_them() -> None:
    """A field has the path to it, and so has the name that it had before."""
    columns = [
        {"name": "id", "type": "INT", "mode": "REQUIRED"},
        {"name": "who", "type": "RECORD", "fields": [{"name": "mail", "renamed_from": "address", "type": "STRING"}]},
        {"name": "né", "renamed_from": "old"},
    ]

    assert dataset_of_message({"dataset": "hive:ods.a", "columns": columns}) == (
        "hive:ods.a",
        (
            Field("id", "INT", "REQUIRED"),
            Field("who", "RECORD"),
            Field("who.mail", "STRING", nested=True, renamed_from="who.address"),
            Field("né", renamed_from="old"),
        ),
    )


@pytest.mark.parametrize("columns", [None, []])
def test_a_dropped_dataset_has_no_columns(columns: list[Any] | None) -> None:
    """They are None, which is not the same as none."""
    assert dataset_of_message({"dataset": "n:a", "op": "drop", "columns": columns}) == ("n:a", None)


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({}, "has dataset None"),
        ({"dataset": 7}, "has dataset 7"),
        ({"dataset": "ods.a", "columns": [{"name": "x"}]}, "has dataset 'ods.a'"),
        ({"dataset": "n:a", "op": "drop", "columns": [{"name": "x"}]}, "'n:a' has op 'drop'"),
        ({"dataset": "n:a", "op": "update", "columns": [{"name": "x"}]}, "'n:a' has op 'update'"),
        ({"dataset": "n:a"}, "'n:a' has no columns"),
        ({"dataset": "n:a", "columns": []}, "'n:a' has no columns"),
        ({"dataset": "n:a", "columns": {"name": "x"}}, "'n:a' has no columns"),
        ({"dataset": "n:a", "columns": ["x"]}, "a column of the candidate 'n:a' has no name"),
        ({"dataset": "n:a", "columns": [{"name": ""}]}, "has no name"),
        ({"dataset": "n:a", "columns": [{"name": "x", "fields": [{"type": "INT"}]}]}, "has no name"),
        ({"dataset": "n:a", "columns": [{"name": "x", "type": 7}]}, "of the column 'x' of the candidate 'n:a' is no"),
        ({"dataset": "n:a", "columns": [{"name": "x", "renamed_from": ["y"]}]}, "of the column 'x'"),
        ({"dataset": "n:a", "columns": [{"name": "Id"}, {"name": "iD"}]}, "the column 'id' of .* more than once"),
        ({"dataset": "n:a", "columns": [{"name": "s", "fields": [{"name": "x"}, {"name": "X"}]}]}, "column 's.x'"),
    ],
)  # fmt: skip
def test_what_is_no_dataset_message_is_refused(given: dict[str, Any], words: str) -> None:
    """With the dataset or the column, and the field."""
    with pytest.raises(InvalidRequestError, match=words):
        dataset_of_message(given)


def test_equal_names_in_two_structs_are_two_fields() -> None:
    """Only the whole path must be its own."""
    columns = [{"name": "a", "fields": [{"name": "x"}]}, {"name": "b", "fields": [{"name": "x"}]}, {"name": "x"}]

    _, fields = dataset_of_message({"dataset": "n:a", "columns": columns})

    assert [field.name for field in fields or ()] == ["a", "a.x", "b", "b.x", "x"]


def test_structs_in_structs_end_at_a_level() -> None:
    """As deep as an ingest takes them, and not one deeper."""

    def nested(levels: int) -> dict[str, Any]:
        column: dict[str, Any] = {"name": "x"}
        for _ in range(levels):
            column = {"name": "s", "fields": [column]}
        return {"dataset": "n:a", "columns": [column]}

    _, fields = dataset_of_message(nested(MAX_LEVELS))

    assert len(fields or ()) == MAX_LEVELS + 1
    with pytest.raises(InvalidRequestError, match=f"more than {MAX_LEVELS} levels"):
        dataset_of_message(nested(MAX_LEVELS + 1))


def test_a_declaration_leaves_columns_and_types_and_no_edges() -> None:
    """A struct's type is made of its fields; a column without a type has none; nested fields are not columns."""
    fields = (Field("id", "INT"), Field("free"), Field("who", "RECORD"), Field("who.name", "STRING", nested=True))

    lineage = lineage_of("n:a", fields)

    assert lineage.outputs == [("n:a", ("id", "free", "who"))]
    assert [(dataset, dict(types)) for dataset, types in lineage.types] == [
        ("n:a", {"id": "INT", "who": "STRUCT<`name` STRING>"})
    ]
    assert (list(lineage.ordered_edges()), lineage.coverage) == ([], "complete")
