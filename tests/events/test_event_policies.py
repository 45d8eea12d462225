"""Policies of sources: what tasks are called, when a run takes effect, how runs add up."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from run_events import HOUR, START, Event, a_run, columns_of, dataset, event, held, pairs, policies, take

from lineage_tt import Store


def tasks(folder: Path) -> set[str]:
    """Return the tasks of a store."""
    return {edge.task_id for edge in Store.open(folder).as_of().edges()}


def test_runs_of_one_job_under_many_names_are_one_task(tmp_path: Path) -> None:
    """A job that carries its date in its name makes one version, not one a day."""
    runs = [a_run(START + day * 24 * HOUR, f"load_2026-01-0{day + 1}", f"r{day}") for day in range(3)]
    receipts = take(tmp_path, [each for run in runs for each in run])

    assert len(receipts) == 1
    assert tasks(tmp_path) == {"etl/load"}


def test_a_template_names_tasks_by_parent_and_tags(tmp_path: Path) -> None:
    """The first place that is there counts; tags are those of the job and of the run."""
    rules = policies(task="{tag.team}:{parent.name|job.name}")
    parent = {"parent": {"run": {"runId": "p"}, "job": {"namespace": "air", "name": "dag_2026-01-01"}}}
    tags = {"tags": {"tags": [{"key": "team", "value": "sales"}]}}
    said: Event = {"outputs": [dataset("b", columnLineage=columns_of(y=["a.x"]))], "job_facets": tags}
    take(tmp_path, [event("COMPLETE", START, run_facets=parent, **said)], rules=rules)
    take(tmp_path, [event("COMPLETE", START, "other", "r2", **said)], rules=rules)

    assert tasks(tmp_path) == {"sales:dag", "sales:other"}


@pytest.mark.parametrize(("when", "expected"), [("start", 0), ("nominal", -24), ("completion", 2)])
def test_a_run_takes_effect_when_its_policy_says(tmp_path: Path, when: str, expected: int) -> None:
    """At its start, at its nominal time, or at its completion; in hours from the start."""
    nominal = {"nominalTime": {"nominalStartTime": "2025-12-31T00:00:00Z"}}
    events = a_run(START, lasts=2 * HOUR)
    events[0]["run"]["facets"] = nominal
    take(tmp_path, events, rules=policies(effective_at=when))

    assert Store.open(tmp_path).log()[0].effective_at == START + expected * HOUR


def sources(folder: Path, hours: int) -> list[str]:
    """Return the columns that are read, an hour each."""
    found = held(folder, [START + hour * HOUR for hour in range(hours)])
    return ["".join(sorted(edge[1][-1] for edge in edges)) for _, edges, _ in found]


def runs_of(columns: str) -> list[Event]:
    """Return a run an hour, each reading one column; a dot is not a run."""
    return [
        each
        for hour, column in enumerate(columns)
        if column != "."
        for each in a_run(START + hour * HOUR, run=f"r{hour}", source=f"a.{column}")
    ]


@pytest.mark.parametrize(
    ("rules", "expected"),
    [
        ({"edges": "replace"}, ["x", "y", "x", "y", "y"]),
        ({"edges": "union"}, ["x", "xy", "xy", "xy", "xy"]),
        ({"edges": "union", "unseen": {"runs": 2}}, ["x", "xy", "xy", "xy", "y"]),
        ({"edges": "union", "unseen": {"time": "1h"}}, ["x", "xy", "xy", "xy", "y"]),
        ({"edges": "declared"}, ["", "", "", "", ""]),
    ],
)
def test_runs_add_up_as_the_policy_says(tmp_path: Path, rules: dict[str, object], expected: list[str]) -> None:
    """The last run, all runs until an edge was not seen for a while, or declarations alone."""
    take(tmp_path, runs_of("xyxyy"), rules=policies(**rules))

    assert sources(tmp_path, 5) == expected


def test_a_declaration_counts_alone_where_only_declarations_do(tmp_path: Path) -> None:
    """A job event says what a job does; runs of it make no version."""
    output = dataset("b", columnLineage=columns_of(y=["a.z"]))
    declared = event(None, START + HOUR, inputs=[dataset("a")], outputs=[output])
    take(tmp_path, [*runs_of("xyx"), declared], rules=policies(edges="declared"))

    assert sources(tmp_path, 3) == ["", "z", "z"]


def test_sources_have_policies_of_their_own(tmp_path: Path) -> None:
    """The first source whose patterns fit counts; what it does not say is as for all."""
    source = {"when": {"job.name": "b*"}, "edges": "union"}
    rules = policies(task="{job.name}", source=[source])
    events = [each | {"job": {**each["job"], "name": name}} for name in ("aa", "bb") for each in runs_of("xy")]
    take(tmp_path, events, rules=rules)
    found = {(edge.task_id, edge.source[-1]) for edge in Store.open(tmp_path).as_of().edges()}

    assert found == {("aa", "y"), ("bb", "x"), ("bb", "y")}


def test_streaming_jobs_count_at_each_snapshot(tmp_path: Path) -> None:
    """A run without end counts from its start; what it says later counts from then on, bursts once."""
    job_type = {"jobType": {"processingType": "STREAMING", "integration": "FLINK"}}

    def snapshot(kind: str, at: int, column: str) -> Event:
        output = dataset("b", columnLineage=columns_of(**{column: [f"a.{column}"]}))
        return event(kind, at, inputs=[dataset("a")], outputs=[output], job_facets=job_type)

    second = 1_000_000
    begun = [event("START", START, job_facets=job_type), snapshot("RUNNING", START + second, "x")]
    later = [snapshot("RUNNING", START + HOUR, "x"), snapshot("RUNNING", START + 2 * HOUR, "y")]
    burst = [snapshot("RUNNING", START + 2 * HOUR + second, "z")]
    assert len(take(tmp_path, begun)) == 1
    assert take(tmp_path, [later[0]]) == []
    take(tmp_path, [*later, *burst])

    assert sources(tmp_path, 4) == ["x", "x", "x", "xyz"]


@pytest.mark.parametrize(
    ("facets", "producer", "expected"),
    [
        ({"run_facets": {"processing_engine": {"name": "flink", "version": "1.19"}}}, "x", 1),
        ({}, "https://github.com/OpenLineage/OpenLineage/tree/1.9.1/integration/flink", 1),
        ({"job_facets": {"jobType": {"processingType": "BATCH"}}}, "https://x/integration/flink", 0),
        ({}, "https://github.com/OpenLineage/OpenLineage/tree/1.9.1/integration/spark", 0),
    ],
)
def test_jobs_of_flink_count_without_an_end(
    tmp_path: Path, facets: dict[str, Any], producer: str, expected: int
) -> None:
    """Its older listeners do not say that a job is streaming; a job that says it is a batch is one."""
    said = event("START", START, inputs=[dataset("a")], outputs=[dataset("b")], **facets)

    assert len(take(tmp_path, [said | {"producer": producer}])) == expected


def test_a_namespace_is_named_as_the_mapping_file_says_wherever_an_event_has_it(tmp_path: Path) -> None:
    """Inputs, outputs and the datasets in facets change their names; a job of the same namespace keeps its own."""
    run = event(
        "COMPLETE",
        START,
        inputs=[dataset("orders")],
        outputs=[dataset("sums", columnLineage=columns_of(total=["orders.amount"]))],
    )
    run["job"]["namespace"] = "db"
    take(tmp_path, [run], rules=policies(namespaces={"db": "postgres"}))

    assert pairs(tmp_path) == {("postgres:orders#amount", "postgres:sums#total")}
    assert tasks(tmp_path) == {"db/job"}
