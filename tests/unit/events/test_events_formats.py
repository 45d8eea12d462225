"""An event shows by its fields of which format it is."""

from __future__ import annotations

from typing import Any

import pytest

from ingest.events.formats import PARTS, as_openlineage

TRINO: dict[str, Any] = {"metadata": {"queryId": "q", "uri": "http://h:1/"}, "createTime": "2026-01-01T00:00:00Z"}
HIVE = {"vertices": [{"id": 0, "vertexId": "d.t.x"}, {"id": 1, "vertexId": "d.s.y"}],
        "edges": [{"sources": [1], "targets": [0], "edgeType": "PROJECTION"}], "timestamp": 0}  # fmt: skip
ATLAS: dict[str, Any] = {"msgCreationTime": 1_767_225_600_000,
         "message": {"type": "ENTITY_CREATE", "entities": [{"typeName": "hive_table",
                                                            "attributes": {"qualifiedName": "d.t@c"}}]}}  # fmt: skip
JOB = {
    "namespace": "trino://x",
    "name": "j",
    "facets": {"jobType": {"integration": "TRINO"}, "sql": {"query": "drop table t"}},
}


@pytest.mark.parametrize(
    ("given", "name"),
    [(TRINO, "query"), ({"eventPayload": TRINO}, "query"), (HIVE, "d.t/"), (ATLAS, "tables/d.t"),
     (ATLAS["message"] | {"msgCreationTime": 1_767_225_600_000}, "tables/d.t")],
)  # fmt: skip
def test_events_of_engines_become_run_events(given: dict[str, Any], name: str) -> None:
    """Each of the format that its fields have."""
    assert as_openlineage(given, {})["job"]["name"].startswith(name)


@pytest.mark.parametrize(
    ("given", "namespace"), [(TRINO, "trino://prod"), (HIVE, "hive://prod"), (ATLAS, "hive://prod")]
)
def test_tables_of_an_engine_are_of_the_namespace_that_the_mapping_gives(given: dict[str, Any], namespace: str) -> None:
    """That of the engine, not of another."""
    found = as_openlineage(given, {"trino": "trino://prod", "hive": "hive://prod"})

    assert found["job"]["namespace"] == namespace
    assert {each["namespace"] for each in found["outputs"]} <= {namespace}


def test_events_of_openlineage_get_names_and_a_session() -> None:
    """What a query drops is named in full by it; a run event that has fields of other formats is one all the same."""
    given = {"run": {"runId": "r"}, "job": JOB, "metadata": {"queryId": "q"}, "vertices": [], "edges": []}
    (output,) = as_openlineage(given, {"trino://x": "trino://prod"}, {"trino": "hive.dw"})["outputs"]

    assert (output["namespace"], output["name"]) == ("trino://prod", "hive.dw.t")
    assert output["facets"]["lifecycleStateChange"] == {"lifecycleStateChange": "DROP"}
    renamed = as_openlineage({"dataset": {"namespace": "a", "name": "t"}}, {"a": "b"})
    assert renamed == {"dataset": {"namespace": "b", "name": "t"}}


def test_what_a_query_of_trino_drops_is_found_in_its_event() -> None:
    """The listener names no table."""
    given = {**TRINO, "metadata": {**TRINO["metadata"], "query": "drop table a.b.c"}, "endTime": "2026-01-01T00:00:01Z"}

    assert [each["name"] for each in as_openlineage(given, {})["outputs"]] == ["a.b.c"]


def test_an_event_of_no_known_format_stays_as_it_is() -> None:
    """It is refused where it is read."""
    given = {"eventTime": "2026-01-01T00:00:00Z", "message": "hello"}

    assert as_openlineage(given, {"": "x"}) is given


def test_an_event_of_a_known_format_that_says_nothing_is_refused() -> None:
    """With the reason of that format."""
    with pytest.raises(ValueError, match="log-split=false"):
        as_openlineage({"queryId": "q"}, {})


@pytest.mark.parametrize(
    "given", [TRINO, {"eventPayload": TRINO}, HIVE, ATLAS, ATLAS["message"], {"run": {}}, {"dataset": {}}]
)
def test_each_format_has_a_part_by_which_files_are_told(given: dict[str, Any]) -> None:
    """A file of a folder that begins with none of them holds no events."""
    assert not PARTS.isdisjoint(given)
