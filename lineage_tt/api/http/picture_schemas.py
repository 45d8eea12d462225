"""Models of the answers about pictures, for OpenAPI. Coordinates are pixels from the top left corner."""

from __future__ import annotations

from typing import Literal

from lineage_tt.api.http.schemas import Basis, Completeness, Strict

Change = Literal["same", "added", "removed", "changed"]


class LayoutRow(Strict):
    """The row of a column in a box; lines meet it ``y`` pixels below the top of the box."""

    node: str
    label: str
    y: float
    start: bool
    uncertain: bool
    change: Change


class LayoutBox(Strict):
    """The box of a dataset. ``uncertain`` is true if the walk stopped there because lineage is not known."""

    dataset: str
    namespace: str
    label: str
    x: float
    y: float
    width: float
    height: float
    layer: int
    start: bool
    uncertain: bool
    change: Change
    rows: list[LayoutRow]


class LayoutLine(Strict):
    """All edges between two nodes, at the last point that has any; ``present`` states for each point if it has any."""

    source: str
    target: str
    kinds: list[str]
    direct: bool
    by_star: bool
    certain: bool
    tasks: list[str]
    expressions: list[str]
    change: Change
    present: list[bool]
    points: list[tuple[float, float]]


class LayoutResult(Strict):
    """The picture; ``change`` compares the first point with the last one."""

    direction: Literal["up", "down", "both"]
    depth: int | None
    level: Literal["column", "table", "task"]
    direct_only: bool
    start: list[str]
    width: float
    height: float
    boxes: list[LayoutBox]
    lines: list[LayoutLine]


class LayoutAnswer(Strict):
    """The answer to ``GET /v1/layout``: one basis and completeness for each point, one picture for all points."""

    basis: list[Basis]
    completeness: list[Completeness]
    result: LayoutResult


class ChangePoint(Strict):
    """A valid time at which edges begin or end, and how many do."""

    valid_at: str
    begins: int
    ends: int


class ChangeVersion(Strict):
    """A version that changed edges: its system time, and how many edge changes it adds and removes."""

    version: int
    system_time: str
    plus: int
    minus: int


class TimelineResult(Strict):
    """The change points of a picture, in order; ``nodes`` counts the nodes whose edges are considered."""

    direction: Literal["up", "down", "both"]
    depth: int | None
    level: Literal["column", "table", "task"]
    direct_only: bool
    start: list[str]
    nodes: int
    points: list[ChangePoint]
    known: list[ChangeVersion]


class TimelineAnswer(Strict):
    """The answer to ``GET /v1/timeline``. The basis is the latest of the given points, over all valid times."""

    basis: Basis
    result: TimelineResult
