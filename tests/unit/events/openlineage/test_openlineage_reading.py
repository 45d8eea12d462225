"""Bytes to events: what is the same for all runs of a job that do the same, and what is not."""

from __future__ import annotations

import json
from typing import Any

import pytest
from run_events import START, dataset, event

from ingest.events.openlineage import reading
from ingest.events.openlineage.reading import Event, parse_event
from lineage_tt.model.messages import RejectedMessage

RUN = event("COMPLETE", START, inputs=[dataset("a")], outputs=[dataset("b")])


def read(given: Any, **more: Any) -> Event:
    """The event in an object; it is one."""
    found = parse_event(json.dumps(given).encode(), **more)
    assert isinstance(found, Event), found
    return found


def refused(given: Any, **more: Any) -> str:
    """The reason why an object is not an event."""
    raw = given if isinstance(given, bytes) else json.dumps(given).encode()
    found = parse_event(raw, **more)
    assert isinstance(found, RejectedMessage)
    assert found.raw == raw
    return found.detail


def with_run(**facets: Any) -> dict[str, Any]:
    """A run event with facets of its run."""
    return RUN | {"run": {"runId": "r", "facets": facets}}


def test_an_event_says_who_and_when() -> None:
    """Of a run, a job or a dataset; only a run has an id and a type."""
    found = read(RUN)
    assert (found.kind, found.at, found.type) == ("run", START, "COMPLETE")
    assert (found.run_id, found.namespace, found.name) == ("r1", "etl", "job")

    declared = read(event(None, START))
    assert (declared.kind, declared.type, declared.run_id, declared.name) == ("job", "", "", "job")
    about = read({"eventTime": "2026-01-01T00:00:00Z", "dataset": dataset("t")})
    assert (about.kind, about.namespace, about.name) == ("dataset", "db", "t")


@pytest.mark.parametrize(
    ("text", "at"),
    [("2026-01-01T00:00:00Z", 0), ("2026-01-01T01:00:00+01:00", 0), ("2026-01-01T00:00:00.0000019Z", 1),
     ("2026-01-01T00:00", 0), ("2026-01-01T00:00:00.123456789", 123_456), ("2025-12-31T23:59:59.999999Z", -1),
     ("2026-01-01T00:00:00z", 0), ("2026-01-01t00:00:00z", 0), ("2025-12-31T23:59:60Z", 0), ("2025-12-31T23:59:60", 0),
     ("2026-01-01T01:59:60.25+02:00", 250_000), ("2025-12-31T23:59:60.123456789z", 123_456)],
)  # fmt: skip
def test_times_are_utc_microseconds(text: str, at: int) -> None:
    """What is finer is cut off; a time without a zone, as OpenLineage's clients once wrote it, is UTC.

    RFC 3339 has a small z, and the leap second.
    """
    assert read(RUN | {"eventTime": text}).at == START + at


@pytest.mark.parametrize(
    ("given", "type_"),
    [("complete", "COMPLETE"), ("ABORT", "ABORT"), ("PAUSED", "OTHER"), (None, "OTHER")],
)
def test_a_type_that_is_not_known_is_another(given: Any, type_: str) -> None:
    """The event counts all the same; a type that is missing or not known is a problem of it."""
    found = read(RUN | {"eventType": given})
    assert found.type == type_
    is_problem = found.problem is not None and found.problem[0] == "unknown-event-type"
    assert is_problem is (type_ == "OTHER")


@pytest.mark.parametrize(
    ("given", "words"),
    [(b"[1]", "not a JSON object"), (b"{", "JSON"), ({}, "no run, no job and no dataset"),
     ({k: v for k, v in RUN.items() if k != "eventTime"}, "eventTime: is missing"),
     (RUN | {"eventTime": "soon"}, "soon"), (RUN | {"eventType": 7}, "eventType: must be text"),
     (RUN | {"eventTime": ""}, "eventTime: must be text, and not empty"), (RUN | {"run": 7}, "run: must be an object"),
     (RUN | {"run": {}}, "run.runId: is missing"), (RUN | {"job": None}, "job: must be an object"),
     (RUN | {"job": {"name": "x"}}, "namespace: is missing"), (RUN | {"inputs": {}}, "inputs: must be a list"),
     (RUN | {"outputs": [None]}, "outputs: must be an object"), (RUN | {"began": "soon"}, "soon"),
     (RUN | {"outputs": [{"name": "x"}]}, "namespace")],
)  # fmt: skip
def test_what_is_no_event_is_refused_with_the_reason(given: Any, words: str) -> None:
    """Its bytes are kept as they came."""
    assert words in refused(given)


def test_a_refusal_says_where_in_its_source_it_was() -> None:
    """As well as one of an event over which a translation fails."""

    def failing(given: Any) -> Any:
        raise ValueError("not of this format")

    found = parse_event(json.dumps(RUN).encode(), position=7, translate=failing)

    assert isinstance(found, RejectedMessage)
    assert (found.position, "not of this format" in found.detail) == (7, True)


def test_runs_that_say_the_same_have_one_shape() -> None:
    """Whatever their time, type, run, order of fields, and what their facets say of the run itself."""
    other = dict(reversed(event("START", START + 1, run="r2", inputs=[dataset("a")], outputs=[dataset("b")]).items()))
    other["run"]["facets"] = {"nominalTime": {"nominalStartTime": "2026-01-01T00:00:00Z"}, "own": {"host": "h2"}}
    plain = read(RUN | {"run": {"runId": "r1", "facets": {}}})

    assert read(other).shape == plain.shape
    assert read(other).digest != plain.digest
    assert read(RUN | {"outputs": [dataset("c")]}).shape != plain.shape
    assert read(RUN | {"inputs": [], "outputs": [*RUN["inputs"], *RUN["outputs"]]}).shape != plain.shape


def test_who_produced_an_event_is_of_its_shape() -> None:
    """By it some jobs are known to have no end; one that is not said is as an empty one."""
    without = {name: each for name, each in RUN.items() if name != "producer"}

    assert read(RUN).shape != read(without).shape == read(RUN | {"producer": ""}).shape


def test_facets_that_count_anything_make_no_shape() -> None:
    """Versions, metrics and what was written differ from run to run; a schema does not."""
    counted = dataset("b", version={"datasetVersion": "7"}, dataQualityMetrics={"rowCount": 7})
    counted["outputFacets"] = {"outputStatistics": {"rowCount": 7}}

    assert read(RUN | {"outputs": [counted]}).shape == read(RUN).shape
    assert read(RUN | {"outputs": [dataset("b", schema={"fields": []})]}).shape != read(RUN).shape


@pytest.mark.parametrize(
    ("name", "one", "other"),
    [("parent", {"run": {"runId": "1"}, "job": {"namespace": "n", "name": "j", "x": 1},
                 "root": {"run": {"runId": "2"}, "job": {"namespace": "n", "name": "t"}}},
      {"job": {"name": "j", "namespace": "n"}, "root": {"job": {"namespace": "n", "name": "t"}}}),
     ("parent", {"job": 7, "root": {"job": None}}, {"job": 7}),
     ("processing_engine", {"name": "x", "version": "1"}, {"name": "x"}),
     ("trino_query_context", {"user": "u", "server_address": "h", "schema": None}, {"user": "u"}),
     ("test", {"tests": [{"name": "t", "status": "pass", "actual": 1}]}, {"tests": [{"name": "t", "status": "pass"}]}),
     ("extractionError", {"failedTasks": 1, "errors": ["line 7"]}, {"failedTasks": 2, "errors": [{}]}),
     ("processing_engine", 7, 7), ("trino_query_context", ["x"], ["x"]), ("parent", ["x"], ["x"]),
     ("jobDependencies", {"upstream": [{"job": {"namespace": "n", "name": "j"}, "run": 1}]},
      {"upstream": [{"job": {"namespace": "n", "name": "j"}}]})],
)  # fmt: skip
def test_of_a_run_s_facets_what_names_the_run_is_left_out(name: str, one: Any, other: Any) -> None:
    """What is left tells shapes apart."""
    shape = read(with_run(**{name: one})).shape

    assert shape == read(with_run(**{name: other})).shape
    assert shape != read(with_run()).shape


def test_checks_of_all_uses_of_a_dataset_are_of_its_shape() -> None:
    """Their results, not the values that they saw."""

    def checked(success: bool, actual: int) -> Event:
        item = {"assertion": "unique", "success": success, "actual": actual}
        return read(
            RUN | {"inputs": [dataset("a") | {"inputFacets": {"dataQualityAssertions": {"assertions": [item]}}}]}
        )

    assert checked(True, 1).shape == checked(True, 2).shape
    assert checked(True, 1).shape != checked(False, 1).shape
    body = json.loads(checked(True, 1).body or b"")
    assert body["inputs"][0]["facets"] == {
        "dataQualityAssertions": {"assertions": [{"assertion": "unique", "success": True}]}
    }


def test_checks_stand_beside_the_other_facets_of_a_dataset() -> None:
    """Those of the dataset itself count with those of its use; facets of another shape are refused as such."""
    item = {"assertion": "unique", "success": True}
    used = dataset("a", schema={"fields": []}, dataQualityAssertions={"assertions": [item]})
    used["inputFacets"] = {"dataQualityAssertions": {"assertions": [item | {"assertion": "rows"}]}}
    (found,) = json.loads(read(RUN | {"inputs": [used]}).body or b"")["inputs"]

    assert found["facets"]["schema"] == {"fields": []}
    assert [each["assertion"] for each in found["facets"]["dataQualityAssertions"]["assertions"]] == ["rows", "unique"]
    assert "facets" in refused(RUN | {"inputs": [used | {"facets": [1]}]})


def test_rows_and_bytes_are_figures_by_dataset() -> None:
    """What is not a count is not known; an output that says nothing about them has no figures."""

    def written(name: str, **said: Any) -> dict[str, Any]:
        return dataset(name) | {"outputFacets": {"outputStatistics": said}}

    outputs = [
        written("b", rowCount=3, size=40),
        written("c", rowCount=True, size=-1),
        written("d", size=2**63),
        dataset("e"),
    ]

    assert read(RUN | {"outputs": outputs}).figures == {
        "db:b": (3, 40), "db:c": (None, None), "db:d": (None, None),
    }  # fmt: skip


@pytest.mark.parametrize(
    ("facet", "nominal"),
    [({"nominalStartTime": "2026-01-01T00:00:01Z"}, START + 1_000_000), ({"nominalStartTime": "soon"}, None),
     ({"nominalStartTime": 7}, None), ({}, None), (7, None)],
)  # fmt: skip
def test_a_nominal_time_that_cannot_be_read_is_none(facet: Any, nominal: int | None) -> None:
    """It ends no event."""
    assert read(with_run(nominalTime=facet)).nominal == nominal


def test_a_shape_that_is_known_is_not_read_again() -> None:
    """Neither its body nor what is beside it; an event of another shape is validated."""
    found = read(RUN)

    assert found.body is not None
    again = read(RUN, known={found.shape})
    assert (again.shape, again.body, again.extras) == (found.shape, None, None)


def test_what_is_beside_the_lineage_is_kept() -> None:
    """Facets of the run, of each use of a dataset, and of the event; values of the environment are not."""
    used = dataset("a", version={"datasetVersion": "7"}, schema={}) | {"inputFacets": {"own": 1}}
    secret = {"environmentVariables": [{"name": "TOKEN", "value": "hunter2"}, 7]}
    given = with_run(own={"x": 1}, tags={"tags": []}, environmentVariables=secret) | {"inputs": [used], "later": [2]}
    extras = json.loads(read(given).extras or b"")

    assert extras["run"] == {"own": {"x": 1}, "environmentVariables": {"names": ["TOKEN"]}}
    assert extras["inputs"] == {"db:a": {"version": {"datasetVersion": "7"}, "inputFacets": {"own": 1}}}
    assert (extras["event"]["later"], "outputs" in extras) == ([2], False)


def test_of_what_is_too_long_beside_the_lineage_the_names_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """The event itself counts whole."""
    monkeypatch.setattr(reading, "MAX_EXTRAS", 100)

    assert json.loads(read(with_run(own="x" * 100)).extras or b"") == {
        "left_out": ["event.producer", "event.schemaURL", "run.own"]
    }


def test_credentials_are_masked_in_what_is_kept() -> None:
    """In SQL and beside it; the shape is of what came."""
    given = with_run(own={"url": "http://ada:hunter2@host/"})
    given["job"] = RUN["job"] | {"facets": {"sql": {"query": "select 1 from 'http://ada:hunter2@host/'"}}}
    found = read(given)

    assert b"hunter2" not in (found.body or b"") + (found.extras or b"")
    assert b"select 1" in (found.body or b"")


def test_a_query_that_only_has_a_number_is_a_run_of_the_job_query() -> None:
    """Its server gives each a number of its own; only for engines that do so."""
    number = "20260101_020001_00001_abcde"

    def named(integration: str) -> Event:
        kind = {"jobType": {"integration": integration}}
        return read(RUN | {"job": {"namespace": "n", "name": number, "facets": kind}})

    assert (named("TRINO").name, named("TRINO").run_id) == ("query", number)
    assert (named("SPARK").name, named("SPARK").run_id) == (number, "r1")


def test_a_run_may_say_at_its_end_when_it_began() -> None:
    """A time that is not a text is not said."""
    assert read(RUN | {"began": "2025-12-31T23:59:59Z"}).began == START - 1_000_000
    assert read(RUN | {"began": 7}).began is read(RUN).began is None


def test_events_of_other_formats_are_translated_first() -> None:
    """Both the shape and what is validated are those of the translation."""
    found = read({"other": 1}, translate=lambda given: RUN if "other" in given else given)

    assert found.shape == read(RUN).shape
    assert "no run, no job" in refused({"other": 1})
