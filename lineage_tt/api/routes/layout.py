"""``/v1/layout``, ``/v1/timeline``: lineage as a picture at up to 64 points, and the times at which it changes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from fastapi.responses import Response

from lineage_tt.api.http import schemas
from lineage_tt.api.http.parameters import LayoutQuery
from lineage_tt.api.http.picture_schemas import LayoutAnswer, TimelineAnswer
from lineage_tt.api.reads.engine import Engine, Walk
from lineage_tt.api.service import Service, service_of
from lineage_tt.levels.tasks import PREFIX
from lineage_tt.model.answers import Basis, Lineage
from lineage_tt.model.completeness.summary import COMPLETE
from lineage_tt.model.edges import dataset_of, is_column, star_of
from lineage_tt.model.errors import NotInForceError
from lineage_tt.model.times import format_instant
from lineage_tt.read import shapes

router = APIRouter(tags=["lineage"])


@router.get("/v1/layout", responses=schemas.answers(LayoutAnswer, 404))
async def layout(request: Request, query: Annotated[LayoutQuery, Query()]) -> Response:
    """Return a picture of lineage: boxes and lines with their positions.

    A dataset is a box with a row for each column; a pair of nodes with edges is a line. The layout is that of the union
    of all points, so that nothing moves between them; the same points give the same layout. ``change`` marks what
    differs between the first point and the last.
    """
    service = service_of(request)
    bases, fixed = await _points(service, query.at)
    others, settled = await _points(service, query.also)
    walk = Walk(query.direction, query.depth, query.level, query.direct_only)

    def make(engine: Engine) -> dict[str, Any]:
        from lineage_tt.graph.pictures.picture import picture  # imports numba, only for a picture

        answers = _answers(engine, query.node, bases, walk)
        beside = _pairs(engine, query.node, others, walk)[0] if others else None
        drawn = picture(*answers, beside=beside).to_json()
        del drawn["points"], drawn["incomplete"]
        return {
            "basis": [basis.to_json() for basis in bases],
            "completeness": [answer.completeness.to_json() for answer in answers],
            "result": walk.to_json() | drawn,
        }

    return await service.answer(request, (*bases, *others), fixed and settled, make)


@router.get("/v1/timeline", responses=schemas.answers(TimelineAnswer, 404))
async def timeline(request: Request, query: Annotated[LayoutQuery, Query()]) -> Response:
    """Return the valid times at which edges of a picture's nodes begin or end, as known at the latest of its points.

    The nodes are those of the union of all points. Edges that lead out of the picture also count. Changes in the future
    are planned changes. ``known`` lists the versions that changed such edges.
    """
    service = service_of(request)
    points, fixed = await _points(service, query.at)
    others, settled = await _points(service, query.also)
    bases = (*points, *others)
    latest = max(bases, key=lambda basis: basis.version)
    walk = Walk(query.direction, query.depth, query.level, query.direct_only)

    def make(engine: Engine) -> dict[str, Any]:
        pairs, start = _pairs(engine, query.node, bases, walk)
        if not start:
            raise NotInForceError(query.node.removeprefix(PREFIX))
        nodes = {*start, *(end for pair in pairs for end in pair)}
        if query.level == "table":
            nodes = {dataset_of(node) for node in nodes}
        shown = len(nodes)
        nodes |= {star_of(node) for node in nodes if is_column(node)}
        moments = engine.change_points(nodes, latest.version, whole=query.level == "table")
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
            for each in engine.change_versions(nodes, latest.version, whole=query.level == "table")
        ]
        result = walk.to_json() | {"start": sorted(start), "nodes": shown, "points": changes, "known": known}
        return shapes.answer(shapes.known_by(latest), result)

    return await service.answer(request, bases, fixed and settled, make)


async def _points(service: Service, text: str | None) -> tuple[tuple[Basis, ...], bool]:
    """Return the points of a list, and whether all of them are fixed."""
    points = [await service.point(each) for each in text.split(",")] if text is not None else []
    return tuple(basis for basis, _ in points), all(fixed for _, fixed in points)


def _pairs(engine: Engine, node: str, bases: Sequence[Basis], walk: Walk) -> tuple[set[tuple[str, str]], set[str]]:
    """Return the pairs with an edge in the pictures at all points, and the nodes they start from.

    A task has no pairs at a point at which it is not in force, and no start if it is in force at no point.
    """
    pairs, starts = set[tuple[str, str]](), set[str]()
    for basis in bases:
        try:
            met, start = engine.pairs(node, basis, walk)
        except NotInForceError:
            continue
        pairs |= met
        starts |= {*start}
    return pairs, starts


def _answers(engine: Engine, node: str, bases: Sequence[Basis], walk: Walk) -> list[Lineage]:
    """Return the answer at each point; it is empty where a task is not in force.

    Raises NotInForceError for a task that is in force at no point.
    """
    answers: list[Lineage | None] = []
    for basis in bases:
        try:
            answers.append(engine.lineage([node], basis, walk))
        except NotInForceError:
            answers.append(None)
    if not any(answers):
        raise NotInForceError(node.removeprefix(PREFIX))
    return [answer or Lineage(basis, (node,), (), COMPLETE) for basis, answer in zip(bases, answers, strict=True)]
