"""``/v1/search``: names that match a text."""

from __future__ import annotations

import asyncio
from typing import Annotated, Final

import orjson
from fastapi import APIRouter, Query, Request
from fastapi.responses import Response

from lineage_tt.api.http import schemas
from lineage_tt.api.http.parameters import SearchQuery
from lineage_tt.api.http.problems import Problem
from lineage_tt.api.reads.names import MAX_CANDIDATES, MAX_COMMON
from lineage_tt.api.reads.similarity import LEAST_MATCH
from lineage_tt.api.reads.worth import by_worth
from lineage_tt.api.routes.governance.responses import noted
from lineage_tt.api.service import service_of
from lineage_tt.read import shapes

router = APIRouter(tags=["search"])
_MORE: Final = f"more names match than the {MAX_CANDIDATES} that were compared: give more of the name, or a kind"
_MORE_SIMILAR: Final = (
    f"more names are similar than the {MAX_CANDIDATES} that were compared: give more of the name, or a kind"
)
_COMMON: Final = (
    f"more than {MAX_COMMON:,} names have these letters, so only names that begin with them were compared: "
    "give more of the name"
)


@router.get("/v1/search", responses=schemas.answers(schemas.SearchAnswer, cached=False))
async def search(request: Request, query: Annotated[SearchQuery, Query()]) -> Response:
    """Search columns, datasets, tasks, owners, labels and descriptions by beginning, part or words, despite typos."""
    service = service_of(request)
    if service.names.version < 0:
        raise Problem(
            503, "loading", "the index of names is being filled", hint="send the request again in a moment",
            headers={"retry-after": "1"},
        )  # fmt: skip
    all_hits, version, left_out = await asyncio.to_thread(service.names.all_hits, query.q, query.kind)
    basis, _ = await service.basis(version=min(version, service.follower.version))
    graph = service.follower.graph
    hits = all_hits[: query.limit]
    if graph is not None and graph.version >= basis.version:
        hits = await asyncio.to_thread(by_worth, all_hits, query.limit, graph, basis)
    notes = [_MORE] * left_out.matches + [_COMMON] * left_out.common
    if left_out.similar and sum(hit.score >= LEAST_MATCH for hit in all_hits) < query.limit:  # similar names are listed
        notes.append(_MORE_SIMILAR)
    if len(all_hits) > query.limit:
        notes.append(f"{len(all_hits) - query.limit:,} further matches are left out: give a greater limit")
    answer = shapes.answer(shapes.known_by(basis), [shapes.record(hit) for hit in hits])
    body = orjson.dumps(noted(answer, notes))
    return service.reply(body, None, fixed=False)
