"""What facets say of datasets, jobs and runs beside lineage."""

from __future__ import annotations

from typing import Any

import pytest

from ingest.events.openlineage import describing
from ingest.events.openlineage.merging import Dataset, JobName, Picture
from ingest.events.openlineage.spec import facets as f
from ingest.messages.nodes import MAX_LEVELS
from lineage_tt.model.facts import Field


def columns(*fields: Any) -> list[f.SchemaField]:
    """The columns of a schema facet; a text is a name alone."""
    return [f.SchemaField.model_validate({"name": each} if isinstance(each, str) else each) for each in fields]


def struct(name: str, *fields: Any, kind: str | None = "struct", **more: Any) -> dict[str, Any]:
    """A column with fields inside it."""
    return {"name": name, "type": kind, "fields": [{"name": e} if isinstance(e, str) else e for e in fields], **more}


@pytest.mark.parametrize(
    ("value", "label"),
    [(None, "k"), ("", "k"), (True, "k"), ("TRUE", "k"), (False, "k:false"), ("gold", "k:gold"), (7, "k:7")],
)  # fmt: skip
def test_a_tag_is_a_label_with_its_value_where_that_says_more(value: Any, label: str) -> None:
    """A value that only says that the tag is there adds nothing."""
    assert describing.label_of(f.Tag.model_validate({"key": "k", "value": value})) == label


def test_owners_labels_and_a_description_are_facts_of_their_node() -> None:
    """Those of a column are its own; names and texts that are empty say nothing."""
    facets = {
        "ownership": {"owners": [{"name": "ada"}, {"name": ""}, 7]},
        "tags": {"tags": [{"key": "pii", "field": "x"}, {"key": "raw"}]},
        "documentation": {"description": " as it is \n"},
    }

    assert list(describing.of_node("db:t", facets)) == [
        ("db:t", "owner", "ada"), ("db:t", "description", " as it is \n"), ("db:t#x", "label", "pii"),
        ("db:t", "label", "raw"),
    ]  # fmt: skip
    assert list(describing.of_node("db:t", {"documentation": {"description": " \n"}, "tags": None})) == []


def test_a_dataset_has_other_names_a_type_and_descriptions_of_its_columns() -> None:
    """Those of fields inside a struct are named by their paths."""
    facets = {
        "symlinks": {"identifiers": [{"namespace": "hive", "name": "dw.t"}, {"name": "unknown"}]},
        "datasetType": {"datasetType": " Table "},
        "schema": {"fields": [
            struct("a", {"name": "b", "description": "inner"}, description="outer"),
            {"name": "c", "description": " \n"},
        ]},
    }  # fmt: skip

    assert list(describing.of_dataset("db:t", facets)) == [
        ("db:t", "alias", "hive:dw.t"), ("db:t", "asset_type", "table"), ("db:t#a", "description", "outer"),
        ("db:t#a.b", "description", "inner"),
    ]  # fmt: skip
    assert list(describing.of_dataset("db:t", {"datasetType": {"datasetType": " "}})) == []


def test_dependencies_are_the_same_for_all_runs_of_a_job() -> None:
    """What names a run is left out, and the order in which the jobs were listed; a side without jobs is not there."""
    job = {"namespace": "n", "name": "j", "facets": {}}
    given = {"upstream": [{"job": job, "run": {"runId": "4"}}, {"job": {"namespace": "n", "name": "a"}}, None, {}],
             "downstream": [{"job": "n/j"}], "trigger_rule": "all_success"}  # fmt: skip

    assert describing.steady_dependencies(given) == {
        "upstream": [{"job": {"namespace": "n", "name": "a"}}, {"job": {"namespace": "n", "name": "j"}}]
    }


def test_a_run_follows_what_is_upstream_and_precedes_what_is_downstream() -> None:
    """The first of a pair runs after the second; a facet of another shape says nothing."""

    def listed(name: str) -> list[dict[str, Any]]:
        return [{"job": {"namespace": "n", "name": name}}]

    facets = {"jobDependencies": {"upstream": listed("before"), "downstream": listed("after")}}

    assert list(describing.of_run(("n", "own"), facets)) == [
        (("n", "own"), ("n", "before")), (("n", "after"), ("n", "own")),
    ]  # fmt: skip
    assert list(describing.of_run(("n", "own"), {"jobDependencies": {"upstream": None}})) == []
    assert list(describing.of_run(("n", "own"), {"jobDependencies": 7})) == []


@pytest.mark.parametrize(
    ("facet", "failed"),
    [({"totalTasks": 2, "failedTasks": 1, "errors": []}, True), ({"errors": [{"errorMessage": "x"}]}, True),
     ({"totalTasks": 2, "failedTasks": 0, "errors": []}, False),
     ({"_deleted": True}, False), (None, False), ([], False)],
)  # fmt: skip
def test_a_producer_says_that_it_could_not_read_all(facet: Any, failed: bool) -> None:
    """By a count, or by what went wrong."""
    assert describing.has_failed(facet) is failed


def test_a_schema_has_each_column_once() -> None:
    """Of two with one name the last counts, in the place of the first; one without a name is none."""
    given = [{"name": "a", "type": "int"}, {"name": "b"}, {"name": ""}, {"name": "a", "type": "text"}]
    found = describing.schema_fields({"schema": {"fields": given}})

    assert [(each.name, each.type) for each in found] == [("a", "text"), ("b", None)]
    assert list(describing.schema_fields({"schema": {"fields": given, "_deleted": True}})) == []
    assert list(describing.schema_fields({})) == []


def test_a_schema_whose_paths_are_too_long_counts_as_none(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each path repeats the names above it: ``a``, ``a.bc`` and ``a.d`` are eight characters."""
    facets = {"schema": {"fields": [struct("a", "bc", "d")]}}
    assert describing.path_lengths(columns(struct("a", "bc", "d"))) == 8

    monkeypatch.setattr(describing, "MAX_PATHS", 8)
    assert len(describing.schema_fields(facets)) == 1
    monkeypatch.setattr(describing, "MAX_PATHS", 7)
    assert len(describing.schema_fields(facets)) == 0


def test_fields_follow_the_column_in_which_they_are() -> None:
    """Named by their paths, each once; their types are texts, the empty one where none is stated."""
    given = [struct("a", "b", struct("c", "d"), "b"), {"name": "e"}]

    assert list(describing.fields_of(columns(*given))) == [
        Field("a", "struct"), Field("a.b", None, None, True), Field("a.c", "struct", None, True),
        Field("a.c.d", None, None, True), Field("e"),
    ]  # fmt: skip
    types = describing.types_of("db:t", {"schema": {"fields": given}})
    assert list(types)[2:] == [("db:t#a.c", "type", "struct"), ("db:t#a.c.d", "type", ""), ("db:t#e", "type", "")]


def test_fields_that_lie_too_deep_are_left_out() -> None:
    """Of a struct in a struct in a struct the first levels are read."""
    deep: dict[str, Any] = {"name": "x"}
    for _ in range(MAX_LEVELS + 5):
        deep = struct("x", deep, description="said")

    assert len(list(describing.fields_of(columns(deep)))) == MAX_LEVELS + 1
    assert len(list(describing.of_dataset("db:t", {"schema": {"fields": [deep]}}))) == MAX_LEVELS + 1
    assert describing.path_lengths(columns(deep)) == sum(2 * level + 1 for level in range(MAX_LEVELS + 1))


@pytest.mark.parametrize(
    ("column", "text"),
    [("a", None), ({"name": "a", "type": " int "}, "int"), (struct("a", "b", kind=None), "struct<`b` string>"),
     (struct("a", {"name": "b", "type": "int"}, struct("c", "d")), "struct<`b` int, `c` struct<`d` string>>"),
     (struct("a", {"name": "_element", "type": "int"}, kind="ARRAY"), "array<int>"),
     (struct("a", struct("element", "b"), kind="list"), "array<struct<`b` string>>"),
     (struct("a", {"name": "k", "type": "int"}, "v", kind="map"), "map<int,string>"),
     (struct("a", "k", kind="map"), "struct<`k` string>"), (struct("a", "b", kind="row(b int)"), "row(b int)"),
     (struct("a", "b", kind="array<int>"), "array<int>"), (struct("a", "b`", "c"), "struct<`c` string>")],
)  # fmt: skip
def test_the_type_of_a_struct_names_its_fields(column: Any, text: str | None) -> None:
    """As engines write it; a type that names its parts already stays, and one that is not said is left out."""
    assert describing.type_texts(columns(column)) == ((("a", text),) if text else ())


@pytest.mark.parametrize(
    ("producer", "kinds", "number"),
    [("x/integration/dbt", ["INT", "TEXT"], 2), ("x/integration/dbt", ["INT", None], 0), ("spark", [None, None], 2)],
)
def test_columns_that_dbt_only_describes_are_not_all_of_them(
    producer: str, kinds: list[str | None], number: int
) -> None:
    """With its catalog each column has a type; others than dbt state the columns that there are."""
    schema = {"fields": [{"name": f"c{at}", "type": kind} for at, kind in enumerate(kinds)]}
    picture = Picture(JobName("etl", "job"), producer=producer)

    assert len(describing.all_columns(picture, Dataset("db", "t", {"schema": schema}))) == number
