"""The native message format: one JSON object that says what a task does, or what a node is, from some moment on.

``parse_message`` turns bytes into a value that the store takes, or into a refusal that keeps the bytes and says what to
fix. The published JSON Schema (``lineage-tt schema task-change``) is that of ``TaskChangeMessage``.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, Literal

from pydantic import BaseModel, ConfigDict, Field

from ingest.messages.fields import (
    EDGE_FIELDS,
    EdgeMessage,
    Instant,
    Integer,
    Name,
    as_edge,
    check_source_version,
    instant,
)
from ingest.messages.nodes import COLUMN_FIELDS, DatasetMessage, FactMessage, as_node_change
from ingest.messages.people import (
    AliasMessage,
    AnnotationMessage,
    EdgeStatement,
    as_aliases,
    as_statement,
    check_task_id,
    names_dataset,
)
from ingest.messages.refusals import refusal
from ingest.messages.wording import advice, misspelled, misspelled_inside, unused_fields, unused_parameters
from lineage_tt.model.facts import DESCRIPTION, LABEL, OWNER, PRIORITY, FactTuple, task_node
from lineage_tt.model.messages import Change, Lineage, Message, TaskChange, content_digest
from lineage_tt.model.names import meaning

#: Longest message in bytes; a longer one is rejected before it is parsed.
MAX_BYTES = 64 * 1024 * 1024

#: An escape of a surrogate; two of them make one character, one alone makes none.
_SURROGATE: Final = re.compile(rb"\\u[dD][89a-fA-F]")


class TaskChangeMessage(BaseModel):
    """A task went online, was edited, went offline, or an earlier message about it is withdrawn."""

    model_config = ConfigDict(extra="allow", title="task-change", strict=False)

    event_id: Name = Field(description="unique within the task; a message sent again with the same content counts once")
    task_id: Name = Field(description="identity of the task on the platform")
    op: Literal["online", "update", "offline", "retract"]
    effective_at: Instant | None = Field(None, description="valid time from which the change applies; not for retract")
    source_version: Integer | None = Field(
        None, description="the platform's own counter: the greatest wins at one time"
    )
    sql: str | None = Field(None, description="the task's SQL, or `edges`, for online and update")
    edges: list[EdgeMessage] | None = Field(None, description="the task's whole set of edges, or `sql`")
    dialect: str | None = Field(None, description="the SQL's dialect", examples=["hive", "spark", "trino", "bigquery"])
    namespace: str | None = Field(None, description="namespace of the datasets that the SQL names", examples=["hive"])
    default_database: str | None = Field(None, description="what unqualified names in the SQL belong to")
    target: str | None = Field(None, description="dataset that a bare SELECT writes", examples=["hive:dws.sales"])
    params: dict[str, str] | None = Field(None, description="values of template variables in the SQL")
    retracts: str | None = Field(None, description="event_id of this task that a retract withdraws")
    actor: str | None = Field(None, description="who made the change")
    reason: str | None = Field(None, description="why")
    cause: str | None = Field(None, description="the event or process that led to it")
    produced_at: Instant | None = Field(None, description="when the platform made the message")
    recorded_at: Instant | None = Field(None, description="when the change entered the platform's records")
    kind: Literal["task"] = Field("task", description="messages about datasets and facts have schemas of their own")
    owners: list[str] | str | None = Field(None, description="who answers for the task")
    labels: list[str] | str | None = Field(None, description="labels of the task")
    description: str | None = Field(None, description="what the task is for")
    priority: str | int | None = Field(None, description="how much hangs on it", examples=["P1"])


AnyMessage = TaskChangeMessage | DatasetMessage | FactMessage | AliasMessage | EdgeStatement | AnnotationMessage
_FACT_FIELDS: Final = frozenset({"owners", "labels", "description", "priority"})
_MODELS: Final[dict[Any, type[AnyMessage]]] = {
    "dataset": DatasetMessage, "fact": FactMessage, "alias": AliasMessage, "edge": EdgeStatement,
    "annotation": AnnotationMessage,
}  # fmt: skip


def message_schemas() -> dict[str, dict[str, Any]]:
    """Return the published JSON Schemas by name."""
    result = {}
    for model in (TaskChangeMessage, DatasetMessage, FactMessage, AliasMessage, EdgeStatement, AnnotationMessage):
        schema = model.model_json_schema()
        schema["$schema"] = "https://json-schema.org/draft/2020-12/schema"
        result[str(model.model_config["title"])] = schema
    return result


def parse_message(raw: bytes, position: int | None = None) -> Message:
    """Return the message in ``raw``, one JSON object in UTF-8; a RejectedMessage where it is none."""
    model_of_kind: type[AnyMessage] = TaskChangeMessage
    try:
        _refuse_before_parsing(raw)
        if b'"kind"' in raw:
            document = parse_object(raw)
            model_of_kind = _model_of_kind(document)
            if model_of_kind is not TaskChangeMessage:
                return as_change(model_of_kind.model_validate(document), raw, position, document)
        model = TaskChangeMessage.model_validate_json(raw)
        return as_change(model, raw, position, _read_again(raw, model))
    except (ValueError, RecursionError) as error:
        rejected = refusal(raw, error, position)
        if rejected.code == "invalid-message":
            rejected.detail += advice(raw, model_of_kind.model_fields)
        return rejected


def parse_object(raw: bytes) -> Mapping[str, Any]:
    """Return the JSON object in ``raw`` for a field mapping; ValueError for what is not one, or not a plain one."""
    _refuse_before_parsing(raw)
    text = raw.decode(json.detect_encoding(raw))  # json.loads itself lets encoded surrogates pass
    document = json.loads(text, object_pairs_hook=_distinct_object, parse_constant=_refuse_constant)
    if not isinstance(document, Mapping):
        raise ValueError("the line is not a JSON object")
    return document


def model_of(document: Mapping[str, Any]) -> AnyMessage:
    """Return the validated message of whatever kind; ValidationError where it is none."""
    return _model_of_kind(document).model_validate(document)


def _model_of_kind(document: Mapping[str, Any]) -> type[AnyMessage]:
    """Return the model of a message's kind; that of task changes, which rejects it, for an unknown one."""
    return _MODELS.get(kind, TaskChangeMessage) if isinstance(kind := document.get("kind"), str) else TaskChangeMessage


def as_change(
    model: AnyMessage, raw: bytes, position: int | None, document: Mapping[str, Any] | None = None, mapped: bool = False
) -> Change:
    """Return a validated message as the store's value; ValueError where its fields contradict one another.

    ``document`` is what was validated, where its edges or columns may have unknown fields: the model does not have
    them. A mapping (``mapped``) gives its fields to messages of every op, so that they are not expected to have effect.
    """
    change: Change
    if isinstance(model, TaskChangeMessage):
        change = as_task_change(model, raw, position)
    elif isinstance(model, AliasMessage | EdgeStatement | AnnotationMessage):
        change = as_statement(model, raw, position)
    elif isinstance(model, FactMessage) and names_dataset(model):
        change = as_aliases(model, raw, position)
    else:
        change = as_node_change(model, raw, position)
    if model.model_extra:
        change.misspelled = misspelled(model.model_extra, type(model).model_fields, model.model_fields_set)
    if words := _without_effect(model, document, mapped=mapped):
        change.without_effect = words
    return change


def _without_effect(model: AnyMessage, document: Mapping[str, Any] | None, *, mapped: bool) -> Sequence[str]:
    """Return words for known fields that do nothing here, and for unknown fields of edges and columns."""
    words: list[str] = []
    inside: Iterable[tuple[str, str]] = ()
    explicit = isinstance(model, TaskChangeMessage) and model.edges is not None and model.op in ("online", "update")
    if not mapped:
        words += unused_fields(model, "edges" if explicit else model.op)
    if isinstance(model, TaskChangeMessage):
        if model.params and model.sql is not None and not mapped:
            words += unused_parameters(model.params, model.sql)
        inside = misspelled_inside("edges", document["edges"], EDGE_FIELDS) if document and model.edges else ()
    elif isinstance(model, DatasetMessage) and document and model.columns:
        inside = misspelled_inside("columns", document["columns"], COLUMN_FIELDS, inner="fields")
    return [*words, *(f"{place} is not kept and has no effect{meaning(known)}" for place, known in inside)]


def as_task_change(model: TaskChangeMessage, raw: bytes, position: int | None) -> TaskChange:
    """Return a validated message as the store's value; ValueError where its fields contradict one another."""
    sql = model.sql
    _check_fields(model)
    check_task_id(model.task_id)
    lineage = Lineage.of(map(as_edge, model.edges)) if model.edges is not None else None
    message = TaskChange(
        event_id=model.event_id,
        task_id=model.task_id,
        op=model.op,
        effective_at=instant(model.effective_at),
        source_version=model.source_version,
        lineage=lineage,
        sql=sql,
        dialect=model.dialect,
        namespace=model.namespace,
        default_database=model.default_database,
        target=model.target,
        params=model.params or {},
        retracts=model.retracts,
        actor=model.actor,
        reason=model.reason,
        cause=model.cause,
        produced_at=instant(model.produced_at),
        recorded_at=instant(model.recorded_at),
        attributes=json.dumps(model.model_extra, allow_nan=False, sort_keys=True) if model.model_extra else None,
        position=position,
        raw=raw,
        facts=_facts(model),
        cleared=_cleared(model),
    )
    message.digest = content_digest(message)
    return message


def _facts(model: TaskChangeMessage) -> Sequence[FactTuple]:
    """Return what the message says of the task itself; nothing for one that goes offline."""
    if not _FACT_FIELDS & model.model_fields_set or model.op in ("offline", "retract"):
        return ()
    facts = (OWNER, model.owners), (LABEL, model.labels), (DESCRIPTION, model.description), (PRIORITY, model.priority)
    node = task_node(model.task_id)
    return sorted(
        {
            (node, key, str(value))
            for key, values in facts
            if values is not None and values != ""
            for value in (values if isinstance(values, list) else [values])
        }
    )


def _cleared(model: TaskChangeMessage) -> Sequence[str]:
    """Return the keys that the message says to be empty: ``"owners": []``. Keys that it lacks stay as they are."""
    if not _FACT_FIELDS & model.model_fields_set or model.op in ("offline", "retract"):
        return ()
    stated = (OWNER, model.owners), (LABEL, model.labels), (DESCRIPTION, model.description), (PRIORITY, model.priority)
    return [key for key, values in stated if values in ([], "")]


def _check_fields(model: TaskChangeMessage) -> None:
    if model.op == "retract":
        if not model.retracts:
            raise ValueError("retracts: a retract names the event_id that it withdraws")
        return
    if model.effective_at is None:
        raise ValueError("effective_at: missing; give the time from which the change applies")
    if model.op == "offline":
        if model.sql is not None or model.edges:
            raise ValueError("op: offline, but there is SQL or edges; send update to change what the task does")
        return
    if (model.sql is None) == (model.edges is None):
        raise ValueError(f"{model.op} needs either sql or edges, and not both")
    if model.sql is not None and not (model.dialect and model.namespace):
        raise ValueError("sql needs a dialect and a namespace")
    check_source_version(model.source_version)


def _refuse_before_parsing(raw: bytes) -> None:
    if len(raw) > MAX_BYTES:
        raise ValueError(f"the message has more than {MAX_BYTES} bytes")
    if b"\\u0000" in raw:
        raise ValueError("a string holds a NUL character (\\u0000)")
    if _SURROGATE.search(raw):
        _refuse_lone_surrogates(json.loads(raw))


def _refuse_lone_surrogates(document: Any) -> None:
    """Raise ValueError where a string holds half of a surrogate pair: not a character, and UTF-8 cannot hold it."""
    try:
        json.dumps(document, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        raise ValueError(
            "a string holds an escape of half a surrogate pair (\\ud800 to \\udfff), which is not a character"
        ) from None


def _read_again(raw: bytes, model: TaskChangeMessage) -> Mapping[str, Any] | None:
    """Return a message with all that the model lacks, None where it lacks nothing.

    Raises ValueError where an object has a key twice, which JSON parsers pass over in silence. Each key and each string
    that the parser kept is between two quotes, and a quote inside a string is escaped; so counting quotes shows whether
    it kept them all. The text is read a second time only where the count does not match.
    """
    values = [getattr(model, name) for name in model.model_fields_set]
    strings = len(values) + sum(isinstance(value, str) for value in values)
    strings += 2 * (sum(map(len, model.edges or ())) + len(model.params or ()))
    if 2 * strings == raw.count(b'"') - raw.count(b'\\"'):
        return None
    document: Mapping[str, Any] = json.loads(raw, object_pairs_hook=_distinct_object, parse_constant=_refuse_constant)
    return document


def _distinct_object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    result = dict(pairs)
    if len(result) != len(pairs):
        twice = Counter(key for key, _ in pairs).most_common(1)[0][0]
        raise ValueError(f"the key {twice!r} occurs more than once in one object")
    return result


def _refuse_constant(name: str) -> None:
    raise ValueError(f"{name} is not a JSON value")
