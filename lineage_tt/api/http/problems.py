"""Errors as RFC 9457 problem details, with a hint that states what to do."""

from __future__ import annotations

import re
from collections.abc import Mapping
from http import HTTPStatus
from typing import Any, Final

import orjson
from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import Response
from starlette.exceptions import HTTPException

from lineage_tt.model.errors import (
    BeyondHorizonError,
    ConflictError,
    CorruptError,
    GapError,
    InvalidRequestError,
    LineageError,
    NotInForceError,
    UnavailableError,
    UnknownNodeError,
    VersionNotReachedError,
)
from lineage_tt.model.os_errors import out_of_memory
from lineage_tt.model.times import read_instant

MEDIA_TYPE: Final = "application/problem+json"
#: Headers of every response with data: browsers must not interpret the data as a page.
PLAIN_DATA: Final = {"x-content-type-options": "nosniff", "content-security-policy": "default-src 'none'"}
#: The pattern of a parameter that is one of a few words, and what the patterns of all times have.
_ONE_OF: Final = re.compile(r"\^\(\?:([a-z_]+(?:\|[a-z_]+)+)\)\$")
_OF_TIMES: Final = "(?:now|"
_STATUS: Final[dict[type[LineageError], tuple[int, str]]] = {
    UnknownNodeError: (404, "unknown-node"),
    NotInForceError: (404, "not-in-force"),
    VersionNotReachedError: (404, "version-not-reached"),
    BeyondHorizonError: (410, "beyond-horizon"),
    GapError: (410, "gap"),
    InvalidRequestError: (400, "invalid-request"),
    ConflictError: (409, "conflict"),
    UnavailableError: (503, "unavailable"),
    CorruptError: (500, "corrupt"),
}


class Problem(LineageError):  # noqa: N818 (RFC 9457's word)
    """An error that only the service raises: a status, a code, a message, headers, and additional fields."""

    def __init__(
        self, status: int, code: str, message: str, *, hint: str = "", headers: Mapping[str, str] | None = None,
        **fields: Any,
    ) -> None:  # fmt: skip
        super().__init__(message, hint=hint)
        self.status = status
        self.code = code
        self.headers = dict(headers or {})
        self.fields = fields

    def response(self) -> Response:
        """Return the error as a response."""
        return problem(self.status, self.code, self.message, self.hint, self.headers, self.fields)


def problem(
    status: int, code: str, detail: str, hint: str = "", headers: Mapping[str, str] | None = None,
    fields: Mapping[str, Any] | None = None,
) -> Response:  # fmt: skip
    """Return a problem-details response."""
    return Response(
        problem_bytes(status, code, detail, hint, fields),
        status,
        {"cache-control": "no-store", **PLAIN_DATA, **(headers or {})},
        MEDIA_TYPE,
    )


def problem_bytes(
    status: int, code: str, detail: str, hint: str = "", fields: Mapping[str, Any] | None = None
) -> bytes:
    """Return the JSON of problem details."""
    document = {
        "type": f"urn:lineage-tt:problem:{code}",
        "title": HTTPStatus(status).phrase,
        "status": status,
        "detail": detail,
        **({"hint": hint} if hint else {}),
        **(fields or {}),
    }
    return orjson.dumps(document, default=str)


def of_error(error: LineageError) -> Response:
    """Return the response to an error of the store."""
    if isinstance(error, Problem):
        return error.response()
    status, code = next(answer for kind, answer in _STATUS.items() if isinstance(error, kind))
    fields = {"node": error.node, "near": list(error.near)} if isinstance(error, UnknownNodeError) else {}
    return problem(status, code, error.message, error.hint, {"retry-after": "1"} if status == 503 else {}, fields)


def install(app: FastAPI) -> None:
    """Make the application answer every error with problem details."""
    app.add_exception_handler(LineageError, _lineage_error)
    app.add_exception_handler(RequestValidationError, _invalid)
    app.add_exception_handler(HTTPException, _http)
    app.add_exception_handler(Exception, _unexpected)


async def _lineage_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, LineageError)
    return of_error(error)


async def _invalid(request: Request, error: Exception) -> Response:
    """Answer an invalid request with 400; ``errors`` lists the place and the problem of each invalid value."""
    assert isinstance(error, RequestValidationError)
    errors = [{"where": ".".join(map(str, e["loc"])), "problem": _words(e)} for e in error.errors()[:20]]
    first = errors[0] if errors else {"where": "request", "problem": "is not valid"}
    hint = ""
    if any(error["where"].endswith(("valid_at", "system_at", ".from", ".to")) for error in errors):
        hint = "times are ISO 8601 with a zone (2024-05-01T08:00:00Z), now, or -7d; in a URL a + is written %2B"
    return problem(400, "invalid-request", f"{first['where']}: {first['problem']}", hint, fields={"errors": errors})


def _words(error: Mapping[str, Any]) -> str:
    """Return the problem of one value: for one of a few words, those; for a time, the reason, not its long pattern."""
    if error["type"] != "string_pattern_mismatch":
        return str(error["msg"])
    text, pattern = str(error["input"]), str(error.get("ctx", {}).get("pattern", ""))
    if words := _ONE_OF.fullmatch(pattern):
        return f"{text[:80]!r} is none of {', '.join(words[1].split('|'))}"
    try:
        read_instant(text.partition("@")[0] or "now" if _OF_TIMES in pattern else "now", 0)
    except InvalidRequestError as reason:
        return reason.message
    return f"{text[:80]!r} does not have the required form"


async def _http(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    if error.status_code == 405:
        methods = {method for route in request.app.routes for method in _methods(route, request.scope["path"])}
        error = HTTPException(405, error.detail, {"allow": ", ".join(sorted(methods))})
    codes = {404: "no-such-path", 405: "method-not-allowed", 413: "too-large"}
    words = {404: f"the path {request.url.path!r} does not exist", 405: f"the path does not allow {request.method}"}
    hint = "the paths are listed in /openapi.json" if error.status_code in (404, 405) else ""
    code = codes.get(error.status_code, "refused")
    return problem(
        error.status_code, code, words.get(error.status_code, str(error.detail)), hint, dict(error.headers or {})
    )


def _methods(route: Any, path: str) -> set[str]:
    """Return the methods that a route accepts for a path; none if it does not match the path."""
    fits = getattr(route, "path_regex", None)
    return set(route.methods or ()) if fits is not None and fits.match(path) else set()


async def _unexpected(request: Request, error: Exception) -> Response:
    """Answer an unexpected error with 500, without its text, which may contain secrets; only out of memory is named."""
    if isinstance(error, MemoryError):
        return of_error(out_of_memory("answer"))
    return problem(
        500, "error", "the service failed to answer the request", "this is a bug in lineage_tt: please report it"
    )
