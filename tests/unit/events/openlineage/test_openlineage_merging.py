"""The events of one run put together."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from ingest.events.openlineage.merging import EventPoint, JobName, Picture, dataset_of, merged

JOB = JobName("etl", "job")


def body(
    *, job: dict[str, Any] | None = None, run: dict[str, Any] | None = None, producer: str | None = None,
    inputs: dict[str, Any] | None = None, outputs: dict[str, Any] | None = None,
) -> dict[str, Any]:  # fmt: skip
    """What an event says: facets of its job and its run, and of datasets of ``db`` by name."""
    sides = {
        name: [{"namespace": "db", "name": each, "facets": facets} for each, facets in (given or {}).items()]
        for name, given in (("inputs", inputs), ("outputs", outputs))
    }
    return {"job": {"facets": job}, "run": run, "producer": producer, **sides}


def test_a_later_facet_takes_the_place_of_an_earlier_one() -> None:
    """Facets of other names add up, those of the job, of the run and of each dataset."""
    events = [
        body(job={"sql": {"query": "a"}, "own": 1}, run={"tags": 1}, inputs={"a": {"schema": 1, "x": 1}}, producer="p"),
        body(job={"sql": {"query": "b"}}, run={"parent": 2}, inputs={"a": {"schema": 2}, "c": None}),
    ]
    found = merged(JOB, events)

    assert found.facets == {"sql": {"query": "b"}, "own": 1}
    assert found.run == {"tags": 1, "parent": 2}
    assert {node: each.facets for node, each in found.inputs.items()} == {"db:a": {"schema": 2, "x": 1}, "db:c": {}}
    assert (found.producer, found.job, found.outputs) == ("p", JOB, {})


def test_what_is_said_of_lineage_adds_up() -> None:
    """Columns and entries of all events count, each once; the rest of such a facet is the later one's."""
    first = {"fields": {"y": {"inputFields": [1, 2], "how": "a"}}, "dataset": [3]}
    second = {"fields": {"y": {"inputFields": [2, 4], "how": "b"}, "z": {"inputFields": []}}}
    events = [body(outputs={"b": {"columnLineage": each}}) for each in (first, second)]
    events += [body(job={"lineage": {"entries": [each]}}) for each in ({"a": 1, "b": 2}, {"b": 2, "a": 1}, {"a": 2})]
    before = copy.deepcopy(events)
    found = merged(JOB, events)

    assert found.outputs["db:b"].facets["columnLineage"] == {
        "fields": {"y": {"inputFields": [1, 2, 4], "how": "b"}, "z": {"inputFields": []}}, "dataset": [3],
    }  # fmt: skip
    assert found.facets["lineage"]["entries"] == [{"b": 2, "a": 1}, {"a": 2}]
    assert events == before


@pytest.mark.parametrize(("before", "after"), [([1], {"a": 1}), ({"a": 1}, [1]), ({"a": 1}, 7), (None, [1])])
def test_lineage_of_another_shape_takes_the_place_of_what_was_there(before: Any, after: Any) -> None:
    """A list and an object say nothing together."""
    events = [body(outputs={"b": {"columnLineage": {"fields": each}}}) for each in (before, after)]

    assert merged(JOB, events).outputs["db:b"].facets == {"columnLineage": {"fields": after}}


def test_a_deleted_facet_is_taken_away() -> None:
    """Lineage, too; a later event may say it again."""
    says, deletes = {"fields": {"y": {"inputFields": [1]}}}, {"_deleted": True}
    other = {"fields": {"z": {"inputFields": [2]}}}

    def of(*facets: Any) -> Any:
        return merged(JOB, [body(outputs={"b": {"columnLineage": each}}) for each in facets]).outputs["db:b"].facets

    assert of(says, deletes) == of(deletes) == {}
    assert of(says, deletes, other) == {"columnLineage": other}
    assert of(says, {"_deleted": "yes"})["columnLineage"] == {**says, "_deleted": "yes"}


def test_of_complete_snapshots_the_last_that_names_datasets_counts() -> None:
    """Facets of the job and the run add up all the same; other jobs keep all datasets."""
    kind = {"jobType": {"emissionPattern": {"eventContentMode": "complete_snapshot"}}}
    events = [body(inputs={"a": None}, job=kind), body(outputs={"b": None}), body(run={"tags": 1})]
    found = merged(JOB, events)

    assert (list(found.inputs), list(found.outputs), found.run) == ([], ["db:b"], {"tags": 1})
    assert list(merged(JOB, [body(inputs={"a": None}), *events[1:]]).inputs) == ["db:a"]
    reads = [body(outputs={"b": None}, job=kind), body(inputs={"a": None})]
    assert (list(merged(JOB, reads).inputs), merged(JOB, reads).outputs) == (["db:a"], {})


def test_events_of_a_run_have_an_order_of_their_own() -> None:
    """By time, then by type, then by what they say: however they arrived. A type that is not known is as OTHER."""
    types = ("START", "RUNNING", "OTHER", "COMPLETE")
    ordered = [EventPoint(1, "FAIL", b"z"), *(EventPoint(2, each, b"s") for each in types),
               EventPoint(2, "ABORT", b"a"), EventPoint(2, "FAIL", b"a"), EventPoint(2, "FAIL", b"b"),
               EventPoint(3, "START", b"a")]  # fmt: skip

    arrived = ordered[::-1]
    assert sorted(arrived, key=lambda each: each.place) == ordered
    assert EventPoint(2, "odd", b"s").place == EventPoint(2, "OTHER", b"s").place


@pytest.mark.parametrize(
    ("parent", "above", "root"),
    [({"job": {"namespace": "air", "name": "dag"}}, JobName("air", "dag"), None),
     ({"job": {"namespace": "air", "name": "dag"}, "root": {"job": {"namespace": "air", "name": "top"}}},
      JobName("air", "dag"), JobName("air", "top")),
     ({"root": {"job": {"namespace": "air", "name": "top"}}}, None, None), (7, None, None), (None, None, None)],
)  # fmt: skip
def test_a_run_names_the_jobs_above_it(parent: Any, above: JobName | None, root: JobName | None) -> None:
    """The one that started it, and the one at the root; a facet without a job names none."""
    found = merged(JOB, [body(run={"parent": parent} if parent is not None else None)])

    assert (found.parent, found.root) == (above, root)


def test_tags_are_those_of_the_job_and_of_the_run() -> None:
    """Of two with one key the run's counts; one without a value has an empty one."""
    job = {"tags": {"tags": [{"key": "team", "value": "a"}, {"key": "pii"}]}}
    run = {"tags": {"tags": [{"key": "team", "value": "b"}, {"value": "none"}]}}

    assert Picture(JOB, job, run=run).tags == {"team": "b", "pii": ""}
    assert Picture(JOB).tags == {}


def test_a_job_of_no_known_kind_has_no_integration() -> None:
    """One that says its kind has what it says."""
    assert Picture(JOB, {"jobType": {"integration": "SPARK"}}).job_type.integration == "SPARK"
    assert Picture(JOB, {"jobType": 7}).job_type.integration is None


def test_a_dataset_event_keeps_its_deleted_facets() -> None:
    """They say that there is nothing any more; the event itself is not changed."""
    said = {"dataset": {"namespace": "db", "name": "a", "facets": {"schema": {"_deleted": True}}}}
    found = dataset_of(said)
    found.facets["more"] = 1

    assert (found.node, found.facets) == ("db:a", {"schema": {"_deleted": True}, "more": 1})
    assert said["dataset"]["facets"] == {"schema": {"_deleted": True}}
    assert dataset_of({"dataset": {"namespace": "db", "name": "a", "facets": None}}).facets == {}


@pytest.mark.parametrize(
    ("job", "producer", "result"),
    [({"jobType": {"integration": "DBT", "processingType": "BATCH"}}, None, True),
     ({"jobType": {"integration": "dbt", "processingType": "BATCH"}}, "x", True),
     (None, "https://github.com/OpenLineage/OpenLineage/tree/0.0.1/integration/dbt", True),
     (None, "https://github.com/OpenLineage/OpenLineage/tree/1.20.0/integration/spark", False),
     ({"jobType": {"integration": "AIRFLOW", "processingType": "BATCH"}}, "dbt", False), (None, None, False)],
)  # fmt: skip
def test_a_run_is_of_dbt_where_its_job_or_its_producer_says_so(job: Any, producer: str | None, result: bool) -> None:
    """Older versions of the wrapper have no type of the job."""
    assert merged(JOB, [body(job=job, producer=producer)]).is_of_dbt is result
