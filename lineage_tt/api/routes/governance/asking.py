"""What routes of governance share: the questions over one reading and the graph, and how an answer is sent."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import orjson
from fastapi.responses import Response

from lineage_tt.api.http import schemas
from lineage_tt.api.http.problems import Problem
from lineage_tt.api.reads.engine import Engine
from lineage_tt.api.service import Service
from lineage_tt.governance.governance import Governance


class GovernanceAnswer(schemas.Strict):
    """An answer of governance; docs/reference/http-api.md says what ``result`` holds."""

    basis: schemas.Basis | schemas.DiffBasis
    completeness: schemas.Completeness
    result: dict[str, Any]


def governance_of(engine: Engine) -> Governance:
    """Return the questions of governance; a 503 problem where the graph is not in memory."""
    if engine.graph is None:
        raise Problem(
            503, "loading", "the graph is not in memory", hint="ask again in a moment; --no-graph serves no governance",
            headers={"retry-after": "2"},
        )  # fmt: skip
    return Governance(engine.reading, engine.graph)


async def answered(service: Service, make: Callable[[Engine], Any]) -> Response:
    """Return an answer that no caller keeps: observed runs come in without a version that a tag could name."""
    return service.reply(await service.run(lambda engine: orjson.dumps(make(engine))), None, False)
