"""The changes upstream of a node in a window of time, each with what it did and when it was known."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from lineage_tt.governance.cause import classes
from lineage_tt.governance.cause.checks import Check
from lineage_tt.governance.cause.classes import Did
from lineage_tt.governance.cause.flow import Flow, Part
from lineage_tt.governance.cause.ports import Comparing, Past, Statement, Text, TextChange
from lineage_tt.governance.cause.ranking import Score
from lineage_tt.governance.cause.text_diff import compared
from lineage_tt.model.answers import EdgeAsOf
from lineage_tt.model.edges import column_of
from lineage_tt.model.errors import BeyondHorizonError
from lineage_tt.model.times import format_instant

#: A message that arrives this long before it takes effect was planned; this long after it, it is late (microseconds).
SLACK: Final = 3_600_000_000
#: The most pairs of texts, the newest, that a parser compares; the others are compared word by word.
MAX_READ: Final = 500


class Suspect(NamedTuple):
    """A change that may be the cause.

    ``at`` is the valid time from which it makes a difference, ``known_at`` when the store learned of it (UTC
    microseconds). ``planned``: announced before it took effect; ``late``: recorded after it took effect;
    ``corrected``: it replaces what an earlier message said about the same time, or withdraws an earlier message.
    ``hidden``: at the time asked about nobody could know of it. ``path`` leads from the nodes it touched to the node
    asked for.
    """

    statement: Statement
    before: Statement | None
    at: int
    did: Did
    part: Part | None
    planned: bool
    late: bool
    corrected: bool
    hidden: bool
    path: tuple[EdgeAsOf, ...] = ()
    score: Score = Score(0, 0, 0, 0, 0)
    failed: tuple[Check, ...] = ()

    @property
    def known_at(self) -> int:
        """When the store learned of it."""
        return self.statement.system_time

    def to_json(self) -> dict[str, Any]:
        """Return the suspect as an object."""
        statement, before, did = self.statement, self.before, self.did
        keys = ("source", "target", "type", "subtype", "expression")
        return {
            "kind": statement.kind, "subject": statement.subject, "op": statement.op,
            "class": did.class_, "score": self.score.to_json(), "effective_at": format_instant(self.at),
            "known_at": format_instant(self.known_at), "planned": self.planned, "late": self.late,
            "corrected": self.corrected, "known_only_later": self.hidden,
            "version": statement.version, "event_id": statement.event_id, "actor": statement.actor,
            "reason": statement.reason, "cause": statement.cause,
            "version_before": before.version if before else None,
            "touches": sorted(did.nodes), "reasons": list(did.reasons),
            "share": round(self.part.share, 6) if self.part else None, "steps": self.part.steps if self.part else None,
            "added": [dict(zip(keys, edge, strict=True)) for edge in did.added],
            "removed": [dict(zip(keys, edge, strict=True)) for edge in did.removed],
            "path": [{"task_id": e.task_id, "source": e.source, "target": e.target, "type": e.type} for e in self.path],
            "checks_failed": [{"node": c.node, "check": c.name, "since": format_instant(c.since)} for c in self.failed],
        }  # fmt: skip


def suspects(
    past: Past, flow: Flow, since: int, at: int, comparing: Comparing | None, notes: list[str] | None = None
) -> list[Suspect]:  # fmt: skip
    """Return every change of the tasks and datasets of a flow in (since, at], ordered by version.

    ``comparing`` parses texts; without it they are compared word by word, which cannot distinguish columns. A note is
    added to ``notes`` if that also holds for some texts because there are more than ``MAX_READ``.
    """
    datasets = {node.partition("#")[0] for node in flow.parts}
    result = []
    statements = past.statements(flow.targets.keys(), datasets, since, at)
    befores = [past.before(statement) for statement in statements]
    texts = _text_changes(past, statements, befores, comparing, [] if notes is None else notes)
    for statement, before, text in zip(statements, befores, texts, strict=True):
        begins = statement.effective_at if statement.effective_at is not None else statement.withdrawn_at
        if begins is None or begins > at:
            continue
        did = _did(past, flow, statement, before, begins, begins <= since, text)
        nodes = [node for node in did.nodes if flow.of(node)]
        part = max((flow.of(node) or Part(0, 0) for node in nodes), key=lambda p: (p.share, -p.steps), default=None)
        nearest = min(nodes, key=lambda node: ((flow.of(node) or Part(0, 0)).steps, node), default=None)
        path = tuple(step.edge for step in flow.path(nearest)) if nearest is not None else ()
        ahead = begins - statement.system_time
        result.append(Suspect(statement, before, begins, did, part, ahead > SLACK, -ahead > SLACK, statement.corrects,
                             statement.system_time > at, path))  # fmt: skip
    return result


def _did(
    past: Past, flow: Flow, statement: Statement, before: Statement | None, at: int, recorded: bool,
    text: TextChange | None,
) -> Did:  # fmt: skip
    """Return what a statement did: in valid time, or (``recorded``) when the store learned of it."""
    known = statement.version - 1 if recorded or statement.op == "retract" else None
    earlier = at if known is not None else at - 1
    if statement.kind == "dataset":
        one, other = past.fields(statement.subject, at - 1), past.fields(statement.subject, at)
        return classes.of_dataset(statement.subject, one, other, flow)
    nodes = flow.targets.get(statement.subject, frozenset())
    try:
        former = [edge for edge in past.edges_into(nodes, earlier, known) if edge.task_id == statement.subject]
    except BeyondHorizonError:
        return Did("text", nodes, reasons=("what was known before is no longer kept",))
    upto = statement.version if known is not None else None
    latter = [edge for edge in past.edges_into(nodes, at, upto) if edge.task_id == statement.subject]
    return classes.of_task(statement, before, former, latter, nodes, flow, text)


def _text_changes(
    past: Past, statements: Sequence[Statement], befores: Sequence[Statement | None], comparing: Comparing | None,
    notes: list[str],
) -> list[TextChange | None]:  # fmt: skip
    """Return how the text of each statement differs from the one before; None where either text is missing."""
    pairs = [
        (before.version, statement.version)
        for statement, before in zip(statements, befores, strict=True)
        if before is not None and before.sql_sha256 != statement.sql_sha256
    ]
    texts = past.texts({version for pair in pairs for version in pair})
    both = {pair: (texts[pair[0]], texts[pair[1]]) for pair in pairs if pair[0] in texts and pair[1] in texts}
    plain: dict[tuple[int, int], TextChange] = {pair: compared(*sides) for pair, sides in both.items()}
    different = [pair for pair in both if comparing is not None and not plain[pair].same]
    to_read = different[-MAX_READ:]
    if len(different) > MAX_READ:
        notes.append(
            f"the parser compared the newest {MAX_READ} of {len(different):,} pairs of texts; the others were compared "
            "word by word, which does not tell columns apart: give a later since"
        )
    read: Sequence[TextChange | None] = comparing([both[pair] for pair in to_read]) if comparing and to_read else ()
    better = {
        pair: _named(change, *both[pair])
        for pair, change in zip(to_read, read, strict=bool(to_read))
        if change is not None
    }
    changes = plain | better
    result: list[TextChange | None] = []
    for statement, before in zip(statements, befores, strict=True):
        result.append(changes.get((before.version, statement.version)) if before is not None else None)
    return result


def _named(change: TextChange, one: Text, other: Text) -> TextChange:
    """Return a change with the names that lineage uses: columns filled by position may have other names in the text."""
    known = {(column_of(node) or "").lower() for node in (*one.targets, *other.targets)}
    if change.columns and not any(name.lower() in known for name in change.columns):
        return change._replace(columns=None)
    return change
