"""``/v1/rules``: what violates the rules of lineage at a point, or is new since another."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query, Request
from fastapi.responses import Response
from pydantic import Field

from lineage_tt.api.http import schemas
from lineage_tt.api.http.parameters import POINT, At, Paged
from lineage_tt.api.reads.engine import Engine
from lineage_tt.api.routes.governance.dependencies import GovernanceAnswer, governance_of
from lineage_tt.api.service import paged, service_of
from lineage_tt.governance.upkeep import notes

router = APIRouter(tags=["governance"])


class RulesQuery(At, Paged):
    """``GET /v1/rules``."""

    since: Annotated[
        str | None, Field(pattern=POINT, max_length=100, description="Only what did not violate the rules there.")
    ] = None
    severity: Annotated[
        Literal["error", "warning", "info"] | None, Field(description="Only what is so bad or worse, and not allowed.")
    ] = None


@router.get("/v1/rules", responses=schemas.answers(GovernanceAnswer, 404))
async def rules(request: Request, query: Annotated[RulesQuery, Query()]) -> Response:
    """Give what violates the service's rules, the worst first; what the allow-list covers has its reason."""
    service = service_of(request)
    basis, fixed = await service.basis(query.valid_at, query.system_at, query.version)
    since, since_fixed = (None, True) if query.since is None else await service.point(query.since)
    bases = (basis,) if since is None else (basis, since)

    def make(engine: Engine) -> dict[str, Any]:
        governance = governance_of(service, engine)
        checked = governance.rules(basis, since)
        violations = checked.violations if query.severity is None else checked.at_least(query.severity)
        rows = [each.to_json() for each in violations]
        completeness = governance.points.at(basis).completeness()
        lines = [*notes.of_point(engine.reading, since or basis), *notes.of_rules(checked)]
        return paged(basis.to_json(), rows, query.limit, query.offset, completeness) | {"notes": lines}

    return await service.answer(request, bases, fixed and since_fixed, make)
