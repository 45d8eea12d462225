"""``/v1/impact``: what changed tasks break before they are deployed. The route writes nothing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Annotated, Any

import orjson
from fastapi import APIRouter, Body, Request
from fastapi.responses import Response

from lineage_tt.api.http import schemas
from lineage_tt.api.http.problems import PLAIN_DATA, Problem
from lineage_tt.api.http.releases import (
    DatasetCandidate,
    DatasetDropCandidate,
    EdgesCandidate,
    ImpactAnswer,
    ImpactRequest,
    OfflineCandidate,
    Rules,
    SqlCandidate,
)
from lineage_tt.api.reads.engine import Engine
from lineage_tt.api.routes.governance.dependencies import governance_of
from lineage_tt.api.service import Service, service_of
from lineage_tt.impact.assess import assess
from lineage_tt.impact.base.from_graph import GraphBase
from lineage_tt.impact.base.from_store import StoreBase
from lineage_tt.impact.downstream.groups import by_level
from lineage_tt.impact.notes import unused_fields
from lineage_tt.impact.policy import Policy
from lineage_tt.impact.release.candidates import Candidate, check_agreement, check_names, fields_without_effect
from lineage_tt.impact.report import Report
from lineage_tt.impact.texts import Analyst
from lineage_tt.model.errors import InvalidRequestError

router = APIRouter(tags=["impact"])


@router.post("/v1/impact", responses=schemas.responses(200, ImpactAnswer, 404, 409))
async def impact(request: Request, release: Annotated[ImpactRequest, Body()]) -> Response:
    """Predict the effects of a release, as `lineage-tt impact` does: classes, findings, readers, labels, backfill.

    The tasks take effect together at `effective_at`. The base is the store at the point that `basis` states. With
    `rules`, `as` or `scene`, labels, rules and rights are those of the service's own `governance.toml`.
    """
    service = service_of(request)
    sent = (await request.json())["candidates"]
    _check(sent)
    candidates = [
        replace(_candidate(each), unused=fields_without_effect(message))
        for each, message in zip(release.candidates, sent, strict=True)
    ]
    twice, times = next(iter(Counter(candidate.task_id for candidate in candidates).most_common(1)), ("", 0))
    if times > 1:
        raise Problem(
            409, "mapped-twice", f"the task {twice!r} is named twice in one release", hint="send each task once"
        )
    analyst: Analyst | None = request.app.state.analyst
    if analyst is None and any(candidate.sql is not None for candidate in candidates):
        raise Problem(
            503, "no-parser", "this service does not parse SQL", hint="send edges, or use a service that parses SQL"
        )
    if release.roll_up and release.level != "task":
        raise Problem(409, "conflict", "roll_up requires level: task", hint="give: level: task")
    basis, _ = await service.basis(release.effective_at, release.system_at, release.version)

    def make(engine: Engine) -> tuple[Report, dict[str, Any]]:
        graph = engine.graph
        fits = graph is not None and graph.version >= basis.version
        base: StoreBase
        if fits and graph:
            base = GraphBase(engine.reading, basis, graph, service.impact_columns)
        else:
            base = StoreBase(engine.reading, basis)
        try:
            base.prepare()
            policy = _policy(release.policy)
            report = assess(candidates, base, analyst or _Nobody(), policy)
            report = _governed(service, engine, report, policy, release).with_notes(unused_fields(candidates))
            if release.level is not None:
                facts = engine.view(basis).facts()
                report = by_level(report, release.level, facts, roll_up=release.roll_up)
            if not release.pictures:
                return report, {}
            from lineage_tt.impact.render.pictures import pictures  # imports numba, only for a picture

            return report, {"pictures": pictures(report, base.edges_of(task.task_id for task in report.tasks))}
        finally:
            base.close()

    assessed, drawn = await service.run(
        lambda engine: engine.reading.retried(lambda: make(engine)), parses=analyst is not None
    )
    report = assessed.to_json() | drawn
    basis_of, completeness = report.pop("basis"), report.pop("completeness")
    body = orjson.dumps({"basis": basis_of, "completeness": completeness, "result": report})
    return Response(body, 200, {"cache-control": "no-store", **PLAIN_DATA}, "application/json")


def _governed(service: Service, engine: Engine, report: Report, policy: Policy, release: ImpactRequest) -> Report:
    """Return the report with labels, rules and rights under the service's rules, if the release requests them."""
    if not (release.rules or release.as_ is not None or release.scene is not None):
        return report
    from lineage_tt.impact.governing import as_principal, under_rules

    asks = governance_of(service, engine, release.scene)
    report = under_rules(report, asks, policy, release.scene)
    return report if release.as_ is None else as_principal(report, asks, policy, release.as_)


class _Nobody:
    """The analyst of a service without a parser: it refuses each call with Problem 503."""

    def __call__(self, waiting: Any) -> Any:
        raise Problem(503, "no-parser", "this service does not parse SQL", hint="use a service that parses SQL")

    def compare(self, pairs: Any) -> Any:
        """Refuse to compare texts."""
        raise Problem(503, "no-parser", "this service does not parse SQL", hint="use a service that parses SQL")


def _check(sent: Iterable[Mapping[str, Any]]) -> None:
    """Refuse what the models of candidates would ignore: InvalidRequestError for misspelt fields, else Problem 409."""
    for message in sent:
        check_names(message)
        try:
            check_agreement(message)
        except InvalidRequestError as error:
            raise Problem(409, "contradictory-candidate", error.message, hint=error.hint) from error


def _candidate(
    entry: SqlCandidate | EdgesCandidate | OfflineCandidate | DatasetCandidate | DatasetDropCandidate,
) -> Candidate:
    if isinstance(entry, DatasetCandidate | DatasetDropCandidate):
        try:
            return Candidate.of_dataset(entry.model_dump(exclude_none=True), entry.path)
        except InvalidRequestError as error:  # valid, but contradictory: for example, a column is listed twice
            raise Problem(409, "contradictory-candidate", str(error.args[0]), hint=error.hint) from error
    if isinstance(entry, OfflineCandidate):
        return Candidate(entry.task_id, "offline", path=entry.path, earlier=_earlier(entry))
    if isinstance(entry, EdgesCandidate):
        edges = {(e.source, e.target, e.type, e.subtype, e.expression) for e in entry.edges}
        return Candidate(entry.task_id, edges=tuple(sorted(edges)), path=entry.path, earlier=_earlier(entry))
    return Candidate(
        entry.task_id,
        sql=entry.sql,
        dialect=entry.dialect,
        namespace=entry.namespace or entry.dialect,
        default_database=entry.default_database,
        target=entry.target,
        params=entry.params or {},
        path=entry.path,
        earlier=_earlier(entry),
    )


def _earlier(entry: SqlCandidate | EdgesCandidate | OfflineCandidate) -> Candidate | None:
    return replace(_candidate(entry.earlier), task_id=entry.task_id) if entry.earlier is not None else None


def _policy(rules: Rules) -> Policy:
    return Policy(
        layers=tuple(rules.layers),
        protected=tuple(rules.protected),
        allow_unknown=rules.allow_unknown,
        owners={node: tuple(owners) for node, owners in rules.owners.items()},
        labels={node: tuple(labels) for node, labels in rules.labels.items()},
    )
