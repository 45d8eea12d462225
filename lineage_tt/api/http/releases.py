"""The body and the answer of ``POST /v1/impact``. A conflict, such as a task named twice, is refused with 409."""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal

from pydantic import BaseModel, ConfigDict, Field

from lineage_tt.api.http import schemas
from lineage_tt.api.http.parameters import SystemAt, ValidAt, VersionAt, Whole
from lineage_tt.levels.names import AnyLevel

#: Maximum number of candidates in one request.
MAX_CANDIDATES: Final = 10_000
_EXAMPLE: Final[Any] = {
    "candidates": [
        {
            "task_id": "dws_store_ranking",
            "sql": "CREATE OR REPLACE TABLE dws.store_ranking AS SELECT d.dt, d.store_id FROM dws.sales_daily d",
            "dialect": "spark",
            "namespace": "hive",
            "default_database": "dws",
        },
        {"task_id": "ads_store_board", "op": "offline"},
    ],
    "effective_at": "2026-06-01T00:00:00Z",
}
_READ = ConfigDict(extra="ignore", strict=True)
Name = Annotated[str, Field(min_length=1, max_length=2_000, pattern=r"^[^\u0000]+$")]
Text = Annotated[str, Field(max_length=4_000_000)]
Node = Annotated[str, Field(min_length=3, max_length=4_000, pattern=r"^[^:\u0000]+:[^\u0000]+$")]


class _Candidate(BaseModel):
    model_config = _READ
    task_id: Annotated[Name, Field(description="The id of the task.")]
    path: Annotated[str | None, Field(max_length=4_000, description="The file of the change, for the report.")] = None


_EARLIER: Final = Field(description="The previous SQL, used if the store does not know the task.")


class SqlCandidate(_Candidate):
    """A task with new SQL."""

    op: Literal["online", "update"] = "update"
    sql: Text
    dialect: Name
    namespace: Name | None = None
    default_database: Name | None = None
    target: Annotated[Node | None, Field(description="The dataset that a SELECT without INSERT writes.")] = None
    params: dict[str, str] | None = None
    earlier: Annotated[SqlCandidate | None, _EARLIER] = None


class DirectEdge(BaseModel):
    """An edge by which values flow from the source to the target."""

    model_config = _READ
    source: Node
    target: Node
    type: Literal["DIRECT"] = "DIRECT"
    subtype: Literal["IDENTITY", "TRANSFORMATION", "AGGREGATION"] = "IDENTITY"
    expression: str = ""


class IndirectEdge(BaseModel):
    """An edge whose source decides which rows or which value the target has."""

    model_config = _READ
    source: Node
    target: Node
    type: Literal["INDIRECT"]
    subtype: Literal["JOIN", "FILTER", "GROUP_BY", "SORT", "WINDOW", "CONDITIONAL"]
    expression: str = ""


class EdgesCandidate(_Candidate):
    """A task with its complete new set of edges."""

    op: Literal["online", "update"] = "update"
    edges: list[DirectEdge | IndirectEdge]
    earlier: Annotated[SqlCandidate | None, _EARLIER] = None


class OfflineCandidate(_Candidate):
    """A task that goes offline."""

    op: Literal["offline"]
    earlier: Annotated[SqlCandidate | None, _EARLIER] = None


class DatasetColumn(BaseModel):
    """A column of a dataset, or a field of a struct."""

    model_config = _READ
    name: Name
    type: str | None = None
    mode: str | None = None
    renamed_from: str | None = None
    fields: list[DatasetColumn] | None = None


class DatasetCandidate(BaseModel):
    """A dataset with all its new columns, as in a dataset message."""

    model_config = _READ
    kind: Literal["dataset"]
    dataset: Node
    op: Literal["define"] = "define"
    columns: Annotated[list[DatasetColumn], Field(min_length=1)]
    path: Annotated[str | None, Field(max_length=4_000, description="The file of the change, for the report.")] = None


class DatasetDropCandidate(BaseModel):
    """A dataset whose declaration is withdrawn."""

    model_config = _READ
    kind: Literal["dataset"]
    dataset: Node
    op: Literal["drop"]
    path: Annotated[str | None, Field(max_length=4_000, description="The file of the change, for the report.")] = None


class Rules(BaseModel):
    """Owners and labels in addition to those of the store, layers (the lowest first), protected datasets, the gate."""

    model_config = ConfigDict(extra="forbid", strict=True)
    owners: dict[str, list[str]] = {}
    labels: dict[str, list[str]] = {}
    layers: list[str] = []
    protected: list[str] = []
    allow_unknown: bool = False


class ImpactRequest(BaseModel):
    """The body of ``POST /v1/impact``: the tasks and datasets of a release, which take effect together."""

    model_config = ConfigDict(extra="forbid", strict=True, json_schema_extra={"example": _EXAMPLE})
    as_: Annotated[
        Name | None, Field(alias="as", description="Also report the sources that this principal may not read.")
    ] = None
    rules: Annotated[
        bool, Field(description="Apply the labels and rules of the service, as `as` and `scene` also do.")
    ] = False
    scene: Annotated[str | None, Field(max_length=200, description="The scene of the service's rules.")] = None
    level: Annotated[
        AnyLevel | None, Field(description="Also sum up what is downstream by groups: `owner`, `system`, `task`, …")
    ] = None
    roll_up: Annotated[
        bool, Field(description="With `level: task`: sub-tasks count as the outermost task that starts them.")
    ] = False
    candidates: Annotated[
        list[SqlCandidate | EdgesCandidate | OfflineCandidate | DatasetCandidate | DatasetDropCandidate],
        Field(max_length=MAX_CANDIDATES, description="The tasks and datasets that change; each task once."),
    ]
    effective_at: ValidAt = None
    system_at: SystemAt = None
    version: Annotated[VersionAt, Whole] = None
    policy: Rules = Rules()
    pictures: Annotated[bool, Field(description="Add pictures of each task and of what the release touches.")] = False


class ImpactAnswer(BaseModel):
    """The answer to ``POST /v1/impact``; docs/reference/impact.md lists the keys of ``result``."""

    model_config = ConfigDict(extra="forbid")
    basis: schemas.Basis
    completeness: schemas.Completeness
    result: dict[str, Any]
