"""``/v1/nodes``, ``/v1/datasets``, ``/v1/sql``, ``/v1/planned``: browsing apart from lineage."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from fastapi.responses import Response

from lineage_tt.api.browsing import schemas as shown
from lineage_tt.api.browsing.datasets import entries
from lineage_tt.api.browsing.nodes import node_answer
from lineage_tt.api.browsing.parameters import DatasetsQuery, NodeQuery, SqlQuery
from lineage_tt.api.browsing.planned_changes import planned
from lineage_tt.api.browsing.texts import sql_answer
from lineage_tt.api.http import schemas
from lineage_tt.api.http.parameters import Paged
from lineage_tt.api.http.problems import Problem
from lineage_tt.api.reads.engine import Engine
from lineage_tt.api.routes.governance.responses import noted
from lineage_tt.api.service import paged, service_of
from lineage_tt.model.names import clipped
from lineage_tt.read import shapes

router = APIRouter(tags=["browsing"])


@router.get("/v1/nodes", responses=schemas.answers(shown.NodeAnswer, 404))
async def node(request: Request, query: Annotated[NodeQuery, Query()]) -> Response:
    """Return a dataset or column: facts, columns and their history, and the tasks that write and read it."""
    service = service_of(request)
    basis, fixed = await service.point(query.at)

    def make(engine: Engine) -> dict[str, Any]:
        result, around = node_answer(engine, query.node, basis)
        return shapes.answer(basis.to_json(), result, around.completeness)

    return await service.answer(request, (basis,), fixed, make)


@router.get("/v1/datasets", responses=schemas.answers(shown.DatasetsAnswer, 409))
async def datasets(request: Request, query: Annotated[DatasetsQuery, Query()]) -> Response:
    """List the entries directly below a prefix: namespaces, databases or datasets, each with its number of datasets."""
    service = service_of(request)
    basis, fixed = await service.point(query.at)
    if query.cursor is not None and not query.cursor.startswith(query.under):
        raise Problem(
            409, "other-question", f"the cursor is of other entries than those under {clipped(query.under)}",
            hint="give next_cursor of the same question, or leave it out",
        )  # fmt: skip

    def make(engine: Engine) -> dict[str, Any]:
        result, following = entries(engine.reading.fetch, query.under, basis, query.limit, query.cursor)
        notes = [f"no dataset here begins with {clipped(query.under)}: begin without under"]
        body = shapes.answer(basis.to_json(), result) | {"next_cursor": following}
        return noted(body, notes if query.under and not result["total"] else ())

    return await service.answer(request, (basis,), fixed, make)


@router.get("/v1/sql", responses=schemas.answers(shown.SqlAnswer, 404))
async def sql(request: Request, query: Annotated[SqlQuery, Query()]) -> Response:
    """Return the SQL of a task in force at one or two points, with the places that make an edge.

    For two points, the answer has the difference of the texts. Texts are returned as the store's policy keeps them.
    """
    service = service_of(request)
    points = [await service.point(text) for text in query.at.split(",")]
    bases = tuple(basis for basis, _ in points)

    def make(engine: Engine) -> dict[str, Any]:
        result, notes = sql_answer(engine, query.task, bases, query.source, query.target)
        return noted(shapes.answer([basis.to_json() for basis in bases], result), notes)

    return await service.answer(request, bases, all(fixed for _, fixed in points), make)


@router.get("/v1/planned", responses=schemas.answers(shown.PlannedAnswer))
async def changes_to_come(request: Request, query: Annotated[Paged, Query()]) -> Response:
    """List how many edges will begin and end after now, as known now, by valid time and task."""
    service = service_of(request)
    basis, _ = await service.basis()

    def make(engine: Engine) -> dict[str, Any]:
        return paged(basis.to_json(), planned(engine.reading.fetch, basis), query.limit, query.offset)

    return await service.answer(request, (basis,), False, make)
