"""How routes of governance send an answer that no caller keeps."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import orjson
from fastapi.responses import Response
from pydantic import Field

from lineage_tt.api.http import schemas
from lineage_tt.api.http.problems import Problem
from lineage_tt.api.reads.engine import Engine
from lineage_tt.api.service import Service
from lineage_tt.model.errors import InvalidRequestError


class GovernanceAnswer(schemas.Strict):
    """An answer of governance; docs/reference/http-api.md says what ``result`` holds."""

    basis: schemas.Basis | schemas.DiffBasis
    completeness: schemas.Completeness
    notes: list[str] = Field([], description="why an answer is empty that need not be: nothing is stated or set yet")
    result: dict[str, Any]


async def answered(service: Service, make: Callable[[Engine], Any]) -> Response:
    """Return an answer that no caller keeps: observed runs come in without a version that a tag could name.

    A question that is well formed, and cannot be answered as it is asked or at its point, is a conflict (409).
    """
    conflicting = _conflicting(make)
    return service.reply(await service.run(lambda engine: orjson.dumps(conflicting(engine))), None, False)


def _conflicting(make: Callable[[Engine], dict[str, Any]]) -> Callable[[Engine], dict[str, Any]]:
    """Make the refusal of a question that fits its schema a conflict (409)."""

    def answered(engine: Engine) -> dict[str, Any]:
        try:
            return make(engine)
        except InvalidRequestError as error:
            if type(error) is not InvalidRequestError:  # an unknown node, a version that is not there
                raise
            raise Problem(409, "conflict", error.message, hint=error.hint) from error

    return answered
