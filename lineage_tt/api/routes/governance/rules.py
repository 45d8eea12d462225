"""``/v1/rules``: the violations of rules at a point, or those that are new since another point."""

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
    """The query parameters of ``GET /v1/rules``."""

    since: Annotated[
        str | None, Field(pattern=POINT, max_length=100, description="Only violations that are new since this point.")
    ] = None
    severity: Annotated[
        Literal["error", "warning", "info"] | None,
        Field(description="Only violations of this severity or worse that are not allowed."),
    ] = None


@router.get("/v1/rules", responses=schemas.answers(GovernanceAnswer, 404))
async def rules(request: Request, query: Annotated[RulesQuery, Query()]) -> Response:
    """List the violations of the service's rules, the worst first; a violation that is allowed has the reason."""
    service = service_of(request)
    basis, fixed = await service.basis(query.valid_at, query.system_at, query.version)
    since, since_fixed = (None, True) if query.since is None else await service.point(query.since)
    bases = (basis,) if since is None else (basis, since)

    def make(engine: Engine) -> dict[str, Any]:
        governance = governance_of(service, engine)
        checked = governance.rules(basis, since)
        violations = checked.violations if query.severity is None else checked.at_least(query.severity)
        rows = [each.to_json() for each in violations]
        completeness = governance.completeness_of(since or basis, basis)
        lines = [*notes.of_points(engine.reading, since or basis, basis), *notes.of_since(since or basis, basis)]
        lines += notes.of_rules(checked)
        return paged(basis.to_json(), rows, query.limit, query.offset, completeness) | {"notes": lines}

    return await service.answer(request, bases, fixed and since_fixed, make)
