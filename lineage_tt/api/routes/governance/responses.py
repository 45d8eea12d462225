"""How routes of governance send answers that callers must not cache."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import orjson
from fastapi.responses import Response
from pydantic import Field

from lineage_tt.api.http import schemas
from lineage_tt.api.http.problems import Problem
from lineage_tt.api.reads.engine import Engine
from lineage_tt.api.service import Service
from lineage_tt.curation.unnamed import nothing_names
from lineage_tt.model.answers import Basis
from lineage_tt.model.errors import InvalidRequestError


class ObservedAnswer(schemas.Strict):
    """An answer that depends on observed runs; docs/reference/http-api.md describes its ``result``."""

    basis: schemas.Basis | schemas.DiffBasis
    completeness: schemas.Completeness
    notes: list[str] = Field([], description="Notes on the answer, such as why it is empty: nothing is stated yet.")
    result: dict[str, Any]


def noted(answer: dict[str, Any], notes: Sequence[str]) -> dict[str, Any]:
    """Return an answer with its notes; without any, the answer as it is."""
    return answer | {"notes": list(notes)} if notes else answer


async def typos(
    service: Service, node: str | None, basis: Basis, fixed: bool
) -> tuple[list[str], tuple[Basis, ...], bool]:
    """Return a note if nothing names a node, the points on which an answer with it depends, and if they are fixed.

    The note is for an answer without rows: the name may have a typo. A later message may name the node.
    """
    if node is None:
        return [], (basis,), fixed
    notes = await service.run(lambda engine: list(nothing_names(engine.reading, [node])))
    return notes, (basis, service.follower.reading.basis()) if notes else (basis,), fixed and not notes


async def answered(service: Service, make: Callable[[Engine], Any], *, parses: bool = False) -> Response:
    """Return an answer that callers must not cache: observed runs change it without a new version.

    A valid question that cannot be answered at its point, or in its combination of parameters, is a conflict (409).
    """
    conflicting = _conflicting(make)
    body = await service.run(lambda engine: orjson.dumps(conflicting(engine)), parses=parses)
    return service.reply(body, None, False)


def _conflicting(make: Callable[[Engine], dict[str, Any]]) -> Callable[[Engine], dict[str, Any]]:
    """Turn the refusal of a question that matches its schema into a conflict (409)."""

    def answered(engine: Engine) -> dict[str, Any]:
        try:
            return make(engine)
        except InvalidRequestError as error:
            if type(error) is not InvalidRequestError:  # an unknown node, or a version that does not exist
                raise
            raise Problem(409, "conflict", error.message, hint=error.hint) from error

    return answered
