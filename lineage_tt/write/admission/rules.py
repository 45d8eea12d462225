"""What is checked in a message before the log is read: reserved nodes, lengths of names, and what the format can hold.

Messages from every source pass through here (files, Kafka, HTTP, Spark, Python): a message that fails becomes the
rejection that its dead letter shows, and affects no other message.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from lineage_tt.model.edges import EdgeTuple
from lineage_tt.model.facts import COLUMN, NAMING_KEYS, FactTuple
from lineage_tt.model.messages import Change, Lineage, Message, NodeChange, RejectedMessage, TaskChange, content_digest
from lineage_tt.model.names import (
    MAX_INTEGER,
    MAX_NAME_BYTES,
    MIN_INTEGER,
    RESERVED,
    RESERVED_NAMESPACES,
    clipped,
    is_reserved,
    storable,
    too_long,
)
from lineage_tt.model.redaction.names import with_masked_names
from lineage_tt.model.times import FIRST, LAST
from lineage_tt.write.rows import refusal

#: The reserved nodes in words.
_PREFIXES: Final = ", ".join(RESERVED)
_INSTANTS: Final = ("effective_at", "produced_at", "recorded_at")
#: The longest text of a rejection that is stored.
_MAX_DETAIL: Final = 2000

#: A code (kebab-case) and words that say what to change.
Problem = tuple[str, str]


def admitted(message: Message, *, own: bool = False) -> Message:
    """Return the message, or its rejection; ``own``: the product itself made the message.

    Credentials in names are masked, except in messages that the product made: a webhook is called by its URL.
    A message that is already rejected is returned with texts that the log can hold.
    """
    if isinstance(message, RejectedMessage):
        return _holdable(message)
    if isinstance(message, TaskChange) and message.admitted:
        return message
    problem = _problem(message, own)
    if problem is not None:
        return _holdable(refusal(message, *problem))
    return message if own else with_masked_names(message)


def lineage_problem(lineage: Lineage) -> Problem | None:
    """Return why the lineage of a message's SQL cannot be stored, None where it can."""
    result = _problem_of_edges(lineage.edges)
    if result is None:
        for dataset, columns in lineage.outputs:
            if is_reserved(dataset):
                return _reserved("outputs", dataset)
            longest = max(columns, key=len, default="")
            if too_long(f"{dataset}#{longest}"):
                return _long("column", f"{dataset}#{longest}")
    return result


def _problem(message: Change, own: bool) -> Problem | None:
    try:
        return _problem_of_names(message, own) or _problem_of_values(message)
    except UnicodeEncodeError:
        return (
            "invalid-message",
            "a string holds an escape of half a surrogate pair (\\ud800 to \\udfff), which is not a character",
        )


def _problem_of_names(message: Change, own: bool) -> Problem | None:
    names = _names(message)
    if sum(map(len, names.values())) > MAX_NAME_BYTES // 4:
        for what, name in names.items():
            if too_long(name):
                return _long(what, name)
    if isinstance(message, TaskChange):
        return _problem_of_task(message)
    return _problem_of_node(message, own)


def _problem_of_node(message: NodeChange, own: bool) -> Problem | None:
    if not own and is_reserved(message.node):
        return _reserved("node", message.node)
    if message.kind == "fact" and message.fact_key == COLUMN:
        return "invalid-message", f"key: {COLUMN!r} is stated by dataset messages; send kind dataset with its columns"
    for node, key, _ in message.facts:
        if too_long(node) or too_long(key):
            return _long("node", node)
    if not own and (problem := _reserved_in(message.facts)) is not None:
        return problem
    for field in message.fields:
        if too_long(f"{message.node}#{field.name}") or too_long(field.renamed_from or ""):
            return _long("column", field.name)
    return None


def _names(message: Change) -> dict[str, str]:
    """Return the names in a message, by field."""
    if isinstance(message, TaskChange):
        return {
            "event_id": message.event_id,
            "task_id": message.task_id,
            "retracts": message.retracts or "",
            "actor": message.actor or "",
            "namespace": message.namespace or "",
            "default_database": message.default_database or "",
            "target": message.target or "",
            "dialect": message.dialect or "",
        }
    return {
        "event_id": message.event_id,
        "node": message.node,
        "key": message.fact_key or "",
        "retracts": message.retracts or "",
        "actor": message.actor or "",
    }


def _problem_of_task(message: TaskChange) -> Problem | None:
    if message.namespace in RESERVED_NAMESPACES or is_reserved(message.target or ""):
        return _reserved("namespace", message.target or f"{message.namespace}:")
    for node, _, _ in message.facts:
        if too_long(node):
            return _long("node", node)
    if (problem := _reserved_in(message.facts)) is not None:
        return problem
    return None if message.lineage is None else _problem_of_edges(message.lineage.edges)


def _reserved_in(facts: Iterable[FactTuple]) -> Problem | None:
    """Return the problem where a fact is about a reserved node, or has one as its value; otherwise None."""
    for node, key, value in facts:
        if is_reserved(node):
            return _reserved("node", node)
        if key in NAMING_KEYS and is_reserved(value):
            return _reserved(key, value)
    return None


def _problem_of_edges(edges: Sequence[EdgeTuple]) -> Problem | None:
    for edge in edges:
        source, target = edge[0], edge[1]
        if len(source) + len(target) > 1024 and (too_long(source) or too_long(target)):
            return _long("edges", source if too_long(source) else target)
        if source.startswith(RESERVED) or target.startswith(RESERVED):
            return _reserved("edges", source if is_reserved(source) else target)
    return None


def _problem_of_values(message: Change) -> Problem | None:
    """Return a problem where the log's columns cannot hold a value: too large an integer, an instant, a surrogate."""
    for name in ("source_version", "position"):
        value = getattr(message, name)
        if value is not None and not MIN_INTEGER < value <= MAX_INTEGER:
            return "invalid-message", f"{name}: does not fit in 64 bits"
    for name in _INSTANTS:
        value = getattr(message, name)
        if value is not None and not FIRST <= value <= LAST:
            return "invalid-message", f"{name}: lies outside the years 0001 to 9999; instants are UTC microseconds"
    if isinstance(message, NodeChange):
        for field in message.fields:
            if field.field_id is not None and not 1 <= field.field_id <= MAX_INTEGER:
                return "invalid-message", f"columns: a field_id is a number from 1 on, and at most {MAX_INTEGER}"
    for text in (*_names(message).values(), message.reason, message.cause, message.attributes):
        if text and not text.isascii():
            text.encode()
    if message.digest is None:
        for text in _digested(message):
            text.encode()
        message.digest = content_digest(message)
    return None


def _digested(message: Change) -> Iterator[str]:
    """Yield the texts that the digest of a message covers; orjson raises no UnicodeEncodeError for them."""
    for fact in message.facts:
        yield from fact
    if isinstance(message, NodeChange):
        for field in message.fields:
            yield from (part for part in (field.name, field.type, field.mode, field.renamed_from) if part)
        return
    yield message.sql or ""
    for pair in message.params.items():
        yield from pair
    for edge in message.lineage.edges if message.lineage else ():
        yield from edge


def _long(what: str, name: str) -> Problem:
    return "name-too-long", f"{what}: {clipped(name)} has more than {MAX_NAME_BYTES} bytes of UTF-8; shorten it"


def _reserved(what: str, node: str) -> Problem:
    return "reserved-node", (
        f"{what}: {clipped(node)} is reserved ({_PREFIXES}) and is not taken from messages; "
        "subscriptions are written by lineage-tt subscribe"
    )


def _holdable(message: RejectedMessage) -> RejectedMessage:
    """Return a rejection with texts that the log can hold; ids that are too long are left out."""
    message.detail = storable(message.detail)[:_MAX_DETAIL]
    message.code = storable(message.code)
    for name in ("event_id", "task_id"):
        value = getattr(message, name)
        if value is not None and (len(storable(value).encode()) > MAX_NAME_BYTES or storable(value) != value):
            setattr(message, name, None)
    if message.recorded_at is not None and not FIRST <= message.recorded_at <= LAST:
        message.recorded_at = None
    return message
