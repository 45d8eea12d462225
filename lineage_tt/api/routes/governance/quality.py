"""``/v1/quality``: the quality of the lineage at a point, and at an earlier point."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from fastapi.responses import Response
from pydantic import Field

from lineage_tt.api.http import schemas
from lineage_tt.api.http.parameters import POINT, At, Digits
from lineage_tt.api.reads.engine import Engine
from lineage_tt.api.routes.governance.dependencies import governance_of
from lineage_tt.api.routes.governance.responses import ObservedAnswer, answered
from lineage_tt.api.service import service_of
from lineage_tt.governance.upkeep.notes import of_point, of_points
from lineage_tt.governance.upkeep.quality.groups import By
from lineage_tt.governance.upkeep.quality.plain_values import result_of, trend_of
from lineage_tt.model.completeness.summary import of_both
from lineage_tt.read import shapes

router = APIRouter(tags=["governance"])


class QualityQuery(At):
    """The query parameters of ``GET /v1/quality``."""

    by: Annotated[By, Field(description="Group the figures by this.")] = "all"
    days: Annotated[
        int, Field(ge=1, le=3650, description="Number of days considered for stale tasks and flapping edges."), Digits
    ] = 90
    since: Annotated[
        str | None, Field(pattern=POINT, max_length=90, description="Also return the figures of this point.")
    ] = None


@router.get("/v1/quality", responses=schemas.answers(ObservedAnswer, 404, 409, cached=False))
async def quality(request: Request, query: Annotated[QualityQuery, Query()]) -> Response:
    """Measure the lineage: coverage, agreement, timeliness, flapping edges, and edges stated by hand."""
    service = service_of(request)
    basis, _ = await service.basis(query.valid_at, query.system_at, query.version)
    before = None if query.since is None else (await service.point(query.since))[0]

    def make(engine: Engine) -> dict[str, Any]:
        asks = governance_of(service, engine)
        measured = asks.quality(basis, query.by, query.days)
        if before is None:
            lines = of_point(engine.reading, basis)
            return shapes.answer(basis.to_json(), result_of(measured), measured.completeness) | {"notes": lines}
        earlier = asks.quality(before, query.by, query.days)
        points = {"from": before.to_json(), "to": basis.to_json()}
        lines = of_points(engine.reading, before, basis)
        known = of_both(earlier.completeness, measured.completeness)
        return shapes.answer(points, trend_of(earlier, measured), known) | {"notes": lines}

    return await answered(service, make)
