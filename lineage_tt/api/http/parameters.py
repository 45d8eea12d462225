"""What requests are made of. The patterns are exact: what fits one is read, what does not is refused with 400."""

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
#: ISO 8601 with a zone. The first thousand years and the last one have no zone that leads out of the years 1 to 9999.
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
MANY_POINTS: Final = f"^{_POINT}(?:,{_POINT})*$"  # counted elsewhere: a bounded repeat would be too large a pattern
MAX_ALSO: Final = 512
#: A time that is not relative to now.
FIXED: Final = f"^(?:{_ISO})$"

#: The greatest integer that every JSON reader keeps exactly.
MAX_INT: Final = 2**53 - 1
STRICT: Final = ConfigDict(extra="forbid")


def _digits(value: Any) -> Any:
    """Return what a query gives for an integer; ValueError for what Python reads as one and OpenAPI does not: 1_0."""
    if isinstance(value, str) and not (value.isascii() and value.removeprefix("-").isdigit()):
        raise ValueError("Input should be a valid integer, written in digits")
    return value


Digits = BeforeValidator(_digits)
_ABOUT_TIME = "ISO 8601 with a zone (2024-05-01T08:00:00Z), `now`, or a distance from now such as `-7d`"
ValidAt = Annotated[
    str | None,
    Field(pattern=TIME, max_length=40, description=f"Valid time: {_ABOUT_TIME}. Default: now."),
]
SystemAt = Annotated[
    str | None,
    Field(pattern=TIME, max_length=40, description=f"As known at this system time: {_ABOUT_TIME}. Default: the last."),
]
VersionAt = Annotated[
    int | None,
    Field(ge=0, le=MAX_INT, description="As known at this version. With `system_at` too, the earlier of both holds."),
    Digits,
]
Node = Annotated[
    str,
    Field(
        min_length=1,
        max_length=2000,
        description="A column or a whole dataset, as `namespace:name#column`.",
        examples=["hive:dws.sales_daily#ordered_value"],
    ),
]
Depth = Annotated[
    int | None, Field(ge=0, le=1_000_000, description="At most this many steps. Default: no limit."), Digits
]
Offset = Annotated[
    int, Field(ge=0, le=MAX_INT, description="Skip this many rows; `next_offset` of the last page."), Digits
]
_LEVELS: Final = (
    "From column, dataset (`table`) or task to the next; or column by column, summed up between groups: `system`, "
    "`cluster`, `namespace`, `layer`, `domain`, `owner`, `dataset`."
)
_ROLL_UP: Final = "With `level=task`: count sub-tasks as the outermost task that starts them."
Rows = Annotated[int, Field(ge=1, le=10_000, description="At most this many rows."), Digits]


class At(BaseModel):
    """The point in the two times that is asked about."""

    model_config = STRICT
    valid_at: ValidAt = None
    system_at: SystemAt = None
    version: VersionAt = None


class Paged(BaseModel):
    """Which rows of a long answer."""

    model_config = STRICT
    limit: Rows = 1000
    offset: Offset = 0


class Walking(At):
    """How to walk."""

    direction: Annotated[Direction, Field(description="Upstream, downstream or both.")] = "both"
    depth: Depth = None
    level: Annotated[AnyLevel, Field(description=_LEVELS)] = "column"
    roll_up: Annotated[bool, Field(description=_ROLL_UP)] = False
    direct_only: Annotated[bool, Field(description="Only values that flow: no joins, filters and the like.")] = False
    edges: Annotated[bool, Field(description="Give the edges; without them the nodes only.")] = True
    limit: Annotated[int, Field(ge=1, le=100_000, description="At most this many edges."), Digits] = 10_000


class LineageQuery(Walking):
    """``GET /v1/lineage``."""

    node: Node
    cursor: Annotated[
        str | None,
        Field(
            pattern=r"^-?[0-9]{1,18}\.[0-9]{1,18}\.[0-9]{1,9}$",
            description="`cursor` of a truncated answer: continue after it, at its own point.",
        ),
    ] = None


def _whole(value: Any) -> Any:
    """Return 3 for 3.0: JSON knows no difference."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


Whole = BeforeValidator(_whole)


class Point(At):
    """One point in the two times."""

    model_config = ConfigDict(extra="forbid", strict=True)
    version: Annotated[VersionAt, Whole] = None


class LineageBatch(BaseModel):
    """``POST /v1/lineage``: every node at every point, each an answer of its own, or all nodes together."""

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
        Field(min_length=1, max_length=1_000, description="Columns or whole datasets."),
    ]
    points: Annotated[
        list[Point], Field(min_length=1, max_length=100, description="Points; default: now, as known now.")
    ] = [Point()]
    together: Annotated[bool, Field(description="One walk from all nodes, instead of one from each.")] = False
    direction: Annotated[Direction, Field(description="Upstream, downstream or both.")] = "both"
    depth: Annotated[Depth, Whole] = None
    level: Annotated[AnyLevel, Field(description=_LEVELS)] = "column"
    roll_up: Annotated[bool, Field(description=_ROLL_UP)] = False
    direct_only: Annotated[bool, Field(description="Only values that flow: no joins, filters and the like.")] = False
    edges: Annotated[bool, Field(description="Give the edges; without them the nodes only.")] = True
    limit: Annotated[int, Field(ge=1, le=100_000, description="At most this many edges per answer."), Digits, Whole] = (
        10_000
    )


class DiffQuery(BaseModel):
    """``GET /v1/diff``."""

    model_config = ConfigDict(extra="forbid", populate_by_name=False)
    first: Annotated[
        str,
        Field(
            alias="from", pattern=POINT, max_length=90,
            description="The first point: `VALID_AT`, `VALID_AT@SYSTEM_AT` or `VALID_AT@vVERSION`; nothing is now.",
            examples=["2026-02-01T00:00:00Z"],
        ),
    ]  # fmt: skip
    second: Annotated[str, Field(alias="to", pattern=POINT, max_length=90, description="The second point.")] = "now"
    node: Annotated[
        str | None, Field(min_length=1, max_length=2000, description="Only edges at this column or dataset.")
    ] = None
    direction: Annotated[
        Direction | None, Field(description="With `node`: of all that is up- or downstream of it, or both.")
    ] = None
    depth: Annotated[Depth, Field(description="With `node`: at most this many steps from it.")] = None
    level: Annotated[
        AnyLevel | None,
        Field(
            description="With `node`: from column, dataset or task to the next. Or sum up by groups: `system`, "
            "`cluster`, `namespace`, `layer`, `domain`, `owner`, `dataset`, and without a node `table` or `task`."
        ),
    ] = None
    roll_up: Annotated[bool, Field(description=_ROLL_UP)] = False
    direct_only: Annotated[bool, Field(description="With `node`: only values that flow.")] = False

    @property
    def walks(self) -> bool:
        """Whether a closure is asked about, and not only the edges that touch the node, or all."""
        limited = self.direct_only or (self.direction, self.depth) != (None, None)
        return limited or (self.level is not None and self.node is not None and not self.roll_up)


def _not_too_many(text: str | None) -> str | None:
    if text is not None and text.count(",") >= MAX_ALSO:
        raise ValueError(f"more than {MAX_ALSO} points")
    return text


class LayoutQuery(BaseModel):
    """``GET /v1/layout``."""

    model_config = STRICT
    node: Node
    at: Annotated[
        str,
        Field(
            pattern=POINTS, max_length=5887,
            description="One to 64 points, separated by commas: `VALID_AT`, `VALID_AT@SYSTEM_AT` or "
            "`VALID_AT@vVERSION`; nothing is now.",
            examples=["2026-02-01T00:00:00Z,2026-04-01T00:00:00Z"],
        ),
    ] = "now"  # fmt: skip
    also: Annotated[
        str | None,
        Field(
            pattern=MANY_POINTS, max_length=47_103,
            description=f"Up to {MAX_ALSO} more points that count for the places only: answers with the same of them "
            "have all nodes at the same places.",
        ),
        AfterValidator(_not_too_many),  # after the field: what stands before it is not in the published schema
    ] = None  # fmt: skip
    direction: Annotated[Direction, Field(description="Upstream, downstream or both.")] = "both"
    depth: Depth = None
    level: Annotated[ShownLevel, Field(description="Columns as rows of their datasets, or datasets alone.")] = "column"
    direct_only: Annotated[bool, Field(description="Only values that flow: no joins, filters and the like.")] = False


class HistoryQuery(Paged):
    """``GET /v1/history``."""

    node: Node
    target: Annotated[
        str | None, Field(min_length=1, max_length=2000, description="Only edges from `node` to this node.")
    ] = None


class BlameQuery(At):
    """``GET /v1/blame``."""

    source: Annotated[Node, Field(examples=["hive:dwd.orders#amount"])]
    target: Annotated[Node, Field(examples=["hive:dws.sales_daily#ordered_value"])]


class TasksQuery(At):
    """``GET /v1/tasks``."""

    limit: Rows = 1000
    offset: Offset = 0


class ChangesQuery(BaseModel):
    """``GET /v1/changes``."""

    model_config = STRICT
    after: Annotated[int, Field(ge=0, le=MAX_INT, description="Only versions after this one."), Digits] = 0
    limit: Annotated[int, Field(ge=1, le=10_000, description="At most this many versions."), Digits] = 1000
    labels: Annotated[bool, Field(description="Also events of what that changed in the labels of nodes.")] = False
    scene: Annotated[str | None, Field(max_length=200, description="With `labels`: a scene of the rules.")] = None


class SearchQuery(BaseModel):
    """``GET /v1/search``."""

    model_config = STRICT
    q: Annotated[
        str,
        Field(
            min_length=1,
            max_length=200,
            description="What to look for: a beginning, a part, words, a typo.",
            examples=["sales daily"],
        ),
    ]
    kind: Annotated[
        str | None,
        Field(pattern="^(?:column|dataset|task|owner|label|description)$", description="Only names of this kind."),
    ] = None
    limit: Annotated[int, Field(ge=1, le=200, description="At most this many."), Digits] = 20
