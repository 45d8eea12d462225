"""``/``, ``/ui/…`` and ``/v1/session``: the pages that a browser shows, and how it keeps the right to ask.

Pages are the same for everybody and need no token; all that they show comes from the other paths, which do.
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
#: Nothing from elsewhere, no script in the page itself; a picture may be one that the page made.
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
    """Whether the service has a token (``needed``), whether this caller has it (``held``), and what he may do."""

    needed: bool
    held: bool
    rights: list[str]


class SessionAnswer(schemas.Strict):
    """The answer of ``/v1/session``."""

    result: Session


class SessionBody(BaseModel):
    """``POST /v1/session``."""

    model_config = ConfigDict(extra="forbid", strict=True, json_schema_extra={"example": {"token": "TOKEN"}})
    token: Annotated[str, Field(min_length=1, max_length=4096, description="The service's token.")]


@router.get("/", include_in_schema=False)
async def index(request: Request) -> Response:
    """Give the page."""
    answer = _file(request, INDEX)
    module = f"app/pages/{request.query_params.get('page') or 'home'}.js"
    if module in static_files():  # the browser fetches it beside the first module, not after it
        answer.headers["link"] = f"</ui/{module}>; rel=modulepreload"
    return answer


@router.get("/ui/{path:path}", include_in_schema=False)
async def file(request: Request, path: str) -> Response:
    """Give a file of the page."""
    return _file(request, path)


def _file(request: Request, path: str) -> Response:
    content = static_files().get(path)
    if content is None:
        raise Problem(404, "no-such-path", f"there is nothing at {request.url.path!r}", hint="the page is at /")
    headers = {**_HEADERS, "etag": content.tag, "vary": "Accept-Encoding"}
    if matches(request.headers.get("if-none-match"), content.tag):
        return Response(None, 304, headers)
    if "gzip" in request.headers.get("accept-encoding", ""):  # packed once, better than each answer can be
        return Response(content.gzipped, 200, headers | {"content-encoding": "gzip"}, content.media_type)
    return Response(content.body, 200, headers, content.media_type)


@router.get("/v1/session", responses=schemas.responses(200, SessionAnswer))
async def session(request: Request) -> Response:
    """Return whether the service needs a token, whether the caller has it, and what the caller may do."""
    service = service_of(request)
    return _session_answer(service, Access(service.settings).may_read(request.scope))


@router.post("/v1/session", responses=schemas.responses(200, SessionAnswer, 403))
async def begin_session(request: Request, body: SessionBody) -> Response:
    """Take the token, and give a cookie in its place that no script can read; it holds for seven days."""
    service = service_of(request)
    access = Access(service.settings)
    if not access.needed:
        return _session_answer(service, True)
    if not access.is_token(body.token):
        raise Problem(401, "unauthorized", "the token is wrong", hint="ask who runs the service for its token")
    answer = _session_answer(service, True)
    answer.set_cookie(COOKIE, access.new_session(), max_age=SESSION_SECONDS, **_cookie(request))
    return answer


@router.delete("/v1/session", responses=schemas.responses(200, SessionAnswer, 403))
async def end_session(request: Request) -> Response:
    """Take the cookie back."""
    service = service_of(request)
    answer = _session_answer(service, not Access(service.settings).needed)
    answer.delete_cookie(COOKIE, **_cookie(request))
    return answer


def _cookie(request: Request) -> dict[str, Any]:
    """Return what holds for the cookie; ``Secure`` where the browser came over TLS, here or to a proxy before."""
    schemes = {request.url.scheme, request.headers.get("x-forwarded-proto", "")}
    return {"path": "/", "httponly": True, "samesite": "strict", "secure": "https" in schemes}


def _session_answer(service: Service, may_read: bool) -> Response:
    rights = [] if not may_read else ["read"] if service.intake is None else ["read", "write"]
    needed = service.settings.token is not None
    body = orjson.dumps({"result": {"needed": needed, "held": may_read, "rights": rights}})
    return Response(body, 200, {"cache-control": "no-store", **PLAIN_DATA}, "application/json")
