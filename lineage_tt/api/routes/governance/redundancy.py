"""``/v1/redundancy``: duplicated data and unused data at a point."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from fastapi.responses import Response
from pydantic import Field

from lineage_tt.api.http import schemas
from lineage_tt.api.http.parameters import At, Digits
from lineage_tt.api.reads.engine import Engine
from lineage_tt.api.routes.governance.dependencies import governance_of
from lineage_tt.api.routes.governance.responses import ObservedAnswer, answered
from lineage_tt.api.service import service_of
from lineage_tt.governance.upkeep.notes import of_point
from lineage_tt.governance.upkeep.redundancy.plain_values import redundancy_result
from lineage_tt.read import shapes

router = APIRouter(tags=["governance"])


class RedundancyQuery(At):
    """The query parameters of ``GET /v1/redundancy``."""

    days: Annotated[
        int, Field(ge=1, le=3650, description="Report data that was not read or fed for this number of days."), Digits
    ] = 90


@router.get("/v1/redundancy", responses=schemas.answers(ObservedAnswer, 404, 409, cached=False))
async def redundancy(request: Request, query: Annotated[RedundancyQuery, Query()]) -> Response:
    """List columns that equal others or are a part of them, sources landed twice, and unread, unfed or unused data."""
    service = service_of(request)
    basis, _ = await service.basis(query.valid_at, query.system_at, query.version)
    define = getattr(request.app.state.analyst, "define", None)  # without a parser, nothing is proven

    def make(engine: Engine) -> dict[str, Any]:
        result = governance_of(service, engine).redundancy(basis, define, query.days)
        lines = of_point(engine.reading, basis)
        return shapes.answer(result.basis.to_json(), redundancy_result(result), result.completeness) | {"notes": lines}

    return await answered(service, make, parses=define is not None)
