"""``/v1/edges``, ``/v1/aliases``, ``/v1/annotations``: what people state over what tasks and engines report."""

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
from lineage_tt.curation import messages, statements, unnamed
from lineage_tt.governance.rules.stated import without_effect
from lineage_tt.model.clock import unique_name
from lineage_tt.model.times import format_instant, read_instant
from lineage_tt.read import shapes

router = APIRouter(tags=["people"])
_TAKEN: Any = schemas.responses(202, receipts.Receipts, 403, 409)


@router.get("/v1/edges", responses=schemas.answers(people.StatedEdges, 404))
async def stated_edges(request: Request, given: Annotated[people.StatedQuery, Query()]) -> Response:
    """Give the edges that people added or rejected, in force at a point."""
    service = service_of(request)
    basis, fixed = await service.basis(given.valid_at, given.system_at, given.version)

    def make(engine: Engine) -> dict[str, Any]:
        edges = statements.stated_edges(engine.reading.fetch, basis, given.node)
        return shapes.answer(basis.to_json(), [shapes.record(each) for each in edges])

    return await service.answer(request, (basis,), fixed, make)


@router.get("/v1/aliases", responses=schemas.answers(people.Aliases, 404))
async def aliases(request: Request, given: Annotated[people.StatedQuery, Query()]) -> Response:
    """Give the aliases in force at a point, of one dataset if given, and who states them."""
    service = service_of(request)
    basis, fixed = await service.basis(given.valid_at, given.system_at, given.version)

    def make(engine: Engine) -> dict[str, Any]:
        found = statements.aliases(engine.reading.fetch, basis, given.node)
        return shapes.answer(basis.to_json(), [shapes.record(each) for each in found])

    return await service.answer(request, (basis,), fixed, make)


@router.post("/v1/edges", status_code=202, responses=_TAKEN)
async def state_edge(request: Request, given: people.EdgeBody) -> Response:
    """Add an edge that no task states, reject edges, or take either back; 202 once it is durable."""
    said = {"kind": "edge", "source": given.source, "target": given.target}
    if given.op == "add":
        said |= {"type": given.type, "expression": given.expression}
        said |= {"subtype": given.subtype} if given.subtype else {}
    return await _state(request, given, messages.edge_task(given.source, given.target), said, given.op)


@router.post("/v1/aliases", status_code=202, responses=_TAKEN)
async def state_alias(request: Request, given: people.AliasBody) -> Response:
    """State that two datasets are one thing under two names, or no longer are; 202 once it is durable."""
    said = {"kind": "alias", "dataset": given.dataset, "alias": given.alias}
    return await _state(request, given, messages.alias_task(given.dataset, given.alias), said, given.op)


@router.post("/v1/annotations", status_code=202, responses=_TAKEN)
async def annotate(request: Request, given: people.AnnotationBody) -> Response:
    """State the values of a node under a key; 202 once they are durable. They stay when tasks and runs change."""
    said: dict[str, Any] = {"kind": "annotation", "node": given.node, "key": given.key}
    op = "add" if given.values else "remove"
    said |= {"values": given.values} if given.values else {}
    return await _state(request, given, messages.note_task(given.node, given.key), said, op)


def _notes(engine: Engine, said: dict[str, Any], op: str) -> list[str]:
    """Return in words what is stated of names that nothing else names, and values that nothing reads."""
    if said["kind"] == "edge" and op == "reject":
        return list(unnamed.no_effect(engine.reading, said["source"], said["target"]))
    names = [said[name] for name in ("source", "target", "dataset", "alias", "node") if name in said]
    if op != "add":
        return []
    unread = without_effect(said["key"], said["values"]) if said["kind"] == "annotation" else ()
    return [*unnamed.nothing_names(engine.reading, names), *unread]


async def _state(request: Request, given: people.Stating, task_id: str, said: dict[str, Any], op: str) -> Response:
    """Append a statement, its end, and what withdraws an end that was set before."""
    service = service_of(request)
    if service.intake is None:
        raise Problem(403, "read-only", "this service accepts no messages", hint="start it without --read-only")
    now = service.follower.reading.instant("now")
    since = read_instant(given.at, now)
    until = None if given.expires is None else read_instant(given.expires, now)
    if until is not None and until <= since:
        raise Problem(409, "conflict", "expires: lies before the statement begins", hint="give a later time")
    about = {name: value for name in ("actor", "reason", "evidence") if (value := getattr(given, name)) is not None}
    ends = [name for name in said if name in ("kind", "source", "target", "dataset", "alias", "node", "key")]
    named = {name: said[name] for name in ends} | about
    sent = [said | about | {"op": op, "effective_at": format_instant(since)}]
    notes = await service.run(lambda engine: _notes(engine, said, op))
    earlier = await service.run(lambda engine: statements.expiries(engine.reading.fetch, task_id, since))
    sent += [named | {"op": "retract", "retracts": event} for event in earlier]
    if until is not None:
        sent.append(named | {"op": "remove", "effective_at": format_instant(until), "cause": messages.EXPIRY})
    raw = [orjson.dumps(each | {"event_id": unique_name()}) for each in sent]
    found, _ = await service.intake.take(raw, None)
    if all(each.status == "accepted" and not each.changes for each in found):
        notes.append(unnamed.NOTHING_CHANGED)
    body = orjson.dumps(
        {"basis": {"valid_at": None, "version": service.follower.version}, "result": summary(found) | {"notes": notes}}
    )
    headers = {"cache-control": "no-store", "lineage-version": str(service.follower.version), **PLAIN_DATA}
    return Response(body, 202, headers, "application/json")
