"""Models of the answers about nodes, datasets, SQL, planned changes, dead letters and subscriptions, for OpenAPI."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from lineage_tt.api.http.schemas import Basis, Completeness, Instant, LongBasis, Strict


class NodeFact(Strict):
    """A fact of the node in force; ``kind`` and ``subject`` identify the messages that state it."""

    node: str
    key: str
    value: str
    kind: str
    subject: str
    version: int
    valid_from: Instant
    valid_to: Instant


class NodeColumn(Strict):
    """A column at the point. ``inferred`` is true if only edges in force name it."""

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
    """A valid time at which a column appeared, was removed or changed its type."""

    valid_at: str
    version: int
    change: Literal["appeared", "removed", "type-changed"]
    column: str
    type: str | None
    type_before: str | None


class NodeTask(Strict):
    """A task with edges at the node; ``edges`` counts them."""

    task_id: str
    edges: int


class NodeReader(NodeTask):
    """A task that reads the node; ``targets`` are the first 20 datasets, by name, that it writes from the node."""

    targets: list[str]
    targets_omitted: int | None = Field(None, description="The number of further targets. Absent if 0.")


class NodeResult(Strict):
    """A dataset or column at a point. ``truncated`` is true if a list was cut at 1,000 rows."""

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
    """The answer to ``GET /v1/nodes``."""

    basis: Basis
    completeness: Completeness
    result: NodeResult


class DatasetEntry(Strict):
    """An entry below a prefix. ``datasets`` counts the datasets that it holds.

    ``under`` is the prefix of the entries below it, null if there are none. ``dataset`` is its full name if it is a
    dataset, otherwise null.
    """

    name: str
    under: str | None
    dataset: str | None
    datasets: int


class DatasetsResult(Strict):
    """A page of entries; ``total`` counts the entries of all pages."""

    under: str
    entries: list[DatasetEntry]
    total: int


class DatasetsAnswer(Strict):
    """The answer to ``GET /v1/datasets``."""

    basis: Basis
    result: DatasetsResult
    next_cursor: str | None
    notes: list[str] = Field([], description="Why the answer is empty, such as an unknown name. Absent if empty.")


class Span(Strict):
    """A place in a text. ``end`` is exclusive; offsets count UTF-16 code units, as in JavaScript."""

    start: int
    end: int
    what: Literal["statement", "expression", "column"]


class Text(Strict):
    """The SQL of a task in force at a point; ``sql`` is null if the store's text policy does not keep it."""

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
    """A line of the comparison; ``left`` and ``right`` are its line numbers in the two texts, starting at 1."""

    op: Literal["same", "removed", "added"]
    left: int | None
    right: int | None
    text: str


class SqlResult(Strict):
    """One text for each point, null if the task has none there; ``diff`` compares two texts."""

    task_id: str
    texts: list[Text | None]
    diff: list[DiffLine] | None


class SqlAnswer(Strict):
    """The answer to ``GET /v1/sql``."""

    basis: list[Basis]
    notes: list[str] = Field([], description="What of the texts is not searched or compared, and why. Absent if empty.")
    result: SqlResult


class Planned(Strict):
    """The number of edges of a task that begin and end at a future valid time; ``version`` is the last to state it."""

    valid_at: str
    task_id: str
    version: int
    begins: int
    ends: int


class PlannedAnswer(Strict):
    """The answer to ``GET /v1/planned``, ordered by valid time."""

    basis: Basis
    result: list[Planned]
    next_offset: int | None


class Letter(BaseModel):
    """A dead letter without the message itself; ``bytes`` is the size of the message."""

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
    """The answer to ``GET /v1/dead-letters``."""

    basis: LongBasis
    result: list[Letter]
    next_offset: int | None


class ReplayedLetter(Strict):
    """The outcome of a replayed dead letter; ``as_version`` is the version of the replayed message."""

    version: int
    status: Literal["accepted", "duplicate", "ignored", "rejected"]
    as_version: int
    code: str | None
    detail: str | None


class WrittenBasis(Strict):
    """The version that the service had reached after the write."""

    valid_at: None
    version: int


class ReplayAnswer(Strict):
    """The answer to ``POST /v1/dead-letters/replay``."""

    basis: WrittenBasis
    result: list[ReplayedLetter]


class KeptSubscription(Strict):
    """A subscription in force; ``problem`` states why it cannot be used, or is null."""

    name: str
    version: int
    since: str
    actor: str | None
    problem: str | None
    subscription: dict[str, Any] | None = Field(description="Its filters; null if they cannot be read.")


class SubscriptionsAnswer(Strict):
    """The answer to ``GET /v1/subscriptions``."""

    basis: Basis
    result: list[KeptSubscription]


class SubscribedAnswer(Strict):
    """The answer to ``POST`` and ``DELETE /v1/subscriptions``."""

    basis: WrittenBasis
    result: dict[str, Any]
