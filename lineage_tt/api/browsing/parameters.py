"""The parameters of the questions of this package, and of people who write."""

from __future__ import annotations

from typing import Annotated, Final

from pydantic import BaseModel, ConfigDict, Field

from lineage_tt.api.http.parameters import MAX_INT, POINT, POINTS, STRICT, Digits, Paged, Whole
from lineage_tt.events import CLASSES
from lineage_tt.model.names import MAX_NAME_BYTES

_TWO_POINTS: Final = POINTS.replace("{0,63}", "{0,1}")
Node = Annotated[
    str,
    Field(
        min_length=1, max_length=2000, description="A column or a whole dataset, as `namespace:name#column`.",
        examples=["hive:dws.sales_daily"],
    ),
]  # fmt: skip
Point = Annotated[
    str,
    Field(
        pattern=POINT, max_length=90,
        description="The point: `VALID_AT`, `VALID_AT@SYSTEM_AT` or `VALID_AT@vVERSION`; nothing is now.",
    ),
]  # fmt: skip
Name = Annotated[str, Field(min_length=1, max_length=MAX_NAME_BYTES)]
Class = Annotated[str, Field(pattern=f"^(?:{'|'.join(CLASSES)})$")]
Names = Annotated[list[Name], Field(max_length=100)]


class NodeQuery(BaseModel):
    """``GET /v1/nodes``."""

    model_config = STRICT
    node: Node
    at: Point = "now"


class DatasetsQuery(BaseModel):
    """``GET /v1/datasets``."""

    model_config = STRICT
    under: Annotated[
        str, Field(max_length=2000, description="`under` of an entry; nothing for the namespaces.", examples=["hive:"])
    ] = ""
    at: Point = "now"
    limit: Annotated[int, Field(ge=1, le=10_000, description="At most this many entries."), Digits] = 1000
    cursor: Annotated[
        str | None, Field(min_length=1, max_length=2000, description="`next_cursor` of the page before.")
    ] = None


class SqlQuery(BaseModel):
    """``GET /v1/sql``."""

    model_config = STRICT
    task: Annotated[
        str, Field(min_length=1, max_length=2000, description="The task's id.", examples=["ads_customer_360"])
    ]
    at: Annotated[
        str,
        Field(
            pattern=_TWO_POINTS, max_length=181, description="One or two points, separated by a comma.",
            examples=["2026-02-01T00:00:00Z,2026-05-01T00:00:00Z"],
        ),
    ] = "now"  # fmt: skip
    source: Annotated[
        str | None, Field(min_length=1, max_length=2000, description="Mark what makes edges from this node.")
    ] = None
    target: Annotated[
        str | None, Field(min_length=1, max_length=2000, description="Mark what makes edges to this node.")
    ] = None


class LettersQuery(Paged):
    """``GET /v1/dead-letters``."""

    waiting: Annotated[bool, Field(description="Only those neither replayed nor dismissed.")] = False


class ReplayBody(BaseModel):
    """``POST /v1/dead-letters/replay``."""

    model_config = ConfigDict(extra="forbid", strict=True, json_schema_extra={"example": {"versions": [129]}})
    versions: Annotated[
        list[Annotated[int, Field(ge=1, le=MAX_INT), Whole]],
        Field(min_length=1, max_length=1000, description="The versions of the dead letters."),
    ]


class SubscriptionBody(BaseModel):
    """``POST /v1/subscriptions``."""

    model_config = ConfigDict(
        extra="forbid", strict=True,
        json_schema_extra={"example": {"name": "sales", "datasets": ["hive:dws.*"], "classes": ["edge-removed"]}},
    )  # fmt: skip
    name: Annotated[str, Field(min_length=1, max_length=200, description="Its name; takes the place of one so named.")]
    datasets: Annotated[Names, Field(description="Patterns: `hive:dw.*`.")] = []
    columns: Annotated[Names, Field(description="Patterns: `*#email`.")] = []
    namespaces: Annotated[Names, Field(description="Namespaces.")] = []
    labels: Annotated[Names, Field(description="Labels of a node or its dataset.")] = []
    owners: Annotated[Names, Field(description="Owners of the task.")] = []
    tasks: Annotated[Names, Field(description="Patterns of task ids.")] = []
    classes: Annotated[list[Class], Field(max_length=100, description="Classes of change, as in events.")] = []
    upstream_of: Annotated[Names, Field(description="All that feeds these nodes.")] = []
    downstream_of: Annotated[Names, Field(description="All that these nodes feed.")] = []
    hops: Annotated[
        int | None, Field(ge=1, le=1_000_000, description="At most this many edges away. Default: all."), Whole
    ] = None
    direct_only: Annotated[bool, Field(description="Only edges whose values flow.")] = False
    actor: Annotated[str | None, Field(max_length=200, description="Who subscribes.")] = None


class SubscriptionQuery(BaseModel):
    """``DELETE /v1/subscriptions``."""

    model_config = STRICT
    name: Annotated[str, Field(min_length=1, max_length=200, description="The subscription.", examples=["sales"])]
    actor: Annotated[str | None, Field(max_length=200, description="Who takes it away.")] = None
