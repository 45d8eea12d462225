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
    """A message rejected for want of a namespace says that default_namespace is no field of it."""
    fields = {name: value for name, value in SQL.items() if name != "namespace"}
    message = parse_message(line({**fields, "default_namespace": "hive"}))

    assert isinstance(message, RejectedMessage)
    assert message.detail.endswith("the field 'default_namespace' is not known, did you mean namespace?")


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
    assert summary.problems["unsupported-dialect"] == (1, "no dialect 'hvie'; did you mean 'hive'?")
    assert "default_database" in summary.problems["unknown-field"][1]
