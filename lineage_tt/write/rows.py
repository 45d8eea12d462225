"""Rows of the log made from messages, before they get a system time and a checksum; and reasons for rejections."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import orjson

from lineage_tt.model.edges import EdgeTuple
from lineage_tt.model.facts import DESCRIPTION, LABEL, OWNER, PRIORITY, FactTuple
from lineage_tt.model.format import LogRow
from lineage_tt.model.messages import Change, Lineage, Message, NodeChange, RejectedMessage, TaskChange
from lineage_tt.model.redaction.credentials import mask_bytes, mask_credentials, mask_values, mask_words
from lineage_tt.model.redaction.documents import redacted_bytes
from lineage_tt.model.redaction.names import masked_problems
from lineage_tt.model.redaction.policy import TextPolicy
from lineage_tt.model.redaction.texts import redacted_words, text_sha256
from lineage_tt.write.subjects.tasks import Item, ItemChange

#: An edge's change has eight values, a fact's six.
_EDGE_CHANGE = 8


def split_changes(changes: Sequence[ItemChange], facts: Sequence[FactTuple | Item]) -> dict[str, Any]:
    """Return the columns of a row that hold its changes, separated into edges and facts."""
    return {
        "changes": [change for change in changes if len(change) == _EDGE_CHANGE],
        "facts": facts,
        "fact_changes": [change for change in changes if len(change) != _EDGE_CHANGE],
    }


def task_row(
    version: int,
    message: TaskChange,
    lineage: Lineage,
    edges: Sequence[EdgeTuple],
    digest: bytes,
    source: str | None,
    policy: TextPolicy,
    **placed: Any,
) -> LogRow:
    """Return the row of a task's message; ``placed`` are the columns that hold its changes.

    Credentials in the SQL and in other texts are masked, and texts are kept as the policy says. ``sql_sha256`` is the
    digest of the text without the parts that are not kept.
    """
    sql = mask_credentials(message.sql) if message.sql is not None else None
    sha256 = message.text_sha256
    if sha256 is None and sql is not None:
        sha256 = text_sha256(sql, message.dialect, policy)
    return LogRow(
        **_accepted(version, message, digest, source),
        task_id=message.task_id,
        dialect=message.dialect,
        namespace=message.namespace,
        default_database=message.default_database,
        target=message.target,
        params=_redacted_params(message.params, lineage, policy),
        sql=redacted_text(sql, lineage, policy),
        sql_sha256=sha256,
        parser=lineage.parser,
        coverage=lineage.coverage if message.op != "retract" else None,
        problems=masked_problems(lineage.problems, message.sql, sql),
        outputs=lineage.logged_outputs() if lineage.filled else lineage.outputs,
        edges=edges,
        kind="task",
        **placed,
    )


def as_stored(message: TaskChange, lineage: Lineage, policy: TextPolicy) -> TaskChange:
    """Return a message with the text that its row holds."""
    if policy is TextPolicy.KEEP or message.sql is None:
        return message
    params = lineage.masked.params if lineage.masked is not None else {}
    return replace(message, sql=redacted_text(message.sql, lineage, policy), params=params)


def redacted_text(sql: str | None, lineage: Lineage, policy: TextPolicy) -> str | None:
    """Return a text as the policy keeps it; None where it is dropped, or where its literals could not be masked."""
    if sql is None or policy is TextPolicy.KEEP:
        return sql
    if policy is TextPolicy.DROP or lineage.masked is None or lineage.masked.sql is None:
        return None
    return mask_credentials(lineage.masked.sql)


def _redacted_params(params: Mapping[str, str], lineage: Lineage, policy: TextPolicy) -> str | None:
    if policy is TextPolicy.KEEP:
        return masked_params(params)
    return masked_params(lineage.masked.params) if policy is TextPolicy.MASK and lineage.masked is not None else None


def node_row(version: int, message: NodeChange, digest: bytes, source: str | None, **placed: Any) -> LogRow:
    """Return the row of a message about a node; ``placed`` are the columns that hold what it states and changes."""
    return LogRow(
        **_accepted(version, message, digest, source),
        kind=message.kind,
        subject=message.node,
        fact_key=message.fact_key,
        **placed,
    )


def _accepted(version: int, message: Change, digest: bytes, source: str | None) -> dict[str, Any]:
    """Return the columns that the rows of all accepted messages have."""
    return {
        "version": version,
        "system_time": 0,
        "status": "accepted",
        "event_id": message.event_id,
        "op": message.op,
        "effective_at": message.effective_at,
        "source_version": message.source_version,
        "retracts": message.retracts,
        "produced_at": message.produced_at,
        "recorded_at": message.recorded_at,
        "actor": mask_words(message.actor) if message.actor else message.actor,
        "reason": mask_words(message.reason) if message.reason else message.reason,
        "cause": message.cause,
        "source": source,
        "source_position": message.position,
        "attributes": _masked_json(message.attributes),
        "content_sha256": digest,
    }


def rejected_row(
    version: int, message: RejectedMessage, digest: bytes, source: str | None, policy: TextPolicy
) -> LogRow:
    """Return the row of a refused message, with texts kept as the policy says."""
    return LogRow(
        version=version,
        system_time=0,
        status="rejected",
        event_id=message.event_id,
        task_id=message.task_id,
        recorded_at=message.recorded_at,
        source=source,
        source_position=message.position,
        content_sha256=digest,
        rejected_code=message.code,
        rejected_detail=redacted_words(mask_words(message.detail), policy),
        rejected_bytes=redacted_bytes(mask_bytes(message.raw), policy, _texts(message.sql)),
    )


def _texts(sql: str | None) -> tuple[str, ...]:
    return (sql, mask_credentials(sql)) if sql else ()


def masked_params(params: Mapping[str, str]) -> str | None:
    """Return the values of a text's variables as JSON, with credentials masked; None where there are none."""
    return orjson.dumps(mask_values(params), option=orjson.OPT_SORT_KEYS).decode() if params else None


def _masked_json(text: str | None) -> str | None:
    return mask_bytes(text.encode()).decode() if text is not None else None


def about(message: Change) -> str:
    """Return, in words, what a message is about."""
    return f"task {message.task_id!r}" if isinstance(message, TaskChange) else message.node


def conflicting(message: Change, version: int, source_version: int | None = None) -> RejectedMessage:
    """Return the rejection of a message whose event id was used for other content.

    ``source_version`` is the least ``source_version`` with which a correction replaces the message in force, if any.
    """
    needed = "" if source_version is None else f" and with source_version {source_version} or greater"
    return refusal(
        message,
        "conflicting-duplicate",
        f"event {message.event_id!r} of {about(message)} came before, as version {version}, with other "
        f"content; the first is kept. Send a correction as a new event with the same effective_at{needed}",
    )


def unknown_event(message: Change) -> RejectedMessage:
    """Return the rejection of a retract of an event that was never received."""
    return refusal(
        message,
        "unknown-event",
        f"retracts event {message.retracts!r}, which {about(message)} never sent. "
        "If it is still to come, replay this dead letter after it",
    )


def refusal(message: Change, code: str, detail: str) -> RejectedMessage:
    """Return the rejection of a valid message: its bytes, a code and a detail that says what to fix."""
    return RejectedMessage(
        raw=raw_of(message),
        code=code,
        detail=detail,
        event_id=message.event_id,
        task_id=message.task_id if isinstance(message, TaskChange) else None,
        recorded_at=message.recorded_at,
        position=message.position,
        sql=message.sql if isinstance(message, TaskChange) else None,
    )


def raw_of(message: Message) -> bytes:
    """Return the bytes of a message as received; for a message that came as a value, its native JSON format."""
    if isinstance(message, RejectedMessage):
        return message.raw
    return message.raw if message.raw is not None else _as_json(message)


#: How messages name the keys of their own task or dataset.
_NAMES_OF_KEYS = {OWNER: "owners", LABEL: "labels", DESCRIPTION: "description", PRIORITY: "priority"}
#: Fields of a message's value that its JSON does not have.
_NOT_SAID = frozenset({"raw", "position", "digest", "text_sha256", "misspelled", "without_effect"})


def _as_json(message: Change) -> bytes:
    """Return a message that came as a value, not as bytes, in the native format (instants as microseconds)."""
    fields: dict[str, Any] = {name: getattr(message, name) for name in message.__dataclass_fields__}
    lineage: Lineage | None = fields.pop("lineage", None)
    facts, cleared = fields.pop("facts"), fields.pop("cleared")
    fields = {name: value for name, value in fields.items() if value not in (None, {}, ()) and name not in _NOT_SAID}
    if isinstance(message, NodeChange):
        fields["fields"] = [field._asdict() for field in message.fields]
    if facts:
        fields["facts"] = [dict(zip(("node", "key", "value"), fact, strict=True)) for fact in facts]
    fields |= {_NAMES_OF_KEYS[key]: "" if key in (DESCRIPTION, PRIORITY) else [] for key in cleared}
    if lineage is not None:
        names = ("source", "target", "type", "subtype", "expression")
        fields["edges"] = [dict(zip(names, edge, strict=True)) for edge in lineage.edges]
    try:
        return orjson.dumps(fields, option=orjson.OPT_SORT_KEYS)
    except TypeError:  # lone surrogates, integers of more than 64 bits: a rejected message must be kept all the same
        return json.dumps(fields, sort_keys=True, default=repr).encode()
