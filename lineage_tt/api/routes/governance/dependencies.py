"""What the routes of governance share: the questions about the graph in memory, under the service's rules."""

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
Scene = Annotated[str | None, Field(max_length=200, description="A scene of the service's rules.")]


class SceneQuery(At):
    """A point, and the rules by which labels spread."""

    scene: Scene = None


class GovernanceAnswer(schemas.Strict):
    """An answer about governance; docs/reference/http-api.md lists what each route's ``result`` holds."""

    basis: dict[str, Any]
    completeness: schemas.Completeness
    result: Any
    notes: list[str] = Field([], description="why an answer is empty that need not be: nothing is stated or set yet")
    next_offset: int | None = Field(None, description="`offset` of the next page; of lists only, null at the end")


def governance_of(service: Service, engine: Engine, scene: str | None = None) -> Governance:
    """Return the questions of governance for this thread; 400 without a graph, 503 while it is not loaded.

    404 where the rules have no such scene.
    """
    if not service.settings.graph:
        raise Problem(400, "invalid-request", "this service keeps no graph", hint="start it without --no-graph")
    if engine.graph is None:
        failure = service.failures.get("graph")
        why = "the graph is not loaded" if failure is None else f"the graph could not be loaded: {failure}"
        hint = "ask again in a moment" if failure is None else "it is tried again; the service's log has more"
        raise Problem(503, "loading", why, hint=hint, headers={"retry-after": "5"})
    rules = service.settings.rules or _NO_RULES
    if scene is not None and scene not in scenes_of(rules):
        raise Problem(
            404, "unknown-scene", "the rules have no such scene", hint=f"they have {', '.join(scenes_of(rules))}"
        )
    return service.governing.over(engine.reading, engine.graph, rules)
