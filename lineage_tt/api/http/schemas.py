"""Models of answers, for OpenAPI. ``lineage_tt.read.shapes`` makes the answers; tests compare both."""

from __future__ import annotations

from http import HTTPStatus
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from lineage_tt.levels.names import AnyLevel

Instant = str | None


class Strict(BaseModel):
    """A model that allows no other fields."""

    model_config = ConfigDict(extra="forbid")


class Problem(BaseModel):
    """Problem details (RFC 9457); ``hint`` states what to do."""

    model_config = ConfigDict(title="Problem", extra="allow")
    type: str
    title: str
    status: int
    detail: str
    hint: str | None = None


class Basis(Strict):
    """The point that an answer was read at; ``valid_at`` is null if the answer covers all valid times."""

    valid_at: Instant
    version: int
    system_time: Instant


class KeptFrom(Strict):
    """The horizon: ``compact --horizon`` dropped the beliefs that had ended before it."""

    version: int
    system_time: str


class LongBasis(Basis):
    """The basis of an answer that covers all system times."""

    kept_from: KeptFrom | None = Field(None, description="Absent if all beliefs are kept.")


class Edge(Strict):
    """An edge in force, its valid interval, and the version that put it in force.

    ``by_star`` is true if the edge begins or ends at the unknown columns of a dataset (``dataset#*``), and the walk
    joined it to a column: the column name on the far side is assumed.
    """

    direction: Literal["up", "down"]
    steps: int
    task_id: str
    source: str
    target: str
    type: str
    subtype: str
    expression: str
    version: int
    valid_from: Instant
    valid_to: Instant
    by_star: bool


class Reason(Strict):
    """Why the coverage of a task is not complete; ``subject`` is the dataset or column concerned, or empty."""

    code: str
    detail: str
    subject: str


class TaskGap(Strict):
    """A task of the walk whose coverage is not complete; ``version`` is the message that states it."""

    task_id: str
    version: int
    coverage: Literal["partial", "opaque"]
    reasons: list[Reason]
    reasons_omitted: int


class End(Strict):
    """A node at which the walk stopped because lineage is not known, not because it ends."""

    node: str
    direction: Literal["up", "down"]
    code: Literal["unknown-sources", "unknown-targets", "no-such-column"]
    detail: str


class Completeness(Strict):
    """What the store does not know about the answer; ``by_star`` counts the steps that assume a column name."""

    complete: bool
    tasks: list[TaskGap]
    tasks_omitted: int
    ends: list[End]
    ends_omitted: int
    by_star: int
    rejected: int | None = Field(None, description="Number of edges left out as rejected. Absent if 0.")


class NodeReached(Strict):
    """A node that the walk reached, and the minimum number of steps to it."""

    node: str
    steps: int


class GroupEdge(Strict):
    """An edge between two groups, and the numbers of edges, tasks and datasets that it sums up."""

    source: str
    target: str
    edges: int
    tasks: int
    source_datasets: int
    target_datasets: int


class GroupChange(Strict):
    """An edge between groups that differs: the numbers of edges that it sums up at each point, and at only one."""

    change: Literal["removed", "added", "changed"]
    source: str
    target: str
    before: int
    after: int
    removed: int
    added: int


class LineageResult(Strict):
    """What a walk reached; ``cursor`` requests the next page if it is truncated.

    At a level of groups, ``groups`` replaces ``nodes`` and ``edges``.
    """

    direction: Literal["up", "down", "both"]
    depth: int | None
    level: AnyLevel
    direct_only: bool
    start: list[str]
    nodes: list[NodeReached] | None = Field(None, description="Absent at a level of groups.")
    edges: list[Edge] | None = Field(
        None, description="Absent at a level of groups, and with `edges=false` unless `roll_up` is given."
    )
    groups: list[GroupEdge] | None = Field(None, description="Present only at a level of groups.")
    truncated: bool
    cursor: str | None


class LineageAnswer(Strict):
    """The answer to ``GET /v1/lineage``; ``completeness`` covers all pages."""

    basis: Basis
    completeness: Completeness
    result: LineageResult


class BatchAnswer(Strict):
    """One answer for each point and node (for each point, with ``together``), ordered by point."""

    basis: Basis
    result: list[LineageAnswer]


class EdgeOnly(Strict):
    """An edge without its valid interval."""

    task_id: str
    source: str
    target: str
    type: str
    subtype: str
    expression: str


class DiffBasis(BaseModel):
    """The two points of a difference."""

    model_config = ConfigDict(extra="forbid")
    first: Basis = Field(alias="from")
    second: Basis = Field(alias="to")


class DiffResult(Strict):
    """The edges in force only at the first point (``removed``), or only at the second (``added``).

    If walks were compared, the result repeats the parameters of the walk, and ``nodes`` counts the nodes it met.
    """

    direction: Literal["up", "down", "both"] | None = Field(None, description="Present if walks were compared.")
    depth: int | None = Field(None, description="Present if walks were compared.")
    level: AnyLevel | None = Field(None, description="Present if walks or groups were compared.")
    roll_up: bool | None = Field(None, description="Present if groups were compared.")
    direct_only: bool | None = Field(None, description="Present if walks were compared.")
    nodes: int | None = Field(None, description="The number of nodes met at either point, if walks were compared.")
    removed: list[EdgeOnly] | None = Field(None, description="Absent at a level of groups.")
    added: list[EdgeOnly] | None = Field(None, description="Absent at a level of groups.")
    groups: list[GroupChange] | None = Field(None, description="Present only at a level of groups.")


class DiffAnswer(Strict):
    """The answer to ``GET /v1/diff``."""

    basis: DiffBasis
    completeness: Completeness
    result: DiffResult


class PageAnswer(Strict):
    """The fields of each page of a list, apart from its rows."""

    basis: LongBasis
    next_offset: int | None = Field(description="`offset` of the next page; null on the last page.")


class ChangesAnswer(Strict):
    """The changes of versions. While ``more`` is true, request the next page with ``after`` = ``next_after``."""

    basis: Basis
    result: list[dict[str, Any]]
    next_after: int
    more: bool


class Hit(Strict):
    """A name that matches the search. A ``score`` of 1 means that the text is the name itself.

    ``subject`` is the node or task that it names or describes. An owner, a label or a description holds from
    ``valid_from`` to ``valid_to`` (null: without end); other kinds have neither.
    """

    name: str
    kind: Literal["column", "dataset", "task", "owner", "label", "description"]
    subject: str
    score: float
    valid_from: str | None
    valid_to: str | None


class SearchAnswer(Strict):
    """The answer to ``GET /v1/search``, the best match first."""

    basis: Basis
    result: list[Hit]
    notes: list[str] = Field([], description="Which matches are left out, and what to do. Absent if empty.")


class Health(Strict):
    """The state of the service."""

    status: Literal["ok", "ready"]


class StatsAnswer(Strict):
    """The answer to ``GET /v1/stats``."""

    basis: Basis
    result: dict[str, Any]


def answers(
    model: type[BaseModel], *others: int, cached: bool = True, stream: bool = False
) -> dict[int | str, dict[str, Any]]:
    """Return the OpenAPI responses of an operation that reads; callers may keep the answer where it is ``cached``."""
    result = responses(200, model, *others)
    if cached:
        result[304] = {"description": "The caller already has this answer."}
    if stream:
        result[200]["content"] = {"text/event-stream": {"schema": {"type": "string"}}}
    return result


def responses(status: int, model: type[BaseModel], *others: int) -> dict[int | str, dict[str, Any]]:
    """Return the OpenAPI responses of an operation: success, its own errors, and the errors of all operations."""
    result: dict[int | str, dict[str, Any]] = {status: {"model": model, "description": HTTPStatus(status).phrase}}
    for other in sorted({*others, 400, 401, 408, 413, 414, 415, 421, 431, 500, 503}):
        result[other] = {
            "description": HTTPStatus(other).phrase,
            "content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}},
        }
    return result
