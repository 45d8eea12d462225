"""What dataset events say of their datasets, facet by facet."""

from __future__ import annotations

from typing import Any

from ingest.events.openlineage.datasets import Content, Member, columns_dropped, facets_of, other_names
from ingest.events.openlineage.merging import Dataset, JobName, Picture
from lineage_tt.model.facts import Field

SCHEMA = {"fields": [{"name": "x", "type": "int", "description": "the key"}, {"name": "y"}]}


def said(**facets: Any) -> dict[str, dict[Member, Content]]:
    """What the facets of the dataset ``db:t`` say, by facet."""
    return dict(facets_of(Dataset("db", "t", facets)))


def facts(key: str, *values: str, node: str = "db:t") -> dict[Member, Content]:
    """A member with these values."""
    return {("fact", node, key): Content("set", (), tuple((node, key, each) for each in values))}


def test_a_schema_defines_the_columns_of_its_dataset() -> None:
    """In its order, with what it says of them."""
    defined = Content("define", (Field("x", "int"), Field("y")), (("db:t#x", "description", "the key"),))

    assert said(schema=SCHEMA) == {"schema": {("dataset", "db:t", ""): defined}}


def test_a_facet_that_is_taken_away_says_that_there_is_nothing() -> None:
    """It is named, without members; one that the event does not have is not named at all."""
    assert said(schema={"_deleted": True}, ownership={"_deleted": True}) == {"schema": {}, "ownership": {}}
    assert said(schema={"fields": []}) == {"schema": {}}
    assert said(columnLineage={"fields": {}}) == said() == {}


def test_a_dataset_that_is_dropped_has_no_columns() -> None:
    """Whatever schema comes with the event."""
    found = said(schema=SCHEMA, lifecycleStateChange={"lifecycleStateChange": "drop"})

    assert found == dict([columns_dropped("db:t")]) == {"schema": {("dataset", "db:t", ""): Content("drop")}}


def test_a_dataset_that_is_renamed_keeps_its_former_name() -> None:
    """Where the event says it; a change of another sort says nothing about names."""
    former = {"namespace": "db", "name": "old"}
    change = {"lifecycleStateChange": "RENAME", "previousIdentifier": former}

    assert said(lifecycleStateChange=change) == {"renamed_from": facts("renamed_from", "db:old")}
    assert said(lifecycleStateChange={"lifecycleStateChange": "RENAME"}) == {}
    assert said(lifecycleStateChange=change | {"lifecycleStateChange": "ALTER"}) == {}


def test_each_facet_has_members_of_its_own() -> None:
    """Values of one member come together and in order; tags of columns are members of their own."""
    found = said(
        ownership={"owners": [{"name": "bo"}, {"name": "al"}]}, documentation={"description": "all orders"},
        tags={"tags": [{"key": "pii"}, {"key": "raw", "field": "x"}]}, datasetType={"datasetType": "View"},
        symlinks={"identifiers": [{"namespace": "hive", "name": "dw.t"}]},
    )  # fmt: skip

    assert found == {
        "ownership": facts("owner", "al", "bo"), "documentation": facts("description", "all orders"),
        "tags": {**facts("label", "pii"), **facts("label", "raw", node="db:t#x")},
        "datasetType": facts("asset_type", "view"), "symlinks": facts("alias", "hive:dw.t"),
    }  # fmt: skip


def test_a_run_gives_other_names_to_what_it_reads_and_writes() -> None:
    """A dataset that it only names by its own name has none; one without a readable name is left out."""

    def named(name: str, facet: Any = None) -> dict[str, Dataset]:
        return {f"db:{name}": Dataset("db", name, {"symlinks": facet} if facet is not None else {})}

    symlinks = {"identifiers": [{"namespace": "hive", "name": "dw.t"}]}
    picture = Picture(JobName("etl", "job"))
    picture.inputs = {**named("a", symlinks), **named("b"), **named("c", {"identifiers": [7]})}
    picture.outputs = named("t", symlinks)

    assert list(other_names(picture)) == [
        ("db:a", facts("alias", "hive:dw.t", node="db:a")), ("db:t", facts("alias", "hive:dw.t")),
    ]  # fmt: skip
