"""``/v1/assets``, ``/v1/asset-types``: the assets that lineage or registers list, and their types."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query, Request
from fastapi.responses import Response
from pydantic import Field

from lineage_tt.api.http import schemas
from lineage_tt.api.http.parameters import At, Offset, Rows
from lineage_tt.api.http.schemas import Basis, Strict
from lineage_tt.api.reads.engine import Engine
from lineage_tt.api.routes.governance.responses import noted
from lineage_tt.api.service import paged, service_of
from lineage_tt.assets.listing import Assets, assets_at, selected
from lineage_tt.model.answers import Basis as Point
from lineage_tt.read import shapes

router = APIRouter(tags=["assets"])
Status = Literal["matched", "unregistered", "unnamed"]


class AssetsQuery(At):
    """The query parameters of ``GET /v1/assets``."""

    type: Annotated[
        str | None, Field(min_length=1, max_length=200, description="Only assets of this type, or of types below it.")
    ] = None
    status: Annotated[
        Status | None,
        Field(
            description="Only assets that are `matched` (in lineage and registers), `unregistered` (only in lineage) "
            "or `unnamed` (only in registers)."
        ),
    ] = None
    unknown: Annotated[bool, Field(description="Only assets of types that are not declared.")] = False
    limit: Rows = 1000
    offset: Offset = 0


class Asset(Strict):
    """A node, its type and the types above it, and whether lineage or registers name it."""

    node: str
    type: str
    type_known: bool
    types: list[str]
    icon: str | None
    status: Status
    registers: list[str]
    like: list[str]


class AssetsAnswer(Strict):
    """The answer to ``GET /v1/assets``; ``next_offset`` is null on the last page."""

    basis: Basis
    result: list[Asset]
    next_offset: int | None
    notes: list[str] = Field([], description="Why the answer is empty, such as an unknown name. Absent if empty.")


class AssetType(Strict):
    """A type, its declaration, and the number of assets of this type, without the types below it."""

    name: str
    parent: str | None
    identity: list[str]
    icon: str | None
    feeds: list[str] | None
    fed_by: list[str] | None
    known: bool
    assets: int


class Disallowed(Strict):
    """An edge in force that the types of its source and target do not allow."""

    source: str
    source_type: str
    target: str
    target_type: str


class Types(Strict):
    """The types in force at a point, and the edges that they do not allow."""

    types: list[AssetType]
    disallowed: list[Disallowed]


class TypesAnswer(Strict):
    """The answer to ``GET /v1/asset-types``."""

    basis: Basis
    result: Types


@router.get("/v1/assets", responses=schemas.answers(AssetsAnswer, 404))
async def assets(request: Request, query: Annotated[AssetsQuery, Query()]) -> Response:
    """List the assets at a point that lineage or registers name, each with its type and status."""
    service = service_of(request)
    basis, fixed = await service.basis(query.valid_at, query.system_at, query.version)

    def make(engine: Engine) -> dict[str, Any]:
        known = _known(engine, basis)
        selection = selected(known.assets, type_=query.type, status=query.status, unknown=query.unknown)
        body = paged(basis.to_json(), [shapes.record(asset) for asset in selection], query.limit, query.offset)
        return noted(body, known.not_a_type(query.type))

    return await service.answer(request, (basis,), fixed, make)


@router.get("/v1/asset-types", responses=schemas.answers(TypesAnswer, 404))
async def asset_types(request: Request, query: Annotated[At, Query()]) -> Response:
    """List the types in force at a point, undeclared types at the end, and the edges that they do not allow."""
    service = service_of(request)
    basis, fixed = await service.basis(query.valid_at, query.system_at, query.version)

    def make(engine: Engine) -> dict[str, Any]:
        known = _known(engine, basis)
        result = {"types": known.type_objects(), "disallowed": [shapes.record(each) for each in known.disallowed]}
        return shapes.answer(basis.to_json(), result)

    return await service.answer(request, (basis,), fixed, make)


def _known(engine: Engine, basis: Point) -> Assets:
    point = {"valid_at": basis.valid_at, "system_at": basis.system_time}
    return assets_at(lambda query, **more: engine.reading.fetch(query, **point, **more), basis)
