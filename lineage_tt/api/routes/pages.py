"""``/``, ``/ui/…`` and ``/v1/session``: the pages for a browser, and the session of a browser.

The pages are the same for all callers and require no token. Their data comes from the other paths, which require it.
"""

from __future__ import annotations

from typing import Annotated, Any, Final

import orjson
from fastapi import APIRouter, Request
from fastapi.responses import Response
from pydantic import BaseModel, ConfigDict, Field

from lineage_tt.api.http import schemas
from lineage_tt.api.http.access import COOKIE, SESSION_SECONDS, Access
from lineage_tt.api.http.problems import PLAIN_DATA, Problem
from lineage_tt.api.reads.cache import matches
from lineage_tt.api.service import Service, service_of
from lineage_tt.ui.files import INDEX, static_files

router = APIRouter(tags=["pages"])
#: The pages load nothing from other origins and have no inline scripts; they may make pictures themselves.
POLICY: Final = (
    "default-src 'self'; img-src 'self' data: blob:; base-uri 'none'; object-src 'none'; form-action 'self'; "
    "frame-ancestors 'none'"
)
_HEADERS: Final = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cache-control": "no-cache",
}


class Session(schemas.Strict):
    """Whether the service has a token (``needed``), whether this caller has it (``held``), and the caller's rights."""

    needed: bool
    held: bool
    rights: list[str]


class SessionAnswer(schemas.Strict):
    """The answer to ``/v1/session``."""

    result: Session


class SessionBody(BaseModel):
    """The body of ``POST /v1/session``."""

    model_config = ConfigDict(extra="forbid", strict=True, json_schema_extra={"example": {"token": "TOKEN"}})
    token: Annotated[str, Field(min_length=1, max_length=4096, description="The service's token.")]


@router.get("/", include_in_schema=False)
async def index(request: Request) -> Response:
    """Return the page."""
    answer = _file(request, INDEX)
    module = f"app/pages/{request.query_params.get('page') or 'home'}.js"
    if module in static_files():  # the browser loads it together with the first module, not afterwards
        answer.headers["link"] = f"</ui/{module}>; rel=modulepreload"
    return answer


@router.get("/ui/{path:path}", include_in_schema=False)
async def file(request: Request, path: str) -> Response:
    """Return a file of the pages."""
    return _file(request, path)


def _file(request: Request, path: str) -> Response:
    content = static_files().get(path)
    if content is None:
        raise Problem(404, "no-such-path", f"the path {request.url.path!r} does not exist", hint="the page is at /")
    headers = {**_HEADERS, "etag": content.tag, "vary": "Accept-Encoding"}
    if matches(request.headers.get("if-none-match"), content.tag):
        return Response(None, 304, headers)
    if "gzip" in request.headers.get("accept-encoding", ""):  # compressed once, better than for each answer
        return Response(content.gzipped, 200, headers | {"content-encoding": "gzip"}, content.media_type)
    return Response(content.body, 200, headers, content.media_type)


@router.get("/v1/session", responses=schemas.responses(200, SessionAnswer))
async def session(request: Request) -> Response:
    """Return whether the service requires a token, whether the caller has it, and the rights of the caller."""
    service = service_of(request)
    return _session_answer(service, Access(service.settings).may_read(request.scope))


@router.post("/v1/session", responses=schemas.responses(200, SessionAnswer, 403))
async def begin_session(request: Request, body: SessionBody) -> Response:
    """Exchange the token for a session cookie. Scripts cannot read the cookie, and it is valid for seven days."""
    service = service_of(request)
    access = Access(service.settings)
    if not access.needed:
        return _session_answer(service, True)
    if not access.is_token(body.token):
        raise Problem(401, "unauthorized", "the token is wrong", hint="ask the operator of the service for its token")
    answer = _session_answer(service, True)
    answer.set_cookie(COOKIE, access.new_session(), max_age=SESSION_SECONDS, **_cookie(request))
    return answer


@router.delete("/v1/session", responses=schemas.responses(200, SessionAnswer, 403))
async def end_session(request: Request) -> Response:
    """Delete the session cookie."""
    service = service_of(request)
    answer = _session_answer(service, not Access(service.settings).needed)
    answer.delete_cookie(COOKIE, **_cookie(request))
    return answer


def _cookie(request: Request) -> dict[str, Any]:
    """Return the attributes of the cookie; ``Secure`` if the browser uses TLS, to the service or to a proxy."""
    schemes = {request.url.scheme, request.headers.get("x-forwarded-proto", "")}
    return {"path": "/", "httponly": True, "samesite": "strict", "secure": "https" in schemes}


def _session_answer(service: Service, may_read: bool) -> Response:
    rights = [] if not may_read else ["read"] if service.intake is None else ["read", "write"]
    needed = service.settings.token is not None
    body = orjson.dumps({"result": {"needed": needed, "held": may_read, "rights": rights}})
    return Response(body, 200, {"cache-control": "no-store", **PLAIN_DATA}, "application/json")
