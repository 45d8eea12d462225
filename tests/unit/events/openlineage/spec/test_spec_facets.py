"""Facets are read tolerantly: of one that is partly wrong the rest counts."""

from __future__ import annotations

from typing import Any

import pytest

from ingest.events.openlineage.spec import facets as f
from ingest.events.openlineage.spec.models import Part


def source(**more: Any) -> dict[str, Any]:
    """A column that another is made of."""
    return {"namespace": "db", "name": "a", "field": "x", **more}


def test_a_facet_that_is_not_there_or_was_deleted_is_none() -> None:
    """One of another shape counts as one that is not there; a deletion is just ``true``."""
    facets = {"sql": {"query": "select 1"}, "gone": {"query": "select 1", "_deleted": True}, "odd": ["select 1"],
              "wrong": {"query": 7}, "kept": {"query": "select 1", "_deleted": "true"}}  # fmt: skip
    found = {name: f.read(facets, name, f.Sql) for name in (*facets, "none")}

    assert {name for name, facet in found.items() if facet is not None} == {"sql", "kept"}
    assert found["sql"] == f.Sql(query="select 1")


def test_a_list_that_is_null_is_empty() -> None:
    """Producers write null for nothing."""
    facet = f.read({"x": {"fields": {"y": {"inputFields": None}}, "dataset": None}}, "x", f.ColumnLineage)

    assert facet == f.ColumnLineage(fields={"y": f.OutputField()})


@pytest.mark.parametrize(("value", "text"), [(None, None), ("Gold", "Gold"), (True, "true"), (7, "7"), (1.5, "1.5")])
def test_the_value_of_a_tag_is_a_text(value: Any, text: str | None) -> None:
    """Whatever the producer writes: a truth value or a number is one, too."""
    assert f.Tag.model_validate({"key": "k", "value": value}).value == text


@pytest.mark.parametrize("name", ["entries", "lineage"])
def test_drafts_had_another_name_of_the_entries(name: str) -> None:
    """Both are read; an empty list of inputs differs from no list."""
    facet = f.read({"lineage": {name: [{"name": "b", "inputs": []}, {"name": "c"}]}}, "lineage", f.LineageJob)

    assert facet is not None
    assert [(each.name, each.inputs, each.type) for each in facet.entries] == [
        ("b", [], "DATASET"), ("c", None, "DATASET"),
    ]  # fmt: skip


def test_a_wrong_item_of_a_list_is_left_out_alone() -> None:
    """With what is in it; each error is named."""
    given = {"identifiers": [{"namespace": "n", "name": "a"}, {"name": 7}, None, {"namespace": "n", "name": "b"}]}
    facet, wrong = f.readable(given, f.Symlinks)

    assert facet is not None
    assert [each.name for each in facet.identifiers] == ["a", "b"]
    assert {each["loc"][:2] for each in wrong} == {("identifiers", 1), ("identifiers", 2)}


def test_the_innermost_item_is_left_out() -> None:
    """One input of a column, not the column; one column where the fault is not in an input."""
    fields = {"y": {"inputFields": [source(), source(field=7)]}, "z": {"inputFields": 7}, "w": None}
    facet, wrong = f.readable({"fields": fields, "dataset": [source(transformations=[{"type": 7}])]}, f.ColumnLineage)

    assert facet is not None
    assert {name: len(each.inputFields) for name, each in facet.fields.items()} == {"y": 1}
    assert [each.transformations for each in facet.dataset] == [[]]
    assert len(wrong) == 4


def test_a_field_inside_of_a_column_is_left_out_without_it() -> None:
    """Of a schema, however deep."""
    column = {"name": "a", "fields": [{"name": "b"}, {"type": "int"}, {"name": "c", "fields": [7, {"name": "d"}]}]}
    facet, _ = f.readable({"fields": [column, 7]}, f.Schema)

    assert facet is not None
    (found,) = facet.fields
    assert [(each.name, [inner.name for inner in each.fields]) for each in found.fields] == [("b", []), ("c", ["d"])]


@pytest.mark.parametrize("given", [7, None, [], {}, {"query": ["select 1"]}, {"query": "select 1", "dialect": 7}])
def test_a_facet_that_is_wrong_outside_of_any_item_cannot_be_read(given: Any) -> None:
    """There is nothing in it that says something by itself."""
    facet, wrong = f.readable(given, f.Sql)

    assert facet is None
    assert wrong


def test_what_is_read_is_not_changed() -> None:
    """The event is kept as it came: items are left out of a copy."""
    given = {"fields": [{"name": "a", "fields": [7]}, 7]}
    f.readable(given, f.Schema)

    assert given == {"fields": [{"name": "a", "fields": [7]}, 7]}


@pytest.mark.parametrize(
    ("model", "given", "left"),
    [(f.Symlinks, {"identifiers": [{"namespace": "glue", "name": ""}, {"namespace": "", "name": "x"}]}, "identifiers"),
     (f.Schema, {"fields": [{"name": "", "type": "int"}]}, "fields"),
     (f.Ownership, {"owners": [{"name": ""}]}, "owners"),
     (f.Tags, {"tags": [{"key": ""}]}, "tags")],
)  # fmt: skip
def test_an_empty_name_is_no_name(model: type[Part], given: dict[str, Any], left: str) -> None:
    """Two tables with an empty other name would be one."""
    facet, wrong = f.readable(given, model)

    assert facet is not None
    assert getattr(facet, left) == []
    assert len(wrong) == len(given[left])
