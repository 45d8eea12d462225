"""What ``GET /v1/layout`` answers, for the OpenAPI document. Lengths are in pixels, from the top left corner."""

from __future__ import annotations

from typing import Literal

from lineage_tt.api.http.schemas import Basis, Completeness, Strict

Change = Literal["same", "added", "removed", "changed"]


class LayoutRow(Strict):
    """A column in its box; ``y`` is where lines meet it, below the top of the box."""

    node: str
    label: str
    y: float
    start: bool
    uncertain: bool
    change: Change


class LayoutBox(Strict):
    """A dataset; ``uncertain``: the walk stopped there for want of knowledge."""

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
    """All edges between two nodes, as they are at the last point that has one; ``present`` says which points do."""

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
    """The picture; ``change`` compares the first point with the last."""

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
    """The answer of ``GET /v1/layout``: bases and completeness point by point, one picture for all of them."""

    basis: list[Basis]
    completeness: list[Completeness]
    result: LayoutResult


class ChangePoint(Strict):
    """A valid time at which edges begin or end to be in force, and how many do."""

    valid_at: str
    begins: int
    ends: int


class ChangeVersion(Strict):
    """A version that changed edges, when the store recorded it, and how many changes with either sign it has."""

    version: int
    system_time: str
    plus: int
    minus: int


class TimelineResult(Strict):
    """The change points of a picture, in order; ``nodes`` counts the nodes whose edges are looked at."""

    direction: Literal["up", "down", "both"]
    depth: int | None
    level: Literal["column", "table", "task"]
    direct_only: bool
    start: list[str]
    nodes: int
    points: list[ChangePoint]
    known: list[ChangeVersion]


class TimelineAnswer(Strict):
    """The answer of ``GET /v1/timeline``; the basis is the latest of the points asked, over all valid times."""

    basis: Basis
    result: TimelineResult
