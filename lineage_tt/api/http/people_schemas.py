"""Request bodies and answers of the routes for what people state: edges, aliases and annotations."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from lineage_tt.api.http.parameters import At, Time
from lineage_tt.api.http.schemas import Basis, Instant, Strict
from lineage_tt.model.names import MAX_NAME_BYTES

Name = Annotated[str, Field(min_length=1, max_length=MAX_NAME_BYTES)]


def _example(**example: Any) -> ConfigDict:
    return ConfigDict(extra="forbid", strict=True, json_schema_extra={"example": example})


class Stating(BaseModel):
    """A statement: who makes it, why, and from when to when it holds."""

    reason: Annotated[str | None, Field(max_length=2000, description="The reason; kept in the log.")] = None
    evidence: Annotated[str | None, Field(max_length=2000, description="A link to more information.")] = None
    actor: Annotated[str | None, Field(max_length=200, description="The person who states it.")] = None
    at: Annotated[Time, Field(description="The valid time from which it holds.")] = "now"
    expires: Annotated[Time | None, Field(description="The valid time at which it ends.")] = None


class EdgeBody(Stating):
    """The body of ``POST /v1/edges``."""

    model_config = _example(
        op="add", source="hive:ods.orders#amount", target="bi:board/42#revenue", actor="ana", reason="exported by hand"
    )
    op: Annotated[
        Literal["add", "reject", "remove"],
        Field(description="`add` an edge, `reject` the edges between two nodes, or `remove` either statement."),
    ]
    source: Annotated[Name, Field(description="The source node.")]
    target: Annotated[Name, Field(description="The target node.")]
    type: Annotated[Literal["DIRECT", "INDIRECT"], Field(description="The type of an added edge.")] = "DIRECT"
    subtype: Annotated[
        str | None, Field(max_length=40, description="The subtype. Default: `IDENTITY`, or `FILTER` if INDIRECT.")
    ] = None
    expression: Annotated[str, Field(max_length=10_000, description="The expression that makes the target.")] = ""


class AliasBody(Stating):
    """The body of ``POST /v1/aliases``."""

    model_config = _example(op="add", dataset="hive:dw.orders", alias="trino:lake.dw.orders", reason="one table")
    op: Annotated[Literal["add", "remove"], Field(description="`add` or `remove` the alias.")]
    dataset: Annotated[Name, Field(description="The dataset.")]
    alias: Annotated[Name, Field(description="Another name of the dataset.")]


class AnnotationBody(Stating):
    """The body of ``POST /v1/annotations``."""

    model_config = _example(node="hive:dw.orders", key="owner", values=["ana"])
    node: Annotated[Name, Field(description="A dataset, a column, or `task:ID`.")]
    key: Annotated[Name, Field(description="`description`, `owner`, `label`, or any other key.")]
    values: Annotated[list[Name], Field(max_length=100, description="The values; an empty list removes them.")]


class StatedQuery(At):
    """The query parameters of ``GET /v1/edges`` and ``GET /v1/aliases``."""

    node: Annotated[str | None, Field(min_length=1, max_length=2000, description="Only those of this node.")] = None


class StatedEdge(Strict):
    """An edge that a person added or rejected."""

    stated: Literal["added", "rejected"]
    source: str
    target: str
    type: str
    subtype: str
    expression: str
    version: int
    valid_from: Instant
    valid_to: Instant
    actor: str | None
    reason: str | None
    evidence: str | None


class Alias(Strict):
    """Two names of one dataset, and who states it."""

    dataset: str
    alias: str
    task_id: str
    version: int
    valid_from: Instant
    valid_to: Instant
    actor: str | None
    reason: str | None
    cause: str | None
    evidence: str | None


class StatedEdges(Strict):
    """The answer to ``GET /v1/edges``."""

    basis: Basis
    result: list[StatedEdge]
    notes: list[str] = Field([], description="Why the answer is empty, such as an unknown name. Absent if empty.")


class Aliases(Strict):
    """The answer to ``GET /v1/aliases``."""

    basis: Basis
    result: list[Alias]
    notes: list[str] = Field([], description="Why the answer is empty, such as an unknown name. Absent if empty.")
