"""``/v1/heat``: how much tables or columns are worth to others at a point, and how that changed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

from fastapi import APIRouter, Query, Request
from fastapi.responses import Response
from pydantic import Field

from lineage_tt.api.http import schemas
from lineage_tt.api.http.parameters import POINT, At, Digits, Offset
from lineage_tt.api.reads.engine import Engine
from lineage_tt.api.routes.governance.dependencies import governance_of
from lineage_tt.api.routes.governance.responses import ObservedAnswer, answered
from lineage_tt.api.service import service_of
from lineage_tt.curation.unnamed import nothing_names
from lineage_tt.governance.heat.asked import Asked, Sort
from lineage_tt.governance.upkeep.notes import of_point, of_points, of_rank
from lineage_tt.model.answers import Level
from lineage_tt.read import shapes

if TYPE_CHECKING:
    from lineage_tt.governance.heat.heat import HeatAnswer, TrendAnswer

router = APIRouter(tags=["governance"])
NodeName = Annotated[str, Field(min_length=1, max_length=2000)]


class HeatQuery(At):
    """The query parameters of ``GET /v1/heat``."""

    level: Annotated[Level, Field(description="Rank tables or columns.")] = "table"
    sort: Annotated[Sort, Field(description="`reads` requires observed runs, `personal` requires `of`.")] = "rank"
    of: Annotated[NodeName | None, Field(description="Also rank as seen from this node.")] = None
    node: Annotated[NodeName | None, Field(description="Only this table or column.")] = None
    since: Annotated[
        str | None, Field(pattern=POINT, max_length=90, description="Return the changes since this point.")
    ] = None
    days: Annotated[int, Field(ge=1, le=3650, description="Number of days whose observed runs count."), Digits] = 30
    limit: Annotated[int, Field(ge=1, le=1000, description="Maximum number of rows."), Digits] = 20
    offset: Offset = 0


@router.get("/v1/heat", responses=schemas.answers(ObservedAnswer, 404, 409, cached=False))
async def heat(request: Request, query: Annotated[HeatQuery, Query()]) -> Response:
    """Rank tables or columns by what they are worth to others, with references, observed reads and class."""
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
            lines = of_points(engine.reading, before, basis)
            given = [name for name in ("of", "sort") if name in query.model_fields_set]
            lines += [f"{name} has no effect with since: the greatest changes of rank come first" for name in given]
            lines += of_rank(query.node, query.level, changed.total)
            if query.node is not None and not changed.total:
                lines += nothing_names(engine.reading, [query.node])
            return body | {"notes": lines}
        ranking: HeatAnswer = asks.heat(basis, question, query.days)
        listed = [
            row._asdict() | {"direct": row.direct._asdict(), "transitive": row.transitive._asdict()}
            for row in ranking.rows
        ]
        result = {"total": ranking.total, "classes": ranking.classes, "rows": listed}
        lines = [*of_point(engine.reading, basis), *of_rank(query.node, query.level, ranking.total)]
        return shapes.answer(basis.to_json(), result, ranking.completeness) | {"notes": lines}

    return await answered(service, make)
