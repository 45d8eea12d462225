"""What the store takes in: a validated change of a task or of a node's facts, or a rejected message.

These are the store's own values. ``ingest`` makes them from JSON, a field mapping or a topic.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Final, Literal, NamedTuple

import orjson

from lineage_tt.model.edges import EdgeTuple
from lineage_tt.model.facts import FactTuple, Field, Shape, Types, retyped, type_facts, with_types

Op = Literal["online", "update", "offline", "retract"]
NodeOp = Literal["define", "drop", "set", "clear", "retract"]
Coverage = Literal["complete", "partial", "opaque"]
Columns = tuple[str, ...]
#: Marks columns that are not known among a dataset's outputs in the log.
OTHERS: Final = "*"
#: A task's id; or the kind, node and key that a node's facts are about.
Subject = str | tuple[str, str, str]


class Problem(NamedTuple):
    """Why a version's lineage is not complete: a code, words, what it concerns, and where in the SQL."""

    code: str
    detail: str = ""
    subject: str = ""
    line: int | None = None
    column: int | None = None


class MaskedText(NamedTuple):
    """A text with the same meaning but without literals (None: there is none), and the values of its variables."""

    sql: str | None
    params: Mapping[str, str] = MappingProxyType({})


@dataclass(slots=True)
class Lineage:
    """The edges of one version and how sure they are.

    ``outputs`` are the columns of the datasets that it writes. ``lookups`` are the datasets whose columns were looked
    up to find the edges, with the answer that was used (None: not known). ``stars`` are those lookups where every
    column matters; for the others only the columns that the text names matter. ``types`` are the types that the text
    declares for columns of its ``outputs``. ``filled`` are the column names with which queries fill datasets of unknown
    columns; such a dataset may have more columns. ``masked`` is the text as it may be kept, if a resolver had to mask
    it.
    """

    edges: Sequence[EdgeTuple] = ()
    coverage: Coverage = "complete"
    problems: Sequence[Problem] = ()
    outputs: Sequence[tuple[str, Columns]] = ()
    lookups: Sequence[tuple[str, Shape | None]] = ()
    stars: Sequence[str] = ()
    types: Sequence[tuple[str, Types]] = ()
    filled: Sequence[tuple[str, Columns]] = ()
    parser: str | None = None
    ordered: bool = False  # edges are known to be sorted and distinct
    masked: MaskedText | None = None

    @classmethod
    def of(cls, edges: Iterable[EdgeTuple]) -> Lineage:
        """Return the complete lineage that consists of these edges."""
        return cls(sorted(set(edges)), ordered=True)

    def unsettled(self, rounds: int) -> Lineage:
        """Return this lineage, marked as partial: what it reads still changed after so many re-resolutions.

        Statements that read what they themselves help to make (each ``SELECT *`` adds a column) never settle.
        """
        detail = f"statements read each other's columns, which still changed after {rounds} re-resolutions"
        coverage: Coverage = "opaque" if self.coverage == "opaque" else "partial"
        return replace(self, coverage=coverage, problems=[*self.problems, Problem("unknown-columns", detail)])

    def shapes(self, before: Mapping[str, Shape] = MappingProxyType({})) -> list[tuple[str, Shape]]:
        """Return the outputs with the declared types that have parts; if none are declared, with those ``before``."""
        types = dict(self.types)
        return [
            (d, with_types(columns, dict(types[d])) if d in types else retyped(columns, before.get(d)))
            for d, columns in self.outputs
        ]

    def logged_outputs(self) -> list[tuple[str, Columns]]:
        """Return the outputs as the log holds them: those that may have more columns end in ``*``."""
        return [*self.outputs, *((dataset, (*names, OTHERS)) for dataset, names in self.filled)]

    def type_facts(self) -> list[FactTuple]:
        """Return the types that the text declares as facts about columns."""
        return type_facts(dict(self.outputs), self.types) if self.types else []

    def ordered_edges(self) -> Sequence[EdgeTuple]:
        """Return the edges sorted and distinct."""
        return self.edges if self.ordered else sorted(set(self.edges))


@dataclass(slots=True)
class TaskChange:
    """One message: from ``effective_at`` (UTC microseconds) on, this task reads and writes this.

    Either ``lineage`` is given (explicit edges), or ``sql`` is, from which a resolver makes it. ``retracts`` names the
    event that a ``retract`` withdraws. ``attributes`` keeps, as JSON text, fields that the store does not know; ``raw``
    is the message as received, kept in case the log rejects it; ``digest`` is its ``content_digest``, if a reader has
    computed it already. ``facts`` are what the message says about the task and other nodes besides its edges;
    ``cleared`` are the keys that it empties for the task; keys that it does not mention do not change.
    ``text_sha256`` is the digest of the text in the log, for a statement that was read from there. ``misspelled`` are
    fields that the store does not know, each with the known field whose name it resembles; ``without_effect`` says, in
    words, what else of the message does nothing. ``admitted`` is set by a reader that has checked the message as the
    writer does.
    """

    event_id: str
    task_id: str
    op: Op
    effective_at: int | None = None
    source_version: int | None = None
    lineage: Lineage | None = None
    sql: str | None = None
    dialect: str | None = None
    namespace: str | None = None
    default_database: str | None = None
    target: str | None = None
    params: Mapping[str, str] = field(default_factory=dict)
    retracts: str | None = None
    actor: str | None = None
    reason: str | None = None
    cause: str | None = None
    produced_at: int | None = None
    recorded_at: int | None = None
    attributes: str | None = None
    position: int | None = None
    raw: bytes | None = None
    digest: bytes | None = None
    facts: Sequence[FactTuple] = ()
    cleared: Sequence[str] = ()
    text_sha256: str | None = None
    misspelled: Sequence[tuple[str, str]] = ()
    without_effect: Sequence[str] = ()
    admitted: bool = field(default=False, compare=False)

    @property
    def subject(self) -> Subject:
        """What the message is about: messages of one subject make one timeline."""
        return self.task_id


@dataclass(slots=True)
class NodeChange:
    """One message: from ``effective_at`` (UTC microseconds) on, this is known about a node.

    Kind ``dataset``: ``define`` gives a dataset its columns, all of them in order (``fields``), and other ``facts``;
    ``drop`` ends the declaration. Kind ``fact``: ``set`` gives a node its values under ``fact_key``,
    ``clear`` none. ``retract`` withdraws the earlier event ``retracts`` of the same subject. ``ids_by_name`` is set
    where messages of the dataset come in any order: a column of one name has one field id. The other fields are as in
    TaskChange.
    """

    event_id: str
    kind: Literal["dataset", "fact"]
    node: str
    op: NodeOp
    effective_at: int | None = None
    source_version: int | None = None
    fact_key: str | None = None
    fields: Sequence[Field] = ()
    facts: Sequence[FactTuple] = ()
    retracts: str | None = None
    actor: str | None = None
    reason: str | None = None
    cause: str | None = None
    produced_at: int | None = None
    recorded_at: int | None = None
    attributes: str | None = None
    position: int | None = None
    raw: bytes | None = None
    digest: bytes | None = None
    cleared: Sequence[str] = ()
    misspelled: Sequence[tuple[str, str]] = ()
    without_effect: Sequence[str] = ()
    ids_by_name: bool = False

    @property
    def subject(self) -> Subject:
        """What the message is about: messages of one subject make one timeline."""
        return self.kind, self.node, self.fact_key or ""


@dataclass(slots=True)
class RejectedMessage:
    """A rejected message: its bytes, a reason code (kebab-case), a detail that says what to fix.

    ``sql`` is the SQL in its bytes, if it could be identified.
    """

    raw: bytes
    code: str
    detail: str
    event_id: str | None = None
    task_id: str | None = None
    recorded_at: int | None = None
    position: int | None = None
    sql: str | None = None


Change = TaskChange | NodeChange
Message = Change | RejectedMessage

#: Makes the lineage of SQL messages: given (message, columns by dataset) pairs, returns one Lineage for each, in order.
Resolver = Callable[[Sequence[tuple[TaskChange, Mapping[str, Shape]]]], list[Lineage]]


class SourcePosition(NamedTuple):
    """How far a source partition has been read: everything before ``offset`` is in the log or was ignored."""

    source: str
    offset: int
    digest: str = ""


#: Problems that a receipt names.
MAX_PROBLEMS: Final = 16
UNKNOWN_FIELD: Final = "unknown-field"
#: The code of a task of which only the tables are known that feed another.
TABLES_ONLY: Final = "table-level"


class Receipt(NamedTuple):
    """The outcome of one message: its version, or the version it repeats.

    ``derived`` is the number of versions that the store added after it: tasks whose star reads columns that it changed.
    ``superseded_by`` is set where a message was accepted without taking effect: the version of the earlier message
    that stays in force at the same ``effective_at`` because it has a greater ``source_version``, or of the retract that
    had withdrawn the same event before. ``coverage`` is set for an accepted text whose lineage is not complete, and
    ``problems`` says why; they also name fields of the message that had no effect (code ``unknown-field``). At most
    ``MAX_PROBLEMS`` of each message are kept. ``repeats_rejected`` is set for a duplicate of a rejected message.
    """

    version: int
    status: Literal["accepted", "rejected", "duplicate"]
    changes: int = 0
    derived: int = 0
    superseded_by: int | None = None
    coverage: Coverage | None = None
    problems: Sequence[Problem] = ()
    repeats_rejected: bool = False


#: Bytes kept of the digests that distinguish messages.
DIGEST_BYTES: Final = 16


def content_digest(message: Change) -> bytes:
    """Return a digest of what a message says: two with one event id and one digest are the same message, sent twice."""
    content = _task_content(message) if isinstance(message, TaskChange) else _node_content(message)
    return hashlib.sha256(orjson.dumps(content, default=list)).digest()[:DIGEST_BYTES]


def _node_content(message: NodeChange) -> Sequence[object]:
    head = message.op, message.effective_at, message.source_version, message.retracts
    content = *head, [list(field) for field in message.fields], sorted(message.facts)
    return (*content, sorted(message.cleared)) if message.cleared else content


def _task_content(message: TaskChange) -> Sequence[object]:
    content = (
        message.op,
        message.effective_at,
        message.source_version,
        message.retracts,
        message.sql,
        message.dialect,
        message.namespace,
        message.default_database,
        message.target,
        sorted(message.params.items()) if message.params else None,
        message.lineage.ordered_edges() if message.lineage else None,
    )
    if message.cleared:
        return (*content, sorted(message.facts), sorted(message.cleared))
    return (*content, sorted(message.facts)) if message.facts else content


def evidence_in(attributes: str | None) -> str | None:
    """Return the evidence in a message's attributes, None where they are not an object or have none."""
    content = orjson.loads(attributes) if attributes else {}
    return content.get("evidence") if isinstance(content, dict) else None
