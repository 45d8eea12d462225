"""The FastAPI application: routers, guard, error handlers and the OpenAPI document."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, Final

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi
from starlette.middleware.gzip import GZipMiddleware

import lineage_tt
from lineage_tt.api.browsing.operations import Operations
from lineage_tt.api.http import problems, schemas
from lineage_tt.api.http.access import OPEN
from lineage_tt.api.http.guard import Guard
from lineage_tt.api.http.queries import without_undeclared
from lineage_tt.api.intake import Receive
from lineage_tt.api.reads.reading import Reading
from lineage_tt.api.routes import (
    assets,
    browsing,
    changes,
    events,
    health,
    impact,
    layout,
    lineage,
    messages,
    operating,
    overtime,
    pages,
    people,
    policy,
    search,
    tasks,
)
from lineage_tt.api.routes.governance import heat, labels, permissions, quality, redundancy, rules, running
from lineage_tt.api.service import Service
from lineage_tt.api.settings import Settings
from lineage_tt.impact.texts import Analyst
from lineage_tt.store import Store

ROUTERS: Final = (
    lineage.router, overtime.router, tasks.router, changes.router, search.router, messages.router, events.router,
    impact.router, layout.router, browsing.router, operating.router, pages.router, people.router, policy.router,
    health.router, heat.router, labels.router, rules.router, permissions.router, assets.router,
    running.router,
    quality.router, redundancy.router,
)  # fmt: skip
_ROUTES: Final = without_undeclared(route for router in ROUTERS for route in router.routes)
#: Answers with fewer bytes are not compressed.
_GZIP_FROM: Final = 1024


def create_app(
    store: Store, *, settings: Settings | None = None, receive: Receive | None = None, analyst: Analyst | None = None,
    reading: Reading | None = None, receive_events: Receive | None = None, operations: Operations | None = None,
) -> FastAPI:  # fmt: skip
    """Return the application that serves a store. ``receive`` writes messages, ``receive_events`` OpenLineage events,
    and ``operations`` does the other writes; without them the service is read-only.

    ``analyst`` parses the SQL of changed tasks; without it, only edges can be assessed. ``reading`` is the store at its
    current version, if the caller has already begun to open its files.
    """
    settings = settings or Settings()
    service = Service(store, settings, receive, reading, receive_events, operations)

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        await service.start()
        yield
        await service.stop()

    app = FastAPI(
        title="lineage_tt",
        summary="Column lineage as of any valid time and any system time.",
        version=lineage_tt.__version__,
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
        lifespan=lifespan,
        # The routes are passed directly: include_router would create every route again at the first request, which
        # takes 0.1 s, and each request would look up its route twice.
        routes=_ROUTES,
    )
    app.state.service = service
    app.state.analyst = analyst
    problems.install(app)
    app.add_middleware(GZipMiddleware, minimum_size=_GZIP_FROM, compresslevel=4)
    app.add_middleware(Guard, settings=settings, metrics=service.metrics)
    app.openapi = lambda: _openapi(app, settings)  # type: ignore[method-assign]
    return app


def _openapi(app: FastAPI, settings: Settings) -> dict[str, Any]:
    """Return the OpenAPI document. Invalid requests are 400, not 422; a token is required if the service has one."""
    if app.openapi_schema is None:
        document = get_openapi(title=app.title, version=app.version, summary=app.summary, routes=app.routes)
        parts = document.setdefault("components", {}).setdefault("schemas", {})
        for name in ("HTTPValidationError", "ValidationError"):
            parts.pop(name, None)
        parts["Problem"] = schemas.Problem.model_json_schema()
        for path, operations in document["paths"].items():
            for operation in operations.values():
                operation["responses"].pop("422", None)
                if settings.token is not None and path not in OPEN:
                    operation["security"] = [{"token": []}]
        if settings.token is not None:
            document["components"]["securitySchemes"] = {"token": {"type": "http", "scheme": "bearer"}}
        app.openapi_schema = document
    return app.openapi_schema
