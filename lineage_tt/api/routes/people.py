"""``/v1/edges``, ``/v1/aliases``, ``/v1/annotations``: what people state in addition to tasks and engines."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Annotated, Any, Final

import orjson
from fastapi import APIRouter, Query, Request
from fastapi.responses import Response

from lineage_tt.api.http import people_schemas as people
from lineage_tt.api.http import schemas
from lineage_tt.api.http.answers import receipts
from lineage_tt.api.http.problems import PLAIN_DATA, Problem
from lineage_tt.api.intake import summary
from lineage_tt.api.reads.engine import Engine
from lineage_tt.api.routes.governance.responses import noted, typos
from lineage_tt.api.service import service_of
from lineage_tt.assets.listing import unknown_types
from lineage_tt.assets.types import ASSET_TYPE
from lineage_tt.curation import messages, statements, unnamed
from lineage_tt.governance.labels.statements import replaced_words
from lineage_tt.governance.upkeep.stated import block_source, without_effect
from lineage_tt.model.clock import unique_name
from lineage_tt.model.times import format_instant, read_instant
from lineage_tt.read import shapes

router = APIRouter(tags=["people"])
#: Why a field that describes an edge has no effect, by op; messages of the kind ``edge`` get the same words.
_WHY: Final = {
    "reject": "every edge between the two nodes is rejected",
    "remove": "whatever is stated about the two nodes ends",
}
_TAKEN: Any = schemas.responses(202, receipts.Receipts, 403, 409)


@router.get("/v1/edges", responses=schemas.answers(people.StatedEdges, 404))
async def stated_edges(request: Request, query: Annotated[people.StatedQuery, Query()]) -> Response:
    """List the edges that people added or rejected, in force at a point."""
    return await _listed(request, query, statements.stated_edges)


@router.get("/v1/aliases", responses=schemas.answers(people.Aliases, 404))
async def aliases(request: Request, query: Annotated[people.StatedQuery, Query()]) -> Response:
    """List the aliases in force at a point, of all datasets or of one, with who states them."""
    return await _listed(request, query, statements.aliases)


async def _listed(request: Request, query: people.StatedQuery, ask: Callable[..., Sequence[Any]]) -> Response:
    """Return what people state at a point, with a note if a node without rows is not known."""
    service = service_of(request)
    basis, fixed = await service.basis(query.valid_at, query.system_at, query.version)
    notes, bases, fixed = await typos(service, query.node, basis, fixed)

    def make(engine: Engine) -> dict[str, Any]:
        listed = ask(engine.reading.fetch, basis, query.node)
        answer = shapes.answer(basis.to_json(), [shapes.record(each) for each in listed])
        return noted(answer, () if listed else notes)

    return await service.answer(request, bases, fixed, make)


@router.post("/v1/edges", status_code=202, responses=_TAKEN)
async def state_edge(request: Request, body: people.EdgeBody) -> Response:
    """Add an edge, reject edges, or remove either statement; returns 202 once it is durable."""
    statement = {"kind": "edge", "source": body.source, "target": body.target}
    if body.op == "add":
        statement |= {"type": body.type, "expression": body.expression}
        statement |= {"subtype": body.subtype} if body.subtype else {}
    unused = [f"{name} has no effect with op {body.op}: {_WHY[body.op]}" for name in _unused(body)]
    return await _state(request, body, messages.edge_task(body.source, body.target), statement, body.op, unused)


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


def _unused(body: people.EdgeBody) -> list[str]:
    """Return the fields of a body that have no effect with its op, because they describe an edge that is added."""
    if body.op == "add":
        return []
    return [name for name in ("type", "subtype", "expression") if name in body.model_fields_set and getattr(body, name)]


def _notes(engine: Engine, statement: dict[str, Any], op: str, since: int) -> list[str]:
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
    notes = [*unnamed.nothing_names(engine.reading, names), *without_effect(key, values, node), *types]
    if block_source(key) is not None:  # a block opens what an earlier one stopped: other keys replace by design
        blocked = [fact.value for fact in engine.reading.as_of(format_instant(since)).facts(node, key)]
        notes += filter(None, [replaced_words(blocked, values)])
    return notes


async def _state(
    request: Request, stating: people.Stating, task_id: str, statement: dict[str, Any], op: str,
    unused: Sequence[str] = (),
) -> Response:  # fmt: skip
    """Append a statement, its end, and retractions of ends that were set before; ``unused`` are further notes."""
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
    notes = [*unused, *await service.run(lambda engine: _notes(engine, statement, op, since))]
    if op == "remove" and stating.expires is not None:
        notes.insert(0, "expires has no effect with op remove: what is removed does not begin again")
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
