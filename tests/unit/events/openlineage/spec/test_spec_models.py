"""Events of OpenLineage: only what names a thing is required."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import ValidationError

from ingest.events.openlineage.spec.models import DatasetEvent, JobEvent, Kind, RunEvent, kind_of, type_of, validated

AT = "2026-01-01T00:00:00Z"
NAMED = {"namespace": "n", "name": "x"}


@pytest.mark.parametrize(
    ("given", "kind"),
    [({"run": {}, "job": {}, "dataset": {}}, "run"), ({"job": {}, "dataset": {}}, "job"), ({"dataset": {}}, "dataset"),
     ({"run": None, "job": {}}, "job"), ({"run": None, "job": None, "dataset": {}}, "dataset")],
)  # fmt: skip
def test_an_event_is_of_the_first_thing_that_it_names(given: dict[str, Any], kind: Kind) -> None:
    """A run counts before a job, a job before a dataset; null names nothing."""
    assert kind_of(given) == kind


@pytest.mark.parametrize("given", [{}, {"eventTime": AT}, {"run": None, "job": None, "dataset": None}])
def test_an_object_that_names_nothing_is_no_event(given: dict[str, Any]) -> None:
    """The reason says what it lacks."""
    with pytest.raises(ValueError, match="no run, no job and no dataset"):
        kind_of(given)


@pytest.mark.parametrize("more", [{}, {"run": None}, {"job": {}}, {"job": {}, "run": None}, {"dataset": {}}])
@pytest.mark.parametrize("type_", ["START", "COMPLETE", "FAIL", "DONE"])
def test_an_event_with_a_type_is_about_a_run(more: dict[str, Any], type_: str) -> None:
    """Without its run, it would count as declared, even that of a run which failed."""
    with pytest.raises(ValueError, match="run: is missing"):
        kind_of({"eventType": type_, **more})


@pytest.mark.parametrize(
    ("given", "word", "words"),
    [({"eventType": "complete"}, "COMPLETE", None), ({}, "OTHER", "eventType is missing"),
     ({"eventType": None}, "OTHER", "eventType is missing"), ({"eventType": 5}, "OTHER", "eventType '5' is not known"),
     ({"eventType": "DONE"}, "OTHER", "eventType 'DONE' is not known")],
)  # fmt: skip
def test_a_type_that_ends_no_run_unseen_is_a_problem(given: dict[str, Any], word: str, words: str | None) -> None:
    """The run would stay open, and nobody would know why."""
    type_, problem = type_of(given)

    assert type_ == word
    assert (problem is None) is (words is None)
    assert words is None or (problem is not None and problem[1].startswith(f"{words}, so that the event ends no run"))


def test_null_in_the_place_of_a_list_or_of_facets_is_nothing() -> None:
    """As some producers write what they do not have."""
    dataset = {**NAMED, "facets": None, "outputFacets": None}
    given = {"eventTime": AT, "run": {"runId": "r", "facets": None}, "job": {**NAMED, "facets": None}, "inputs": None,
             "outputs": [dataset]}  # fmt: skip
    event = validated(given, "run")

    assert isinstance(event, RunEvent)
    assert (event.inputs, event.run.facets, event.job.facets) == ([], {}, {})
    assert [(each.facets, each.outputFacets) for each in event.outputs] == [({}, {})]


def test_what_is_not_known_is_kept() -> None:
    """Fields and facets of later releases, of the event and of its parts."""
    given = {"eventTime": AT, "job": {**NAMED, "new": 1, "facets": {"own": {"x": 2}}}, "later": [3]}
    event = validated(given, "job")

    assert isinstance(event, JobEvent)
    assert event.model_dump()["later"] == [3]
    assert event.job.model_dump() == {**NAMED, "new": 1, "facets": {"own": {"x": 2}}}


@pytest.mark.parametrize(
    ("kind", "given", "place"),
    [("run", {"eventTime": AT, "run": {}, "job": NAMED}, ("run", "runId")),
     ("run", {"eventTime": AT, "run": {"runId": "r"}}, ("job",)),
     ("run", {"run": {"runId": "r"}, "job": NAMED}, ("eventTime",)),
     ("job", {"eventTime": AT, "job": {"namespace": "n"}}, ("job", "name")),
     ("job", {"eventTime": AT, "job": NAMED, "inputs": [NAMED, {"name": "x"}]}, ("inputs", 1, "namespace")),
     ("job", {"eventTime": AT, "job": NAMED, "outputs": [{**NAMED, "facets": 7}]}, ("outputs", 0, "facets")),
     ("dataset", {"eventTime": AT, "dataset": {"namespace": "n", "name": ""}}, ("dataset", "name")),
     ("dataset", {"eventTime": AT, "dataset": {"namespace": 7, "name": "x"}}, ("dataset", "namespace"))],
)  # fmt: skip
def test_what_names_a_thing_must_be_there(kind: Kind, given: dict[str, Any], place: tuple[str | int, ...]) -> None:
    """The error says where it lacks, or where it is not a text."""
    with pytest.raises(ValidationError) as refused:
        validated(given, kind)

    assert [each["loc"] for each in refused.value.errors()] == [place]


def test_a_dataset_event_is_read_as_one() -> None:
    """A job beside the dataset is not looked at."""
    event = validated({"eventTime": AT, "dataset": NAMED, "job": 7}, "dataset")

    assert isinstance(event, DatasetEvent)
    assert (event.dataset.namespace, event.dataset.name) == ("n", "x")
