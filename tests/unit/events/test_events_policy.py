"""What a mapping file says of events, and what tasks are called by it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from run_events import policies

from ingest.events.openlineage.merging import Dataset, JobName, Picture
from ingest.events.policy import UNFINISHED, Policies, load_policies, places, trimmed
from lineage_tt.model.errors import InvalidRequestError

ALL = ("date", "uuid", "attempt")
MINUTE = 60_000_000


def picture(
    name: str = "job", *, namespace: str = "etl", run: Any = None, outputs: tuple[str, ...] = (), **job: Any
) -> Picture:
    """A run of a job."""
    written = {f"db:{each}": Dataset("db", each) for each in outputs}
    return Picture(JobName(namespace, name), job, {}, written, run or {}, "p")


@pytest.mark.parametrize(
    ("name", "expected"),
    [("load_2026-05-01", "load"), ("load_20260501_eu", "load_eu"),
     ("scheduled__2026-05-01T00:00:00+00:00", "scheduled"),
     ("spark_20260801T101500Z_job", "spark_job"), ("a-123e4567-e89b-12d3-a456-426614174000-b", "a-b"),
     ("dag.task_try1", "dag.task"), ("job_attempt_3", "job"), ("2026-05-01", "2026-05-01"),
     ("retry_count", "retry_count"),
     ("table_20261399", "table_20261399"), ("x20260501", "x20260501"), ("orders_v2", "orders_v2"), ("", ""),
     ("load_2026-05-01_try_2", "load"), ("größe_2026.05.01", "größe")],
)  # fmt: skip
def test_what_differs_between_runs_is_trimmed(name: str, expected: str) -> None:
    """Dates, UUIDs and attempts go with what parts them from the rest; numbers of other kinds stay."""
    assert trimmed(name, ALL) == expected


def test_only_what_the_mapping_names_is_trimmed() -> None:
    """Nothing at all, or one of them."""
    name = "load_2026-05-01_try_2"

    assert trimmed(name, ()) == name
    assert trimmed(name, ("attempt",)) == "load_2026-05-01"


@pytest.mark.parametrize(
    ("text", "word"),
    [("[fields]\nop = 'x'", "says nothing about Open"), ("[openlineage]\nedge = 'union'", "did you mean edges"),
     ("[openlineage]\ntask = '{job.nam}'", "there is no {job.nam}"),
     ("[openlineage]\ntask = 'all'", "all jobs would be one task"),
     ("[openlineage]\nunseen = { time = '3 days' }", "write 90s, 10m, 12h, 30d or 2w"),
     ("[openlineage]\nunseen = { runs = 0 }", "unseen.runs"),
     ("[openlineage]\nsessions = { trino = 'hive' }", "CATALOG.SCHEMA"),
     ("[[openlineage.source]]\nedges = 'union'", "when: is missing"),
     ("[[openlineage.source]]\nwhen = { jobname = 'x' }", "when: there is no jobname")],
)  # fmt: skip
def test_a_wrong_policy_is_refused_with_what_to_write(tmp_path: Path, text: str, word: str) -> None:
    """A mapping file that cannot be meant is a wrong call, before any event is read."""
    path = tmp_path / "mapping.toml"
    path.write_text(text, encoding="utf-8")

    with pytest.raises(InvalidRequestError) as refused:
        load_policies(path)
    assert word in str(refused.value)


def test_where_a_policy_is_not_required_the_defaults_count(tmp_path: Path) -> None:
    """For a file that is not there, and for one that says nothing about events; a wrong one is refused all the same."""
    path = tmp_path / "mapping.toml"
    default = Policies().digest
    assert load_policies(None).digest == load_policies(path, required=False).digest == default

    with pytest.raises(InvalidRequestError):
        load_policies(path)

    path.write_text("[fields]\nop = 'x'", encoding="utf-8")
    assert load_policies(path, required=False).digest == default
    path.write_text("[openlineage]\nedges = 'union'", encoding="utf-8")
    assert load_policies(path, required=False).default.edges == "union"
    path.write_text("[openlineage]\nedges = 'odd'", encoding="utf-8")
    with pytest.raises(InvalidRequestError, match="edges"):
        load_policies(path, required=False)


def test_what_a_mapping_does_not_say_has_a_default() -> None:
    """A source's own rules count before those of all sources."""
    plain = Policies()
    assert (plain.default.edges, plain.default.effective_at, plain.default.debounce) == ("replace", "start", MINUTE)
    assert (plain.unfinished, plain.varied, plain.default.trim) == (UNFINISHED, False, ALL)

    source = {"when": {"job.name": "b*"}, "edges": "declared", "trim": []}
    found = policies(edges="union", dialect="hive", unfinished="0s", source=[source], unseen={"runs": 2, "time": "1h"})
    own = found.of(picture("bb"))
    assert (found.unfinished, found.varied, found.default.edges) == (0, True, "union")
    assert (own.edges, own.dialect, own.trim, own.unseen.runs, own.unseen.time) == (
        "declared",
        "hive",
        (),
        2,
        60 * MINUTE,
    )


def test_the_first_source_that_fits_counts() -> None:
    """All its patterns must fit; what a picture does not have is the empty text."""
    sources = [{"when": {"job.name": "a*", "job.namespace": "etl"}, "task": "1/{job.name}"},
               {"when": {"job.name": "a?"}, "task": "2/{job.name}"},
               {"when": {"integration": ""}, "task": "3/{job.name}"}]  # fmt: skip
    found = policies(source=sources)

    def task(given: Picture) -> str:
        return found.of(given).task_of(given)

    assert [task(picture("ab")), task(picture("ab", namespace="x")), task(picture("b"))] == ["1/ab", "2/ab", "3/b"]
    assert task(picture("b", jobType={"integration": "SPARK"})) == "etl/b"
    assert found.task_of(JobName("x", "ab")) == "2/ab"


def parents(name: str = "dag_2026-01-01", root: str | None = None) -> dict[str, Any]:
    """A facet that names the jobs above a run."""
    above = {"root": {"job": {"namespace": "air", "name": root}}} if root else {}
    return {"parent": {"job": {"namespace": "air", "name": name}, **above}}


@pytest.mark.parametrize(
    ("template", "given", "task"),
    [("{job.namespace}:{job.name}", picture("a_2026-01-01"), "etl:a"),
     ("{parent.name|job.name}", picture(run=parents()), "dag"),
     ("{parent.name|job.name}", picture("a"), "a"), ("{root.name|parent.name}", picture(run=parents(root="top_try1")),
                                                     "top"),
     ("{tag.team}/{job.name}", picture(tags={"tags": [{"key": "team", "value": "x_2026-01-01"}]}), "x_2026-01-01/job"),
     ("{tag.team}", picture("a"), "etl/a"), (" {outputs} ", picture(outputs=("b", "a")), "db:a,db:b"),
     ("{producer}/{integration}", picture(jobType={"integration": "SPARK"}), "p/SPARK")],
)  # fmt: skip
def test_a_template_names_the_task(template: str, given: Picture, task: str) -> None:
    """The first place that is there counts; names alone are trimmed. Where it gives nothing, the job is the task."""
    assert policies(task=template).default.task_of(given) == task


def test_a_query_without_a_name_is_called_by_what_it_does() -> None:
    """Where the mapping gives no template of its own."""
    query = picture("query", jobType={"integration": "TRINO"}, outputs=("dw.sales",))
    query.run = {"trino_query_context": {"source": "loader"}}

    assert Policies().default.task_of(query) == "etl/loader/dw.sales"
    assert policies(task="{job.name}/{query.tables}").default.task_of(query) == "query/dw.sales"


def test_places_are_those_of_the_picture() -> None:
    """What is not there is the empty text; tags have names of their own."""
    found = places(picture(run=parents("dag", "top"), tags={"tags": [{"key": "a.b", "value": "c"}, {"key": "d"}]}))

    assert {name: each for name, each in found.items() if each} == {
        "job.namespace": "etl", "job.name": "job", "parent.namespace": "air", "parent.name": "dag",
        "root.namespace": "air",
        "root.name": "top", "producer": "p", "tag.a.b": "c",
    }  # fmt: skip
    assert found["tag.d"] == found["integration"] == ""


def test_a_digest_is_of_what_statements_depend_on() -> None:
    """Their names, the dialect of their SQL, how they add up; not of when a run takes effect."""
    source = {"when": {"job.name": "a"}}
    said: list[dict[str, Any]] = [
        {}, {"task": "{job.name}"}, {"trim": []}, {"dialect": "hive"}, {"edges": "union"},
        {"edges": "union", "unseen": {"runs": 2}}, {"source": [source]}, {"source": [{"when": {"job.name": "b"}}]},
    ]  # fmt: skip
    changed = [policies(**each).digest for each in said]

    assert len(set(changed)) == len(changed)
    assert policies(effective_at="nominal", namespaces={"a": "b"}).digest == changed[0]
