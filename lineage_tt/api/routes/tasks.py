"""``/v1/tasks``: the tasks in force at a point, and all messages of a task."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Path, Query, Request
from fastapi.responses import Response

from lineage_tt.api.http import schemas
from lineage_tt.api.http.answers import past
from lineage_tt.api.http.parameters import Paged, TasksQuery
from lineage_tt.api.reads.engine import Engine
from lineage_tt.api.service import paged, service_of
from lineage_tt.read import shapes

router = APIRouter(tags=["tasks"])


@router.get("/v1/tasks", responses=schemas.answers(past.TasksAnswer, 404))
async def tasks(request: Request, query: Annotated[TasksQuery, Query()]) -> Response:
    """List the tasks in force at a point, ordered by id, each with the message that put it in force."""
    service = service_of(request)
    basis, fixed = await service.basis(query.valid_at, query.system_at, query.version)

    def make(engine: Engine) -> dict[str, Any]:
        tasks = engine.tasks(basis)
        listed = [shapes.task_object(task) for task in tasks]
        return paged(basis.to_json(), listed, query.limit, query.offset, tasks.completeness)

    return await service.answer(request, (basis,), fixed, make)


@router.get("/v1/tasks/{task_id:path}/versions", responses=schemas.answers(past.VersionsAnswer, 404))
async def versions(
    request: Request,
    task_id: Annotated[
        str,
        Path(
            min_length=1,
            max_length=2000,
            description="The id of the task; it may contain slashes.",
            examples=["ads_customer_360"],
        ),
    ],
    query: Annotated[Paged, Query()],
) -> Response:
    """List all messages of a task, accepted or rejected, ordered by version."""
    service = service_of(request)
    basis = service.follower.reading.basis()

    def make(engine: Engine) -> dict[str, Any]:
        listed = [shapes.record(entry) for entry in engine.versions(task_id)]
        return paged(shapes.known_by(basis, engine.reading.horizon), listed, query.limit, query.offset)

    return await service.answer(request, (basis,), False, make, timeless=True)
