"""``/v1/core``, ``/v1/root-cause``, ``/v1/backfill``: critical paths, suspects for a wrong value, and reruns."""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal

from fastapi import APIRouter, Query, Request
from fastapi.responses import Response
from pydantic import Field

from lineage_tt.api.http import schemas
from lineage_tt.api.http.parameters import POINT, At, Digits, Node, Time
from lineage_tt.api.reads.engine import Engine
from lineage_tt.api.routes.governance.dependencies import governance_of
from lineage_tt.api.routes.governance.responses import ObservedAnswer, answered
from lineage_tt.api.service import service_of
from lineage_tt.governance.backfill.partitions import Grain
from lineage_tt.governance.core.timings import read_duration
from lineage_tt.impact.causes import comparing
from lineage_tt.impact.texts import Analyst
from lineage_tt.model.times import read_instant
from lineage_tt.read import shapes

router = APIRouter(tags=["governance"])
#: A superset of the durations that ``read_duration`` accepts; one that it does not accept is a conflict.
DURATION: Final = r"^(?:PT)?[0-9]{1,4}(?:\.[0-9]{1,6})?[hmsHMS](?:[0-9]{1,4}[mMsS])?(?:[0-9]{1,4}[sS])?$"


class CoreQuery(At):
    """The query parameters of ``GET /v1/core``."""

    node: Annotated[Node | None, Field(description="Only the chain of this node.")] = None
    since: Annotated[
        str | None, Field(pattern=POINT, max_length=90, description="With `node`: also the changes since then.")
    ] = None


class LateQuery(At):
    """The query parameters of ``GET /v1/core/late``."""

    task: Annotated[
        str,
        Field(
            min_length=1,
            max_length=2000,
            description="The id of the task that is late.",
            examples=["ads_customer_360"],
        ),
    ]
    by: Annotated[
        str,
        Field(
            min_length=1,
            max_length=40,
            pattern=DURATION,
            description="How much longer the task takes: `2h`, `45m`, `PT1H30M`.",
            examples=["2h"],
        ),
    ]


class RootCauseQuery(At):
    """The query parameters of ``GET /v1/root-cause``."""

    node: Annotated[Node, Field(description="The dataset or column that is wrong.")]
    since: Annotated[Time, Field(description="Only changes from then on; `-14d` counts from `valid_at`.")] = "-14d"
    texts: Annotated[
        Literal["read", "words"], Field(description="Compare changed SQL texts with the parser, or word by word.")
    ] = "read"
    limit: Annotated[int, Field(ge=1, le=1000, description="Maximum number of suspects."), Digits] = 10


class BackfillQuery(At):
    """The query parameters of ``GET /v1/backfill``."""

    node: Annotated[Node, Field(description="What was wrong: a dataset, a column, or `task:ID`.")]
    start: Annotated[
        Time,
        Field(alias="from", description="The valid time from which it was wrong.", examples=["2026-03-01T00:00:00Z"]),
    ]
    end: Annotated[
        Time,
        Field(alias="to", description="The valid time until which it was wrong.", examples=["2026-03-03T00:00:00Z"]),
    ] = "now"
    grain: Annotated[Grain, Field(description="The grain of partitions of tasks that state none.")] = "day"
    repaired: Annotated[bool, Field(description="The node is already repaired: plan only its readers.")] = False


@router.get("/v1/core", responses=schemas.answers(ObservedAnswer, 404, 409, cached=False))
async def core(request: Request, query: Annotated[CoreQuery, Query()]) -> Response:
    """List the chains of promised nodes with their times, or the chain of one node and its changes since a point."""
    service = service_of(request)
    basis, _ = await service.basis(query.valid_at, query.system_at, query.version)
    before = None if query.since is None else (await service.point(query.since))[0]

    def make(engine: Engine) -> dict[str, Any]:
        asks = governance_of(service, engine)
        if query.node is None:
            listed = asks.core(basis=basis)
            result = {"nodes": [chain.to_json() for chain in listed.chains]}
            return shapes.answer(basis.to_json(), result, listed.completeness)
        answer = asks.core(query.node, basis, before)
        points: dict[str, Any] = basis.to_json()
        if before is not None:
            points = {"from": before.to_json(), "to": points}
        change = {"change": answer.change.to_json()} if answer.change is not None else {}
        return shapes.answer(points, answer.chains[0].to_json() | change, answer.completeness)

    return await answered(service, make)


@router.get("/v1/core/late", responses=schemas.answers(ObservedAnswer, 404, 409, cached=False))
async def late(request: Request, query: Annotated[LateQuery, Query()]) -> Response:
    """List the promises that a longer duration of a task delays, those that break first, and the owners to notify."""
    service = service_of(request)
    basis, _ = await service.basis(query.valid_at, query.system_at, query.version)

    def make(engine: Engine) -> dict[str, Any]:
        by = read_duration(query.by)
        answer = governance_of(service, engine).late(query.task, by, basis)
        return shapes.answer(basis.to_json(), answer.to_json(), answer.completeness)

    return await answered(service, make)


@router.get("/v1/root-cause", responses=schemas.answers(ObservedAnswer, 404, 409, cached=False))
async def root_cause(request: Request, query: Annotated[RootCauseQuery, Query()]) -> Response:
    """List the changes upstream of a node before it was wrong, the most likely cause first."""
    service = service_of(request)
    basis, _ = await service.basis(query.valid_at, query.system_at, query.version)
    analyst: Analyst | None = request.app.state.analyst if query.texts == "read" else None

    def make(engine: Engine) -> dict[str, Any]:
        asks, since = governance_of(service, engine), read_instant(query.since, basis.valid_at)
        cause = asks.root_cause(query.node, basis, since, comparing(analyst) if analyst else None, query.limit)
        return shapes.answer(basis.to_json(), cause.to_json(), cause.completeness)

    return await answered(service, make, parses=analyst is not None)


@router.get("/v1/backfill", responses=schemas.answers(ObservedAnswer, 404, 409, cached=False))
async def backfill(request: Request, query: Annotated[BackfillQuery, Query()]) -> Response:
    """Plan what to run again after a node was wrong for a time: tasks in order, partitions, texts, cut points."""
    service = service_of(request)
    basis, _ = await service.basis(query.valid_at, query.system_at, query.version)

    def make(engine: Engine) -> dict[str, Any]:
        asks = governance_of(service, engine)
        plan = asks.backfill([query.node], query.start, query.end, basis, query.grain, remake=not query.repaired)
        return shapes.answer(basis.to_json(), plan.to_json(), plan.completeness)

    return await answered(service, make)
