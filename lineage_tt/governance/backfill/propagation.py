"""How wrong values spread: from the wrong window of a node, partition by partition, by who was in force when.

A partition is made by the task that is in force when the partition ends, for then its data is there. It is wrong where
that task reads a node that is wrong anywhere in the partition. A task that reads the dataset it writes carries what is
wrong on, from partition to partition, up to the point of the question: lineage does not tell which it reads. A
partition that has not ended at that point is not planned: its run is still to come.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Final, NamedTuple

from lineage_tt.governance.backfill.partitions import Grain, Partition, Span, count_over, partitions_over, united
from lineage_tt.governance.backfill.ports import Timeline
from lineage_tt.model.answers import EdgeAsOf
from lineage_tt.model.edges import ALIAS, dataset_of
from lineage_tt.model.errors import InvalidRequestError

#: A plan of more partitions than this is refused: nobody would read it, and a coarser grain says the same.
MAX_PARTITIONS: Final = 50_000
_MONTH: Final = 31 * 86_400_000_000
_LONGEST: Final[dict[Grain, int]] = {"hour": 3_600_000_000, "day": 86_400_000_000, "month": _MONTH}


class Run(NamedTuple):
    """A task's run over one partition, and the datasets that it reads wrong and writes."""

    task: str
    partition: Partition


class Spread(NamedTuple):
    """Runs to be repeated, each with the datasets it reads and writes; what is wrong when; what is not to be run.

    ``open`` counts runs over partitions that have not ended. ``idle`` are tasks that read a wrong dataset, but none of
    its wrong columns, with the datasets. ``origins`` are the runs that make what was wrong first.
    """

    reads: Mapping[Run, frozenset[str]]
    writes: Mapping[Run, frozenset[str]]
    wrong: Mapping[str, tuple[Span, ...]]
    idle: Mapping[str, frozenset[str]]
    open: int
    origins: frozenset[Run]


class _Found:
    """What is found on the way."""

    def __init__(self) -> None:
        self.reads: dict[Run, set[str]] = defaultdict(set)
        self.writes: dict[Run, set[str]] = defaultdict(set)
        self.wrong: dict[str, tuple[Span, ...]] = {}
        self.open: set[Run] = set()
        self.origins: set[Run] = set()

    def add(self, node: str, span: Span) -> bool:
        """Note that a node is wrong in a span; say whether that is new."""
        known = self.wrong.get(node, ())
        fresh = united([*known, span])
        self.wrong[node] = fresh
        return fresh != known

    def note(self, edge: EdgeAsOf, partition: Partition, now: int) -> bool:
        """Note that an edge's task makes a partition wrong; say whether it has ended, so that its run is planned."""
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
                hint="give a shorter window, or a coarser --grain",
            )


def spread(
    timeline: Timeline, nodes: Collection[str], window: Span, grain_of: Callable[[str], Grain], *, remake: bool = True
) -> Spread:
    """Follow what is wrong in ``window`` at ``nodes`` downstream.

    With ``remake`` the tasks that write the nodes run again, too: as where a text was wrong; without it the nodes are
    repaired already. Raises InvalidRequestError for a plan of too many partitions.
    """
    found = _Found()
    frontier: dict[str, tuple[Span, ...]] = {}
    for node in nodes:
        found.add(node, window)
        frontier[node] = (window,)
    if remake:
        _remake(timeline, found, nodes, window, grain_of)
    while frontier:
        frontier = _step(timeline, found, frontier, window, grain_of)
        found.check()
    idle = _idle(timeline, found)
    reads, writes = ({run: frozenset(nodes) for run, nodes in each.items()} for each in (found.reads, found.writes))
    return Spread(reads, writes, found.wrong, idle, len(found.open), frozenset(found.origins))


def _remake(
    timeline: Timeline, found: _Found, nodes: Collection[str], window: Span, grain_of: Callable[[str], Grain]
) -> None:
    """Plan the runs of the tasks that write the nodes themselves."""
    for span, edges in _segments(timeline, [*nodes], (window,), timeline.edges_into):
        for edge in edges:
            if edge.subtype != ALIAS:
                for partition in _partitions(timeline, (window,), span, window, grain_of(edge.task_id)):
                    if found.note(edge, partition, timeline.basis.valid_at):
                        found.origins.add(Run(edge.task_id, partition))


def _step(
    timeline: Timeline, found: _Found, frontier: Mapping[str, tuple[Span, ...]], window: Span,
    grain_of: Callable[[str], Grain],
) -> dict[str, tuple[Span, ...]]:  # fmt: skip
    """Go one step on from nodes and the spans in which they are wrong; return those that are newly wrong."""
    fresh: dict[str, list[Span]] = defaultdict(list)
    everything = united(span for spans in frontier.values() for span in spans)
    for segment, edges in _segments(timeline, sorted(frontier), everything, timeline.edges_out):
        for edge in edges:
            of_dataset = frontier.get(dataset_of(edge.source), ()) if "#" in edge.source else ()
            spans = united([*frontier.get(edge.source, ()), *of_dataset])
            if not spans:
                continue
            if dataset_of(edge.source) == dataset_of(edge.target):
                spans = (Span(spans[0].start, max(spans[-1].end, timeline.basis.valid_at)),)
            if edge.subtype == ALIAS:
                for span in spans:
                    if found.add(edge.target, span):
                        fresh[edge.target].append(span)
                continue
            for partition in _partitions(timeline, spans, segment, window, grain_of(edge.task_id)):
                found.note(edge, partition, timeline.basis.valid_at)
                made = spans if partition.grain == "none" else (Span(*partition[:2]),)
                for span in made:
                    if found.add(edge.target, span):
                        fresh[edge.target].append(span)
    return {node: united(spans) for node, spans in fresh.items()}


def _segments(
    timeline: Timeline, nodes: Sequence[str], spans: Sequence[Span],
    ask: Callable[[Sequence[str], int], Sequence[EdgeAsOf]],
) -> Iterator[tuple[Span, Sequence[EdgeAsOf]]]:  # fmt: skip
    """Yield stretches of time in which the edges at nodes are the same, each with its edges.

    They continue for a month after the last span, where the last partition may end, up to the point of the question,
    whose tasks remake what has no partitions.
    """
    now = timeline.basis.valid_at
    start, end = spans[0].start, max([now, *(span.end + _MONTH for span in spans)])
    times = timeline.change_times(sorted({dataset_of(node) for node in nodes}), start, end)
    behind = spans[-1].end + _MONTH
    bounds = [start, *(time for time in times if time <= behind), end + 1]
    stretches = [Span(at, min(until, behind + 1)) for at, until in pairwise(bounds) if until > at]
    later = max([start, *(time for time in times if time <= now)])
    if later > behind:
        stretches.append(Span(later, end + 1))
    for stretch in stretches:
        yield stretch, ask(nodes, stretch.start)


def _partitions(
    timeline: Timeline, spans: Sequence[Span], segment: Span, window: Span, grain: Grain
) -> Iterator[Partition]:
    """Yield the partitions of a task that overlap spans and are made in a segment of time.

    What has no partitions is made by the task in force at the point of the question, once: of it ``window`` is wrong.
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


def _idle(timeline: Timeline, found: _Found) -> dict[str, frozenset[str]]:
    """Return the tasks that read a wrong dataset while it was wrong, and none of its wrong columns."""
    running = {run.task for run in (*found.reads, *found.open)}
    idle: dict[str, set[str]] = defaultdict(set)
    spans: dict[str, list[Span]] = defaultdict(list)
    for node, wrong in found.wrong.items():
        spans[dataset_of(node)] += [*wrong]
    stretches = {dataset: united(each) for dataset, each in spans.items()}
    everything = united(span for each in stretches.values() for span in each)
    for segment, edges in _segments(timeline, sorted(stretches), everything, timeline.edges_out):
        if segment.start > timeline.basis.valid_at:
            continue  # what is only planned has made nothing yet
        for edge in edges:
            near = stretches.get(dataset_of(edge.source), ())
            reads = any(span.start < segment.end and segment.start <= span.end for span in near)
            if reads and edge.task_id not in running and edge.subtype != ALIAS:
                idle[edge.task_id].add(dataset_of(edge.source))
    return {task: frozenset(datasets) for task, datasets in idle.items()}
