"""How wrong values spread: from the wrong window of a node, partition by partition, through the tasks in force then.

The task that is in force when a partition ends makes the partition, because only then is its data complete. The
partition is wrong if that task reads a node that is wrong anywhere in the partition. A task that reads the dataset it
writes carries wrong values from partition to partition, up to the point of the question: lineage does not show which
partition it reads. A partition that has not ended at that point is not planned: its run is still to come.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from itertools import pairwise
from operator import attrgetter
from typing import Final, NamedTuple

from lineage_tt.governance.backfill.partitions import Grain, Partition, Span, count_over, partitions_over, united
from lineage_tt.governance.backfill.ports import Timeline
from lineage_tt.model.answers import EdgeAsOf
from lineage_tt.model.edges import ALIAS, dataset_of
from lineage_tt.model.errors import InvalidRequestError

#: A plan with more partitions than this is refused: it is too long to read, and a coarser grain gives the same result.
MAX_PARTITIONS: Final = 50_000
_MONTH: Final = 31 * 86_400_000_000
_LONGEST: Final[dict[Grain, int]] = {"hour": 3_600_000_000, "day": 86_400_000_000, "month": _MONTH}


class Run(NamedTuple):
    """A task's run over one partition."""

    task: str
    partition: Partition


class Spread(NamedTuple):
    """The runs to repeat, each with the wrong datasets that it reads and writes; which nodes are wrong, and when.

    ``open`` counts runs over partitions that have not ended. ``idle`` are tasks that read a wrong dataset, but none of
    its wrong columns, with the datasets; they need not run. ``origins`` are the runs that make the nodes asked about.
    """

    reads: Mapping[Run, frozenset[str]]
    writes: Mapping[Run, frozenset[str]]
    wrong: Mapping[str, tuple[Span, ...]]
    idle: Mapping[str, frozenset[str]]
    open: int
    origins: frozenset[Run]


class _Propagation:
    """What is wrong so far, and the runs that repair it."""

    def __init__(self) -> None:
        self.reads: dict[Run, set[str]] = defaultdict(set)
        self.writes: dict[Run, set[str]] = defaultdict(set)
        self.wrong: dict[str, tuple[Span, ...]] = {}
        self.open: set[Run] = set()
        self.origins: set[Run] = set()

    def add(self, node: str, span: Span) -> bool:
        """Note that a node is wrong in a span; return whether that is new."""
        known = self.wrong.get(node, ())
        fresh = united([*known, span])
        self.wrong[node] = fresh
        return fresh != known

    def note(self, edge: EdgeAsOf, partition: Partition, now: int) -> bool:
        """Note that an edge's task makes a partition wrong; return whether it has ended, so that its run is planned."""
        run = Run(edge.task_id, partition)
        if partition.end > now and partition.grain != "none":
            self.open.add(run)
            return False
        self.reads[run].add(dataset_of(edge.source))
        self.writes[run].add(dataset_of(edge.target))
        return True

    def check(self) -> None:
        """Raise InvalidRequestError for more runs than a plan may have."""
        if len(self.reads) > MAX_PARTITIONS:
            raise InvalidRequestError(
                f"the plan has more than {MAX_PARTITIONS:,} partitions",
                hint="give a shorter window, or a coarser grain",
            )


def spread(
    timeline: Timeline, nodes: Collection[str], window: Span, grain_of: Callable[[str], Grain], *, remake: bool = True
) -> Spread:
    """Follow what is wrong in ``window`` at ``nodes`` downstream.

    With ``remake`` the tasks that write the nodes run again, too, for example because a text was wrong; without it the
    nodes are already repaired. Raises InvalidRequestError for a plan with too many partitions.
    """
    propagation = _Propagation()
    frontier: dict[str, tuple[Span, ...]] = {}
    for node in nodes:
        propagation.add(node, window)
        frontier[node] = (window,)
    if remake:
        _remake(timeline, propagation, nodes, window, grain_of)
    while frontier:
        frontier = _step(timeline, propagation, frontier, window, grain_of)
        propagation.check()
    idle = _idle(timeline, propagation)
    reads, writes = (
        {run: frozenset(nodes) for run, nodes in each.items()} for each in (propagation.reads, propagation.writes)
    )
    return Spread(reads, writes, propagation.wrong, idle, len(propagation.open), frozenset(propagation.origins))


def _remake(
    timeline: Timeline, propagation: _Propagation, nodes: Collection[str], window: Span,
    grain_of: Callable[[str], Grain],
) -> None:  # fmt: skip
    """Plan the runs of the tasks that write the nodes themselves."""
    wrong = dict.fromkeys(nodes, (window,))
    for span, edges in _segments(timeline, wrong, timeline.edges_into, attrgetter("target")):
        for edge in edges:
            if edge.subtype != ALIAS:
                for partition in _partitions(timeline, (window,), span, window, grain_of(edge.task_id)):
                    if propagation.note(edge, partition, timeline.basis.valid_at):
                        propagation.origins.add(Run(edge.task_id, partition))


def _step(
    timeline: Timeline, propagation: _Propagation, frontier: Mapping[str, tuple[Span, ...]], window: Span,
    grain_of: Callable[[str], Grain],
) -> dict[str, tuple[Span, ...]]:  # fmt: skip
    """Go one step on from nodes and the spans in which they are wrong; return those that are newly wrong."""
    fresh: dict[str, list[Span]] = defaultdict(list)
    for segment, edges in _segments(timeline, frontier, timeline.edges_out, attrgetter("source")):
        for edge in edges:
            of_dataset = frontier.get(dataset_of(edge.source), ()) if "#" in edge.source else ()
            spans = united([*frontier.get(edge.source, ()), *of_dataset])
            if not spans:
                continue
            if dataset_of(edge.source) == dataset_of(edge.target):
                spans = (Span(spans[0].start, max(spans[-1].end, timeline.basis.valid_at)),)
            if edge.subtype == ALIAS:
                for span in spans:
                    if propagation.add(edge.target, span):
                        fresh[edge.target].append(span)
                continue
            for partition in _partitions(timeline, spans, segment, window, grain_of(edge.task_id)):
                propagation.note(edge, partition, timeline.basis.valid_at)
                wrong_spans = spans if partition.grain == "none" else (Span(*partition[:2]),)
                for span in wrong_spans:
                    if propagation.add(edge.target, span):
                        fresh[edge.target].append(span)
    return {node: united(spans) for node, spans in fresh.items()}


def _segments(
    timeline: Timeline, wrong: Mapping[str, Sequence[Span]], ask: Callable[[Sequence[str], int], Sequence[EdgeAsOf]],
    end_of: Callable[[EdgeAsOf], str],
) -> Iterator[tuple[Span, Sequence[EdgeAsOf]]]:  # fmt: skip
    """Yield intervals of time in which the edges at nodes of one dataset stay the same, each with its edges.

    ``wrong`` are the nodes with the spans in which they are wrong; ``end_of`` returns the end of an edge at such a
    node. One query reads the intervals of all datasets that begin at the same time.
    """
    spans: dict[str, list[Span]] = defaultdict(list)
    for node, each in wrong.items():
        spans[dataset_of(node)] += each
    now = timeline.basis.valid_at
    first, last = min(s.start for each in spans.values() for s in each), max(s.end for e in spans.values() for s in e)
    times = timeline.change_times(sorted(spans), first, max(now, last + _MONTH))
    begins: dict[int, dict[str, Span]] = defaultdict(dict)
    for dataset, each in spans.items():
        for stretch in _stretches(times.get(dataset, ()), united(each), now):
            begins[stretch.start][dataset] = stretch
    for start, stretches in sorted(begins.items()):
        edges: dict[str, list[EdgeAsOf]] = defaultdict(list)
        for edge in ask([node for node in wrong if dataset_of(node) in stretches], start):
            edges[dataset_of(end_of(edge))].append(edge)
        for dataset, stretch in sorted(stretches.items()):
            yield stretch, edges[dataset]


def _stretches(changes: Sequence[int], spans: Sequence[Span], now: int) -> list[Span]:
    """Return the intervals between a dataset's changes that matter for the spans in which it is wrong.

    They continue for a month after the last span, since the last partition may end there. The last one contains the
    point of the question: the tasks in force then remake what has no partitions.
    """
    start, limit = spans[0].start, spans[-1].end + _MONTH
    end = max(now, limit)
    bounds = [start, *(time for time in changes if start < time <= end), end + 1]
    *result, last = (Span(*each) for each in pairwise(bounds))
    return [*(stretch for stretch in result if stretch.start <= limit), last]


def _partitions(
    timeline: Timeline, spans: Sequence[Span], segment: Span, window: Span, grain: Grain
) -> Iterator[Partition]:
    """Yield the partitions of a task that overlap spans and are made in a segment of time.

    What has no partitions is made once, by the task in force at the point of the question; its wrong part is
    ``window``.
    """
    if grain == "none":
        if segment.start <= timeline.basis.valid_at < segment.end:
            yield Partition(window.start, window.end, grain)
        return
    for span in spans:
        near = Span(max(span.start, segment.start - _LONGEST[grain]), min(span.end, segment.end))
        if near.start >= near.end:
            continue
        if count_over(near, grain) > MAX_PARTITIONS:
            raise InvalidRequestError(
                f"the window has more than {MAX_PARTITIONS:,} partitions", hint="give a shorter one, or a coarser grain"
            )
        for partition in partitions_over(near, grain):
            if segment.start <= partition.end < segment.end:
                yield partition


def _idle(timeline: Timeline, propagation: _Propagation) -> dict[str, frozenset[str]]:
    """Return the tasks that read a wrong dataset while it was wrong, and none of its wrong columns."""
    running = {run.task for run in (*propagation.reads, *propagation.open)}
    idle: dict[str, set[str]] = defaultdict(set)
    spans: dict[str, list[Span]] = defaultdict(list)
    for node, wrong in propagation.wrong.items():
        spans[dataset_of(node)] += [*wrong]
    stretches = {dataset: united(each) for dataset, each in spans.items()}
    for segment, edges in _segments(timeline, stretches, timeline.edges_out, attrgetter("source")):
        if segment.start > timeline.basis.valid_at:
            continue  # an edge that is only planned has carried nothing yet
        for edge in edges:
            near = stretches.get(dataset_of(edge.source), ())
            reads = any(span.start < segment.end and segment.start <= span.end for span in near)
            if reads and edge.task_id not in running and edge.subtype != ALIAS:
                idle[edge.task_id].add(dataset_of(edge.source))
    return {task: frozenset(datasets) for task, datasets in idle.items()}
