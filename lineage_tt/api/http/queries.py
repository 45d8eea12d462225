"""Reads a query into its model in one step, and rejects the queries of operations that have none.

FastAPI inspects each field of a query model at every request, which takes longer than a walk in the graph. The most
frequent route reads its query with the model alone, and takes the OpenAPI of its parameters from the model.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final, Generic, TypeVar

from fastapi import Request
from fastapi.exceptions import RequestValidationError
from fastapi.routing import APIRoute
from pydantic import BaseModel, ValidationError
from starlette.datastructures import QueryParams
from starlette.routing import BaseRoute

Model = TypeVar("Model", bound=BaseModel)
#: Probes and scrapers, and the senders of engines, add parameters of their own to these paths.
LENIENT: Final = frozenset(
    ["/healthz", "/readyz", "/metrics", "/v1/openlineage", "/v1/trino", "/api/v1/lineage", "/api/v1/lineage/batch"]
)


class QueryOf(Generic[Model]):
    """Reads queries of one model."""

    def __init__(self, model: type[Model]) -> None:
        self._model = model

    async def read(self, request: Request) -> Model:
        """Return the query of a request; RequestValidationError if it is invalid."""
        try:
            return self._model.model_validate(dict(request.query_params))
        except ValidationError as error:
            errors = error.errors(include_url=False)
            raise RequestValidationError([e | {"loc": ("query", *e["loc"])} for e in errors]) from None

    def openapi(self) -> dict[str, Any]:
        """Return the parameters as OpenAPI parameter objects."""
        schema = self._model.model_json_schema()
        required = schema.get("required", [])
        return {
            "parameters": [
                {
                    "name": name,
                    "in": "query",
                    "required": name in required,
                    "schema": property_schema,
                    **{key: property_schema[key] for key in ("description",) if key in property_schema},
                }
                for name, property_schema in schema["properties"].items()
            ]
        }


def without_undeclared(routes: Iterable[BaseRoute]) -> list[BaseRoute]:
    """Return the same routes; those that declare no query reject a request with one (RequestValidationError: 400).

    Call it once: it changes the routes. Paths that the OpenAPI document leaves out (the pages) are not affected.
    """
    result = list(routes)
    for route in result:
        if isinstance(route, APIRoute) and route.include_in_schema and route.path not in LENIENT and not _asks(route):
            route.app = _Without(route.app)
    return result


def _asks(route: APIRoute) -> bool:
    declared: Iterable[dict[str, Any]] = (route.openapi_extra or {}).get("parameters", ())
    return bool(route.dependant.query_params) or any(each["in"] == "query" for each in declared)


class _Without:
    """The application of a route, which it calls only for requests without a query."""

    def __init__(self, app: Any) -> None:
        self._app = app

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["query_string"]:
            given = QueryParams(scope["query_string"]).items()
            if given:
                raise RequestValidationError([_error(name, value) for name, value in given])
        await self._app(scope, receive, send)


def _error(name: str, value: str) -> dict[str, Any]:
    """Return the error that a query model has for a name that it does not know."""
    return {"type": "extra_forbidden", "loc": ("query", name), "msg": "Extra inputs are not permitted", "input": value}
