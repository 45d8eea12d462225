"""``/v1/permissions``: the grants of principals, and the sources of a node that a principal may not read."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from fastapi.responses import Response
from pydantic import Field

from lineage_tt.api.http import schemas
from lineage_tt.api.http.parameters import At, Node, Paged
from lineage_tt.api.reads.engine import Engine
from lineage_tt.api.routes.governance.dependencies import GovernanceAnswer
from lineage_tt.api.routes.governance.responses import noted, typos
from lineage_tt.api.service import paged, service_of
from lineage_tt.governance.permissions.grants import Grants
from lineage_tt.governance.upkeep.notes import of_dataset, of_grants, of_selection
from lineage_tt.model.completeness.summary import COMPLETE
from lineage_tt.read import shapes

router = APIRouter(tags=["governance"])


class PermissionsQuery(At, Paged):
    """The query parameters of ``GET /v1/permissions``."""

    node: Annotated[Node | None, Field(description="Only grants on this dataset or column.")] = None
    sources_of: Annotated[Node | None, Field(description="Sources of this node that `principal` may not read.")] = None
    principal: Annotated[
        str | None, Field(min_length=1, max_length=2000, description="Only of this principal; `*` means everybody.")
    ] = None


@router.get("/v1/permissions", responses=schemas.answers(GovernanceAnswer, 404))
async def permissions(request: Request, query: Annotated[PermissionsQuery, Query()]) -> Response:
    """List the grants in force at a point; with `sources_of`, the sources of a node that a principal may not read."""
    service = service_of(request)
    basis, fixed = await service.basis(query.valid_at, query.system_at, query.version)
    unknown, bases, fixed = await typos(service, query.node, basis, fixed)

    def make(engine: Engine) -> dict[str, Any]:
        view = engine.reading.as_of(basis.valid_at, version=basis.version)
        grants = Grants(view.facts(), service.settings.rules)
        if query.sources_of is not None:
            lineage = view.upstream(query.sources_of)
            sources = {step.edge.source for step in lineage.steps}
            denied = grants.denied(query.principal or "*", "read", sources)
            rows = [each.to_json() for each in denied]
            body = paged(basis.to_json(), rows, query.limit, query.offset, lineage.completeness)
            lines = [*of_grants(grants), *of_selection(grants, None, query.principal)]
            if query.node is not None:
                lines.append(
                    "node has no effect with sources_of: all sources that the principal may not read are listed"
                )
            return noted(body, lines)
        listed = [
            shapes.record(each)
            for each in grants.all
            if (query.node is None or each.node == query.node)
            and (query.principal is None or each.principal == query.principal)
        ]
        notes = [
            *of_grants(grants),
            *of_selection(grants, query.node, query.principal),
            *of_dataset(grants, query.node),
        ]
        notes += [] if listed else unknown
        return noted(paged(basis.to_json(), listed, query.limit, query.offset, COMPLETE), notes)

    return await service.answer(request, bases, fixed, make)
