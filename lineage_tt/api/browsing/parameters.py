"""Query parameters and request bodies of the routes for browsing, dead letters and subscriptions."""

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
        min_length=1, max_length=2000,
        description="A dataset (`namespace:name`) or a column (`namespace:name#column`).",
        examples=["hive:dws.sales_daily"],
    ),
]  # fmt: skip
Point = Annotated[
    str,
    Field(
        pattern=POINT, max_length=90,
        description="The point: `VALID_AT`, `VALID_AT@SYSTEM_AT` or `VALID_AT@vVERSION`. An empty `VALID_AT` "
        "means now.",
    ),
]  # fmt: skip
Name = Annotated[str, Field(min_length=1, max_length=MAX_NAME_BYTES)]
Class = Annotated[str, Field(pattern=f"^(?:{'|'.join(CLASSES)})$")]
Names = Annotated[list[Name], Field(max_length=100)]


class NodeQuery(BaseModel):
    """The query parameters of ``GET /v1/nodes``."""

    model_config = STRICT
    node: Node
    at: Point = "now"


class DatasetsQuery(BaseModel):
    """The query parameters of ``GET /v1/datasets``."""

    model_config = STRICT
    under: Annotated[
        str,
        Field(
            max_length=2000, description="The prefix: `under` of an entry. If empty, the namespaces are listed.",
            examples=["hive:"],
        ),
    ] = ""  # fmt: skip
    at: Point = "now"
    limit: Annotated[int, Field(ge=1, le=10_000, description="Maximum number of entries."), Digits] = 1000
    cursor: Annotated[
        str | None, Field(min_length=1, max_length=2000, description="`next_cursor` of the previous page.")
    ] = None


class SqlQuery(BaseModel):
    """The query parameters of ``GET /v1/sql``."""

    model_config = STRICT
    task: Annotated[
        str, Field(min_length=1, max_length=2000, description="The id of the task.", examples=["ads_customer_360"])
    ]
    at: Annotated[
        str,
        Field(
            pattern=_TWO_POINTS, max_length=181, description="One point, or two points separated by a comma.",
            examples=["2026-02-01T00:00:00Z,2026-05-01T00:00:00Z"],
        ),
    ] = "now"  # fmt: skip
    source: Annotated[
        str | None, Field(min_length=1, max_length=2000, description="Mark the places that make edges from this node.")
    ] = None
    target: Annotated[
        str | None, Field(min_length=1, max_length=2000, description="Mark the places that make edges to this node.")
    ] = None


class LettersQuery(Paged):
    """The query parameters of ``GET /v1/dead-letters``."""

    waiting: Annotated[bool, Field(description="Only dead letters that were neither replayed nor dismissed.")] = False


class ReplayBody(BaseModel):
    """The body of ``POST /v1/dead-letters/replay``."""

    model_config = ConfigDict(extra="forbid", strict=True, json_schema_extra={"example": {"versions": [129]}})
    versions: Annotated[
        list[Annotated[int, Field(ge=1, le=MAX_INT), Whole]],
        Field(min_length=1, max_length=1000, description="The versions of the dead letters."),
    ]


class SubscriptionBody(BaseModel):
    """The body of ``POST /v1/subscriptions``: the name and the filters of a subscription."""

    model_config = ConfigDict(
        extra="forbid", strict=True,
        json_schema_extra={"example": {"name": "sales", "datasets": ["hive:dws.*"], "classes": ["edge-removed"]}},
    )  # fmt: skip
    name: Annotated[
        str, Field(min_length=1, max_length=200, description="The name; a subscription with the same name is replaced.")
    ]
    datasets: Annotated[Names, Field(description="Patterns of datasets, such as `hive:dw.*`.")] = []
    columns: Annotated[Names, Field(description="Patterns of columns, such as `*#email`.")] = []
    namespaces: Annotated[Names, Field(description="Namespaces.")] = []
    labels: Annotated[Names, Field(description="Labels of the node or of its dataset.")] = []
    owners: Annotated[Names, Field(description="Owners of the task.")] = []
    tasks: Annotated[Names, Field(description="Patterns of task ids.")] = []
    classes: Annotated[list[Class], Field(max_length=100, description="Classes of changes, as in events.")] = []
    upstream_of: Annotated[Names, Field(description="Nodes; everything upstream of them matches.")] = []
    downstream_of: Annotated[Names, Field(description="Nodes; everything downstream of them matches.")] = []
    hops: Annotated[
        int | None,
        Field(ge=1, le=1_000_000, description="Maximum number of edges from `upstream_of` or `downstream_of`."),
        Whole,
    ] = None
    direct_only: Annotated[bool, Field(description="With `upstream_of` or `downstream_of`: only DIRECT edges.")] = False
    actor: Annotated[str | None, Field(max_length=200, description="The person who subscribes.")] = None


class SubscriptionQuery(BaseModel):
    """The query parameters of ``DELETE /v1/subscriptions``."""

    model_config = STRICT
    name: Annotated[
        str, Field(min_length=1, max_length=200, description="The name of the subscription.", examples=["sales"])
    ]
    actor: Annotated[str | None, Field(max_length=200, description="The person who unsubscribes.")] = None
