"""``/v1/layout`` and ``/v1/timeline``: lineage as a picture at up to 64 points, and when what it shows changes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from fastapi.responses import Response

from lineage_tt.api.http import schemas
from lineage_tt.api.http.parameters import LayoutQuery
from lineage_tt.api.http.picture_schemas import LayoutAnswer, TimelineAnswer
from lineage_tt.api.reads.engine import Engine, Walk
from lineage_tt.api.service import service_of
from lineage_tt.levels.tasks import PREFIX
from lineage_tt.model.answers import Basis, Lineage
from lineage_tt.model.completeness.summary import COMPLETE
from lineage_tt.model.edges import dataset_of, is_column, star_of
from lineage_tt.model.errors import NotInForceError
from lineage_tt.model.times import format_instant
from lineage_tt.read import shapes

router = APIRouter(tags=["lineage"])


@router.get("/v1/layout", responses=schemas.answers(LayoutAnswer, 404))
async def layout(request: Request, given: Annotated[LayoutQuery, Query()]) -> Response:
    """Give boxes and lines with their places: of the union of all points asked, so that nothing moves between them.

    Each dataset is a box with a row for each column, each pair of nodes with an edge a line. ``change`` marks what the
    last point has and the first has not, or the reverse. The same points give the same places.
    """
    service = service_of(request)
    points = [await service.point(text) for text in given.at.split(",")]
    bases = tuple(basis for basis, _ in points)
    walk = Walk(given.direction, given.depth, given.level, given.direct_only)

    def make(engine: Engine) -> dict[str, Any]:
        from lineage_tt.graph.pictures.picture import picture  # numba loads when a picture is asked for

        answers = _answers(engine, given.node, bases, walk)
        drawn = picture(*answers).to_json()
        del drawn["points"], drawn["incomplete"]
        return {
            "basis": [basis.to_json() for basis in bases],
            "completeness": [found.completeness.to_json() for found in answers],
            "result": walk.to_json() | drawn,
        }

    return await service.answer(request, bases, all(fixed for _, fixed in points), make)


@router.get("/v1/timeline", responses=schemas.answers(TimelineAnswer, 404))
async def timeline(request: Request, given: Annotated[LayoutQuery, Query()]) -> Response:
    """Give the valid times at which edges of a picture's nodes begin or end, as known at the latest of its points.

    The nodes are those of the union of all points asked. Edges that lead out of the picture count, too: they are what
    it does not show at those points. Changes in the future are planned. ``known``: the versions that made them.
    """
    service = service_of(request)
    points = [await service.point(text) for text in given.at.split(",")]
    bases = tuple(basis for basis, _ in points)
    latest = max(bases, key=lambda basis: basis.version)
    walk = Walk(given.direction, given.depth, given.level, given.direct_only)

    def make(engine: Engine) -> dict[str, Any]:
        nodes, start = _ends(engine, given.node, bases, walk)
        if given.level == "table":
            nodes = {dataset_of(node) for node in nodes}
        shown = len(nodes)
        nodes |= {star_of(node) for node in nodes if is_column(node)}
        moments = engine.change_points(nodes, latest.version, whole=given.level == "table")
        changes = [
            {"valid_at": format_instant(each.valid_at), "begins": each.begins, "ends": each.ends} for each in moments
        ]
        known = [
            {
                "version": each.version,
                "system_time": format_instant(each.system_time),
                "plus": each.plus,
                "minus": each.minus,
            }
            for each in engine.change_versions(nodes, latest.version, whole=given.level == "table")
        ]
        result = walk.to_json() | {"start": sorted(start), "nodes": shown, "points": changes, "known": known}
        return shapes.answer(shapes.known_by(latest), result)

    return await service.answer(request, bases, all(fixed for _, fixed in points), make)


def _ends(engine: Engine, node: str, bases: Sequence[Basis], walk: Walk) -> tuple[set[str], set[str]]:
    """Return the nodes of the pictures at all points, and those they start from; a task need be there at one alone."""
    nodes, starts, absent = set[str](), set[str](), 0
    for basis in bases:
        try:
            met, start = engine.ends(node, basis, walk)
        except NotInForceError:
            met, start, absent = set(), (node,), absent + 1
        nodes |= {*met, *start}
        starts |= {*start}
    if absent == len(bases):
        raise NotInForceError(node.removeprefix(PREFIX))
    return nodes, starts


def _answers(engine: Engine, node: str, bases: Sequence[Basis], walk: Walk) -> list[Lineage]:
    """Return the answer at each point. A task that is in force at some of them has nothing at the others.

    Raises NotInForceError for a task that is in force at none.
    """
    found: list[Lineage | None] = []
    for basis in bases:
        try:
            found.append(engine.lineage([node], basis, walk))
        except NotInForceError:
            found.append(None)
    if not any(found):
        raise NotInForceError(node.removeprefix(PREFIX))
    return [answer or Lineage(basis, (node,), (), COMPLETE) for basis, answer in zip(bases, found, strict=True)]
