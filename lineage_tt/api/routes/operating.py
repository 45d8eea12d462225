"""``/v1/dead-letters``, ``/v1/subscriptions``: list and replay dead letters; list, add and remove subscriptions."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Annotated, Any, Final, TypeVar

import orjson
from fastapi import APIRouter, Query, Request
from fastapi.responses import Response

from lineage_tt.api.browsing import schemas as shown
from lineage_tt.api.browsing.operations import Operations
from lineage_tt.api.browsing.parameters import LettersQuery, ReplayBody, SubscriptionBody, SubscriptionQuery
from lineage_tt.api.http import schemas
from lineage_tt.api.http.problems import PLAIN_DATA, Problem
from lineage_tt.api.reads.engine import Engine
from lineage_tt.api.service import Service, paged, service_of
from lineage_tt.model.errors import InvalidRequestError, UnknownNodeError
from lineage_tt.model.times import format_instant
from lineage_tt.read import shapes
from lineage_tt.subscriptions.model import StoredSubscription, Subscription
from lineage_tt.subscriptions.sending.addresses import place_of
from lineage_tt.subscriptions.stored import all_stored

router = APIRouter(tags=["operating"])
T = TypeVar("T")
UNKNOWN_LETTER: Final = (404, "unknown-dead-letter")


@router.get("/v1/dead-letters", responses=schemas.answers(shown.LettersAnswer))
async def dead_letters(request: Request, query: Annotated[LettersQuery, Query()]) -> Response:
    """List the dead letters, each with the reason for its rejection, ordered by version."""
    service = service_of(request)
    basis = service.follower.reading.basis()

    def make(engine: Engine) -> dict[str, Any]:
        letters = [letter for letter in engine.reading.dead_letters() if letter.waits or not query.waiting]
        rows = [shapes.dead_letter_object(letter, whole=False) for letter in letters]
        return paged(shapes.known_by(basis, engine.reading.horizon), rows, query.limit, query.offset)

    return await service.answer(request, (basis,), False, make, timeless=True)


@router.post("/v1/dead-letters/replay", responses=schemas.responses(200, shown.ReplayAnswer, 403, 404))
async def replay(request: Request, body: ReplayBody) -> Response:
    """Replay dead letters, and return the outcome of each. A message is rejected again if its problem remains."""
    versions = sorted(set(body.versions))
    return await _operate(request, lambda operations: operations.replay(versions), UNKNOWN_LETTER)


@router.get("/v1/subscriptions", responses=schemas.answers(shown.SubscriptionsAnswer))
async def subscriptions(request: Request) -> Response:
    """List the subscriptions in force now, by name. Delivery addresses are shown without parts that may be secret."""
    service = service_of(request)
    basis, _ = await service.basis()

    def make(engine: Engine) -> dict[str, Any]:
        listed = all_stored(engine.reading)
        rows = engine.reading.fetch(
            "SELECT version, epoch_us(system_time), actor FROM log WHERE version IN (SELECT unnest($versions))",
            versions=sorted({each.version for each in listed}),
        )
        recorded = {version: (str(format_instant(since)), actor) for version, since, actor in rows}
        return shapes.answer(basis.to_json(), [_shown(each, *recorded[each.version]) for each in listed])

    return await service.answer(request, (basis,), False, make)


@router.post("/v1/subscriptions", responses=schemas.responses(200, shown.SubscribedAnswer, 403, 404, 409))
async def subscribe(request: Request, body: SubscriptionBody) -> Response:
    """Add a subscription, or replace the one with this name. It delivers its events as a stream."""
    fields: dict[str, Any] = body.model_dump(exclude={"actor"})
    fields = {name: tuple(value) if isinstance(value, list) else value for name, value in fields.items()}
    subscription = Subscription(**fields)

    def keep(operations: Operations) -> dict[str, Any]:
        version, notes = operations.subscribe(subscription, body.actor)
        return {"name": subscription.name, "version": version, "notes": notes}

    return await _operate(request, keep)


@router.delete("/v1/subscriptions", responses=schemas.responses(200, shown.SubscribedAnswer, 403, 404))
async def unsubscribe(request: Request, query: Annotated[SubscriptionQuery, Query()]) -> Response:
    """Remove a subscription."""

    def take_away(operations: Operations) -> dict[str, Any]:
        return {"name": query.name, "version": operations.unsubscribe(query.name, query.actor)}

    return await _operate(request, take_away, (404, "unknown-subscription"))


async def _operate(
    request: Request, work: Callable[[Operations], T], refusal: tuple[int, str] = (409, "conflict")
) -> Response:
    """Write, wait until the service has reached the written version, and answer."""
    service: Service = service_of(request)
    operations = service.operations
    if operations is None:
        raise Problem(403, "read-only", "this service accepts no messages", hint="start it without --read-only")
    try:
        result = await asyncio.to_thread(work, operations)
    except UnknownNodeError:
        raise
    except InvalidRequestError as error:  # the request is valid, but conflicts with the store
        raise Problem(*refusal, error.message, hint=error.hint) from None
    await service.follower.advance()
    version = service.follower.version
    body = orjson.dumps({"basis": {"valid_at": None, "version": version}, "result": result})
    headers = {"cache-control": "no-store", "lineage-version": str(version), **PLAIN_DATA}
    return Response(body, 200, headers, "application/json")


def _shown(each: StoredSubscription, since: str, actor: str | None) -> dict[str, Any]:
    subscription = each.subscription
    content = None if subscription is None else subscription.to_json() | {"deliver": _place(subscription.deliver)}
    return {
        "name": each.name, "version": each.version, "since": since, "actor": actor, "problem": each.problem,
        "subscription": content,
    }  # fmt: skip


def _place(deliver: str) -> str:
    """Return the address of delivery without the path or the arguments of a program, which may hold a secret."""
    try:
        return place_of(deliver) if "://" in deliver else deliver.partition(":")[0]
    except InvalidRequestError:
        return deliver.partition(":")[0]
