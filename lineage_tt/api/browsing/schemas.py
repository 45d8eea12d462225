"""What this package answers, for the OpenAPI document."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from lineage_tt.api.http.schemas import Basis, Completeness, Instant, LongBasis, Strict


class NodeFact(Strict):
    """A fact in force about the node, and whose messages state it."""

    node: str
    key: str
    value: str
    kind: str
    subject: str
    version: int
    valid_from: Instant
    valid_to: Instant


class NodeColumn(Strict):
    """A column at the point; ``inferred``: nobody declares it, edges in force name it."""

    node: str
    column: str
    ordinal: int
    type: str | None
    origin: Literal["declared", "written", "inferred"]
    inferred: bool
    nested: bool
    version: int
    since: str
    description: str | None
    owners: list[str]
    labels: list[str]


class ColumnChange(Strict):
    """A moment of valid time at which a column came, went, or got another type."""

    valid_at: str
    version: int
    change: Literal["appeared", "removed", "type-changed"]
    column: str
    type: str | None
    type_before: str | None


class NodeTask(Strict):
    """A task with edges at the node, and how many."""

    task_id: str
    edges: int


class NodeReader(NodeTask):
    """A task that reads the node; ``targets`` are the first twenty datasets that it fills from it."""

    targets: list[str]


class NodeResult(Strict):
    """A dataset or column at a point. ``truncated``: some list was cut."""

    node: str
    kind: Literal["dataset", "column"]
    dataset: str
    namespace: str
    name: str
    column: str | None
    description: str | None
    owners: list[str]
    labels: list[str]
    facts: list[NodeFact]
    columns: list[NodeColumn]
    history: list[ColumnChange]
    history_of: Literal["declarations", "edges"]
    writers: list[NodeTask]
    readers: list[NodeReader]
    truncated: bool


class NodeAnswer(Strict):
    """The answer of ``GET /v1/nodes``."""

    basis: Basis
    completeness: Completeness
    result: NodeResult


class DatasetEntry(Strict):
    """What has a name here: ``under`` leads on where it holds others, ``dataset`` is itself where it is one."""

    name: str
    under: str | None
    dataset: str | None
    datasets: int


class DatasetsResult(Strict):
    """A page of entries; ``total`` counts those of all pages."""

    under: str
    entries: list[DatasetEntry]
    total: int


class DatasetsAnswer(Strict):
    """The answer of ``GET /v1/datasets``."""

    basis: Basis
    result: DatasetsResult
    next_cursor: str | None


class Span(Strict):
    """A place in a text: ``end`` is exclusive; both count UTF-16 code units, as JavaScript does."""

    start: int
    end: int
    what: Literal["statement", "expression", "column"]


class Text(Strict):
    """A task's SQL as in force at a point; ``sql`` is null where the policy of the store does not keep it."""

    version: int
    effective_at: str
    dialect: str | None
    target: str | None
    kept: bool
    policy: str
    sha256: str | None
    sql: str | None
    spans: list[Span]
    spans_known: bool


class DiffLine(Strict):
    """A line of the comparison; ``left`` and ``right`` are its numbers in the two texts, from 1."""

    op: Literal["same", "removed", "added"]
    left: int | None
    right: int | None
    text: str


class SqlResult(Strict):
    """The texts point by point, null where the task has none there; ``diff`` where there are two."""

    task_id: str
    texts: list[Text | None]
    diff: list[DiffLine] | None


class SqlAnswer(Strict):
    """The answer of ``GET /v1/sql``."""

    basis: list[Basis]
    result: SqlResult


class Planned(Strict):
    """What one task will begin and end at a valid time to come; ``version`` is the last message that says so."""

    valid_at: str
    task_id: str
    version: int
    begins: int
    ends: int


class PlannedAnswer(Strict):
    """The answer of ``GET /v1/planned``, in order of valid time."""

    basis: Basis
    result: list[Planned]
    next_offset: int | None


class Letter(BaseModel):
    """A rejected message without its bytes."""

    model_config = ConfigDict(extra="forbid")
    version: int
    system_time: str
    code: str | None
    detail: str | None
    event_id: str | None
    task_id: str | None
    source: str | None
    source_position: int | None
    replayed_as: int | None
    dismissed: str | None
    bytes: int


class LettersAnswer(Strict):
    """The answer of ``GET /v1/dead-letters``."""

    basis: LongBasis
    result: list[Letter]
    next_offset: int | None


class ReplayedLetter(Strict):
    """The outcome of a dead letter that was sent through again."""

    version: int
    status: Literal["accepted", "duplicate", "ignored", "rejected"]
    as_version: int
    code: str | None
    detail: str | None


class WrittenBasis(Strict):
    """The version that the service had come to."""

    valid_at: None
    version: int


class ReplayAnswer(Strict):
    """The answer of ``POST /v1/dead-letters/replay``."""

    basis: WrittenBasis
    result: list[ReplayedLetter]


class KeptSubscription(Strict):
    """A subscription; ``problem`` says why it cannot be used."""

    name: str
    version: int
    since: str
    actor: str | None
    problem: str | None
    subscription: dict[str, Any] | None = Field(description="its filters, null where it cannot be read")


class SubscriptionsAnswer(Strict):
    """The answer of ``GET /v1/subscriptions``."""

    basis: Basis
    result: list[KeptSubscription]


class SubscribedAnswer(Strict):
    """The answer of ``POST`` and ``DELETE /v1/subscriptions``."""

    basis: WrittenBasis
    result: dict[str, Any]
