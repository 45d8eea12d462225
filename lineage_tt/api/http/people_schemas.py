"""What people state over HTTP: bodies of requests, and answers."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from lineage_tt.api.http.parameters import TIME, At
from lineage_tt.api.http.schemas import Basis, Instant, Strict
from lineage_tt.model.names import MAX_NAME_BYTES

Name = Annotated[str, Field(min_length=1, max_length=MAX_NAME_BYTES)]


def _example(**example: Any) -> ConfigDict:
    return ConfigDict(extra="forbid", strict=True, json_schema_extra={"example": example})


class Stating(BaseModel):
    """Who states something, why, and from when to when."""

    reason: Annotated[str | None, Field(max_length=2000, description="Why; kept in the log.")] = None
    evidence: Annotated[str | None, Field(max_length=2000, description="Link to where one can read more.")] = None
    actor: Annotated[str | None, Field(max_length=200, description="Who says so.")] = None
    at: Annotated[str, Field(pattern=TIME, max_length=40, description="Valid time from which it holds.")] = "now"
    expires: Annotated[str | None, Field(pattern=TIME, max_length=40, description="Valid time at which it ends.")] = (
        None
    )


class EdgeBody(Stating):
    """``POST /v1/edges``."""

    model_config = _example(
        op="add", source="hive:ods.orders#amount", target="bi:board/42#revenue", actor="ana", reason="exported by hand"
    )
    op: Annotated[
        Literal["add", "reject", "remove"],
        Field(description="Add an edge, reject those between two nodes, take it back."),
    ]
    source: Annotated[Name, Field(description="The node that it comes from.")]
    target: Annotated[Name, Field(description="The node that it goes to.")]
    type: Annotated[Literal["DIRECT", "INDIRECT"], Field(description="Of an edge that is added.")] = "DIRECT"
    subtype: Annotated[str | None, Field(max_length=40, description="Default: IDENTITY, of INDIRECT FILTER.")] = None
    expression: Annotated[str, Field(max_length=10_000, description="What makes the target of its sources.")] = ""


class AliasBody(Stating):
    """``POST /v1/aliases``."""

    model_config = _example(op="add", dataset="hive:dw.orders", alias="trino:lake.dw.orders", reason="one table")
    op: Annotated[Literal["add", "remove"], Field(description="They are one thing, or no longer are.")]
    dataset: Annotated[Name, Field(description="A dataset.")]
    alias: Annotated[Name, Field(description="Another name of it.")]


class AnnotationBody(Stating):
    """``POST /v1/annotations``."""

    model_config = _example(node="hive:dw.orders", key="owner", values=["ana"])
    node: Annotated[Name, Field(description="A dataset, a column, or task:ID.")]
    key: Annotated[Name, Field(description="description, owner, label, or a key of your own.")]
    values: Annotated[list[Name], Field(max_length=100, description="Its values; none takes them back.")]


class StatedQuery(At):
    """``GET /v1/edges``, ``GET /v1/aliases``."""

    node: Annotated[str | None, Field(min_length=1, max_length=2000, description="Only of this node.")] = None


class StatedEdge(Strict):
    """What a person states of an edge."""

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
    """Two names of one thing, and who says so."""

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
    """The answer of ``GET /v1/edges``."""

    basis: Basis
    result: list[StatedEdge]


class Aliases(Strict):
    """The answer of ``GET /v1/aliases``."""

    basis: Basis
    result: list[Alias]
