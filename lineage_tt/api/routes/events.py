"""``/v1/openlineage``, the paths of Marquez, ``/v1/trino``: accept events; ``/v1/agreement`` compares their lineage."""

from __future__ import annotations

from typing import Any, Final

import orjson
from fastapi import APIRouter, Request
from fastapi.responses import Response

from lineage_tt.api.http import schemas
from lineage_tt.api.http.answers import receipts
from lineage_tt.api.http.problems import PLAIN_DATA, Problem
from lineage_tt.api.reads.engine import Engine
from lineage_tt.api.routes.messages import MAX_MESSAGES, split
from lineage_tt.api.service import service_of
from lineage_tt.maintenance.agreement import agreement as read_agreement
from lineage_tt.maintenance.agreement import totals
from lineage_tt.read import shapes

router = APIRouter(tags=["events"])
_EVENT: Final[dict[str, Any]] = {
    "type": "object",
    "description": "An OpenLineage event (https://openlineage.io/spec/2-0-2/OpenLineage.json).",
    "additionalProperties": True,
}
_EXAMPLE: Final = {
    "eventType": "COMPLETE", "eventTime": "2024-05-01T00:00:00Z", "producer": "https://example.com",
    "schemaURL": "https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/RunEvent",
    "run": {"runId": "0196a5a0-0000-7000-8000-000000000001"}, "job": {"namespace": "etl", "name": "orders"},
    "inputs": [{"namespace": "hive", "name": "ods.orders"}], "outputs": [{"namespace": "hive", "name": "dw.orders"}],
}  # fmt: skip
_BODY: Final = {
    "requestBody": {
        "required": True,
        "content": {
            "application/json": {
                "schema": {
                    "anyOf": [_EVENT, {"type": "array", "items": _EVENT, "minItems": 1, "maxItems": MAX_MESSAGES}]
                },
                "example": _EXAMPLE,
            },
        },
    }
}
_QUERY: Final = {
    "requestBody": {
        "required": True,
        "content": {
            "application/json": {
                "schema": {
                    "type": "object", "additionalProperties": True,
                    "description": "A QueryCompletedEvent or QueryCreatedEvent of Trino or Presto.",
                },
                "example": {"metadata": {"queryId": "20240501_000000_00000_abcde", "queryState": "FINISHED"},
                            "createTime": "2024-05-01T00:00:00Z", "endTime": "2024-05-01T00:00:01Z"},
            },
        },
    }
}  # fmt: skip


class AgreementAnswer(schemas.Strict):
    """The answer to ``GET /v1/agreement``."""

    basis: schemas.Basis
    result: dict[str, Any]


_RESPONSES: Final = schemas.responses(202, receipts.EventReceipts, 403)


@router.post("/v1/openlineage", status_code=202, openapi_extra=_BODY, responses=_RESPONSES)
async def openlineage(request: Request) -> Response:
    """Accept OpenLineage events; returns 202 once they are durable.

    The body is an event, an array of events, or JSON Lines (`application/x-ndjson`); it may be compressed with gzip.
    A rejected event is kept as a dead letter, and its receipt states the reason; other events are not affected.
    """
    service = service_of(request)
    if service.events is None:
        raise Problem(403, "read-only", "this service accepts no events", hint="start it without --read-only")
    raw = split(await request.body(), request.headers.get("content-type", ""))
    outcomes, _ = await service.events.take(raw, None)
    receipts = [{"status": each.status, "code": each.code, "detail": each.detail} for each in outcomes]
    counts = {name: sum(each.status == name for each in outcomes) for name in ("accepted", "rejected", "duplicate")}
    version = service.follower.version
    body = {
        "basis": {"valid_at": None, "version": version},
        "result": {"events": len(outcomes), **counts, "receipts": receipts},
    }
    headers = {"cache-control": "no-store", "lineage-version": str(version), **PLAIN_DATA}
    return Response(orjson.dumps(body), 202, headers, "application/json")


@router.post("/v1/trino", status_code=202, openapi_extra=_QUERY, responses=_RESPONSES)
async def trino(request: Request) -> Response:
    """Accept query events of the HTTP event listener of Trino or Presto; returns 202 once they are durable."""
    return await openlineage(request)


@router.get("/v1/agreement", responses=schemas.answers(AgreementAnswer))
async def agreement(request: Request) -> Response:
    """Return how far engines and the SQL of their queries agree on column lineage, by task and in total."""
    service = service_of(request)
    basis = service.follower.reading.basis()

    def make(engine: Engine) -> dict[str, Any]:
        tasks = read_agreement(engine.reading)
        result = {"total": totals(tasks), "tasks": [each._asdict() for each in tasks]}
        return {"basis": shapes.known_by(basis, engine.reading.horizon), "result": result}

    return await service.answer(request, (basis,), False, make, timeless=True)


@router.post("/api/v1/lineage", status_code=202, openapi_extra=_BODY, responses=_RESPONSES)
async def marquez(request: Request) -> Response:
    """Accept OpenLineage events at the default path of OpenLineage clients; the same as `POST /v1/openlineage`."""
    return await openlineage(request)


@router.post("/api/v1/lineage/batch", status_code=202, openapi_extra=_BODY, responses=_RESPONSES)
async def marquez_batch(request: Request) -> Response:
    """Accept OpenLineage events at the batch path of the OpenLineage API; the same as `POST /v1/openlineage`."""
    return await openlineage(request)
