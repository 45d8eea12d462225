"""A query event of Trino's or Presto's listeners as a run event."""

from __future__ import annotations

from typing import Any

import pytest

from ingest.events.trino.converting import MAX_MILLISECONDS, NoQueryError, as_run_event

ORDERS = {"catalog": "hive", "schema": "ods", "table": "orders"}
SALES = {"catalogName": "hive", "schema": "dw", "table": "sales"}
NUMBER = "20260101_020001_00001_abcde"


def query(
    *, metadata: Any = None, context: Any = None, inputs: Any = (), output: Any = None, statistics: Any = None,
    **more: Any
) -> dict[str, Any]:  # fmt: skip
    """The event of a query that finished."""
    return {
        "metadata": {"queryId": NUMBER, "queryState": "FINISHED", "uri": "http://trino:8080/v1", **(metadata or {})},
        "context": {"serverVersion": "476", **(context or {})}, "statistics": statistics,
        "ioMetadata": {"inputs": inputs, "output": output}, "createTime": "2026-01-01T02:00:00Z",
        "endTime": "2026-01-01T02:00:01Z", **more,
    }  # fmt: skip


def columns_of(dataset: dict[str, Any]) -> list[dict[str, str]]:
    """The columns of a dataset."""
    return dataset["facets"]["schema"]["fields"]  # type: ignore[no-any-return]


def test_a_query_is_a_run_of_the_job_query() -> None:
    """Known by the number that its server gave it; its text is the job's."""
    found = as_run_event(query(metadata={"query": "select 1"}))

    assert (found["run"]["runId"], found["job"]["name"], found["job"]["namespace"]) == (
        NUMBER,
        "query",
        "trino://trino:8080",
    )
    assert found["job"]["facets"]["sql"] == {"query": "select 1"}
    assert found["job"]["facets"]["jobType"]["integration"] == "TRINO"
    assert "sql" not in as_run_event(query(metadata={"query": None}))["job"]["facets"]


@pytest.mark.parametrize("query_", ["EXECUTE daily USING 5", "EXECUTE IMMEDIATE 'insert into t select ?' USING 5"])
def test_the_text_of_a_prepared_statement_is_what_was_prepared(query_: str) -> None:
    """The text of EXECUTE is the same whatever it runs, so that different statements would be one task."""
    found = as_run_event(query(metadata={"query": query_, "preparedQuery": "insert into t select ?"}))

    assert found["job"]["facets"]["sql"] == {"query": "insert into t select ?"}


@pytest.mark.parametrize("prepared", [None, "", " ", 7])
def test_a_query_that_was_not_prepared_has_its_own_text(prepared: Any) -> None:
    """Most queries have none, and listeners write that as null or as an empty text."""
    found = as_run_event(query(metadata={"query": "select 1", "preparedQuery": prepared}))

    assert found["job"]["facets"]["sql"] == {"query": "select 1"}


@pytest.mark.parametrize("ended", [True, False, [2026, 1, 1], {"seconds": 1}])
def test_an_end_that_is_not_a_time_is_refused(ended: Any) -> None:
    """The event would count as the start of a query that never ends."""
    with pytest.raises(ValueError, match="endTime: must be a time"):
        as_run_event(query(endTime=ended))


@pytest.mark.parametrize(
    ("more", "kind", "at", "began"),
    [({}, "COMPLETE", "2026-01-01T02:00:01Z", "2026-01-01T02:00:00Z"),
     ({"endTime": None}, "START", "2026-01-01T02:00:00Z", None),
     ({"metadata": {"queryState": "FAILED"}}, "FAIL", "2026-01-01T02:00:01Z", "2026-01-01T02:00:00Z"),
     ({"createTime": "", "executionStartTime": "2026-01-01T02:00:00.5Z"}, "COMPLETE", "2026-01-01T02:00:01Z",
      "2026-01-01T02:00:00.5Z"),
     ({"createTime": None}, "COMPLETE", "2026-01-01T02:00:01Z", None),
     ({"createTime": 1767225600, "endTime": 1767225600500}, "COMPLETE", "2026-01-01T00:00:00.500000+00:00",
      "2026-01-01T00:00:00+00:00"),
     ({"createTime": True}, "COMPLETE", "2026-01-01T02:00:01Z", None)],
)  # fmt: skip
def test_an_event_says_how_a_query_ended_and_when(more: dict[str, Any], kind: str, at: str, began: str | None) -> None:
    """One without an end begins it; times are texts, seconds or milliseconds."""
    found = as_run_event(query(**{**more, "metadata": more.get("metadata")}))

    assert (found["eventType"], found["eventTime"], found.get("began")) == (kind, at, began)


@pytest.mark.parametrize("given", [MAX_MILLISECONDS, 1e300, float("nan")])
def test_a_number_that_is_no_time_is_refused(given: float) -> None:
    """Whichever unit it may be in."""
    with pytest.raises(ValueError, match="years 0001 to 9999"):
        as_run_event(query(endTime=given))


@pytest.mark.parametrize(
    ("more", "given", "namespace"),
    [({}, None, "trino://trino:8080"), ({}, "trino://prod", "trino://prod"),
     ({"metadata": {"uri": None}, "context": {"serverAddress": "h", "environment": "e"}}, None, "trino://h"),
     ({"metadata": {"uri": "no address"}, "context": {"environment": "e"}}, None, "trino://e"),
     ({"metadata": {"uri": None}}, None, "trino://unknown"), ({"context": {"serverVersion": "0.290"}}, None,
                                                              "presto://trino:8080")],
)  # fmt: skip
def test_tables_are_of_the_server(more: dict[str, Any], given: str | None, namespace: str) -> None:
    """As the mapping names it, else by the address that the event has; Presto's versions begin with a nought."""
    found = as_run_event(query(inputs=[ORDERS], output=SALES, **more), given)

    assert {each["namespace"] for each in (found["job"], *found["inputs"], *found["outputs"])} == {namespace}


def test_who_asked_is_kept() -> None:
    """What is empty is left out."""
    asked = {"queryType": "INSERT", "user": "etl", "source": "", "clientTags": ["a"], "catalog": "hive", "schema": None}
    facets = as_run_event(query(context=asked))["run"]["facets"]

    assert facets["trino_query_context"] == {
        "query_type": "INSERT",
        "user": "etl",
        "client_tags": ["a"],
        "catalog": "hive",
    }
    assert facets["processing_engine"] == {"name": "trino", "version": "476"}


def test_inputs_are_the_tables_that_the_text_names() -> None:
    """With the types of what was read; tables that a view reads are not named by it."""
    named = [
        {**ORDERS, "columns": [{"column": "amt"}, "day"]},
        {**ORDERS, "table": "base", "directlyReferenced": False},
        7,
    ]
    scanned = [{**ORDERS, "columns": [{"columnName": "amt", "type": "double"}, {"columnName": "tax"}]}]
    (found,) = as_run_event(query(metadata={"tables": named}, inputs=scanned))["inputs"]

    assert found["name"] == "hive.ods.orders"
    assert columns_of(found) == [{"name": "amt", "type": "double"}, {"name": "day"}]


def test_where_the_text_s_tables_are_not_listed_those_that_were_read_are_inputs() -> None:
    """A table whose name lacks a part is none; one without columns has no schema."""
    scanned = [ORDERS, {"connectorId": "x", "schema": "ods", "table": "t"}, {**ORDERS, "catalog": "", "table": "u"}]
    (found,) = as_run_event(query(inputs=scanned))["inputs"]

    assert (found["name"], found["facets"]) == ("hive.ods.orders", {})


def test_an_output_says_of_which_columns_each_is_made() -> None:
    """Columns of releases that do not say it have no lineage of their own; all that was read may decide."""
    source = {**ORDERS, "columnName": "amt"}
    columns = [
        {"columnName": "total", "columnType": "double", "sourceColumns": [source, {"column": "x"}, ORDERS, 7]},
        "day",
        {"type": "int"},
    ]
    scanned = [{**ORDERS, "columns": [{"columnName": "amt"}, {}]}]
    (found,) = as_run_event(query(inputs=scanned, output={**SALES, "columns": columns}))["outputs"]
    amt = {"namespace": "trino://trino:8080", "name": "hive.ods.orders", "field": "amt"}

    assert (found["name"], columns_of(found)) == (
        "hive.dw.sales",
        [{"name": "total", "type": "double"}, {"name": "day"}],
    )
    assert found["facets"]["columnLineage"] == {"fields": {"total": {"inputFields": [amt]}}, "dataset": [amt]}


def test_presto_lists_columns_under_another_name() -> None:
    """Beside the plain names, or in their place; tables, too."""
    table = {"catalogName": "hive", "schemaName": "dw", "tableName": "sales", "columns": [{"name": "total"}, 7]}
    (other,) = as_run_event(query(output=table))["outputs"]
    assert (other["name"], columns_of(other)) == ("hive.dw.sales", [{"name": "total"}])
    output = {**SALES, "columns": None, "columnObjects": [{"columnName": "total", "type": "double"}]}
    (found,) = as_run_event(query(output=output))["outputs"]

    assert columns_of(found) == [{"name": "total", "type": "double"}]


def test_rows_and_bytes_are_figures_of_the_output() -> None:
    """Only where they are numbers."""
    (found,) = as_run_event(query(output=SALES, statistics={"writtenRows": 3, "writtenBytes": None}))["outputs"]
    (other,) = as_run_event(query(output=SALES))["outputs"]

    assert found["outputFacets"] == {"outputStatistics": {"rowCount": 3}}
    assert "outputFacets" not in other
    assert as_run_event(query(output={"schema": "dw", "table": "x"}))["outputs"] == []


def test_what_kafka_s_listener_puts_around_an_event_is_taken_off() -> None:
    """Unless the object has an event itself."""
    assert as_run_event({"eventPayload": query(), "eventMetadata": {}}) == as_run_event(query())
    assert as_run_event({**query(), "eventPayload": {}}) == as_run_event(query())


@pytest.mark.parametrize(
    ("given", "words"),
    [({"queryId": "q", "stageId": "1"}, "log-split=false"), ({"metadata": {}}, "metadata.queryId is missing"),
     ({"metadata": {"queryId": ""}}, "metadata.queryId is missing"), ({"metadata": 7}, "metadata.queryId is missing"),
     ({"eventPayload": {"queryId": "q"}}, "log-split=false")],
)  # fmt: skip
def test_what_is_no_query_event_is_refused_with_the_reason(given: dict[str, Any], words: str) -> None:
    """A split of a query says nothing about lineage."""
    with pytest.raises(NoQueryError, match=words):
        as_run_event(given)


@pytest.mark.parametrize(
    ("given", "code", "words"),
    [({"metadata": {"queryId": "q", "queryState": "DONE"}}, "unknown-event-type", "metadata.queryState 'DONE'"),
     ({"metadata": {"queryId": "q"}}, "unknown-event-type", "metadata.queryState is missing"),
     ({"ioMetadata": {"inputs": [{"catalogName": "c", "schema": "s"}]}}, "unresolved-name", "ioMetadata.inputs.0 has"),
     ({"ioMetadata": {"inputs": [], "output": {"catalogName": "c", "table": "t"}}}, "unresolved-name",
      "ioMetadata.output has no effect: its name lacks"),
     ({"metadata": {"queryId": "q", "queryState": "FINISHED", "tables": [{"table": "t"}, {"table": "u"}]}},
      "unresolved-name", "metadata.tables.0 has no effect (and 1 more)"),
     ({"ioMetadata": {"output": {"catalogName": "c", "schema": "s", "table": "t",
                                 "columns": [{"columnName": "x", "sourceColumns": [{"column": "y"}, 7]}]}}},
      "unresolved-name", "ioMetadata.output.columns.0.sourceColumns.0 has no effect (and 1 more)")],
)  # fmt: skip
def test_what_is_left_out_of_a_query_is_named(given: dict[str, Any], code: str, words: str) -> None:
    """Tables were left out, and queries counted as failed, without a word."""
    event = {"metadata": {"queryId": "q", "queryState": "FINISHED"}, "endTime": "2026-01-01T00:00:00Z"} | given
    ((found, detail),) = as_run_event(event)["unread"]

    assert found == code
    assert words in detail


def test_a_query_of_which_nothing_is_left_out_says_so() -> None:
    """Nor does one that failed, or that has not ended."""
    for more in ({}, {"endTime": None}):
        assert "unread" not in as_run_event(query() | more)
    failed = {"metadata": {"queryId": "q", "queryState": "FAILED"}, "endTime": "2026-01-01T00:00:00Z"}
    assert "unread" not in as_run_event(failed)
