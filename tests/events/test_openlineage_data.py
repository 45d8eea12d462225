"""The specification's examples, the scenarios of its compatibility tests and recorded events: all that they state."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import openlineage_stated as stated
import pytest
from openlineage_stated import Event, events_of
from run_events import START, dataset_event, event, pairs, take

from lineage_tt import Store


def scenarios(shared: Path) -> list[tuple[str, list[Event]]]:
    """Return each recorded file and each scenario with its events."""
    data = shared / "data" / "openlineage"
    result = [(f"recorded-{path.stem}", events_of(path)) for path in sorted((data / "recorded").iterdir())]
    for folder in sorted((data / "scenarios").iterdir()):
        events = [each for path in sorted((folder / "events").iterdir()) for each in events_of(path)]
        result.append((folder.name, events))
    return result


def test_recorded_events_and_scenarios_are_answered_and_nothing_is_invented(shared_dir: Path, tmp_path: Path) -> None:
    """Every edge, column, alias, owner and description that they state is in the store, and no other edge."""
    assert len(scenarios(shared_dir)) == 7
    for name, events in scenarios(shared_dir):
        receipts = take(tmp_path / name, events)
        store = Store.open(tmp_path / name)
        view = store.as_of()
        facts = {(f.node, f.key, f.value) for f in view.facts()}
        columns = {(f.node.partition("#")[0], "column", f.node.partition("#")[2]) for f in view.facts(key="type")}
        columns |= {(c.dataset, "column", c.column) for c in view.columns()}

        assert {receipt.status for receipt in receipts} == {"accepted"}, name
        assert {(e.source, e.target) for e in view.edges()} == stated.edges(events), name
        assert stated.facts(events) <= facts | columns, name


def test_the_order_of_a_scenarios_files_does_not_count(shared_dir: Path, tmp_path: Path) -> None:
    """Backwards, event by event, a scenario gives the same lineage."""
    for name, events in scenarios(shared_dir):
        take(tmp_path / name / "a", events)
        take(tmp_path / name / "b", *([each] for each in reversed(events)))

        assert pairs(tmp_path / name / "a") == pairs(tmp_path / name / "b"), name


def test_dbt_projects_events_are_answered(shared_dir: Path, tmp_path: Path) -> None:
    """What dbt reports of six projects is taken in: tables by the lists, columns where the SQL says them."""
    paths = sorted((shared_dir / "data" / "dbt_openlineage").rglob("result.json"))
    assert len(paths) == 7
    for path in paths:
        folder = tmp_path / str(paths.index(path))
        events = [_filled(each, number) for number, each in enumerate(events_of(path))]
        receipts = take(folder, events)
        tables = {(s.partition("#")[0], t.partition("#")[0]) for s, t in pairs(folder)}
        outputs = {node for run in stated.decided(events) for each in run for node in map(stated.node, each["outputs"])}

        assert all(receipt.status == "accepted" for receipt in receipts), path
        assert {table for _, table in tables} <= outputs, path
        assert stated.edges(events) <= tables, path


def _filled(given: Any, number: int) -> Event:
    """Return an event of dbt's tests with a run and a time in the place of what stands for any, or is left out."""
    given["run"] = {**given.get("run", {}), "runId": f"run of {given['job']['name']}"}
    given["eventTime"] = f"2026-01-01T00:00:{number:02d}Z"
    made: Event = json.loads(json.dumps(given).replace("{{ any(result) }}", "any"))
    return made


EXAMPLES = {
    "run": ("EnvironmentVariables", "ErrorMessage", "ExternalQuery", "ExtractionError", "NominalTime", "ParentRun",
            "ProcessingEngine", "TagsRun"),
    "job": ("DocumentationJob", "JobType", "OwnershipJob", "SQLJob", "SourceCodeJob", "SourceCodeLocation", "TagsJob"),
    "input": ("DataQualityMetricsInput",),
    "output": ("OutputStatistics",),
}  # fmt: skip


def with_facets(place: str, facets: Event) -> list[Event]:
    """Return a run of two events whose job, run or dataset has these facets."""
    source: Event = {"namespace": "db", "name": "in"}
    target: Event = {"namespace": "db", "name": "out"}
    if place == "input":
        source["inputFacets"] = facets
    elif place == "output":
        target["outputFacets"] = facets
    elif place == "dataset":
        target["facets"] = facets
    job = facets if place == "job" else {}
    run = facets if place == "run" else {}
    said: Event = {"inputs": [source], "outputs": [target], "job_facets": job, "run_facets": run}
    return [event("START", START), event("COMPLETE", START + 1_000_000, **said)]


def place_of(folder: str) -> str:
    """Return where the facet of a folder of examples belongs."""
    return next((place for place, names in EXAMPLES.items() if folder.startswith(names)), "dataset")


def test_every_facet_example_is_accepted(shared_dir: Path, tmp_path: Path) -> None:
    """Each example in a run, and each of a dataset in a dataset event, is accepted as it stands."""
    paths = sorted((shared_dir / "data" / "openlineage" / "facet_examples").rglob("*.json"))
    assert len(paths) > 40
    for number, path in enumerate(paths):
        facets = json.loads(path.read_text(encoding="utf-8"))
        if "eventTime" in facets:
            batch = [facets]
        elif path.parent.name == "LineageFacet":
            entries = "entries" in facets["lineage"]
            batch = with_facets("job" if entries else "dataset", facets)
        else:
            place = place_of(path.parent.name)
            batch = with_facets(place, facets)
            if place == "dataset" and not path.parent.name.startswith("LineageFacet"):
                batch.append(dataset_event(START, "out", **facets))
        receipts = take(tmp_path / str(number), batch)

        assert all(receipt.status == "accepted" for receipt in receipts), path
        assert receipts or "eventTime" in facets, path


@pytest.mark.parametrize(
    ("example", "expected"),
    [
        ("dataset-to-dataset", {("W:public.customers", "OUT"), ("W:public.customers#id", "OUT#customer_id")}),
        ("dataset-to-job", {("W:public.staging_orders#order_id", "task:airflow://production/daily.load")}),
        ("generator", {("task:etl/job", "W:public.extracted_data#total")}),
        ("implicit-job", {("postgresql://production:5432:public.transactions", "task:etl/job")}),
        ("job-to-dataset", {("task:airflow://production/daily.extract", "W:public.daily_summary")}),
        ("job-to-job", {("task:airflow://production/daily.transform", "task:airflow://production/daily.load")}),
        (
            "mixed-sources",
            {
                ("W:public.orders", "W:public.enriched_orders"),
                ("task:airflow://production/daily.enrichment", "W:public.enriched_orders"),
                ("W:public.orders#customer_id", "W:public.enriched_orders#customer_segment"),
                ("task:airflow://production/daily.enrichment", "W:public.enriched_orders#customer_segment"),
            },
        ),
    ],
)  # fmt: skip
def test_explicit_lineage_is_answered_as_stated(
    shared_dir: Path, tmp_path: Path, example: str, expected: set[tuple[str, str]]
) -> None:
    """Each worked example of the lineage facet gives its edges, jobs among them, and no others."""
    path = shared_dir / "data" / "openlineage" / "facet_examples" / "LineageFacet" / f"{example}.json"
    facets = json.loads(path.read_text(encoding="utf-8"))
    said: dict[str, Any] = {"job_facets": facets}
    if "entries" not in facets["lineage"]:
        said = {"outputs": [{"namespace": "db", "name": "out", "facets": facets}]}
    take(tmp_path, [event("COMPLETE", START, **said)])

    def full(name: str) -> str:
        return name.replace("W:", "postgresql://warehouse:5432:").replace("OUT", "db:out")

    assert pairs(tmp_path) == {(full(source), full(target)) for source, target in expected}
