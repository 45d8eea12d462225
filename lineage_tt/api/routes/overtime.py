"""``/v1/diff``, ``/v1/history``, ``/v1/blame``: differences, beliefs over time, and the messages of edges."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from fastapi.responses import Response

from lineage_tt.api.browsing.grouped import diff_groups, is_grouped
from lineage_tt.api.browsing.walks import closure_diff
from lineage_tt.api.http import schemas
from lineage_tt.api.http.answers import past
from lineage_tt.api.http.parameters import BlameQuery, DiffQuery, HistoryQuery
from lineage_tt.api.http.problems import Problem
from lineage_tt.api.reads.engine import Engine, Walk
from lineage_tt.api.service import paged, service_of
from lineage_tt.read import shapes

router = APIRouter(tags=["over time"])


@router.get("/v1/diff", responses=schemas.answers(schemas.DiffAnswer, 404, 409))
async def diff(request: Request, query: Annotated[DiffQuery, Query()]) -> Response:
    """Return the edges in force at only one of two points; with ``node``, only edges that touch it.

    With ``direction``, ``depth``, ``level`` or ``direct_only``, the edges of a walk from the node are compared. At a
    level of groups (``system``, ``owner``, …), the differences are summed up between groups.
    """
    service = service_of(request)
    first, first_fixed = await service.point(query.first)
    second, second_fixed = await service.point(query.second)

    node = query.node
    if node is None and query.walks:
        raise Problem(409, "conflict", "a walk requires a node, and none is given", hint="give: node=NODE")
    if query.roll_up and query.level != "task":
        raise Problem(409, "conflict", f"roll_up requires level=task, not {query.level}", hint="give: level=task")
    grouped = is_grouped(query.level) or query.roll_up or (node is None and query.level in ("table", "task"))
    level: Any = "column" if grouped else query.level or "column"
    walk = Walk(query.direction or "both", query.depth, level, query.direct_only)

    def make(engine: Engine) -> dict[str, Any]:
        if grouped and query.level is not None:
            met = walk if query.walks else None
            return diff_groups(engine, first, second, node, met, query.level, query.roll_up)
        points = {"from": first.to_json(), "to": second.to_json()}
        if node is not None and query.walks:
            difference, nodes = closure_diff(engine, first, second, node, walk)
            result = walk.to_json() | {"nodes": nodes} | shapes.diff_result(difference)
        else:
            difference = engine.diff(first, second, node)
            result = shapes.diff_result(difference)
        return shapes.answer(points, result, difference.completeness)

    return await service.answer(request, (first, second), first_fixed and second_fixed, make)


@router.get("/v1/history", responses=schemas.answers(past.HistoryAnswer, 404))
async def history(request: Request, query: Annotated[HistoryQuery, Query()]) -> Response:
    """List every rectangle of valid and system time at a node, or of the edges between two nodes, by version."""
    service = service_of(request)
    basis = service.follower.reading.basis()

    def make(engine: Engine) -> dict[str, Any]:
        beliefs = engine.history(query.node, query.target)
        return paged(
            shapes.known_by(basis, engine.reading.horizon),
            [shapes.record(b) for b in beliefs],
            query.limit,
            query.offset,
        )

    return await service.answer(request, (basis,), False, make, timeless=True)


@router.get("/v1/blame", responses=schemas.answers(past.BlameAnswer, 404))
async def blame(request: Request, query: Annotated[BlameQuery, Query()]) -> Response:
    """List the edges from ``source`` to ``target`` in force at a point, each with the message that put it in force."""
    service = service_of(request)
    basis, fixed = await service.basis(query.valid_at, query.system_at, query.version)

    def make(engine: Engine) -> dict[str, Any]:
        blamed = engine.blame(query.source, query.target, basis)
        return shapes.answer(basis.to_json(), shapes.blame_result(blamed), blamed.completeness)

    return await service.answer(request, (basis,), fixed, make)
