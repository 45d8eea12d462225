"""Whom to tell of a release before it is deployed: what it reaches, violates and brings, one notice a person. Pure."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from typing import Final

from lineage_tt.governance.permissions.notices import Item, Notice
from lineage_tt.impact.policy import DENIED, RULE
from lineage_tt.impact.report import ADDITIVE, NONE, Report

#: Findings that are told as what they are; all others are part of the impact.
_KINDS: Final = {RULE: "violation", DENIED: "violation"}


def notices_of(report: Report) -> tuple[list[Notice], int]:
    """Return the notices, by person, and how many items concern what nobody owns.

    An owner hears of each finding and label of the report that names them, and of what they own downstream. What the
    allow-list lets pass, and what is additive or none, is told to nobody.
    """
    found: dict[str, set[Item]] = defaultdict(set)
    unowned = 0
    for each in report.findings:
        if each.allowed or each.class_ in (ADDITIVE, NONE):
            continue
        kind = "violation" if each.kind in _KINDS else "impact"
        item = Item(kind, each.subject, f"{each.class_.replace('_', ' ')}: {each.reason}")  # type: ignore[arg-type]
        unowned += not each.owners
        for owner in each.owners:
            found[owner].add(item)
    for reader in report.readers:
        by = f" by {', '.join(reader.tasks[:5])}" if reader.tasks else ""
        words = f"{reader.class_.replace('_', ' ')}: it is downstream of the release, {reader.steps} steps away{by}"
        item = Item("impact", reader.dataset, words.replace(" 1 steps", " 1 step"))
        unowned += not reader.owners
        for owner in reader.owners:
            found[owner].add(item)
    for label in report.labels:
        unowned += not label.owners
        for owner in label.owners:
            found[owner].add(Item("label", label.node, f"would have {label.label}, from {label.origin}"))
    return [Notice(person, tuple(sorted(items))) for person, items in sorted(found.items())], unowned


def release_id(report: Report) -> str:
    """Return what tells a release from another: the same release, predicted at the same point, is told once."""
    words = repr((report.effective_at, sorted((task.task_id, task.op, task.predicted) for task in report.tasks)))
    return hashlib.sha256(words.encode()).hexdigest()[:16]
