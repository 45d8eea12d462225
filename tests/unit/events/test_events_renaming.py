"""Namespaces of datasets as the platform names them."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from ingest.events.renaming import renamed


def dataset(namespace: Any, name: str = "a", **more: Any) -> dict[str, Any]:
    """A reference to a dataset."""
    return {"namespace": namespace, "name": name, **more}


def test_each_reference_to_a_dataset_gets_the_name_that_the_mapping_gives() -> None:
    """In inputs and outputs, and wherever facets name one; the event itself does not change."""
    inner = {"fields": {"y": {"inputFields": [dataset("old", field="x")]}}}
    given = {"job": dataset("etl", "j"), "outputs": [dataset("old", facets={"columnLineage": inner}), dataset("other")]}
    before = copy.deepcopy(given)
    found = renamed(given, {"old": "new", "etl": "no"})

    assert [each["namespace"] for each in found["outputs"]] == ["new", "other"]
    assert found["outputs"][0]["facets"]["columnLineage"]["fields"]["y"]["inputFields"] == [dataset("new", field="x")]
    assert given == before


def test_jobs_keep_their_names() -> None:
    """The event's own, one above it, and one that a lineage facet names; a dataset called job is none."""
    source = {"type": "Job", **dataset("old", "j")}
    given = {"job": dataset("old", "j", facets={"lineage": {"entries": [source, dataset("old", type="DATASET")]}}),
             "run": {"facets": {"parent": {"job": dataset("old", "p")}}},
             "inputs": [dataset("old", "job")]}  # fmt: skip
    found = renamed(given, {"old": "new"})

    assert found["job"]["namespace"] == found["run"]["facets"]["parent"]["job"]["namespace"] == "old"
    assert [each["namespace"] for each in found["job"]["facets"]["lineage"]["entries"]] == ["old", "new"]
    assert found["inputs"] == [dataset("new", "job")]


@pytest.mark.parametrize(
    "given", [{"namespace": "old"}, {"namespace": 7, "name": "a"}, {"namespace": None, "name": "a"}]
)
def test_what_is_no_reference_stays(given: dict[str, Any]) -> None:
    """A reference has a namespace that is a text, and a name."""
    assert renamed({"inputs": [given]}, {"old": "new"}) == {"inputs": [given]}


@pytest.mark.parametrize("side", ["inputs", "outputs"])
def test_a_dataset_without_a_namespace_is_of_its_job_s(side: str) -> None:
    """Unless the mapping gives one for it."""
    given = {"job": dataset("flink://c", "j"), side: [dataset("db"), dataset("")]}

    assert [each["namespace"] for each in renamed(given, {})[side]] == ["db", "flink://c"]
    assert [each["namespace"] for each in renamed(given, {"": "mine"})[side]] == ["db", "mine"]
    assert given[side] == [dataset("db"), dataset("")]


@pytest.mark.parametrize(
    "given",
    [{"job": dataset("etl"), "inputs": [dataset("db")]}, {"job": 7, "inputs": [dataset("")]}, {"inputs": [dataset("")]},
     {"job": {"namespace": 7}, "inputs": [dataset("")]}, {"job": dataset("etl"), "inputs": {}, "outputs": [7, None]}],
)  # fmt: skip
def test_where_nothing_is_renamed_the_event_stays_itself(given: dict[str, Any]) -> None:
    """Without a mapping, where no job has a name to give, and of other shapes."""
    assert renamed(given, {}) is given


def test_an_event_that_is_nested_too_deep_is_refused() -> None:
    """In words: it ends no reading."""
    deep: Any = []
    for _ in range(5000):
        deep = [deep]

    with pytest.raises(ValueError, match="nested too deep"):
        renamed({"inputs": deep}, {"old": "new"})
