"""``impact`` under ``governance.toml``: what a release does to labels and rules, and what a principal may not read.

The lineage after the release is the lineage in force plus the signed changes that the report predicts, as a separate
point. The engines of ``labels`` and ``rules`` evaluate both points, so CI and those commands agree.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from lineage_tt.governance.labels.labelled import Labelled
from lineage_tt.governance.labels.moving import difference
from lineage_tt.governance.labels.scene import scene_of
from lineage_tt.governance.labels.why import way_of
from lineage_tt.governance.points.plain import plain_point
from lineage_tt.governance.rules.engine import check
from lineage_tt.governance.upkeep.notes import of_grants, of_selection
from lineage_tt.impact.policy import DENIED, RULE, judge
from lineage_tt.impact.report import ADDITIVE, POTENTIALLY, Finding, LabelReach
from lineage_tt.model.edges import EdgeAsOf, dataset_of
from lineage_tt.model.facts import COLUMN, OWNER, PRIORITY
from lineage_tt.model.names import and_more
from lineage_tt.model.times import parse_instant

if TYPE_CHECKING:
    from lineage_tt.governance.governance import Governance
    from lineage_tt.governance.ports import PointGraph
    from lineage_tt.impact.policy import Policy
    from lineage_tt.impact.report import Report

Key = tuple[str, str, str, str, str, str]
Edges = dict[Key, EdgeAsOf]


def under_rules(report: Report, governance: Governance, policy: Policy, scene: str | None) -> Report:
    """Return the report with the labels that nodes gain and the rules that are newly violated, judged again."""
    before, after = _points(report, governance)
    rules = scene_of(governance.config, scene)
    labels = tuple(_reached(before, after, Labelled(after, rules), governance))
    checked = check(after, governance.config, before)
    writers = {dataset: task.task_id for task in report.tasks for dataset in task.writes}
    first = report.tasks[0].task_id if report.tasks else ""
    findings = [
        Finding(
            RULE, POTENTIALLY if each.severity == "error" else ADDITIVE,
            next((writers[name] for name in (each.subject, *each.others) if name in writers), first), each.subject,
            f"{each.rule}: {each.subject} {each.detail}" + (f": {and_more(each.others, 5)}" if each.others else ""),
            owners=each.owners, allowed=each.allowed,
        )
        for each in checked.violations
    ]  # fmt: skip
    unset = f"not checked, as governance.toml sets no layers: {', '.join(checked.unset)}"
    notes = [unset] if checked.unset and "rules" in policy.fail_on else []
    return _judged(replace(report, labels=labels), findings, policy).with_notes(notes)


def as_principal(report: Report, governance: Governance, policy: Policy, principal: str) -> Report:
    """Return the report with the sources of the changed texts that a principal may not read, judged again."""
    _, after = _points(report, governance)
    grants = governance.grants(after.basis)
    mine = {task.task_id for task in report.tasks}
    denied_nodes: dict[tuple[str, str], list[str]] = {}
    owners: dict[str, set[str]] = {}
    for edge, task in enumerate(after.task_texts(after.task)):
        if task in mine:
            for denied in grants.denied(principal, "read", after.node_texts([after.source[edge]])):
                denied_nodes.setdefault((task, dataset_of(denied.node)), []).append(denied.node)
                owners.setdefault(dataset_of(denied.node), set()).update(denied.owners)
    findings = [
        Finding(
            DENIED,
            POTENTIALLY,
            task,
            dataset,
            _denied(principal, dataset, nodes),
            owners=tuple(sorted(owners[dataset])),
        )
        for (task, dataset), nodes in sorted(denied_nodes.items())
    ]
    notes = [*of_grants(grants), *of_selection(grants, None, principal)]
    return _judged(report, findings, policy).with_notes(notes)


def _denied(principal: str, dataset: str, nodes: Iterable[str]) -> str:
    columns = sorted({node.partition("#")[2] for node in nodes} - {""})
    more = f" ({and_more(columns, 8)})" if columns else ""
    return f"{principal} may not read {dataset}{more}"


def _judged(report: Report, findings: Sequence[Finding], policy: Policy) -> Report:
    counts = {**report.counts, "labels": len(report.labels), "findings": len(report.findings) + len(findings)}
    return judge(replace(report, findings=(*report.findings, *findings), counts=counts), policy)


def _points(report: Report, governance: Governance) -> tuple[PointGraph, PointGraph]:
    """Return the lineage at the time of the deployment without and with the release."""
    at = parse_instant(report.effective_at)
    basis = governance.basis(at, version=int(report.basis["version"]))
    before = governance.points.at(basis)
    edges: Edges = {edge[:6]: edge for edge in governance.store.as_of(at, version=basis.version).edges()}
    for task in report.tasks:
        for each in task.predicted:
            if each.valid_from <= at and (each.valid_to is None or at < each.valid_to):
                key = (task.task_id, each.source, each.target, each.type, each.subtype, each.expression)
                _place(edges, key, each.sign, (basis.version, each.valid_from, each.valid_to))
    for derived in report.derived:
        for change in derived.edges:
            for sign, words in ((-1, change.before), (1, change.after)):
                if words is not None:
                    kind, subtype, expression = (*words.split(" ", 2), "")[:3]
                    key = (derived.task_id, change.source, change.target, kind, subtype, expression)
                    _place(edges, key, sign, (basis.version, at, None))
    facts = [*before.facts(), *before.facts(COLUMN)]
    return before, plain_point(edges.values(), facts, basis=basis)


def _place(
    edges: Edges, key: Key, sign: int, rest: tuple[int, int, int | None]
) -> None:  # fmt: skip
    if sign > 0:
        edges[key] = EdgeAsOf(*key, *rest)
    else:
        edges.pop(key, None)


def _reached(
    before: PointGraph, after: PointGraph, labelled: Labelled, governance: Governance
) -> Iterable[LabelReach]:  # fmt: skip
    facts = governance.points.facts(after.basis)
    reported: set[tuple[str, str]] = set()
    for changed in difference(before, after, labelled.scene):
        for label in changed.after:
            dataset = dataset_of(changed.node)
            if label in changed.before or (label, dataset) in reported:
                continue
            reported.add((label, dataset))
            way = way_of(labelled, changed.node, label)
            path = (way[0].source, *(hop.target for hop in way)) if way else (changed.node,)
            near = {changed.node, dataset}
            owners = tuple(sorted({fact.value for fact in facts if fact.key == OWNER and fact.node in near}))
            priority = min((fact.value for fact in facts if fact.key == PRIORITY and fact.node in near), default=None)
            yield LabelReach(label, path[0], changed.node, path, owners, priority)
