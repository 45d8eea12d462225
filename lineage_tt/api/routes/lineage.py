"""``/v1/lineage``: what is up- and downstream of a node as of a point; many nodes at many points in one request."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Annotated, Any, Final, NamedTuple

import orjson
from fastapi import APIRouter, Body, Depends, Request
from fastapi.responses import Response

from lineage_tt.api.browsing.grouped import groups_answer, is_grouped, rolled_up_answer
from lineage_tt.api.http import schemas
from lineage_tt.api.http.parameters import At, LineageBatch, LineageQuery, Point, Walking
from lineage_tt.api.http.problems import Problem
from lineage_tt.api.http.queries import QueryOf
from lineage_tt.api.reads.engine import Engine, Page, Walk, lineage_answer, reached_answer
from lineage_tt.api.service import Service, service_of
from lineage_tt.levels.names import AnyLevel
from lineage_tt.model.answers import Basis
from lineage_tt.read import shapes

router = APIRouter(tags=["lineage"])
#: A walk of at most this many steps from one node runs in the event loop: using another thread would take longer.
_SHORT: Final = 4
LINEAGE_QUERY: Final = QueryOf(LineageQuery)


@router.get(
    "/v1/lineage", responses=schemas.answers(schemas.LineageAnswer, 404, 409), openapi_extra=LINEAGE_QUERY.openapi()
)
async def lineage(request: Request, query: Annotated[LineageQuery, Depends(LINEAGE_QUERY.read)]) -> Response:
    """Walk from a node as of a point. Returns the nodes reached, and edges with task, version and valid interval.

    At a level of groups (`system`, `owner`, …), it returns edges between groups instead, with the counts they sum up.
    """
    service = service_of(request)
    question = _question_of(query)
    page = Page(query.limit, 0, query.edges)
    if query.cursor is None:
        basis, fixed = await service.basis(query.valid_at, query.system_at, query.version)
    else:
        basis, page = await _next_page(service, query, question, page)
        fixed = True

    def make(engine: Engine) -> dict[str, Any]:
        return next(_answers(engine, [[query.node]], [basis], question, page, [_asked_at(query)]))

    short = query.depth is not None and query.depth <= _SHORT
    return await service.answer(request, (basis,), fixed, make, inline=short)


async def _next_page(service: Service, query: LineageQuery, question: _Question, page: Page) -> tuple[Basis, Page]:
    """Return the point and the page of a query's cursor. Problem 404 if the store has no such point.

    Problem 409 if the cursor belongs to another question, or if the query also names another point.
    """
    cursor = query.cursor or ""
    valid_at, version, offset, mark = f"{cursor}.".split(".")[:4]
    try:
        await service.follower.reach(int(version))
        basis = await service.basis_of(int(valid_at), int(version))
    except Exception as error:
        raise Problem(404, "unknown-cursor", f"the cursor {cursor!r} does not belong to this store") from error
    at = _asked_at(query)
    page = page._replace(offset=int(offset), asked=question.asked([query.node]), asked_at=at)
    asked, written = page.marks(basis)
    if mark[:-8] != asked or not (
        mark.endswith(written) or at == _asked_at(Point()) or await _is_at(service, query, basis)
    ):
        raise Problem(
            409, "other-question", "the cursor belongs to another question",
            hint="repeat the query of the answer that holds the cursor; its point may be left out",
        )  # fmt: skip
    return basis, page


async def _is_at(service: Service, query: LineageQuery, basis: Basis) -> bool:
    """Return whether the point of a query, in whatever words, is this one."""
    asked, _ = await service.basis(query.valid_at, query.system_at, query.version)
    return asked == basis


def _asked_at(at: At) -> tuple[Any, ...]:
    """Return a point as the caller wrote it, so that relative times stay the same from page to page."""
    return at.valid_at or "now", at.system_at or "now", at.version


@router.post("/v1/lineage", responses=schemas.answers(schemas.BatchAnswer, 404, 409, cached=False))
async def lineage_batch(request: Request, batch: Annotated[LineageBatch, Body()]) -> Response:
    """Walk from many nodes at many points in one request.

    The result has one answer for each point and node, as ``GET`` returns it, ordered by point. With ``together``, each
    point has one answer, of a walk from all nodes.
    """
    service = service_of(request)
    settings = service.settings
    starts = [batch.nodes] if batch.together else [[node] for node in batch.nodes]
    if len(starts) * len(batch.points) > settings.max_questions:
        raise Problem(
            400, "invalid-request",
            f"{len(starts)} × {len(batch.points)} questions in one request are more than {settings.max_questions}",
            hint="use several requests",
        )  # fmt: skip
    points = [await service.basis(p.valid_at, p.system_at, p.version) for p in batch.points]
    bases = tuple(basis for basis, _ in points)
    question = _question_of(batch)
    page = Page(batch.limit, 0, batch.edges)
    asked_at = [_asked_at(point) for point in batch.points]
    read_at = service.follower.reading.basis()

    def make(engine: Engine) -> bytes:
        answers = list(_answers(engine, starts, bases, question, page, asked_at))
        return orjson.dumps(shapes.answer(shapes.known_by(read_at), answers))

    return service.reply(await service.run(make), None, fixed=False)


class _Question(NamedTuple):
    """The walk, the level of groups at which its edges are summed up, if any, and whether sub-tasks are rolled up."""

    walk: Walk
    group: AnyLevel | None
    roll_up: bool

    def asked(self, nodes: Sequence[str]) -> tuple[Any, ...]:
        """Return what determines the answer for these nodes, except its point."""
        return list(nodes), [*self.walk], self.group, self.roll_up


def _question_of(query: Walking | LineageBatch) -> _Question:
    """Return the walk of a query. Raises Problem 409 if ``roll_up`` is not combined with the level ``task``."""
    if query.roll_up and query.level != "task":
        raise Problem(409, "conflict", f"roll_up requires level=task, not {query.level}", hint="give: level=task")
    if is_grouped(query.level):
        return _Question(Walk(query.direction, query.depth, "column", query.direct_only), query.level, False)
    level: Any = query.level
    return _Question(Walk(query.direction, query.depth, level, query.direct_only), None, query.roll_up)


def _answers(
    engine: Engine,
    starts: Sequence[Sequence[str]],
    bases: Sequence[Basis],
    question: _Question,
    page: Page,
    asked_at: Sequence[tuple[Any, ...]],
) -> Iterator[dict[str, Any]]:
    """Yield an answer for each start at each basis, ordered by basis; ``asked_at`` are the points as written."""
    walk, group, roll_up = question
    pages = (page._replace(asked=question.asked(nodes), asked_at=at) for at in asked_at for nodes in starts)
    if not page.edges and group is None and not roll_up:
        for reached, each in zip(engine.reached(starts, bases, walk), pages, strict=True):
            yield reached_answer(reached, walk, each)
        return
    for basis in bases:
        for nodes in starts:
            engine.reading.go_on()
            each = next(pages)
            if group is not None:
                yield groups_answer(engine, nodes, basis, walk, group, each)
            elif roll_up:
                yield rolled_up_answer(engine, nodes, basis, walk, each)
            else:
                yield lineage_answer(engine.lineage(nodes, basis, walk), walk, each)
