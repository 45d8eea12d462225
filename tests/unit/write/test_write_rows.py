"""The log's rows of messages: what of them is stored under which policy, and the bytes of one that was a value."""

from __future__ import annotations

from dataclasses import replace

import orjson

from lineage_tt.model.facts import DESCRIPTION, OWNER, Field
from lineage_tt.model.messages import Lineage, MaskedText, NodeChange, Problem, RejectedMessage, TaskChange
from lineage_tt.model.redaction.policy import TextPolicy
from lineage_tt.model.redaction.texts import text_sha256
from lineage_tt.write.rows import (
    about,
    as_stored,
    conflicting,
    masked_params,
    node_row,
    raw_of,
    redacted_text,
    refusal,
    rejected_row,
    split_changes,
    task_row,
    unknown_event,
)

KEEP, MASKED, DROP = TextPolicy
EDGE = ("n:a#x", "n:b#y", "DIRECT", "IDENTITY", "")
TEXT = TaskChange("e", "t", "update", 5, sql="select 41", params={"b": "2", "a": "1"}, actor="ann", position=8)
FOUND = Lineage([EDGE], outputs=[("n:b", ("y",))], parser="p", masked=MaskedText("select ?", {"a": "?"}))
NODE = NodeChange("e", "fact", "n:a", "set", 5, fact_key="owner", facts=[("n:a", "owner", "ann")])


def test_changes_of_edges_and_of_facts_have_columns_of_their_own() -> None:
    """A timeline gives them mixed."""
    of_edge, of_fact = (1, *EDGE, 5, None), (-1, "n:a", "owner", "ann", 5, None)

    assert split_changes([of_fact, of_edge], NODE.facts) == {
        "changes": [of_edge], "facts": NODE.facts, "fact_changes": [of_fact],
    }  # fmt: skip


def test_a_text_is_stored_as_the_policy_keeps_it() -> None:
    """Its digest tells it from others: literals count only where they are kept."""
    kept, masked, dropped = (task_row(3, TEXT, FOUND, [EDGE], b"d", "src", policy) for policy in TextPolicy)

    assert [row.sql for row in (kept, masked, dropped)] == ["select 41", "select ?", None]
    assert [row.params for row in (kept, masked, dropped)] == ['{"a":"1","b":"2"}', '{"a":"?"}', None]
    assert kept.sql_sha256 == text_sha256("select 41", None, KEEP) != masked.sql_sha256
    assert masked.sql_sha256 == dropped.sql_sha256 == text_sha256("select 99", None, MASKED)
    assert (kept.version, kept.status, kept.kind, kept.source, kept.source_position, kept.content_sha256) == (
        3, "accepted", "task", "src", 8, b"d",
    )  # fmt: skip


def test_a_text_that_could_not_be_masked_is_not_kept() -> None:
    """Without the parser's masked text there is none; one without any text has none."""
    assert redacted_text("select 41", Lineage(), MASKED) is None
    assert redacted_text("select 41", Lineage(masked=MaskedText(None)), MASKED) is None
    assert redacted_text(None, FOUND, KEEP) is None


def test_a_message_is_remembered_as_its_row_holds_it() -> None:
    """So that it is resolved again from the same text, after a restart as before."""
    assert as_stored(TEXT, FOUND, KEEP) is TEXT
    assert (as_stored(TEXT, FOUND, MASKED).sql, as_stored(TEXT, FOUND, MASKED).params) == ("select ?", {"a": "?"})
    assert as_stored(TEXT, FOUND, DROP).sql is None


def test_a_retract_has_no_coverage() -> None:
    """It says nothing about edges; the coverage of a text is that of its lineage."""
    partial = replace(FOUND, coverage="partial")

    assert task_row(3, replace(TEXT, op="retract"), partial, [], b"", None, KEEP).coverage is None
    assert task_row(3, TEXT, partial, [], b"", None, KEEP).coverage == "partial"


def test_outputs_that_may_have_more_columns_say_so_in_the_log() -> None:
    """Others are stored as they are."""
    filled = replace(FOUND, filled=[("n:c", ("z",))])

    assert task_row(3, TEXT, FOUND, [], b"", None, KEEP).outputs == [("n:b", ("y",))]
    assert task_row(3, TEXT, filled, [], b"", None, KEEP).outputs == [("n:b", ("y",)), ("n:c", ("z", "*"))]


def test_a_row_of_a_node_names_its_subject() -> None:
    """It has no task, and no text."""
    row = node_row(3, NODE, b"d", None, facts=NODE.facts)

    assert (row.kind, row.subject, row.fact_key, row.task_id, row.sql) == ("fact", "n:a", "owner", None, None)


def test_credentials_are_stored_nowhere() -> None:
    """Not in the text, beside it, in problems, or in a dead letter."""
    secret = "s3cr3tW0rd"
    words = f"password={secret}"
    message = replace(TEXT, sql=f"set password='{secret}'", params={"password": secret}, actor=words, reason=words,
                      attributes=orjson.dumps({"password": secret}).decode())  # fmt: skip
    lineage = Lineage(problems=[Problem("p", words)])
    letter = RejectedMessage(orjson.dumps({"password": secret}), "syntax", words)

    assert secret not in repr(task_row(3, message, lineage, [], b"", None, KEEP))
    assert secret not in repr(rejected_row(3, letter, b"", None, KEEP))


def test_variables_are_stored_in_order_of_their_names() -> None:
    """None where there are none."""
    assert masked_params({"b": "2", "a": "1"}) == '{"a":"1","b":"2"}'
    assert masked_params({}) is None


def test_a_rejection_says_what_to_do() -> None:
    """A correction at the same time must have a source version that wins."""
    conflict = conflicting(TEXT, 7, 4)

    assert (conflict.code, conflict.event_id, conflict.task_id, conflict.sql) == (
        "conflicting-duplicate", "e", "t", "select 41",
    )  # fmt: skip
    assert "as version 7" in conflict.detail
    assert "with source_version 4 or greater" in conflict.detail
    assert "source_version" not in conflicting(TEXT, 7).detail
    assert "replay this dead letter" in unknown_event(replace(TEXT, retracts="f")).detail
    assert (about(TEXT), about(NODE), refusal(NODE, "c", "d").task_id) == ("task 't'", "n:a", None)


def test_a_message_keeps_its_bytes_and_a_value_gets_some() -> None:
    """In the native format, of what it says alone; a dead letter has bytes already."""
    cleared = replace(NODE, cleared=[OWNER, DESCRIPTION], facts=[], fields=[Field("a")])
    made = orjson.loads(raw_of(replace(TEXT, lineage=Lineage([EDGE]), digest=b"x")))

    assert raw_of(replace(TEXT, raw=b"as it came")) == b"as it came"
    assert raw_of(RejectedMessage(b"{", "c", "d")) == b"{"
    assert made["edges"] == [dict(zip(("source", "target", "type", "subtype", "expression"), EDGE, strict=True))]
    assert not {"digest", "position", "raw", "dialect"} & set(made)
    assert orjson.loads(raw_of(cleared)) | {"owners": [], "description": ""} == orjson.loads(raw_of(cleared))


def test_what_json_cannot_hold_is_kept_all_the_same() -> None:
    """Numbers of more than 64 bits and half a surrogate pair are why the message is rejected."""
    assert str(2**70).encode() in raw_of(replace(TEXT, source_version=2**70))
    assert b"\\ud800" in raw_of(replace(TEXT, reason="\ud800"))
