"""``/v1/heat``: how much each table or column is worth to others as of a point, and since another one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

from fastapi import APIRouter, Query, Request
from fastapi.responses import Response
from pydantic import Field

from lineage_tt.api.http import schemas
from lineage_tt.api.http.parameters import POINT, At, Digits, Offset
from lineage_tt.api.reads.engine import Engine
from lineage_tt.api.routes.governance.dependencies import governance_of
from lineage_tt.api.routes.governance.responses import GovernanceAnswer, answered
from lineage_tt.api.service import service_of
from lineage_tt.governance.heat.asked import Asked, Sort
from lineage_tt.governance.upkeep.notes import of_point
from lineage_tt.model.answers import Level
from lineage_tt.read import shapes

if TYPE_CHECKING:
    from lineage_tt.governance.heat.heat import HeatAnswer, TrendAnswer

router = APIRouter(tags=["governance"])
NodeName = Annotated[str, Field(min_length=1, max_length=2000)]


class HeatQuery(At):
    """``GET /v1/heat``."""

    level: Annotated[Level, Field(description="Tables or columns.")] = "table"
    sort: Annotated[Sort, Field(description="`reads` needs observed runs, `personal` needs `of`; else 409.")] = "rank"
    of: Annotated[NodeName | None, Field(description="Rank as seen from this node, too.")] = None
    node: Annotated[NodeName | None, Field(description="Only this table or column.")] = None
    since: Annotated[
        str | None, Field(pattern=POINT, max_length=90, description="Give what changed since this point.")
    ] = None
    days: Annotated[int, Field(ge=1, le=3650, description="Count runs of the last `days` days."), Digits] = 30
    limit: Annotated[int, Field(ge=1, le=1000, description="At most this many rows."), Digits] = 20
    offset: Offset = 0


@router.get("/v1/heat", responses=schemas.answers(GovernanceAnswer, 404, 409))
async def heat(request: Request, query: Annotated[HeatQuery, Query()]) -> Response:
    """Give what tables or columns are worth to others: rank, references, observed reads, class."""
    service = service_of(request)
    basis, _ = await service.basis(query.valid_at, query.system_at, query.version)
    of, only = (() if each is None else (each,) for each in (query.of, query.node))
    question = Asked(query.level, query.sort, of, query.limit, query.offset, only)
    before = None if query.since is None else (await service.point(query.since))[0]

    def make(engine: Engine) -> dict[str, Any]:
        asks = governance_of(service, engine)
        if before is not None:
            changed: TrendAnswer = asks.heat_trend(before, basis, question, query.days)
            points = {"from": before.to_json(), "to": basis.to_json()}
            rows = [row._asdict() for row in changed.rows]
            body = shapes.answer(points, {"total": changed.total, "rows": rows}, changed.completeness)
            return body | {"notes": of_point(engine.reading, before)}
        ranking: HeatAnswer = asks.heat(basis, question, query.days)
        listed = [
            row._asdict() | {"direct": row.direct._asdict(), "transitive": row.transitive._asdict()}
            for row in ranking.rows
        ]
        result = {"total": ranking.total, "classes": ranking.classes, "rows": listed}
        lines = of_point(engine.reading, basis)
        return shapes.answer(basis.to_json(), result, ranking.completeness) | {"notes": lines}

    return await answered(service, make)
