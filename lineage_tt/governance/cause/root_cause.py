"""The question: what changed upstream of a node before it went wrong?"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from lineage_tt.governance.cause.checks import Check, checks_of, evidence, with_dataset, with_passes
from lineage_tt.governance.cause.flow import Flow, flow_of, merged
from lineage_tt.governance.cause.ports import Comparing, Past
from lineage_tt.governance.cause.ranking import score
from lineage_tt.governance.cause.suspects import Suspect, suspects
from lineage_tt.model.answers import Basis, FactAsOf
from lineage_tt.model.completeness.summary import Completeness
from lineage_tt.model.edges import dataset_of
from lineage_tt.model.errors import InvalidRequestError
from lineage_tt.model.facts import CHECK, OWNER
from lineage_tt.model.times import FIRST, format_instant

#: How far back changes are searched by default, in microseconds.
WINDOW: Final = 14 * 86_400_000_000
#: The default number of suspects.
SHOWN: Final = 10
#: The most checks on the way that are considered: those nearest to the node.
MAX_CHECKS: Final = 64


class Board(NamedTuple):
    """A dataset at the end of what a node feeds, with its owners."""

    dataset: str
    steps: int
    owners: tuple[str, ...]


class RootCause(NamedTuple):
    """The possible causes of a wrong value, the likeliest first.

    ``since`` and ``at`` bound the window (UTC microseconds); ``omitted`` counts suspects that are not shown. ``checks``
    are the results on the way, ``boards`` what the node feeds. ``read_texts`` says whether texts were parsed, not only
    compared word by word. ``notes`` says what was not considered, because there was too much of it.
    """

    basis: Basis
    node: str
    since: int
    at: int
    suspects: tuple[Suspect, ...]
    omitted: int
    checks: tuple[Check, ...]
    boards: tuple[Board, ...]
    read_texts: bool
    completeness: Completeness
    notes: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """Return the answer as an object."""
        return {
            "node": self.node, "since": format_instant(self.since), "at": format_instant(self.at),
            "suspects": [each.to_json() for each in self.suspects], "omitted": self.omitted,
            "texts": "read" if self.read_texts else "compared word by word",
            "checks": [
                {"node": c.node, "check": c.name, "status": c.status, "since": format_instant(c.since),
                 "passed": None if c.passed is None else format_instant(c.passed)}
                for c in self.checks
            ],
            "boards": [{"dataset": b.dataset, "steps": b.steps, "owners": list(b.owners)} for b in self.boards],
            **({"notes": list(self.notes)} if self.notes else {}),
        }  # fmt: skip


def root_cause(
    past: Past, node: str, since: int | None = None, comparing: Comparing | None = None, shown: int = SHOWN
) -> RootCause:
    """Return what changed upstream of ``node`` in (since, valid time of the basis], ranked.

    ``since`` None is ``WINDOW`` before. Raises InvalidRequestError for an empty window, and UnknownNodeError.
    """
    at = past.basis.valid_at
    begin = max(FIRST, at - WINDOW) if since is None else since
    if begin >= at:
        raise InvalidRequestError(
            "the window is empty: it ends before it begins",
            hint="give a since before the time asked about, for example -14d",
        )
    if shown < 1:
        raise InvalidRequestError(f"the limit is {shown}", hint="give 1 or more")
    known = past.completeness([node], at)
    flow = _flow(past, node, begin, at)
    facts = past.facts(at, [CHECK, OWNER])
    notes: list[str] = []
    checks = _checks(past, facts, flow, notes)
    seen = {check.node: _feeding(past, check.node, at) for check in checks}
    scored = []
    for each in suspects(past, flow, begin, at, comparing, notes):
        factor, failed = evidence(each.at, each.did.nodes, checks, seen)
        late = each.at <= begin
        age = at - min(at, each.known_at if late else each.at)
        ranked = score(age, at - begin, each.did.class_, each.part, factor)
        scored.append(each._replace(score=ranked, failed=tuple(failed)))
    scored.sort(key=lambda each: (-each.score.total, -each.at, -each.statement.version))
    return RootCause(
        past.basis, node, begin, at, tuple(scored[:shown]), max(0, len(scored) - shown), tuple(checks),
        _boards(past, node, at, facts), comparing is not None, known, tuple(notes),
    )  # fmt: skip


def _flow(past: Past, node: str, since: int, at: int) -> Flow:
    """Return what feeds the node at the end of the window and at its start, including tasks of unknown lineage."""
    flow = merged(flow_of(node, past.walk([node], "up", moment)) for moment in (at, since))
    datasets = {dataset_of(each) for each in flow.parts}
    untraced: dict[str, frozenset[str]] = {}
    for moment in (since, at):
        for task, written in past.untraced(datasets, moment).items():
            untraced[task] = untraced.get(task, frozenset()) | (written & datasets)
    targets = dict(flow.targets)
    for task, written in untraced.items():
        targets[task] = targets.get(task, frozenset()) | written
    return flow._replace(targets=targets)


def _checks(past: Past, facts: Sequence[FactAsOf], flow: Flow, notes: list[str]) -> list[Check]:
    on_the_way = [check for check in checks_of(facts) if flow.of(check.node) is not None]
    nearest = sorted(on_the_way, key=lambda check: (flow.parts[_node_of(flow, check.node)].steps, check))
    if len(nearest) > MAX_CHECKS:
        notes.append(f"{len(nearest):,} checks are on the way: only the {MAX_CHECKS} nearest to the node count")
    failing = {check.node for check in nearest[:MAX_CHECKS] if check.status == "failed"}
    passes = checks_of(past.results(failing)) if failing else []
    return with_passes(nearest[:MAX_CHECKS], passes)


def _node_of(flow: Flow, node: str) -> str:
    return node if node in flow.parts else dataset_of(node)


def _feeding(past: Past, node: str, at: int) -> set[str]:
    """Return the nodes that feed a node, including the node itself and the datasets of all of them."""
    sources = {step.edge.source for step in past.walk([node], "up", at)}
    return sources | {node} | ({dataset_of(node)} if "#" in node else set()) | {
        dataset for dataset in with_dataset(sources) if "#" not in dataset
    }  # fmt: skip


def _boards(past: Past, node: str, at: int, facts: Sequence[FactAsOf]) -> tuple[Board, ...]:
    """Return the datasets downstream that feed nothing further, nearest first."""
    walk = past.reached(node, "down", at)
    reached: dict[str, int] = {}
    for each, steps in walk.nodes.items():
        dataset = dataset_of(each)
        reached[dataset] = min(steps, reached.get(dataset, steps))
    ends = {(dataset_of(source), dataset_of(target)) for source, target in walk.pairs}
    feeding = {dataset_of(node)} | {source for source, target in ends if source != target}
    owners: dict[str, set[str]] = {}
    for fact in facts:
        if fact.key == OWNER:
            owners.setdefault(dataset_of(fact.node), set()).add(fact.value)
    last = sorted((steps, dataset) for dataset, steps in reached.items() if dataset not in feeding)
    return tuple(Board(dataset, steps, tuple(sorted(owners.get(dataset, ())))) for steps, dataset in last)
