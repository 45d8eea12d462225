"""Native messages: what is taken, what is refused, and that a refusal keeps the bytes."""

from __future__ import annotations

import json

import pytest

from ingest.messages.native import message_schemas, parse_message
from lineage_tt.model.messages import Message, RejectedMessage, TaskChange

GOOD = {
    "event_id": "e1",
    "task_id": "dw.orders",
    "op": "online",
    "effective_at": "2026-01-05T08:00:00+01:00",
    "edges": [{"source": "hive:ods.orders#amt", "target": "hive:dw.orders#amount"}],
}


def parsed(**fields: object) -> Message:
    """Parse the good message with some fields changed."""
    return parse_message(json.dumps(GOOD | fields).encode(), 7)


def test_a_message_becomes_a_task_change_in_utc_microseconds() -> None:
    """Instants with any offset come out as UTC microseconds, edges with OpenLineage's defaults."""
    change = parsed(recorded_at=1_767_596_400_000_000)

    assert isinstance(change, TaskChange)
    assert change.effective_at == change.recorded_at == 1_767_596_400_000_000
    assert change.lineage is not None
    assert list(change.lineage.edges) == [("hive:ods.orders#amt", "hive:dw.orders#amount", "DIRECT", "IDENTITY", "")]
    assert change.position == 7


def test_fields_that_the_store_does_not_know_are_kept() -> None:
    """An unknown field is not an error: it is kept as an attribute."""
    change = parsed(team="growth", tier={"level": 2})

    assert isinstance(change, TaskChange)
    assert json.loads(change.attributes or "") == {"team": "growth", "tier": {"level": 2}}


REFUSED: dict[str, tuple[dict[str, object], str]] = {
    "no zone": ({"effective_at": "2026-01-05T08:00:00"}, "zone"),
    "finer than a microsecond": ({"effective_at": "2026-01-05T08:00:00.123456789Z"}, "microsecond"),
    "leap second": ({"effective_at": "2016-12-31T23:59:60Z"}, "second"),
    "no such day": ({"effective_at": "2026-02-30T00:00:00Z"}, "day"),
    "beyond year 9999": ({"effective_at": 10**18}, "9999"),
    "no effective_at": ({"effective_at": None}, "effective_at"),
    "unknown op": ({"op": "create"}, "op"),
    "sql and edges": ({"sql": "SELECT 1", "dialect": "hive", "namespace": "hive"}, "either sql or edges"),
    "neither sql nor edges": ({"edges": None}, "either sql or edges"),
    "sql without dialect": ({"edges": None, "sql": "SELECT 1"}, "dialect"),
    "offline with edges": ({"op": "offline"}, "offline"),
    "retract of nothing": ({"op": "retract"}, "retracts"),
    "node without namespace": ({"edges": [{"source": "ods.orders", "target": "hive:x"}]}, "namespace:name"),
    "subtype of the other type": (
        {"edges": [{"source": "a:b", "target": "c:d", "type": "DIRECT", "subtype": "JOIN"}]},
        "JOIN is not a subtype",
    ),
    "empty event id": ({"event_id": ""}, "event_id"),
    "source version too large": ({"source_version": 2**70}, "source_version"),
    "true as a counter": ({"source_version": True}, "source_version: must be a whole number"),
    "true as a time": ({"effective_at": True}, "effective_at: must be a time"),
    "a list as a time": ({"effective_at": [1]}, "effective_at: must be a time"),
    "NUL": ({"actor": "a\x00b"}, "NUL"),
    "lone surrogate": ({"actor": "\ud800"}, "escape"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_a_wrong_message_is_refused_with_its_bytes_and_words_that_help(case: str) -> None:
    """Each kind of wrong message is refused; the refusal keeps the bytes and names what to fix."""
    fields, word = REFUSED[case]
    raw = json.dumps(GOOD | fields).encode()

    refused = parse_message(raw, 3)

    assert isinstance(refused, RejectedMessage)
    assert refused.raw == raw
    assert word in refused.detail
    assert refused.position == 3


MALFORMED = {
    "not JSON": b"{not json",
    "cut": json.dumps(GOOD).encode()[:-5],
    "not an object": b"[1, 2]",
    "not UTF-8": b'{"event_id": "\xff\xfe"}',
    "byte order mark": b"\xef\xbb\xbf" + json.dumps(GOOD).encode(),
    "deep": b"[" * 100_000 + b"]" * 100_000,
    "NaN": json.dumps(GOOD).encode()[:-1] + b', "score": NaN}',
    "repeated key": json.dumps(GOOD).encode()[:-1] + b', "op": "offline"}',
    "repeated key with blanks": json.dumps(GOOD).encode()[:-1] + b', "op"  : "offline"}',
    "repeated key in an edge": json.dumps(GOOD).replace('"source"', '"source": "x:y", "source"').encode(),
    "repeated key in an unknown object": json.dumps(GOOD).encode()[:-1] + b', "tier": {"a": 1, "a": 2}}',
}


@pytest.mark.parametrize("case", MALFORMED)
def test_what_is_not_one_plain_json_object_is_refused(case: str) -> None:
    """Malformed, ambiguous and hostile JSON is refused, never guessed at."""
    refused = parse_message(MALFORMED[case])

    assert isinstance(refused, RejectedMessage)
    assert refused.raw == MALFORMED[case]
    assert refused.detail


def test_a_refusal_knows_its_ids_where_they_can_be_read() -> None:
    """Ids of a refused message are kept for whoever looks for it."""
    refused = parsed(op="explode")

    assert isinstance(refused, RejectedMessage)
    assert (refused.event_id, refused.task_id) == ("e1", "dw.orders")


def test_a_dataset_message_without_its_kind_is_told_what_it_lacks() -> None:
    """It was refused for want of a task_id, which it must not have."""
    said = {"event_id": "d1", "op": "define", "dataset": "h:t", "effective_at": "2026-01-05T08:00:00Z", "columns": []}

    refused = parse_message(json.dumps(said).encode(), 1)

    assert isinstance(refused, RejectedMessage)
    assert refused.detail == "task_id: is missing; a message about a dataset has the kind 'dataset'"


def test_strings_full_of_quotes_and_colons_are_no_repeated_keys() -> None:
    """Escaped quotes and backslashes in values do not look like keys."""
    sql = 'SELECT "a\\": b", \'"op": "x"\' AS "c\\\\" FROM t -- "event_id": '

    change = parsed(edges=None, sql=sql, dialect="hive", namespace="hive", params={"a": '"b":'})

    assert isinstance(change, TaskChange)
    assert change.sql == sql


def test_the_published_schema_describes_every_field_and_takes_a_good_message() -> None:
    """The JSON Schema names each field with its meaning."""
    schema = message_schemas()["task-change"]

    assert set(GOOD) <= set(schema["properties"])
    described = {name for name, field in schema["properties"].items() if "description" in field}
    assert described == set(schema["properties"]) - {"op"}
    assert schema["required"] == ["event_id", "task_id", "op"]
