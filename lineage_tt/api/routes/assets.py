"""``/v1/assets``, ``/v1/asset-types``: what kinds of things there are, and which of them somebody knows to exist."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query, Request
from fastapi.responses import Response
from pydantic import Field

from lineage_tt.api.http import schemas
from lineage_tt.api.http.parameters import At, Offset, Rows
from lineage_tt.api.http.schemas import Basis, Strict
from lineage_tt.api.reads.engine import Engine
from lineage_tt.api.service import paged, service_of
from lineage_tt.assets.listing import Assets, assets_at, selected
from lineage_tt.model.answers import Basis as Point
from lineage_tt.read import shapes

router = APIRouter(tags=["assets"])
Status = Literal["matched", "unregistered", "unnamed"]


class AssetsQuery(At):
    """``GET /v1/assets``."""

    type: Annotated[str | None, Field(min_length=1, max_length=200, description="Of this type, or below it.")] = None
    status: Annotated[Status | None, Field(description="Known by both, by lineage alone, by registers alone.")] = None
    unknown: Annotated[bool, Field(description="Only of types that nobody declared.")] = False
    limit: Rows = 1000
    offset: Offset = 0


class Asset(Strict):
    """A node, its type with those above, and where it is known."""

    node: str
    type: str
    type_known: bool
    types: list[str]
    icon: str | None
    status: Status
    registers: list[str]
    like: list[str]


class AssetsAnswer(Strict):
    """The answer of ``GET /v1/assets``; ``next_offset`` is that of the next page."""

    basis: Basis
    result: list[Asset]
    next_offset: int | None


class AssetType(Strict):
    """A type, what the file says of it, and how many assets are of it itself."""

    name: str
    parent: str | None
    identity: list[str]
    icon: str | None
    feeds: list[str] | None
    fed_by: list[str] | None
    known: bool
    assets: int


class Disallowed(Strict):
    """An edge in force that the types of its ends do not allow."""

    source: str
    source_type: str
    target: str
    target_type: str


class Types(Strict):
    """The types of a point, and the edges that they do not allow."""

    types: list[AssetType]
    disallowed: list[Disallowed]


class TypesAnswer(Strict):
    """The answer of ``GET /v1/asset-types``."""

    basis: Basis
    result: Types


@router.get("/v1/assets", responses=schemas.answers(AssetsAnswer, 404))
async def assets(request: Request, query: Annotated[AssetsQuery, Query()]) -> Response:
    """List what lineage names and registers list at a point, each with its type and where it is known."""
    service = service_of(request)
    basis, fixed = await service.basis(query.valid_at, query.system_at, query.version)

    def make(engine: Engine) -> dict[str, Any]:
        known = _known(engine, basis)
        selection = selected(known.assets, type_=query.type, status=query.status, unknown=query.unknown)
        return paged(basis.to_json(), [shapes.record(asset) for asset in selection], query.limit, query.offset)

    return await service.answer(request, (basis,), fixed, make)


@router.get("/v1/asset-types", responses=schemas.answers(TypesAnswer, 404))
async def asset_types(request: Request, query: Annotated[At, Query()]) -> Response:
    """List the types in force at a point, those that nobody declared last, and the edges that they do not allow."""
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
