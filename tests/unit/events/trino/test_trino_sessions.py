"""The session of a query whose listener does not report it."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from ingest.events.trino.sessions import with_session

SESSIONS = {"trino": "hive.dw", "trino://other": "lake.a.b", "spark": "hive.dw"}


def event(facets: Any = None, *, namespace: Any = "trino://x", integration: str = "TRINO") -> dict[str, Any]:
    """A run event of a query."""
    run = {"runId": "r", **({"facets": facets} if facets is not None else {})}
    return {
        "run": run,
        "job": {"namespace": namespace, "facets": {"jobType": {"integration": integration}}},
        "inputs": [],
    }


def context(given: dict[str, Any], sessions: dict[str, str] = SESSIONS) -> Any:
    """The context of a query after it got its session; the event that was given does not change."""
    before = copy.deepcopy(given)
    found = with_session(given, sessions)

    assert given == before
    assert found["inputs"] == []
    return found["run"]["facets"]["trino_query_context"]


def test_the_mapping_gives_the_session_of_an_engine() -> None:
    """That of the event's server counts first; of its parts the first is the catalog, the rest the schema."""
    assert context(event({})) == context(event()) == {"catalog": "hive", "schema": "dw"}
    assert context(event(namespace="trino://other")) == {"catalog": "lake", "schema": "a.b"}


def test_what_is_known_of_a_query_stays() -> None:
    """Half a session completes no name, and is replaced as a whole."""
    given = event({"trino_query_context": {"user": "etl", "catalog": "old"}, "own": 1})

    assert context(given) == {"user": "etl", "catalog": "hive", "schema": "dw"}
    assert with_session(given, SESSIONS)["run"]["facets"]["own"] == 1
    assert context(event({"trino_query_context": None})) == {"catalog": "hive", "schema": "dw"}


@pytest.mark.parametrize(
    "given",
    [event({"trino_query_context": {"catalog": "a", "schema": "b"}}), event(integration="SPARK"),
     event(integration="PRESTO"), event({"trino_query_context": 7}), {"run": {}, "job": {"facets": 7}},
     event(7), {**event(), "run": 7}, {"run": {}, "job": 7}, {"dataset": {}}],
)  # fmt: skip
def test_an_event_that_has_a_session_or_is_no_query_stays_as_it_is(given: dict[str, Any]) -> None:
    """So does one of an engine that the mapping does not name, and one of another shape."""
    assert with_session(given, SESSIONS) is given


def test_without_a_mapping_nothing_changes() -> None:
    """The event itself is returned."""
    given = event({})

    assert with_session(given, {}) is given
