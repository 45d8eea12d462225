"""``/v1/layout``: lineage as a picture, where everything has its place; at up to four points in one drawing."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from fastapi.responses import Response

from lineage_tt.api.http import schemas
from lineage_tt.api.http.parameters import LayoutQuery
from lineage_tt.api.http.picture_schemas import LayoutAnswer
from lineage_tt.api.reads.engine import Engine, Walk
from lineage_tt.api.service import service_of

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

        answers = [engine.lineage([given.node], basis, walk) for basis in bases]
        drawn = picture(*answers).to_json()
        del drawn["points"], drawn["incomplete"]
        return {
            "basis": [basis.to_json() for basis in bases],
            "completeness": [found.completeness.to_json() for found in answers],
            "result": walk.to_json() | drawn,
        }

    return await service.answer(request, bases, all(fixed for _, fixed in points), make)
