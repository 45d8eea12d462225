"""Query parameters and request bodies. The patterns are exact: a value that does not match is refused with 400."""

from __future__ import annotations

from typing import Annotated, Any, Final

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field

from lineage_tt.levels.names import AnyLevel
from lineage_tt.model.answers import Direction, ShownLevel

_ZONE: Final = "[+-](?:[01][0-9]|2[0-3]):[0-5][0-9]"
_CLOCK: Final = r"[T ](?:[01][0-9]|2[0-3]):[0-5][0-9](?::[0-5][0-9](?:\.[0-9]{1,6})?)?"
_DAY: Final = (
    "(?:(?:0[13578]|1[02])-(?:0[1-9]|[12][0-9]|3[01])|(?:0[469]|11)-(?:0[1-9]|[12][0-9]|30)"
    "|02-(?:0[1-9]|1[0-9]|2[0-8]))"
)
_LEAP: Final = "(?:[0-9]{2}(?:0[48]|[2468][048]|[13579][26])|(?:0[48]|[2468][048]|[13579][26])00)-02-29"
#: ISO 8601 with a zone. Years 1 to 999, and 9999, accept only Z (except on 29 February): instants stay in these years.
_ISO: Final = (
    f"(?:[1-8][0-9]{{3}}|9[0-8][0-9]{{2}}|99[0-8][0-9]|999[0-8])-{_DAY}{_CLOCK}(?:Z|{_ZONE})"
    f"|{_LEAP}{_CLOCK}(?:Z|{_ZONE})"
    f"|(?:000[1-9]|00[1-9][0-9]|0[1-9][0-9]{{2}})-{_DAY}{_CLOCK}Z"
    f"|9999-{_DAY}{_CLOCK}Z"
)
_RELATIVE: Final = "[+-](?:[0-9]{1,9}s|[0-9]{1,7}(?:min|m)|[0-9]{1,6}h|[0-9]{1,5}d|[0-9]{1,4}w)"
_TIME: Final = f"(?:now|{_RELATIVE}|{_ISO})"
TIME: Final = f"^{_TIME}$"
_POINT: Final = f"(?:{_TIME})?(?:@(?:v[0-9]{{1,18}}|{_TIME}))?"
POINT: Final = f"^{_POINT}$"
POINTS: Final = f"^{_POINT}(?:,{_POINT}){{0,63}}$"
MANY_POINTS: Final = f"^{_POINT}(?:,{_POINT})*$"  # _not_too_many counts: a bounded repeat is too large
MAX_ALSO: Final = 512
#: A time that does not depend on the current time.
FIXED: Final = f"^(?:{_ISO})$"

#: The greatest integer that every JSON parser represents exactly.
MAX_INT: Final = 2**53 - 1
STRICT: Final = ConfigDict(extra="forbid")


def _digits(value: Any) -> Any:
    """Return the value of an integer parameter; ValueError for forms that only Python accepts, such as 1_0."""
    if isinstance(value, str) and not (value.isascii() and value.removeprefix("-").isdigit()):
        raise ValueError("Input should be a valid integer, written in digits")
    return value


Digits = BeforeValidator(_digits)
_ABOUT_TIME = "ISO 8601 with a time zone (`2024-05-01T08:00:00Z`), `now`, or a time relative to now (`-7d`)"
#: A time as callers write it.
Time = Annotated[str, Field(pattern=TIME, max_length=40)]
ValidAt = Annotated[Time | None, Field(description=f"The valid time: {_ABOUT_TIME}. Default: now.")]
SystemAt = Annotated[Time | None, Field(description=f"The system time: {_ABOUT_TIME}. Default: the latest version.")]
VersionAt = Annotated[
    int | None,
    Field(ge=0, le=MAX_INT, description="The version. If `system_at` is also given, the earlier of the two applies."),
    Digits,
]
Node = Annotated[
    str,
    Field(
        min_length=1,
        max_length=2000,
        description="A dataset (`namespace:name`) or a column (`namespace:name#column`).",
        examples=["hive:dws.sales_daily#ordered_value"],
    ),
]
Depth = Annotated[
    int | None, Field(ge=0, le=1_000_000, description="Maximum number of steps. Default: no limit."), Digits
]
Offset = Annotated[
    int, Field(ge=0, le=MAX_INT, description="Number of rows to skip: `next_offset` of the previous page."), Digits
]
_LEVELS: Final = (
    "The nodes of the walk: `column`, `table` (datasets) or `task`. The levels of groups (`system`, `cluster`, "
    "`namespace`, `layer`, `domain`, `owner`, `dataset`) sum up the edges of a walk by column between groups."
)
_ROLL_UP: Final = "With `level=task`: sub-tasks count as the outermost task that starts them."
Rows = Annotated[int, Field(ge=1, le=10_000, description="Maximum number of rows."), Digits]


class At(BaseModel):
    """The point of a question: a valid time, and a system time or a version."""

    model_config = STRICT
    valid_at: ValidAt = None
    system_at: SystemAt = None
    version: VersionAt = None


class Paged(BaseModel):
    """The page of a list."""

    model_config = STRICT
    limit: Rows = 1000
    offset: Offset = 0


class Walking(At):
    """The parameters of a walk."""

    direction: Annotated[Direction, Field(description="Direction of the walk: upstream, downstream or both.")] = "both"
    depth: Depth = None
    level: Annotated[AnyLevel, Field(description=_LEVELS)] = "column"
    roll_up: Annotated[bool, Field(description=_ROLL_UP)] = False
    direct_only: Annotated[bool, Field(description="Only DIRECT edges: no joins, filters or conditions.")] = False
    edges: Annotated[bool, Field(description="If false, only nodes are returned, except with `roll_up`.")] = True
    limit: Annotated[int, Field(ge=1, le=100_000, description="Maximum number of edges (or nodes)."), Digits] = 10_000


class LineageQuery(Walking):
    """The query parameters of ``GET /v1/lineage``."""

    node: Node
    cursor: Annotated[
        str | None,
        Field(
            pattern=r"^-?[0-9]{1,18}\.[0-9]{1,18}\.[0-9]{1,9}(?:\.[0-9a-f]{24})?$",
            description="`cursor` of a truncated answer to the same question: returns the next page, at its point.",
        ),
    ] = None


def _whole(value: Any) -> Any:
    """Return 3 for 3.0: JSON does not distinguish them."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


Whole = BeforeValidator(_whole)


class Point(At):
    """A point: a valid time, and a system time or a version."""

    model_config = ConfigDict(extra="forbid", strict=True)
    version: Annotated[VersionAt, Whole] = None


class LineageBatch(BaseModel):
    """The body of ``POST /v1/lineage``. Without ``together``, one answer for each node and point."""

    model_config = ConfigDict(
        extra="forbid",
        strict=True,
        json_schema_extra={
            "example": {
                "nodes": ["hive:dws.sales_daily#ordered_value", "bi:board/42#revenue"],
                "points": [{"valid_at": "2026-02-01T00:00:00Z"}, {"valid_at": "2026-04-01T00:00:00Z", "version": 9}],
                "direction": "up",
                "depth": 3,
            }
        },
    )
    nodes: Annotated[
        list[Annotated[str, Field(min_length=1, max_length=16_384)]],
        Field(min_length=1, max_length=1_000, description="Datasets or columns."),
    ]
    points: Annotated[
        list[Point], Field(min_length=1, max_length=100, description="The points. Default: now, as known now.")
    ] = [Point()]
    together: Annotated[bool, Field(description="Walk once from all nodes instead of once from each.")] = False
    direction: Annotated[Direction, Field(description="Direction of the walk: upstream, downstream or both.")] = "both"
    depth: Annotated[Depth, Whole] = None
    level: Annotated[AnyLevel, Field(description=_LEVELS)] = "column"
    roll_up: Annotated[bool, Field(description=_ROLL_UP)] = False
    direct_only: Annotated[bool, Field(description="Only DIRECT edges: no joins, filters or conditions.")] = False
    edges: Annotated[bool, Field(description="If false, only nodes are returned, except with `roll_up`.")] = True
    limit: Annotated[
        int, Field(ge=1, le=100_000, description="Maximum number of edges, nodes or groups per answer."), Digits, Whole
    ] = 10_000


class DiffQuery(BaseModel):
    """The query parameters of ``GET /v1/diff``."""

    model_config = ConfigDict(extra="forbid", populate_by_name=False)
    first: Annotated[
        str,
        Field(
            alias="from", pattern=POINT, max_length=90,
            description="The first point: `VALID_AT`, `VALID_AT@SYSTEM_AT` or `VALID_AT@vVERSION`. Empty means now.",
            examples=["2026-02-01T00:00:00Z"],
        ),
    ]  # fmt: skip
    second: Annotated[str, Field(alias="to", pattern=POINT, max_length=90, description="The second point.")] = "now"
    node: Annotated[
        str | None, Field(min_length=1, max_length=2000, description="Only edges that touch this dataset or column.")
    ] = None
    direction: Annotated[
        Direction | None, Field(description="With `node`: compare a walk from it in this direction.")
    ] = None
    depth: Annotated[Depth, Field(description="With `node`: maximum number of steps from it.")] = None
    level: Annotated[
        AnyLevel | None,
        Field(
            description="With `node`: the nodes of the walk (`column`, `table`, `task`). The levels of groups, and "
            "without `node` also `table` and `task`, sum up the differences between groups."
        ),
    ] = None
    roll_up: Annotated[bool, Field(description=_ROLL_UP)] = False
    direct_only: Annotated[bool, Field(description="With `node`: only DIRECT edges.")] = False

    @property
    def walks(self) -> bool:
        """Whether a walk from the node is compared, and not only the edges that touch it, or all edges."""
        limited = self.direct_only or (self.direction, self.depth) != (None, None)
        return limited or (self.level is not None and self.node is not None and not self.roll_up)


def _not_too_many(text: str | None) -> str | None:
    if text is not None and text.count(",") >= MAX_ALSO:
        raise ValueError(f"more than {MAX_ALSO} points")
    return text


class LayoutQuery(BaseModel):
    """The query parameters of ``GET /v1/layout`` and ``GET /v1/timeline``."""

    model_config = STRICT
    node: Node
    at: Annotated[
        str,
        Field(
            pattern=POINTS, max_length=5887,
            description="One to 64 points, separated by commas: `VALID_AT`, `VALID_AT@SYSTEM_AT` or "
            "`VALID_AT@vVERSION`. An empty `VALID_AT` means now.",
            examples=["2026-02-01T00:00:00Z,2026-04-01T00:00:00Z"],
        ),
    ] = "now"  # fmt: skip
    also: Annotated[
        str | None,
        Field(
            pattern=MANY_POINTS, max_length=47_103,
            description=f"Up to {MAX_ALSO} more points that affect only the layout. Answers whose points are all "
            "in the same `also` have each node at the same place.",
        ),
        AfterValidator(_not_too_many),  # must follow Field: otherwise the published schema lacks its pattern
    ] = None  # fmt: skip
    direction: Annotated[Direction, Field(description="Direction of the walk: upstream, downstream or both.")] = "both"
    depth: Depth = None
    level: Annotated[ShownLevel, Field(description="Draw datasets with their columns, datasets, or tasks.")] = "column"
    direct_only: Annotated[bool, Field(description="Only DIRECT edges: no joins, filters or conditions.")] = False


class HistoryQuery(Paged):
    """The query parameters of ``GET /v1/history``."""

    node: Node
    target: Annotated[
        str | None, Field(min_length=1, max_length=2000, description="Only edges from `node` to this node.")
    ] = None


class BlameQuery(At):
    """The query parameters of ``GET /v1/blame``."""

    source: Annotated[Node, Field(examples=["hive:dwd.orders#amount"])]
    target: Annotated[Node, Field(examples=["hive:dws.sales_daily#ordered_value"])]


class TasksQuery(At):
    """The query parameters of ``GET /v1/tasks``."""

    limit: Rows = 1000
    offset: Offset = 0


class ChangesQuery(BaseModel):
    """The query parameters of ``GET /v1/changes``."""

    model_config = STRICT
    after: Annotated[int, Field(ge=0, le=MAX_INT, description="Only versions later than this one."), Digits] = 0
    limit: Annotated[int, Field(ge=1, le=10_000, description="Maximum number of versions in a page."), Digits] = 1000
    labels: Annotated[bool, Field(description="Also return events of derived labels.")] = False
    scene: Annotated[str | None, Field(max_length=200, description="With `labels`: the scene of the rules.")] = None


class SearchQuery(BaseModel):
    """The query parameters of ``GET /v1/search``."""

    model_config = STRICT
    q: Annotated[
        str,
        Field(
            min_length=1,
            max_length=200,
            description="The text to search for: a name, its beginning, a part of it or words; typos are tolerated.",
            examples=["sales daily"],
        ),
    ]
    kind: Annotated[
        str | None,
        Field(pattern="^(?:column|dataset|task|owner|label|description)$", description="Only names of this kind."),
    ] = None
    limit: Annotated[int, Field(ge=1, le=200, description="Maximum number of names."), Digits] = 20
