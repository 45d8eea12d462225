"""``/v1/labels``: the labels of nodes at a point, their differences between points, and where a level falls."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from fastapi.responses import Response
from pydantic import Field

from lineage_tt.api.http import schemas
from lineage_tt.api.http.parameters import POINT, STRICT, Node, Paged
from lineage_tt.api.reads.engine import Engine
from lineage_tt.api.routes.governance.dependencies import GovernanceAnswer, Scene, SceneQuery, governance_of
from lineage_tt.api.service import paged, service_of
from lineage_tt.governance.upkeep import notes
from lineage_tt.read import shapes

router = APIRouter(tags=["governance"])


class LabelsQuery(SceneQuery, Paged):
    """The query parameters of ``GET /v1/labels``."""

    node: Annotated[Node | None, Field(description="Only the labels of this node, with paths.")] = None
    label: Annotated[str | None, Field(max_length=2000, description="Only nodes with this label.")] = None


class LabelsDiffQuery(Paged):
    """The query parameters of ``GET /v1/labels/diff``."""

    model_config = STRICT
    first: Annotated[
        str,
        Field(
            alias="from", pattern=POINT, max_length=100, description="The first point.",
            examples=["2026-02-01T00:00:00Z"],
        ),
    ]  # fmt: skip
    second: Annotated[str, Field(alias="to", pattern=POINT, max_length=100, description="The second point.")] = "now"
    scene: Scene = None


class ScanQuery(SceneQuery, Paged):
    """The query parameters of ``GET /v1/labels/scan``."""


@router.get("/v1/labels", responses=schemas.answers(GovernanceAnswer, 404))
async def labels(request: Request, query: Annotated[LabelsQuery, Query()]) -> Response:
    """List all nodes with labels, or the labels of one node with paths, begin, and the changes that brought them."""
    service = service_of(request)
    basis, fixed = await service.basis(query.valid_at, query.system_at, query.version)

    def make(engine: Engine) -> dict[str, Any]:
        governance = governance_of(service, engine, query.scene)
        if query.node is not None:
            reasons = governance.labels(query.node, basis, query.scene)
            result = {"node": query.node, "labels": [each.to_json() for each in reasons]}
            body = shapes.answer(basis.to_json(), result, governance.completeness_above(query.node, basis))
            labelled = governance.labelled(basis, query.scene)
            lines = [*notes.of_point(engine.reading, basis), *notes.of_stops(labelled), *notes.of_decisions(labelled)]
            given = [name for name in ("label", "limit", "offset") if name in query.model_fields_set]
            lines += [f"{name} has no effect with node: all labels of the node are listed" for name in given]
            return body | {"notes": lines}
        labelled = governance.labelled(basis, query.scene)
        rows = [
            {"node": node, "labels": list(words)}
            for node, words in labelled.all()
            if query.label is None or query.label in words
        ]
        lines = notes.of_point(engine.reading, basis)
        lines += [*notes.of_labels(labelled, query.label), *notes.of_stops(labelled)]
        return paged(basis.to_json(), rows, query.limit, query.offset, labelled.point.completeness()) | {"notes": lines}

    return await service.answer(request, (basis,), fixed, make)


@router.get("/v1/labels/diff", responses=schemas.answers(GovernanceAnswer, 404))
async def labels_diff(request: Request, query: Annotated[LabelsDiffQuery, Query()]) -> Response:
    """List the nodes whose labels differ between two points."""
    service = service_of(request)
    first, first_fixed = await service.point(query.first)
    second, second_fixed = await service.point(query.second)

    def make(engine: Engine) -> dict[str, Any]:
        governance = governance_of(service, engine, query.scene)
        differences = governance.labels_diff(first, second, query.scene)
        points = {"from": first.to_json(), "to": second.to_json()}
        completeness = governance.completeness_of(first, second)
        rows = [each.to_json() for each in differences]
        lines = notes.of_points(engine.reading, first, second)
        return paged(points, rows, query.limit, query.offset, completeness) | {"notes": lines}

    return await service.answer(request, (first, second), first_fixed and second_fixed, make)


@router.get("/v1/labels/scan", responses=schemas.answers(GovernanceAnswer, 404))
async def labels_scan(request: Request, query: Annotated[ScanQuery, Query()]) -> Response:
    """List the edges whose target has a lower level than their source, with the reason, owners, and since when."""
    service = service_of(request)
    basis, fixed = await service.basis(query.valid_at, query.system_at, query.version)

    def make(engine: Engine) -> dict[str, Any]:
        governance = governance_of(service, engine, query.scene)
        falls = [each.to_json() for each in governance.labels_scan(basis, query.scene)]
        completeness = governance.points.at(basis).completeness()
        labelled = governance.labelled(basis, query.scene)
        lines = [*notes.of_levels(labelled), *notes.of_stops(labelled), *notes.of_decisions(labelled)]
        lines = [*notes.of_point(engine.reading, basis), *lines]
        return paged(basis.to_json(), falls, query.limit, query.offset, completeness) | {"notes": lines}

    return await service.answer(request, (basis,), fixed, make)
