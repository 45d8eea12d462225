"""The figures of lineage's own quality at a point, by group, and what to fix first."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

import numpy as np

from lineage_tt.governance.ports import PointGraph, PointSource
from lineage_tt.governance.upkeep.quality.groups import NONE, By, groups_of
from lineage_tt.governance.upkeep.quality.measures import (
    WINDOW_DAYS,
    Flapping,
    MessageFigures,
    Pairs,
    bars,
    flapping,
    message_figures,
)
from lineage_tt.model.answers import Basis
from lineage_tt.model.completeness.summary import Completeness
from lineage_tt.model.edges import ALIAS, is_star
from lineage_tt.model.names import CURATED

#: The least shares at which coverage and agreement count as high.
COVERED: Final = 0.8
AGREED: Final = 0.9
#: What to do about a group, by (coverage is high, agreement is high): the four quadrants.
QUADRANTS: Final = {
    (True, True): "keep", (True, False): "correct", (False, True): "extend", (False, False): "rebuild",
}  # fmt: skip
_DAY: Final = 86_400_000_000


class Figures(NamedTuple):
    """The figures of one group.

    Tasks count for the groups of the datasets that they write. ``columns`` are those of datasets that a task writes,
    ``columns_sourced`` those of them into which a value flows. ``stale`` counts tasks whose message in force took
    effect before the window. ``to_message`` and ``to_commit`` are histograms of how long after its effect a message was
    stated, and how long after that it was stored; ``to_delivery`` of how long after that it reached each subscriber
    that got it. ``by_hand`` counts edges that people state. ``coverage`` is the share of tasks that are complete,
    ``agreement`` the share of pairs of columns that engine and SQL both report; None: not known. ``fix`` is what to do
    first: ``keep``, ``correct``, ``extend``, ``rebuild``, or ``measure`` if coverage is high and agreement not known.
    """

    group: str
    tasks: int
    complete: int
    partial: int
    opaque: int
    datasets: int
    datasets_sourced: int
    columns: int
    columns_sourced: int
    edges: int
    by_hand: int
    by_star: int
    stale: int
    reasons: dict[str, int]
    to_message: dict[str, int]
    to_commit: dict[str, int]
    coverage: float | None
    agreement: float | None
    fix: str
    to_delivery: dict[str, int]


class Quality(NamedTuple):
    """The figures of all groups, the worst coverage first, and the edges that flap."""

    basis: Basis
    by: By
    groups: list[Figures]
    flapping: list[Flapping]
    completeness: Completeness


class _Tally:
    """Counts of one group while they are gathered."""

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()
        self.reasons: Counter[str] = Counter()
        self.waits: tuple[list[int], list[int]] = ([], [])
        self.deliveries: list[int] = []
        self.pairs: list[Pairs] = []

    def task(self, coverage: str | None, codes: set[str], figures: MessageFigures | None, stale: bool) -> None:
        """Count a task."""
        self.counts["tasks"] += 1
        self.counts[coverage if coverage in ("partial", "opaque") else "complete"] += 1
        self.counts["stale"] += stale
        self.reasons.update(codes)
        if figures is not None:
            for wait, series in zip((figures.to_message, figures.to_commit), self.waits, strict=True):
                if wait is not None:
                    series.append(wait)
            self.deliveries += figures.to_delivery
            if figures.pairs is not None:
                self.pairs.append(figures.pairs)

    def figures(self, group: str) -> Figures:
        """Return the figures."""
        n = self.counts
        coverage = n["complete"] / n["tasks"] if n["tasks"] else None
        both, all_pairs = sum(pair.both for pair in self.pairs), sum(sum(pair) for pair in self.pairs)
        agreement = both / all_pairs if all_pairs else None
        fix = _fix(coverage, agreement)
        return Figures(
            group, n["tasks"], n["complete"], n["partial"], n["opaque"], n["datasets"], n["datasets_sourced"],
            n["columns"], n["columns_sourced"], n["edges"], n["by_hand"], n["by_star"], n["stale"],
            dict(sorted(self.reasons.items())), bars(self.waits[0]), bars(self.waits[1]), coverage, agreement, fix,
            bars(self.deliveries),
        )  # fmt: skip


def _fix(coverage: float | None, agreement: float | None) -> str:
    """Return what to do first about a group: if no engine reports columns, extend coverage first, then measure."""
    if coverage is None:
        return "measure"
    if agreement is None:
        return "measure" if coverage >= COVERED else "extend"
    return QUADRANTS[coverage >= COVERED, agreement >= AGREED]


def quality(
    points: PointSource, graph: PointGraph, by: By = "all", days: int = WINDOW_DAYS,
    deliveries: Mapping[int, Sequence[int]] | None = None,
) -> Quality:  # fmt: skip
    """Return how good the lineage is at a point, by group; ``days`` is the window for stale tasks and flapping edges.

    ``deliveries`` say when each version reached its subscribers (UTC microseconds).
    Raises InvalidRequestError for an unknown way of grouping.
    """
    of = groups_of(graph, by)
    tallies: dict[str, _Tally] = defaultdict(_Tally)
    writes = _edges(graph, of, tallies)
    _datasets(graph, of, tallies)
    messages = message_figures(points, [task.version for task in graph.task_list], deliveries)
    late = graph.basis.valid_at - days * _DAY
    for task in graph.task_list:
        targets = writes.get(task.task_id, set()) | {dataset for gap in graph.gaps.of([task.task_id])
                                                     for dataset in gap.writes}  # fmt: skip
        groups = {group for dataset in targets for group in of(dataset)} or {"all" if by == "all" else NONE}
        for group in groups:
            codes = {reason.code for reason in task.reasons}
            tallies[group].task(task.coverage, codes, messages.get(task.version), task.effective_at < late)
    figures = [tally.figures(group) for group, tally in tallies.items()]
    figures.sort(key=lambda row: (1.0 if row.coverage is None else row.coverage, -row.tasks, row.group))
    return Quality(graph.basis, by, figures, flapping(points, graph, days), graph.completeness())


def _edges(graph: PointGraph, of: Any, tallies: dict[str, _Tally]) -> dict[str, set[str]]:
    """Count the edges into each dataset; return the datasets that each task writes."""
    names, tasks = graph.node_texts(np.arange(graph.nodes)), {}
    writes: dict[str, set[str]] = defaultdict(set)
    numbers = np.unique(graph.task)
    tasks = dict(zip(numbers.tolist(), graph.task_texts(numbers), strict=True))
    owners = graph.dataset[graph.target]
    is_alias = np.array([subtype == ALIAS for _, subtype in graph.kinds] + [False])[graph.kind]
    rows = np.stack([owners, graph.task, graph.by_star.astype(np.int32)], axis=1)[~is_alias]
    if not len(rows):
        return writes
    kinds, counts = np.unique(rows, axis=0, return_counts=True)
    for (dataset, task, by_star), count in zip(kinds.tolist(), counts.tolist(), strict=True):
        writes[tasks[task]].add(names[dataset])
        for group in of(names[dataset]):
            tallies[group].counts["edges"] += count
            tallies[group].counts["by_star"] += count * by_star
            tallies[group].counts["by_hand"] += count * tasks[task].startswith(CURATED)
    return writes


def _datasets(graph: PointGraph, of: Any, tallies: dict[str, _Tally]) -> None:
    """Count datasets and the columns of those that a task writes, and which of both have a source."""
    names = graph.node_texts(np.arange(graph.nodes))
    into = graph.target[~graph.alias]
    written, sourced = np.zeros(graph.nodes, bool), np.zeros(graph.nodes, bool)
    written[graph.dataset[into]] = True
    sourced[graph.target[~graph.alias & graph.direct]] = True
    for number in np.flatnonzero(graph.live).tolist():
        dataset = int(graph.dataset[number])
        for group in of(names[dataset]):
            counts = tallies[group].counts
            if dataset == number:
                counts["datasets"] += 1
                counts["datasets_sourced"] += bool(written[number])
            elif written[dataset] and not is_star(names[number]):
                counts["columns"] += 1
                counts["columns_sourced"] += bool(sourced[number])
