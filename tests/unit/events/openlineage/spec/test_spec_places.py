"""Facets in a place, or under a name, where nothing reads them are problems of the event's receipt."""

from __future__ import annotations

from typing import Any

import pytest

from ingest.events.openlineage.spec.places import misplaced

FACET: dict[str, Any] = {"fields": {}}
A = {"namespace": "db", "name": "a"}
COLUMNS = {"facets": {"columnLineage": FACET}}


@pytest.mark.parametrize(
    ("event", "words"),
    [
        ({"inputs": [A | COLUMNS]}, "columnLineage' of 'db:a' has no effect: it is a facet of an output"),
        ({"outputs": [A | {"outputFacets": COLUMNS["facets"]}]}, "columnLineage' in outputFacets of 'db:a' has no"),
        ({"outputs": [A | {"columnLineage": FACET}]}, "'columnLineage' of 'db:a' has no effect"),
        ({"columnLineage": FACET}, "the facet 'columnLineage' has no effect: it is a facet of an output"),
        ({"outputs": [A | {"facets": {"column_lineage": FACET}}]}, "did you mean columnLineage?"),
        ({"dataset": A | {"facets": {"columnlineage": FACET}}}, "did you mean columnLineage?"),
        ({"run": {"facets": {"sql": {"query": "x"}}}}, "'sql' of the run has no effect: it is a facet of a job"),
        ({"run": {"facets": {"ownership": {}}}}, "it is a facet of a job or a dataset"),
        ({"run": {"facets": {"job_type": {}}}, "job": {"facets": {"job_type": {}}}}, "of the job has no effect; did"),
        ({"job": {"facets": {"parent": {}}}}, "'parent' of the job has no effect: it is a facet of a run"),
        ({"job": {"sql": {}}}, "'sql' of the job has no effect: it is a facet of a job"),
        ({"run": {"facets": {"parentRun": {}}}}, "'parentRun' of the run has no effect; did you mean parent?"),
        ({"inputs": [A | {"facets": {"outputStatistics": {}}}]}, "it is a facet of an output (outputFacets)"),
    ],
)  # fmt: skip
def test_a_facet_where_nothing_reads_it_is_a_problem(event: dict[str, Any], words: str) -> None:
    """It was lineage that nobody missed."""
    (found,) = misplaced(event)

    assert found.code == "unknown-field"
    assert words in found.detail


@pytest.mark.parametrize(
    "event",
    [
        {},
        {"inputs": None, "outputs": 7, "run": [], "job": None, "dataset": [None]},
        {"outputs": [A | COLUMNS], "inputs": [A | COLUMNS]},
        {"dataset": A | COLUMNS},
        {"outputs": [A | {"facets": {"columnLineage": FACET, "column_lineage": FACET}}]},
        {"inputs": [A | {"facets": {"columnLineage": {"_deleted": True}, "sql": None}}]},
        {"run": {"facets": {"parent": {}, "parentRun": {}, "spark_version": {}, "x" * 9999: {}}}},
        {"job": {"facets": {"sourceCode": {}, "SqlSettings": {}}, "owner": {}}, "vendor": {"sql": {}}},
        {"inputs": [A | {"inputFacets": {"dataQualityAssertions": {}, "inputStatistics": {}}}]},
    ],
)
def test_facets_in_their_places_and_those_of_producers_are_none(event: dict[str, Any]) -> None:
    """A dataset that is read and written has its lineage as an output; some write a facet under both of its names."""
    assert list(misplaced(event)) == []
