"""Parts of OpenLineage events without effect are problems of the receipt, each with its place."""

from __future__ import annotations

import json
from typing import Any

import pytest
from run_events import START, Event, dataset, event

from ingest.events.openlineage.reading import Event as Parsed
from ingest.events.openlineage.reading import parse_event
from ingest.events.openlineage.unread import problem_of


def problem(given: Event) -> tuple[str, str] | None:
    """The problem of an event, which is accepted."""
    found = parse_event(json.dumps(given).encode())
    assert isinstance(found, Parsed), found
    return found.problem


def run(*, inputs: Any = (), facets: Any = None, **more: Any) -> Event:
    """A run that ends, with facets of its own."""
    return event("COMPLETE", START, inputs=list(inputs), run_facets=facets or {}) | more


def using(**facets: Any) -> Event:
    """A run that reads a dataset with these facets."""
    return run(inputs=[dataset("a", **facets)])


@pytest.mark.parametrize(
    ("given", "words"),
    [(using(tags={"tags": [{"key": "a"}, {"value": "b"}]}), "facet tags of 'db:a' cannot be read whole"),
     (using(tags={"tags": [{"key": "a"}, {"value": "b"}]}), "tags.1.key: is missing"),
     (using(ownership={"owners": ["me"]}), "owners.0"), (using(ownership={"ownrs": []}), "did you mean owners?"),
     (using(schema={"fields": [{"name": "x"}, {"nme": "y"}]}), "fields.1.name: is missing"),
     (using(schema=[]), "the facet schema of 'db:a' cannot be read"),
     (using(symlinks={"identifiers": [{"name": "x"}]}), "identifiers.0.namespace: is missing"),
     (using(documentation={}), "description: is missing"),
     (using(lifecycleStateChange={"lifecycleStateChange": "DROPED"}), "'DROPED' is not known: use ALTER"),
     (using(lifecycleStateChange={"lifecycleStateChange": "RENAME"}), "give the former name as previousIdentifier"),
     (using(dataQualityAssertions={"assertions": [{"assertion": "a", "success": "?"}]}),
      "assertions.0.success: '?' is neither true nor false"),
     (run(facets={"nominalTime": {"nominalStartTime": "soon"}}), "nominalStartTime: 'soon' is not a time"),
     (run(facets={"nominalTime": {}}), "nominalStartTime: is missing"),
     (run(facets={"test": {"tests": [{"name": "t"}]}}), "tests.0.status: is missing"),
     (run(facets={"jobDependencies": {"upstream": [{}]}}), "upstream.0.job: is missing"),
     (run(facets={"parent": {"job": {"name": "x"}}}), "the facet parent of the run cannot be read"),
     (run(inputs=[dataset("a") | {"outputFacets": {"outputStatistics": {"rowCount": "7"}}}]),
      "outputStatistics of 'db:a' cannot be read whole: rowCount: '7' is not a count")],
)  # fmt: skip
def test_what_cannot_be_read_is_a_problem_with_its_place(given: Event, words: str) -> None:
    """The event counts, and so does all the rest of it."""
    found = problem(given)

    assert found is not None
    assert found[0] == "unreadable-facet"
    assert words in found[1]


@pytest.mark.parametrize(
    ("given", "words"),
    [(run(ouputs=[]), None), ({k: v for k, v in run(ouputs=[]).items() if k != "outputs"}, "'ouputs' has no effect"),
     ({k: v for k, v in run(inptus=[]).items() if k != "inputs"}, "did you mean inputs?"),
     (run(inputs=[dataset("a") | {"inputFacet": {}}]), "'inputs.0.inputFacet' has no effect"),
     (run(_custom=1, vendor=2), None)],
)  # fmt: skip
def test_a_misspelt_part_is_a_problem(given: Event, words: str | None) -> None:
    """It was lineage that nobody missed; keys that resemble none that is missing are the producer's own."""
    found = problem(given)

    assert (found is not None) is (words is not None)
    assert words is None or (found is not None and found[0] == "unknown-field" and words in found[1])


def test_what_a_producer_could_not_read_is_a_problem() -> None:
    """Also of a run that names no dataset at all: what the one before it said holds."""
    error = {"totalTasks": 1, "failedTasks": 1, "errors": [{"errorMessage": "no SQL: secret"}]}

    assert problem(run(facets={"extractionError": error})) == (
        "extraction-error", "the producer could not read all of what the run did (extractionError)",
    )  # fmt: skip
    assert problem(run(facets={"extractionError": error | {"failedTasks": 0, "errors": []}})) is None


def test_several_problems_are_one() -> None:
    """A receipt has one code: the words name the first three, and count the others."""
    wrong: dict[str, Any] = {"tags": [], "schema": [], "symlinks": [], "ownership": []}
    found = problem(using(**wrong) | {"eventType": "DONE"})

    assert found is not None
    assert found[0] == "unknown-event-type"
    assert found[1].count("; ") == 3
    assert found[1].endswith("; and 2 more")


def test_a_problem_is_of_every_event_of_a_shape() -> None:
    """Not only of the first one, which is validated."""
    given = using(tags=[])
    first, again = parse_event(json.dumps(given).encode()), problem(given)

    assert isinstance(first, Parsed)
    assert first.problem == again is not None
    later = parse_event(json.dumps(given | {"eventTime": "2026-01-01T00:00:00Z"}).encode(), {first.shape})
    assert isinstance(later, Parsed)
    assert (later.body, later.problem) == (None, again)


def test_deleted_facets_and_what_a_translation_reports() -> None:
    """A facet that is taken back is not a problem; a translation names what it could not read."""
    assert problem(using(tags={"_deleted": True}, dataQualityAssertions={"_deleted": True})) is None
    for given in (7, [["a", "b"]], [1], {"a": 1}):  # an event's own key of that name says nothing
        assert problem(run() | {"unread": given}) is None
    document = run() | {"unread": (("unknown-state", "words"),)}

    assert problem_of(document, document["job"], b"s", {}, has_nominal=True) == ("unknown-state", "words")
