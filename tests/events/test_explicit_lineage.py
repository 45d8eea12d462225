"""What guides of the lineage facets say of whole events: a facet speaks for its job, the rest is the job's own."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from run_events import START, Event, dataset, event, pairs, take

from lineage_tt import Store

OWN = "task:etl/job"


def fed(name: str, *inputs: Any, **fields: Any) -> Event:
    """Return an entry: a dataset that is fed by these, whole or (``fields``) column by column."""
    entry: Event = {"namespace": "db", "name": name, "type": "DATASET"}
    if inputs or not fields:
        entry["inputs"] = [each for each in inputs if each is not None]
    return entry | ({"fields": {each: {"inputs": listed} for each, listed in fields.items()}} if fields else {})


def of(name: str, field: str | None = None, kind: str = "DATASET") -> Event:
    """Return an input."""
    made = {"namespace": "db" if kind == "DATASET" else "etl", "name": name, "type": kind}
    return made | ({"field": field} if field else {})


FOUR = {"inputs": [dataset("a"), dataset("b")], "outputs": [dataset("c"), dataset("d")]}
EXAMPLES: dict[str, tuple[Event, set[tuple[str, str]]]] = {
    "each output its own input": (
        {**FOUR, "job_facets": {"lineage": {"entries": [fed("c", of("a")), fed("d", of("b"))]}}},
        {("db:a", "db:c"), ("db:b", "db:d")},
    ),
    "what no entry speaks of is the job's own": (
        {**FOUR, "job_facets": {"lineage": {"entries": [fed("c", of("a"))]}}},
        {("db:a", "db:c"), ("db:b", OWN), (OWN, "db:d")},
    ),
    "no entries at all": (
        {**FOUR, "job_facets": {"lineage": {"entries": []}}},
        {("db:a", OWN), ("db:b", OWN), (OWN, "db:c"), (OWN, "db:d")},
    ),
    "the facet goes before columnLineage": (
        {
            "inputs": [dataset("a")],
            "outputs": [dataset("c", columnLineage={"fields": {"x": {"inputFields": [of("a", "wrong")]}}})],
            "job_facets": {"lineage": {"entries": [fed("c", x=[of("a", "right")])]}},
        },
        {("db:a#right", "db:c#x")},
    ),
    "whole, dataset-wide and by column at once": (
        {
            "inputs": [dataset("a")],
            "outputs": [dataset("c")],
            "job_facets": {"lineage": {"entries": [fed("c", of("a"), of("a", "g"), x=[of("a", "s")], y=[of("a")])]}},
        },
        {("db:a", "db:c"), ("db:a#g", "db:c"), ("db:a#s", "db:c#x"), ("db:a", "db:c#y")},
    ),
    "inputs that are none": (
        {"outputs": [dataset("c")], "job_facets": {"lineage": {"entries": [fed("c", None)]}}},
        set(),
    ),
    "a column that the job makes": (
        {
            "outputs": [dataset("c")],
            "job_facets": {"lineage": {"entries": [fed("c", None, x=[{"type": "JOB"}])]}},
        },
        {(OWN, "db:c#x")},
    ),
    "from job to job": (
        {"job_facets": {"lineage": {"entries": [
            {"namespace": "etl", "name": "late", "type": "JOB", "runId": "r", "inputs": [of("early", kind="JOB")]}]}}},
        {("task:etl/early", "task:etl/late")},
    ),
    "columns of which a file is made": (
        {
            "inputs": [dataset("a")],
            "outputs": [dataset("r.pdf")],
            "job_facets": {"lineage": {"entries": [fed("r.pdf", of("a", "x"), of("a", "y"))]}},
        },
        {("db:a#x", "db:r.pdf"), ("db:a#y", "db:r.pdf")},
    ),
    "a facet of the run, as drafts had it": (
        {**FOUR, "run_facets": {"lineage": {"lineage": [fed("c", of("a")), fed("d", of("b"))]}}},
        {("db:a", "db:c"), ("db:b", "db:d")},
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", EXAMPLES)
def test_edges_are_those_stated_and_no_others(tmp_path: Path, name: str) -> None:
    """A run, and a declaration that says the same, have exactly the edges of the example."""
    said, expected = EXAMPLES[name]
    for kind in ("COMPLETE", None):
        folder = tmp_path / str(kind)
        take(folder, [event(kind, START, **said)])
        if kind is None and "run_facets" in said:
            continue  # a declaration has no run
        assert pairs(folder) == expected, kind
        assert not Store.open(folder).dead_letters()


def test_entries_of_a_runs_events_add_up(tmp_path: Path) -> None:
    """What one event of a run says of lineage, a later one does not take back; a later declaration does."""
    first, second = ({"lineage": {"entries": [fed(name, of("a"))]}} for name in "cd")
    take(tmp_path / "run", [event("START", START, job_facets=first), event("COMPLETE", START + 1, job_facets=second)])
    take(tmp_path / "job", [event(None, START, job_facets=first), event(None, START + 1, job_facets=second)])

    assert pairs(tmp_path / "run") == {("db:a", "db:c"), ("db:a", "db:d")}
    assert pairs(tmp_path / "job") == {("db:a", "db:d")}


def test_a_job_that_only_reads_or_only_writes_says_so(tmp_path: Path) -> None:
    """A detector without outputs, and a loader without inputs, have no edge; facts tell what they read and write."""
    take(
        tmp_path,
        [event("COMPLETE", START, "detector", "r1", inputs=[dataset("a")])],
        [event("COMPLETE", START, "loader", "r2", outputs=[dataset("c")])],
        [event("COMPLETE", START, "copy", "r3", inputs=[dataset("a")], outputs=[dataset("c")])],
    )
    facts = {(f.node, f.key, f.value) for f in Store.open(tmp_path).as_of().facts() if f.key in ("reads", "writes")}

    assert facts == {("task:etl/detector", "reads", "db:a"), ("task:etl/loader", "writes", "db:c")}
    assert pairs(tmp_path) == {("db:a", "db:c")}
