"""Whom to notify of a release before it is deployed, of what it reaches, violates and brings: one notice per person."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from lineage_tt.governance.permissions.notices import Item, Notice, owners_of
from lineage_tt.impact.policy import DENIED, RULE
from lineage_tt.impact.report import ADDITIVE, NONE, Report
from lineage_tt.model.answers import FactAsOf
from lineage_tt.model.edges import dataset_of
from lineage_tt.model.names import and_more

#: Findings that are sent under their own kind; all others are sent as impact.
_VIOLATIONS: Final = (RULE, DENIED)


def notices_of(report: Report, facts: Sequence[FactAsOf]) -> tuple[list[Notice], int]:
    """Return the notices, by person, and the number of items about nodes without an owner.

    An owner is notified about what they own: what the release writes, what is downstream, what a rule or a label
    concerns. Owners are those that the report names, and those of ``facts`` (``owner``, a grant ``own``). Items that
    the allow-list permits, and items of the classes additive and none, are not sent.
    """
    known, items_of = owners_of(facts), defaultdict[str, set[Item]](set)
    unowned = 0
    for item, named in _items(report):
        people = {*named, *known.get(item.node, ()), *known.get(dataset_of(item.node), ())}
        unowned += not people
        for person in people:
            items_of[person].add(item)
    return [Notice(person, tuple(sorted(items))) for person, items in sorted(items_of.items())], unowned


def _items(report: Report) -> Iterator[tuple[Item, Iterable[str]]]:
    """Yield the items to notify about, each with the owners that the report names."""
    for task in report.tasks:
        if task.class_ not in (ADDITIVE, NONE):
            why = task.reasons[0] if task.reasons else "it changes"
            for dataset in task.writes:
                yield Item("impact", dataset, f"{_words(task.class_)}: {task.task_id} ({task.op}): {why}"), ()
    for each in report.findings:
        if not each.allowed and each.class_ not in (ADDITIVE, NONE):
            words = f"{_words(each.class_)}: {each.reason}"
            if each.kind in _VIOLATIONS:
                yield Item("violation", each.subject, words), each.owners
            else:
                yield Item("impact", each.subject, words), each.owners
    for reader in report.readers:
        by = f", by {and_more(reader.tasks, 5)}" if reader.tasks else ""
        away = f"{reader.steps} step{'s' * (reader.steps != 1)}"
        words = f"{_words(reader.class_)}: it is downstream of the release, {away} away{by}"
        yield Item("impact", reader.dataset, words), reader.owners
    for label in report.labels:
        yield Item("label", label.node, f"would have {label.label}, from {label.origin}"), label.owners


def _words(class_: str) -> str:
    return class_.replace("_", " ")


def release_id(report: Report) -> str:
    """Return what identifies a release: the same one, predicted at the same point, is sent once."""
    words = repr((report.effective_at, sorted((task.task_id, task.op, task.predicted) for task in report.tasks)))
    return hashlib.sha256(words.encode()).hexdigest()[:16]
