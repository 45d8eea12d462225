"""The gate: which findings a team accepts, and what must not change without approval."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from typing import Final

from lineage_tt.impact.base.closure import STAR
from lineage_tt.impact.base.port import Facts
from lineage_tt.impact.report import (
    ADDITIVE,
    BREAKING,
    CLASSES,
    NONE,
    POTENTIALLY,
    UNKNOWN,
    Finding,
    Gate,
    Report,
    TaskImpact,
    worst,
)
from lineage_tt.model.names import and_more

#: Kinds of findings under governance.toml: a rule that is newly violated, a source that a principal may not read.
RULE: Final = "rule-violation"
DENIED: Final = "denied-source"
FAIL_ON: Final = ("none", "any", "breaking", "potentially_breaking", "labels", "rules", "permissions", "unknown")


@dataclass(frozen=True, slots=True)
class Allowed:
    """An entry of the allow-list: findings that match it do not count, for a reason and until a date (UTC)."""

    reason: str
    until: str
    task: str = "*"
    subject: str = "*"
    kind: str = "*"

    def matches(self, finding: Finding) -> bool:
        """Return whether the entry applies to this finding."""
        return (
            fnmatchcase(finding.task, self.task)
            and fnmatchcase(finding.subject, self.subject)
            and fnmatchcase(finding.kind, self.kind)
        )


@dataclass(frozen=True, slots=True)
class Approval:
    """Datasets that must not change without their owner's approval."""

    owner: str
    datasets: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Policy:
    """What a team asks of a release; ``today`` (YYYY-MM-DD) is the date by which allowances are judged.

    What is ``unknown`` trips the gate whatever ``fail_on`` says, unless ``allow_unknown`` is set.
    """

    fail_on: tuple[str, ...] = ("none",)
    protected: tuple[str, ...] = ()
    approvals: tuple[Approval, ...] = ()
    approved_by: tuple[str, ...] = ()
    allow: tuple[Allowed, ...] = ()
    layers: tuple[str, ...] = ()
    owners: Mapping[str, tuple[str, ...]] | None = None
    labels: Mapping[str, tuple[str, ...]] | None = None
    today: str = ""
    allow_unknown: bool = False

    @property
    def gates(self) -> tuple[str, ...]:
        """The classes that trip the gate: ``fail_on``, and ``unknown`` unless it is allowed."""
        if self.allow_unknown or "unknown" in self.fail_on:
            return self.fail_on
        return (*(gate for gate in self.fail_on if gate != "none"), "unknown")

    def is_protected(self, dataset: str, columns: Collection[str]) -> bool:
        """Return whether a dataset is protected, or one of its ``columns``: it must not be touched unnoticed.

        Without columns, or with those of a star, the dataset as a whole is touched, and so is every column of it.
        """
        nodes = [f"{dataset}#{column}" for column in columns] if STAR not in columns else []
        for pattern in self.protected:
            whole, _, column = pattern.partition("#")
            if fnmatchcase(dataset, whole if column and not nodes else pattern):
                return True
            if column and any(fnmatchcase(node, pattern) for node in nodes):
                return True
        return False

    def facts(self, known: Facts) -> Facts:
        """Return the store's facts with the owners and labels that the policy states itself."""
        owners = {node: tuple(dict.fromkeys((*known.owners.get(node, ()), *more)))
                  for node, more in (self.owners or {}).items()}  # fmt: skip
        labels = {node: tuple(dict.fromkeys((*known.labels.get(node, ()), *more)))
                  for node, more in (self.labels or {}).items()}  # fmt: skip
        return Facts({**known.owners, **owners}, {**known.labels, **labels}, known.priorities)


def judge(report: Report, policy: Policy) -> Report:
    """Return the report with the result of the gate, and with the findings marked that the policy accepts."""
    findings = tuple(_allowed(finding, policy) for finding in report.findings)
    tasks = tuple(_class_again(task, findings) for task in report.tasks)
    expired = tuple(
        f"the allowance {each.reason!r} ended on {each.until}"
        for each in policy.allow
        if each.until < policy.today and any(each.matches(finding) for finding in report.findings)
    )
    classes = {name: sum(task.class_ == name for task in tasks) for name in CLASSES}
    report = replace(
        report,
        findings=findings,
        tasks=tuple(sorted(tasks, key=lambda task: (CLASSES.index(task.class_), task.task_id))),
        verdict=worst(task.class_ for task in tasks),
        counts={**report.counts, **classes},
    )
    approvals = _approvals(report, policy)
    tripped = (*_tripped(report, policy), *approvals, *_protected(report, policy))
    return replace(report, gate=Gate(not tripped, policy.gates, tuple(dict.fromkeys(tripped)), approvals, expired))


def _allowed(finding: Finding, policy: Policy) -> Finding:
    if finding.allowed:  # by the allow-list of governance.toml
        return finding
    for each in policy.allow:
        if each.until >= policy.today and finding.class_ != UNKNOWN and each.matches(finding):
            return replace(finding, allowed=f"{each.reason} (until {each.until})")
    return finding


def _class_again(task: TaskImpact, findings: Sequence[Finding]) -> TaskImpact:
    """Return a task with the worst class of its remaining findings, and at least its potential to break."""
    mine = [finding for finding in findings if finding.task == task.task_id]
    if task.class_ != BREAKING or not any(finding.allowed for finding in mine):
        return task
    left = [finding.class_ for finding in mine if not finding.allowed]
    return replace(task, class_=worst([POTENTIALLY, *left]))


def _tripped(report: Report, policy: Policy) -> list[str]:
    gates, result = set(policy.gates), []
    count = report.counts
    if "any" in gates and (report.verdict != NONE or report.findings or report.labels):
        result.append("any: the release changes something")
    if gates & {"breaking", "potentially_breaking"} and count[BREAKING]:
        result.append(f"breaking: {count[BREAKING]} of {count['tasks']} tasks")
    if "potentially_breaking" in gates and count[POTENTIALLY]:
        result.append(f"potentially_breaking: {count[POTENTIALLY]} of {count['tasks']} tasks")
    unknown = {task.task_id for task in report.tasks if task.class_ == UNKNOWN}
    unknown |= {finding.task for finding in report.findings if finding.class_ == UNKNOWN}
    if "unknown" in gates and unknown:
        result.append(f"unknown: {len(unknown)} of {count['tasks']} tasks cannot be judged (--allow unknown)")
    if "labels" in gates and report.labels:
        result.append(f"labels: {', '.join(sorted({each.label for each in report.labels}))} newly reach datasets")
    errors = [each for each in report.findings if each.kind == RULE and each.class_ == POTENTIALLY and not each.allowed]
    if "rules" in gates and errors:
        result.append(f"rules: {len(errors)} new violation{'s' * (len(errors) != 1)}")
    denied = [each for each in report.findings if each.kind == DENIED and not each.allowed]
    if "permissions" in gates and denied:
        result.append(f"permissions: {and_more(sorted({each.subject for each in denied}), 3)} may not be read")
    if policy.layers and any(each.kind == "layer" and not each.allowed for each in report.findings):
        result.append("layers: a lower layer is made from a higher one")
    return result


def _touched(report: Report) -> dict[str, str]:
    """Return every dataset that the release changes or reaches, with the worst class that reaches it."""
    result = {dataset: task.class_ for task in report.tasks if task.class_ != NONE for dataset in task.writes}
    for reader in report.readers:
        result[reader.dataset] = worst([reader.class_, result.get(reader.dataset, NONE)])
    return result


def _protected(report: Report, policy: Policy) -> list[str]:
    harmful, columns = {BREAKING, POTENTIALLY, UNKNOWN}, _touched_columns(report)
    return [
        f"protected: {dataset} is touched ({class_})"
        for dataset, class_ in sorted(_touched(report).items())
        if class_ in harmful and policy.is_protected(dataset, columns.get(dataset, ()))
    ]


def _touched_columns(report: Report) -> dict[str, set[str]]:
    """Return the columns that the release changes or reaches, of each dataset that it does not touch as a whole."""
    columns: dict[str, set[str]] = {reader.dataset: set(reader.columns) for reader in report.readers}
    whole = {reader.dataset for reader in report.readers if not reader.columns}
    for task in report.tasks:
        for dataset in task.writes if task.class_ not in (NONE, ADDITIVE) else ():
            mine = {each.column for each in task.columns if each.dataset == dataset and each.change != "added"}
            columns.setdefault(dataset, set()).update(mine)
            whole |= {dataset} if task.class_ == UNKNOWN or task.op == "offline" or not mine else set()
    return {dataset: names for dataset, names in columns.items() if dataset not in whole}


def _approvals(report: Report, policy: Policy) -> tuple[str, ...]:
    result = []
    for approval in policy.approvals:
        if approval.owner in policy.approved_by:
            continue
        hit = [
            dataset for dataset in sorted(_touched(report)) if any(fnmatchcase(dataset, p) for p in approval.datasets)
        ]
        if hit:
            result.append(f"approval: {approval.owner} must approve ({and_more(hit, 3)})")
    return tuple(result)
