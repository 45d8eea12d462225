"""A server as the base: sends the candidates to its ``POST /v1/impact``, and returns the report."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from typing import Any, Final
from urllib.parse import urlsplit

from lineage_tt.impact.release.candidates import Candidate
from lineage_tt.impact.report import Report
from lineage_tt.model.errors import InvalidRequestError, LineageError, UnavailableError

TOKEN_VARIABLE: Final = "LINEAGE_TT_TOKEN"  # noqa: S105 (the variable's name)
_SECONDS: Final = 300


def ask(uri: str, candidates: Sequence[Candidate], question: Mapping[str, Any]) -> Report:
    """Return the server's report; UnavailableError if it does not answer, InvalidRequestError if it refuses."""
    import http.client  # slow to import (TLS), and not needed for a local store

    url = urlsplit(uri)
    connect = http.client.HTTPSConnection if url.scheme == "https" else http.client.HTTPConnection
    body = json.dumps({**question, "candidates": [each.to_json() for each in candidates]}).encode()
    headers = {"Content-Type": "application/json", "Accept": "application/json"}
    if token := os.environ.get(TOKEN_VARIABLE):
        headers["Authorization"] = f"Bearer {token}"
    connection = connect(url.hostname or "", url.port, timeout=_SECONDS)
    try:
        connection.request("POST", f"{url.path.rstrip('/')}/v1/impact", body, headers)
        answer = connection.getresponse()
        content = answer.read()
    except (OSError, http.client.HTTPException) as error:
        raise UnavailableError(
            f"the server {url.hostname}:{url.port or ''} does not answer: {error}",
            hint="check that it runs there: GET /readyz",
        ) from None
    finally:
        connection.close()
    if answer.status != http.client.OK:
        raise _refusal(answer.status, content)
    try:
        document = json.loads(content)
        return Report.from_answer(document)
    except (ValueError, KeyError, TypeError, RecursionError):
        raise UnavailableError(
            f"{uri} is not a lineage-tt server of this release", hint="give the URL of lineage-tt serve"
        ) from None


def _refusal(status: int, content: bytes) -> LineageError:
    try:
        problem = json.loads(content)
    except (ValueError, RecursionError):
        problem = {}
    fields = problem if isinstance(problem, dict) else {}
    message = str(fields.get("detail") or fields.get("title") or f"the server answered with status {status}")
    hint = str(fields.get("hint") or "")
    if status in (400, 404, 409, 413, 422) and fields:
        return InvalidRequestError(message, hint=hint)
    return UnavailableError(f"{message} (status {status})", hint=hint)
