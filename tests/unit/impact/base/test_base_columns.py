"""Columns of datasets as shapes: made when they are asked for, nested fields put into their types."""

from __future__ import annotations

import pytest

from lineage_tt.impact.base.columns import Shapes
from lineage_tt.model.answers import ColumnAsOf


def column(name: str, kind: str | None = None, *, nested: bool = False, mode: str | None = None) -> ColumnAsOf:
    """Return a column of ``n:t``."""
    return ColumnAsOf("n:t", name, 1, kind, mode, None, nested, "declared", 1, 0)


def test_nested_fields_are_part_of_the_type_of_their_column() -> None:
    """A plain column is its name; a struct is a name with its fields, repeated ones an array of them."""
    known = [
        column("id", "INT"), column("who", "RECORD"), column("who.name", "STRING", nested=True),
        column("tags", "RECORD", mode="REPEATED"), column("tags.é", "INT", nested=True),
    ]  # fmt: skip

    shapes = Shapes({"n:t": known})

    assert shapes["n:t"] == ("id", ("who", "STRUCT<`name` STRING>"), ("tags", "ARRAY<STRUCT<`é` STRING>>"))


def test_a_dataset_of_nested_fields_alone_is_unknown() -> None:
    """Fields without the column that holds them say nothing about the columns; neither does an empty list."""
    shapes = Shapes({"n:t": [column("who.name", nested=True)], "n:e": [], "n:ok": [column("id")]})

    assert (list(shapes), len(shapes)) == (["n:ok"], 1)
    assert "n:t" not in shapes
    assert shapes.get("n:e") is None
    with pytest.raises(KeyError):
        shapes["n:t"]


def test_a_shape_is_made_once() -> None:
    """Who asks twice gets the same value: later changes of the list that it was made of do not show."""
    known = [column("id")]
    shapes = Shapes({"n:t": known})

    first = shapes["n:t"]
    known.append(column("more"))

    assert shapes["n:t"] is first == ("id",)
