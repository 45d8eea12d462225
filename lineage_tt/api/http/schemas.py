"""What answers look like, for the OpenAPI document. ``lineage_tt.read.shapes`` makes them; tests compare."""

from __future__ import annotations

from http import HTTPStatus
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from lineage_tt.levels.names import AnyLevel

Instant = str | None


class Strict(BaseModel):
    """An answer without fields that it does not name."""

    model_config = ConfigDict(extra="forbid")


class Problem(BaseModel):
    """RFC 9457 problem details; ``hint`` says what to do."""

    model_config = ConfigDict(title="Problem", extra="allow")
    type: str
    title: str
    status: int
    detail: str
    hint: str | None = None


class Basis(Strict):
    """The point an answer was read at: same basis, same bytes. ``valid_at`` is null over all valid times."""

    valid_at: Instant
    version: int
    system_time: Instant


class KeptFrom(Strict):
    """From where on all beliefs are kept; those that had ended before it were dropped by ``compact --horizon``."""

    version: int
    system_time: str


class LongBasis(Basis):
    """The point of an answer that goes over all system times, too."""

    kept_from: KeptFrom | None = Field(None, description="left out where all is kept")


class Edge(Strict):
    """An edge in force, its valid interval, and the version that put it there.

    ``by_star`` marks an edge from or to columns that are not known (``dataset#*``), joined to a column of the walk: the
    same column name is assumed on the far side.
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
    """Why a task is not complete; ``subject`` is the dataset or column concerned, empty where it is none."""

    code: str
    detail: str
    subject: str


class TaskGap(Strict):
    """A task on the way that is not complete; ``version`` is the row of the log that says so."""

    task_id: str
    version: int
    coverage: Literal["partial", "opaque"]
    reasons: list[Reason]
    reasons_omitted: int


class End(Strict):
    """A node at which the walk stopped for want of knowledge, not of lineage."""

    node: str
    direction: Literal["up", "down"]
    code: Literal["unknown-sources", "unknown-targets", "no-such-column"]
    detail: str


class Completeness(Strict):
    """What the answer does not know; ``by_star`` counts the steps that assume a column name."""

    complete: bool
    tasks: list[TaskGap]
    tasks_omitted: int
    ends: list[End]
    ends_omitted: int
    by_star: int
    rejected: int | None = Field(None, description="edges left out as people reject them; not there where it is 0")


class NodeReached(Strict):
    """A node and its least number of steps from the start."""

    node: str
    steps: int


class GroupEdge(Strict):
    """What flows from one group to another: the number of edges, of tasks, and of datasets."""

    source: str
    target: str
    edges: int
    tasks: int
    source_datasets: int
    target_datasets: int


class GroupChange(Strict):
    """An edge between groups that differs: how many edges it sums up at each point, and at one of them only."""

    change: Literal["removed", "added", "changed"]
    source: str
    target: str
    before: int
    after: int
    removed: int
    added: int


class LineageResult(Strict):
    """What a walk reached; ``cursor`` leads on where it is truncated. Groups have ``groups`` instead of both lists."""

    direction: Literal["up", "down", "both"]
    depth: int | None
    level: AnyLevel
    direct_only: bool
    start: list[str]
    nodes: list[NodeReached] | None = Field(None, description="left out at a level of groups")
    edges: list[Edge] | None = Field(None, description="left out with `edges=false`, and at a level of groups")
    groups: list[GroupEdge] | None = Field(None, description="at a level of groups only")
    truncated: bool
    cursor: str | None


class LineageAnswer(Strict):
    """The answer of ``GET /v1/lineage``; ``completeness`` is that of the whole answer, on each of its pages."""

    basis: Basis
    completeness: Completeness
    result: LineageResult


class BatchAnswer(Strict):
    """One answer a node and point, point by point."""

    basis: Basis
    result: list[LineageAnswer]


class EdgeOnly(Strict):
    """An edge without its times."""

    task_id: str
    source: str
    target: str
    type: str
    subtype: str
    expression: str


class DiffBasis(BaseModel):
    """The two points."""

    model_config = ConfigDict(extra="forbid")
    first: Basis = Field(alias="from")
    second: Basis = Field(alias="to")


class DiffResult(Strict):
    """Edges only at the first point, and only at the second. A walk from a node is repeated, with the nodes it met."""

    direction: Literal["up", "down", "both"] | None = Field(None, description="of a walk; left out without one")
    depth: int | None = Field(None, description="of a walk; left out without one")
    level: AnyLevel | None = Field(None, description="of a walk or of groups; left out without one")
    roll_up: bool | None = Field(None, description="of groups without a walk; left out else")
    direct_only: bool | None = Field(None, description="of a walk; left out without one")
    nodes: int | None = Field(None, description="how many nodes a walk met at either point; left out without one")
    removed: list[EdgeOnly] | None = Field(None, description="left out at a level of groups")
    added: list[EdgeOnly] | None = Field(None, description="left out at a level of groups")
    groups: list[GroupChange] | None = Field(None, description="at a level of groups only")


class DiffAnswer(Strict):
    """The answer of ``GET /v1/diff``."""

    basis: DiffBasis
    completeness: Completeness
    result: DiffResult


class PageAnswer(Strict):
    """What each page of a list has beside its rows."""

    basis: LongBasis
    next_offset: int | None = Field(description="`offset` of the next page, null at the end")


class ChangesAnswer(Strict):
    """What versions changed; ask on with ``after`` = ``next_after`` while there is ``more``."""

    basis: Basis
    result: list[dict[str, Any]]
    next_after: int
    more: bool


class Hit(Strict):
    """A name found: 1 is the name itself. ``subject`` is the node or task that it names or describes.

    An owner, a label or a description holds from ``valid_from`` to ``valid_to`` (null: without end); others have
    neither.
    """

    name: str
    kind: Literal["column", "dataset", "task", "owner", "label", "description"]
    subject: str
    score: float
    valid_from: str | None
    valid_to: str | None


class SearchAnswer(Strict):
    """The answer of ``GET /v1/search``, best first."""

    basis: Basis
    result: list[Hit]


class Health(Strict):
    """One word."""

    status: Literal["ok", "ready"]


class StatsAnswer(Strict):
    """What the service holds."""

    basis: Basis
    result: dict[str, Any]


def answers(model: type[BaseModel], *others: int, stream: bool = False) -> dict[int | str, dict[str, Any]]:
    """Return the responses of a question."""
    result = responses(200, model, *others)
    result[304] = {"description": "The caller has this answer already."}
    if stream:
        result[200]["content"] = {"text/event-stream": {"schema": {"type": "string"}}}
    return result


def responses(status: int, model: type[BaseModel], *others: int) -> dict[int | str, dict[str, Any]]:
    """Return the responses of an operation: the good one, its own refusals, and those that any may have."""
    result: dict[int | str, dict[str, Any]] = {status: {"model": model, "description": HTTPStatus(status).phrase}}
    for other in sorted({*others, 400, 401, 408, 413, 414, 415, 421, 431, 500, 503}):
        result[other] = {
            "description": HTTPStatus(other).phrase,
            "content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}},
        }
    return result
