"""``/v1/policy``: how much the store keeps of SQL and of texts that quote it. It is set on the command line only."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import Response

from lineage_tt.api.http import schemas
from lineage_tt.api.http.policy_schemas import PolicyAnswer
from lineage_tt.api.reads.engine import Engine
from lineage_tt.api.service import service_of
from lineage_tt.read import shapes

router = APIRouter(tags=["service"])


@router.get("/v1/policy", responses=schemas.answers(PolicyAnswer))
async def policy(request: Request) -> Response:
    """Return the text policy, since which version it applies, and whether older versions keep more than it allows."""
    service = service_of(request)
    reading = service.follower.reading
    basis = reading.basis()

    def make(_: Engine) -> dict[str, Any]:
        return shapes.answer(shapes.known_by(basis), shapes.policy_object(reading.texts, basis.version))

    return await service.answer(request, (basis,), False, make, timeless=True)
