"""``/v1/messages``: accepts messages."""

from __future__ import annotations

import json
import re
from typing import Annotated, Any, Final

import orjson
from fastapi import APIRouter, Header, Request
from fastapi.responses import Response

from lineage_tt.api.http import schemas
from lineage_tt.api.http.answers import receipts
from lineage_tt.api.http.problems import PLAIN_DATA, Problem
from lineage_tt.api.intake import summary
from lineage_tt.api.service import service_of

router = APIRouter(tags=["messages"])
#: Maximum number of messages in one request.
MAX_MESSAGES: Final = 10_000
_MARKS: Final = re.compile(rb'["\[\]{},]')
_STRING_END: Final = re.compile(rb'(?:[^"\\]|\\.)*"', re.DOTALL)
_MESSAGE: Final[dict[str, Any]] = {
    "type": "object",
    "description": "A message; `lineage-tt schema task-change` prints its JSON Schema.",
    "additionalProperties": True,
}
_EXAMPLE: Final = {
    "event_id": "orders-1", "task_id": "etl/orders", "op": "online", "effective_at": "2024-05-01T00:00:00Z",
    "edges": [{"source": "hive:ods.orders#amt", "target": "hive:dw.orders#amount"}],
}  # fmt: skip
_BODY: Final = {
    "requestBody": {
        "required": True,
        "content": {
            "application/json": {
                "schema": {
                    "anyOf": [_MESSAGE, {"type": "array", "items": _MESSAGE, "minItems": 1, "maxItems": MAX_MESSAGES}]
                },
                "example": _EXAMPLE,
            },
        },
    }
}


@router.post(
    "/v1/messages", status_code=202, openapi_extra=_BODY, responses=schemas.responses(202, receipts.Receipts, 403, 409)
)
async def messages(
    request: Request,
    idempotency_key: Annotated[
        str | None, Header(min_length=1, max_length=200, description="The same body and key are accepted only once.")
    ] = None,
) -> Response:
    """Accept messages; returns 202 with a receipt for each once they are durable.

    The body is a message, an array of messages, or JSON Lines (`application/x-ndjson`); it may be compressed with gzip.
    A rejected message is kept as a dead letter, and its receipt states the reason; other messages are not affected.
    """
    service = service_of(request)
    if service.intake is None:
        raise Problem(403, "read-only", "this service accepts no messages", hint="start it without --read-only")
    raw = split(await request.body(), request.headers.get("content-type", ""))
    outcomes, replayed = await service.intake.take(raw, idempotency_key)
    body = orjson.dumps({"basis": {"valid_at": None, "version": service.follower.version}, "result": summary(outcomes)})
    headers = {"cache-control": "no-store", "lineage-version": str(service.follower.version), **PLAIN_DATA}
    if replayed:
        headers["idempotency-replayed"] = "true"
    return Response(body, 202, headers, "application/json")


def split(body: bytes, content_type: str) -> list[bytes]:
    """Return the bytes of each message of a body; Problem if the body is invalid or has too many messages."""
    media = content_type.partition(";")[0].strip().lower()
    if media in ("application/x-ndjson", "application/jsonl", "application/ndjson"):
        objects = [line for line in body.split(b"\n") if line.strip()]
    elif media == "application/json" or media.endswith("+json"):
        objects = _objects(body)
    else:
        raise Problem(
            415, "unknown-media-type", f"the body must be JSON, not {media or 'nothing'!r}",
            hint="send Content-Type: application/json (a message, or an array) or application/x-ndjson",
        )  # fmt: skip
    if not objects or len(objects) > MAX_MESSAGES:
        raise Problem(400, "invalid-request", f"the body has {len(objects)} messages", hint="send 1 to 10000 messages")
    return objects


def _objects(body: bytes) -> list[bytes]:
    stripped = body.strip()
    try:
        content = _loaded(stripped)
    except (ValueError, RecursionError) as error:
        raise Problem(400, "malformed-json", f"the body is not JSON: {error}") from None
    if isinstance(content, dict):
        return [stripped]
    if not isinstance(content, list) or not all(isinstance(item, dict) for item in content):
        raise Problem(400, "invalid-request", "the body is neither a JSON object nor an array of JSON objects")
    return _elements(stripped)


def _loaded(body: bytes) -> Any:
    """Return the parsed body. In an array, a lone surrogate is accepted here, and refused with its message."""
    try:
        return orjson.loads(body)
    except orjson.JSONDecodeError:
        if not body.startswith(b"[") or b"\\u" not in body:
            raise
        return json.loads(body)


def _elements(array: bytes) -> list[bytes]:
    """Return the bytes of each element of a valid JSON array, exactly as they were sent."""
    elements: list[bytes] = []
    depth, start, place = 0, 1, 0
    while mark := _MARKS.search(array, place):
        place = mark.end()
        sign = mark.group()
        if sign == b'"':
            end = _STRING_END.match(array, place)
            assert end is not None
            place = end.end()
        elif sign in b"[{":
            depth += 1
        elif sign in b"]}":
            depth -= 1
        if (sign == b"," and depth == 1) or depth == 0:
            element = array[start : mark.start()].strip()
            if element:
                elements.append(element)
            start = place
    return elements
