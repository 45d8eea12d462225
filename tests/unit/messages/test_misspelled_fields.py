"""A field of a message that is not known and resembles a known one is reported: it had no effect."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from ingest.messages.native import parse_message
from ingest.pipeline import Ingester
from lineage_tt import Store
from lineage_tt.model.messages import NodeChange, RejectedMessage, TaskChange
from lineage_tt.testing import ManualClock

TASK = {"event_id": "e", "task_id": "t", "op": "online", "effective_at": "2026-01-01T00:00:00Z"}
SQL = {**TASK, "sql": "INSERT INTO b SELECT x FROM a", "dialect": "hive", "namespace": "hive"}


def line(fields: dict[str, Any]) -> bytes:
    """A message as bytes."""
    return json.dumps(fields).encode()


@pytest.mark.parametrize(
    ("field", "known"),
    [
        ("default_db", "default_database"),
        ("defaultDatabase", "default_database"),
        ("database", "default_database"),
        ("owner", "owners"),
        ("sourceVersion", "source_version"),
        ("descripton", "description"),
    ],
)
def test_a_field_that_resembles_a_known_one_is_named_with_it(field: str, known: str) -> None:
    """Camel case, a typo, or another tool's word: the message is taken, and says which field was probably meant."""
    message = parse_message(line({**SQL, field: "x"}))

    assert isinstance(message, TaskChange)
    assert [(field, known)] == message.misspelled


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"eventTime": "x", "job": {}, "run": {}}, "; this is an OpenLineage event: read it with --from openlineage"),
        ({"eventTime": "x", "dataset": {}}, ", or send it to /v1/openlineage"),
        ({"metadata": {}, "ioMetadata": {}, "context": {}}, "; this is a query event of Trino: read it with --from"),
    ],
)
def test_an_event_of_another_producer_is_sent_to_its_own_door(fields: dict[str, Any], words: str) -> None:
    """It was a message without event_id, whose eventTime was taken for a misspelt event_id."""
    rejected = parse_message(line(fields))

    assert isinstance(rejected, RejectedMessage)
    assert words in rejected.detail
    assert "did you mean" not in rejected.detail


@pytest.mark.parametrize("field", ["cluster", "team", "sql_hash", "jira", "x" * 5000])
def test_a_field_of_the_platforms_own_is_an_attribute(field: str) -> None:
    """A field that resembles nothing is kept without a word."""
    message = parse_message(line({**SQL, field: "x"}))

    assert isinstance(message, TaskChange)
    assert tuple(message.misspelled) == ()
    assert field in json.loads(message.attributes or "")


def test_a_field_beside_the_one_it_resembles_is_an_attribute() -> None:
    """Where the known field is there, too, nothing was meant by the other one."""
    message = parse_message(line({**SQL, "default_database": "d", "default_db": "d"}))

    assert isinstance(message, TaskChange)
    assert tuple(message.misspelled) == ()


def test_messages_about_datasets_are_looked_at_too() -> None:
    """A dataset message with ``owner`` names ``owners``."""
    fields = {"event_id": "e", "kind": "dataset", "dataset": "hive:a", "op": "define", "owner": "ana"}
    message = parse_message(line({**fields, "effective_at": TASK["effective_at"], "columns": [{"name": "x"}]}))

    assert isinstance(message, NodeChange)
    assert message.misspelled == [("owner", "owners")]


def test_a_rejection_names_the_field_that_was_probably_meant() -> None:
    """A message rejected for want of a namespace says that default_namespace is not a field of it."""
    fields = {name: value for name, value in SQL.items() if name != "namespace"}
    message = parse_message(line({**fields, "default_namespace": "hive"}))

    assert isinstance(message, RejectedMessage)
    assert message.detail.endswith("the field 'default_namespace' is not known; did you mean namespace?")


def test_an_ingest_says_what_had_no_effect_and_what_is_not_complete(tmp_path: Path) -> None:
    """The summary counts partial and opaque lineage, and each reason with an example."""
    store = Store.create(tmp_path / "lineage", clock=ManualClock())
    star = {**SQL, "task_id": "star", "sql": "CREATE TABLE c AS SELECT * FROM src"}
    unknown = {**SQL, "task_id": "unknown", "dialect": "hvie", "default_db": "x"}
    path = tmp_path / "messages.jsonl"
    path.write_bytes(b"\n".join(map(line, (star, unknown, {**SQL, "sql": "INSERT INTO b SELECT 1 AS x"}))))

    with Ingester(store, workers=1) as ingester:
        summary = ingester.ingest_file(str(path))

    assert (summary.accepted, summary.partial, summary.opaque) == (3, 1, 1)
    assert summary.problems["unknown-columns"] == (1, "the columns of hive:src are not known")
    assert summary.problems["unsupported-dialect"] == (1, "no dialect 'hvie'; did you mean hive?")
    assert "default_database" in summary.problems["unknown-field"][1]


EDGE = {"source": "a:b#c", "target": "a:d#c"}


def without_effect(**fields: Any) -> list[str]:
    """What an accepted message says of its fields that do nothing."""
    message = parse_message(line({"event_id": "e", "effective_at": TASK["effective_at"], **fields}))
    assert isinstance(message, TaskChange | NodeChange), message
    return list(message.without_effect)


def test_unknown_fields_inside_edges_are_named_with_their_places() -> None:
    """An edge with ``typ`` became DIRECT without a word; fields of the producer's own are left alone."""
    wrong = {**EDGE, "typ": "INDIRECT", "sub_type": "FILTER", "expr": "x", "confidence": 1, "fields": "own"}

    assert without_effect(task_id="t", op="online", edges=[EDGE, wrong, wrong]) == [
        "'edges.1.expr' is not kept and has no effect; did you mean expression?",
        "'edges.1.sub_type' is not kept and has no effect; did you mean subtype?",
        "'edges.1.typ' is not kept and has no effect; did you mean type?",
    ]
    assert without_effect(task_id="t", op="online", edges=[{**EDGE, "confidence": 0.5}]) == []


def test_unknown_fields_inside_columns_are_named_with_their_places() -> None:
    """A column lost its type, label and rename, also inside a struct; what the platform adds is left alone."""
    struct = {"name": "s", "nullable": True, "fields": [{"name": "x"}, {"name": "y", "mdoe": "REPEATED"}]}
    column = {"name": "email", "typ": "string", "lables": ["pii"], "rename_from": "mail"}

    assert without_effect(kind="dataset", dataset="a:b", op="define", columns=[struct, column]) == [
        "'columns.1.lables' is not kept and has no effect; did you mean labels?",
        "'columns.1.rename_from' is not kept and has no effect; did you mean renamed_from?",
        "'columns.1.typ' is not kept and has no effect; did you mean type?",
        "'columns.0.fields.1.mdoe' is not kept and has no effect; did you mean mode?",
    ]
    assert without_effect(kind="dataset", dataset="a:b", op="define", columns=[{"name": "x", "nullable": True}]) == []


@pytest.mark.parametrize(
    ("fields", "words"),
    [({"task_id": "t", "op": "offline", "owners": ["ana"], "labels": [], "description": "gone"},
      ["description has no effect with op offline", "owners has no effect with op offline"]),
     ({"task_id": "t", "op": "update", "edges": [EDGE], "retracts": "x", "dialect": "hive", "target": "a:d",
       "default_database": "d", "params": {"a": "b"}, "namespace": "hive"},
      ["default_database has no effect with edges: it is about sql",
       "dialect has no effect with edges: it is about sql",
       "params has no effect with edges: it is about sql", "retracts has no effect with op update",
       "target has no effect with edges: it is about sql"]),
     ({"task_id": "t", "op": "retract", "retracts": "x", "edges": [EDGE]}, ["edges has no effect with op retract"]),
     ({"kind": "fact", "node": "a:b", "key": "owner", "op": "set", "values": ["ana"], "retracts": "x"},
      ["retracts has no effect with op set"]),
     ({"kind": "dataset", "dataset": "a:b", "op": "retract", "retracts": "x", "columns": [{"name": "x"}]},
      ["columns has no effect with op retract"]),
     ({"kind": "annotation", "node": "a:b", "key": "owner", "op": "remove", "values": ["ana"]},
      ["values has no effect with op remove"]),
     ({"kind": "alias", "dataset": "a:b", "alias": "a:c", "op": "add", "retracts": "x"},
      ["retracts has no effect with op add"]),
     ({"kind": "edge", **EDGE, "op": "reject", "type": "INDIRECT", "subtype": "FILTER", "expression": "x"},
      [f"{name} has no effect with op reject: every edge between the two nodes is rejected"
       for name in ("expression", "subtype", "type")]),
     ({"kind": "edge", **EDGE, "op": "remove", "type": "INDIRECT"},
      ["type has no effect with op remove: whatever is stated about the two nodes ends"]),
     ({"kind": "edge", **EDGE, "op": "add", "type": "INDIRECT"}, []),
     ({"kind": "dataset", "dataset": "a:b", "op": "drop", "owners": ["ana"]}, [])],
)  # fmt: skip
def test_fields_that_say_nothing_with_the_op_are_named(fields: dict[str, Any], words: list[str]) -> None:
    """They were ignored in silence; the message is accepted, and empty fields are not worth a word."""
    assert without_effect(**fields) == words


def test_a_parameter_that_the_sql_does_not_use_is_named_if_a_variable_lacks_its_value() -> None:
    """``dtt`` for ``${dt}``: a set of parameters that a platform sends with each task is not a mistake."""
    sql = {**SQL, "sql": "INSERT INTO b SELECT x FROM a WHERE p = '${dt}' AND q = {{ params.ds }}"}

    assert without_effect(**{**sql, "params": {"dtt": "1", "ds": "2", "env": "prod"}}) == [
        "'params.dtt' has no effect: the SQL does not use it; did you mean dt?"
    ]
    assert without_effect(**{**sql, "params": {"dt": "1", "dtt": "1"}}) == []


def test_an_ingest_counts_fields_without_effect(tmp_path: Path) -> None:
    """They are problems of the kind unknown-field, whose messages are complete all the same."""
    store = Store.create(tmp_path / "lineage", clock=ManualClock())
    path = tmp_path / "messages.jsonl"
    path.write_bytes(line({**TASK, "edges": [{**EDGE, "typ": "INDIRECT"}], "target": "a:d"}))

    with Ingester(store, workers=1) as ingester:
        summary = ingester.ingest_file(str(path))

    assert (summary.accepted, summary.partial) == (1, 0)
    assert summary.problems == {"unknown-field": (1, "target has no effect with edges: it is about sql")}
