"""Compares each candidate's text with the text in force: what differs, and which types its target has afterwards."""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Final

from lineage_tt.impact.base.port import TaskText
from lineage_tt.impact.release.candidates import Candidate
from lineage_tt.impact.release.release import Change, Release
from lineage_tt.impact.release.renames import by_dataset
from lineage_tt.impact.texts import Analyst, Side
from lineage_tt.model.facts import Shape
from lineage_tt.model.messages import Lineage, TaskChange
from lineage_tt.model.redaction.messages import redacted_edges, without_quotes
from lineage_tt.model.redaction.policy import TextPolicy
from lineage_tt.write.catalog.lineages import Redacting

AskTypes = Callable[[Iterable[str]], Mapping[str, Mapping[str, str]]]


def message_of(text: TaskText, at: int) -> TaskChange:
    """Return a task in force as a message to be resolved again."""
    return TaskChange(
        "again", text.task_id, "update", at, sql=text.sql, dialect=text.dialect, namespace=text.namespace,
        default_database=text.default_database, target=text.target, params=text.params,
    )  # fmt: skip


def as_stored(candidate: Candidate, lineage: Lineage, before: TaskText | None, policy: TextPolicy) -> Lineage:
    """Return a candidate's lineage with expressions in the form in which the store keeps those of the text in force.

    If the ``policy`` in force does not keep texts, the descriptions of problems do not quote any.
    """
    if policy is not TextPolicy.KEEP:
        lineage = replace(lineage, problems=list(map(without_quotes, lineage.problems)))
    if before is None or before.policy is TextPolicy.KEEP:
        return lineage
    edges = redacted_edges(lineage.edges, before.policy, given=candidate.edges is not None)
    return replace(lineage, edges=edges, ordered=True)


_NOTHING: Final[Mapping[str, Mapping[str, str]]] = MappingProxyType({})


def side_of(
    text: TaskText | Candidate,
    columns: Mapping[str, Shape],
    types: Mapping[str, Mapping[str, str]],
    renames: Mapping[str, Mapping[str, str]] = _NOTHING,
) -> Side:
    """Return a text with the columns that it may look up, and the new names of those that the release renames."""
    known = text.dialect or "", text.namespace or "", text.default_database or ""
    return Side(text.sql or "", *known, text.target, text.params, columns, types, renames)


def compare(release: Release, analyst: Analyst) -> None:
    """Compare each candidate's text with the one in force."""
    both = [c for c in release.changes.values() if c.candidate.sql is not None]
    gone = [c for c in release.changes.values() if c.candidate.op == "offline"]  # to find what they wrote
    edited = [change for change in (*both, *gone) if change.before is not None and change.before.sql is not None]
    requests = [
        (message_of(change.before, release.at), ChainMap(dict(change.positions), release.before))  # type: ignore[arg-type]
        for change in edited
        if change.before
    ]
    for earlier, lineage in zip(edited, analyst(requests) if requests else [], strict=True):
        earlier.old = lineage
    _differences(release, analyst, both, release.base.types)
    changed = [change for change in both if change.difference and change.difference.changed]
    if changed:  # sources may be worth reading to find out whether a type also changes
        _differences(release, analyst, changed, release.types_before)
    for change in both:
        _note_types(release, change)


def _without_literals(release: Release, analyst: Analyst, changes: Sequence[Change]) -> dict[str, Candidate]:
    """Return the candidates whose text in force is kept without literals, with their own texts masked in the same way.

    So an edit that only changes a literal is not seen as an edit, and all others are.
    """
    masked = [c for c in changes if c.before is not None and c.before.policy is TextPolicy.MASK]
    if not masked or not isinstance(analyst, Redacting):
        return {}
    requests = [(c.candidate.message(release.at), ChainMap(dict(c.positions), release.after)) for c in masked]  # type: ignore[arg-type]
    analyst.policy = TextPolicy.MASK
    try:
        lineages = analyst(requests)
    finally:
        analyst.policy = TextPolicy.KEEP
    return {
        change.candidate.task_id: replace(change.candidate, sql=lineage.masked.sql, params=lineage.masked.params)
        for change, lineage in zip(masked, lineages, strict=True)
        if lineage.masked is not None and lineage.masked.sql is not None
    }


def _differences(release: Release, analyst: Analyst, changes: Sequence[Change], types_of: AskTypes) -> None:
    pairs, renames = [], by_dataset(release.renames)
    masked = _without_literals(release, analyst, changes)
    for change in changes:
        looked_up = {dataset for dataset, _ in (*change.lineage.lookups, *(change.old.lookups if change.old else ()))}
        types = types_of(looked_up)
        own = change.positions
        text = masked.get(change.candidate.task_id, change.candidate)
        after = side_of(text, {d: c for d in looked_up if (c := release.after.get(d) or own.get(d))}, types)
        if change.before is not None and change.before.sql is not None:
            known = {d: c for d in looked_up if (c := release.before.get(d) or own.get(d))}
            mine = {dataset: columns for dataset, columns in renames.items() if dataset in looked_up}
            pairs.append((side_of(change.before, known, types, mine), after))
        else:
            pairs.append((after, after))
    for change, difference in zip(changes, analyst.compare(pairs) if pairs else [], strict=True):
        change.difference = difference


def _note_types(release: Release, change: Change) -> None:
    """Note the types that the target's columns have after the release, if they differ."""
    difference = change.difference
    if difference is not None and difference.types and len(difference.writes) == 1:
        dataset, kind = difference.writes[0]
        if kind in ("view", "ctas", "select"):
            release.types[dataset] = dict(difference.types_after)
