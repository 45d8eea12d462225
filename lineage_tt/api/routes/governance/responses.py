"""How routes of governance send an answer that no caller keeps."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import orjson
from fastapi.responses import Response
from pydantic import Field

from lineage_tt.api.http import schemas
from lineage_tt.api.reads.engine import Engine
from lineage_tt.api.service import Service


class GovernanceAnswer(schemas.Strict):
    """An answer of governance; docs/reference/http-api.md says what ``result`` holds."""

    basis: schemas.Basis | schemas.DiffBasis
    completeness: schemas.Completeness
    notes: list[str] = Field([], description="why an answer is empty that need not be: nothing is stated or set yet")
    result: dict[str, Any]


async def answered(service: Service, make: Callable[[Engine], Any]) -> Response:
    """Return an answer that no caller keeps: observed runs come in without a version that a tag could name."""
    return service.reply(await service.run(lambda engine: orjson.dumps(make(engine))), None, False)
