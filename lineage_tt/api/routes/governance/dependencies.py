"""What the routes of governance share: ``Governance`` over the graph in memory, with the service's rules."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Final

from pydantic import Field

from lineage_tt.api.http import schemas
from lineage_tt.api.http.parameters import At
from lineage_tt.api.http.problems import Problem
from lineage_tt.api.reads.engine import Engine
from lineage_tt.api.service import Service
from lineage_tt.governance.config import Config
from lineage_tt.governance.labels.scene import scenes_of

if TYPE_CHECKING:
    from lineage_tt.governance.governance import Governance

_NO_RULES: Final = Config()
Scene = Annotated[str | None, Field(max_length=200, description="The scene of the service's rules.")]


class SceneQuery(At):
    """A point, and the scene whose rules apply."""

    scene: Scene = None


class GovernanceAnswer(schemas.Strict):
    """An answer about governance; docs/reference/http-api.md describes the ``result`` of each route."""

    basis: dict[str, Any]
    completeness: schemas.Completeness
    result: Any
    notes: list[str] = Field([], description="Notes on the answer, such as why it is empty: nothing is stated yet.")
    next_offset: int | None = Field(None, description="`offset` of the next page of a list; null on the last page.")


def governance_of(service: Service, engine: Engine, scene: str | None = None) -> Governance:
    """Return the governance for this thread.

    Raises Problem 400 if the service has no graph, 503 while the graph is not loaded, 404 for an unknown scene.
    """
    if not service.settings.graph:
        raise Problem(400, "invalid-request", "this service runs without the graph", hint="start it without --no-graph")
    if engine.graph is None:
        failure = service.failures.get("graph")
        why = "the graph is not loaded" if failure is None else f"the graph could not be loaded: {failure}"
        hint = "send the request again in a moment" if failure is None else "the service retries; see its log"
        raise Problem(503, "loading", why, hint=hint, headers={"retry-after": "5"})
    rules = service.settings.rules or _NO_RULES
    if scene is not None and scene not in scenes_of(rules):
        raise Problem(
            404, "unknown-scene", "the rules have no such scene", hint=f"give one of: {', '.join(scenes_of(rules))}"
        )
    return service.governing.over(engine.reading, engine.graph, rules)
