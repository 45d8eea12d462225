"""``/v1/edges``, ``/v1/aliases``, ``/v1/annotations``: what people state in addition to tasks and engines."""

from __future__ import annotations

from typing import Annotated, Any

import orjson
from fastapi import APIRouter, Query, Request
from fastapi.responses import Response

from lineage_tt.api.http import people_schemas as people
from lineage_tt.api.http import schemas
from lineage_tt.api.http.answers import receipts
from lineage_tt.api.http.problems import PLAIN_DATA, Problem
from lineage_tt.api.intake import summary
from lineage_tt.api.reads.engine import Engine
from lineage_tt.api.service import service_of
from lineage_tt.assets.listing import unknown_types
from lineage_tt.assets.types import ASSET_TYPE
from lineage_tt.curation import messages, statements, unnamed
from lineage_tt.governance.upkeep.stated import block_source, without_effect
from lineage_tt.model.clock import unique_name
from lineage_tt.model.times import format_instant, read_instant
from lineage_tt.read import shapes

router = APIRouter(tags=["people"])
_TAKEN: Any = schemas.responses(202, receipts.Receipts, 403, 409)


@router.get("/v1/edges", responses=schemas.answers(people.StatedEdges, 404))
async def stated_edges(request: Request, query: Annotated[people.StatedQuery, Query()]) -> Response:
    """List the edges that people added or rejected, in force at a point."""
    service = service_of(request)
    basis, fixed = await service.basis(query.valid_at, query.system_at, query.version)

    def make(engine: Engine) -> dict[str, Any]:
        edges = statements.stated_edges(engine.reading.fetch, basis, query.node)
        return shapes.answer(basis.to_json(), [shapes.record(each) for each in edges])

    return await service.answer(request, (basis,), fixed, make)


@router.get("/v1/aliases", responses=schemas.answers(people.Aliases, 404))
async def aliases(request: Request, query: Annotated[people.StatedQuery, Query()]) -> Response:
    """List the aliases in force at a point, of all datasets or of one, with who states them."""
    service = service_of(request)
    basis, fixed = await service.basis(query.valid_at, query.system_at, query.version)

    def make(engine: Engine) -> dict[str, Any]:
        listed = statements.aliases(engine.reading.fetch, basis, query.node)
        return shapes.answer(basis.to_json(), [shapes.record(each) for each in listed])

    return await service.answer(request, (basis,), fixed, make)


@router.post("/v1/edges", status_code=202, responses=_TAKEN)
async def state_edge(request: Request, body: people.EdgeBody) -> Response:
    """Add an edge, reject edges, or remove either statement; returns 202 once it is durable."""
    statement = {"kind": "edge", "source": body.source, "target": body.target}
    if body.op == "add":
        statement |= {"type": body.type, "expression": body.expression}
        statement |= {"subtype": body.subtype} if body.subtype else {}
    return await _state(request, body, messages.edge_task(body.source, body.target), statement, body.op)


@router.post("/v1/aliases", status_code=202, responses=_TAKEN)
async def state_alias(request: Request, body: people.AliasBody) -> Response:
    """Add or remove an alias: two datasets that are one thing under two names. Returns 202 once it is durable."""
    statement = {"kind": "alias", "dataset": body.dataset, "alias": body.alias}
    return await _state(request, body, messages.alias_task(body.dataset, body.alias), statement, body.op)


@router.post("/v1/annotations", status_code=202, responses=_TAKEN)
async def annotate(request: Request, body: people.AnnotationBody) -> Response:
    """State the values of a node under a key; returns 202 once they are durable.

    Messages of tasks and runs do not change these values.
    """
    statement: dict[str, Any] = {"kind": "annotation", "node": body.node, "key": body.key}
    op = "add" if body.values else "remove"
    statement |= {"values": body.values} if body.values else {}
    return await _state(request, body, messages.note_task(body.node, body.key), statement, op)


def _notes(engine: Engine, statement: dict[str, Any], op: str) -> list[str]:
    """Return notes on names that no message names, and on values that governance cannot read."""
    if statement["kind"] == "edge" and op == "reject":
        return list(unnamed.no_effect(engine.reading, statement["source"], statement["target"]))
    names = [statement[name] for name in ("source", "target", "dataset", "alias", "node") if name in statement]
    if op != "add":
        return []
    if statement["kind"] != "annotation":
        return list(unnamed.nothing_names(engine.reading, names))
    node, key, values = statement["node"], statement["key"], statement["values"]
    names += [source for source in [block_source(key)] if source is not None]
    types = unknown_types(engine.reading, values) if key == ASSET_TYPE else ()
    return [*unnamed.nothing_names(engine.reading, names), *without_effect(key, values, node), *types]


async def _state(
    request: Request, stating: people.Stating, task_id: str, statement: dict[str, Any], op: str
) -> Response:
    """Append a statement, its end, and retractions of ends that were set before."""
    service = service_of(request)
    if service.intake is None:
        raise Problem(403, "read-only", "this service accepts no messages", hint="start it without --read-only")
    now = service.follower.reading.instant("now")
    since = read_instant(stating.at, now)
    until = None if stating.expires is None else read_instant(stating.expires, now)
    if until is not None and until <= since:
        raise Problem(409, "conflict", "expires is not later than at", hint="give a later time")
    about = {name: value for name in ("actor", "reason", "evidence") if (value := getattr(stating, name)) is not None}
    ends = [name for name in statement if name in ("kind", "source", "target", "dataset", "alias", "node", "key")]
    named = {name: statement[name] for name in ends} | about
    sent = [statement | about | {"op": op, "effective_at": format_instant(since)}]
    notes = await service.run(lambda engine: _notes(engine, statement, op))
    earlier = await service.run(lambda engine: statements.expiries(engine.reading.fetch, task_id, since))
    sent += [named | {"op": "retract", "retracts": event} for event in earlier]
    if until is not None:
        sent.append(named | {"op": "remove", "effective_at": format_instant(until), "cause": messages.EXPIRY})
    raw = [orjson.dumps(each | {"event_id": unique_name()}) for each in sent]
    outcomes, _ = await service.intake.take(raw, None)
    if all(each.status == "accepted" and not each.changes for each in outcomes):
        notes.append(unnamed.NOTHING_CHANGED)
    body = orjson.dumps(
        {
            "basis": {"valid_at": None, "version": service.follower.version},
            "result": summary(outcomes) | {"notes": notes},
        }
    )
    headers = {"cache-control": "no-store", "lineage-version": str(service.follower.version), **PLAIN_DATA}
    return Response(body, 202, headers, "application/json")
