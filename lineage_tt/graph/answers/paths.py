"""Paths between two nodes. An edge is on a path if it is downstream of the first node and upstream of the second."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from lineage_tt.graph.answers.ports import Point
from lineage_tt.graph.answers.results import Walk
from lineage_tt.graph.walks.edges import Part, decoded
from lineage_tt.graph.walks.filters import Filter
from lineage_tt.graph.walks.meeting import meet
from lineage_tt.model.answers import EdgeAsOf, Level
from lineage_tt.model.edges import dataset_of, is_star
from lineage_tt.model.errors import InvalidRequestError

#: The most edges that the search for further paths visits; the number of paths can be astronomical.
MAX_LOOKED_AT: Final = 200_000


@dataclass(frozen=True, slots=True)
class Path:
    """A path: its edges in order, each continuing from the one before; ``by_star`` marks joined edges (``Step``)."""

    start: str
    edges: tuple[EdgeAsOf, ...]
    by_star: tuple[bool, ...] = ()

    @property
    def nodes(self) -> tuple[str, ...]:
        """The start, and where each edge ends."""
        return (self.start, *(edge.target for edge in self.edges))

    def __len__(self) -> int:
        return len(self.edges)


class Paths(list[Path]):
    """Paths, shortest first. ``truncated``: the search stopped at ``MAX_LOOKED_AT`` edges, and there may be more."""

    truncated: bool = False

    def __repr__(self) -> str:
        return f"{super().__repr__()}{' and perhaps more: the search stopped' if self.truncated else ''}"


class Ways(NamedTuple):
    """The edges between two nodes, each with its least number of steps from the first and to the second."""

    edges: dict[EdgeAsOf, tuple[int, int]]
    start: str
    by_star: frozenset[EdgeAsOf] = frozenset()


def between(
    view: Point,
    source: str,
    target: str,
    *,
    level: Level = "column",
    direct_only: bool = False,
    where: Filter | None = None,
) -> Walk:
    """Return the downstream walk from ``source``, reduced to the edges on a path to ``target``."""
    if where is not None and where.hide:
        raise InvalidRequestError("a path cannot hide its nodes", hint="use a filter without hide")
    request = view.request(None, level, direct_only, where)
    start, end = view.start([source], level), view.start([target], level)
    unnamed, both = view.numbered((*start, *end))
    first, last = both[:1], both[1:]
    if int(both.min()) < 0:  # one of them has no edges
        part = view.part(first[:0], "down", request, -1, unnamed)
        return Walk(view, start, first[:0], "down", level, (part,), unnamed)
    view.note_labelled(request, unnamed)
    down = view.part(first, "down", request, -1, unnamed)
    up = view.part(last, "up", request, -1, unnamed)
    if view.state.stars.total and not request.table:
        return Walk(view, start, first, "down", level, (meet(view.state, down, up, first, unnamed),), unnamed)
    known = set(_keys(view, up, request.table))
    on_path = np.array([key in known for key in _keys(view, down, request.table)], bool)
    edges = down.edges[on_path]
    reached = _far_ends(view, down, request.table)[on_path]
    inside = np.isin(down.ids, reached)
    part = down._replace(ids=down.ids[inside], steps=down.steps[inside], edges=edges)
    return Walk(view, start, first, "down", level, (part,), unnamed)


def ways(view: Point, source: str, target: str, level: Level, direct_only: bool, where: Filter | None) -> Ways:
    """Return the edges between two nodes, with their steps from the first and to the second."""
    walk = between(view, source, target, level=level, direct_only=direct_only, where=where)
    from_first = {step.edge: step.steps for step in walk.steps}
    by_end: dict[str, list[EdgeAsOf]] = defaultdict(list)
    for edge in from_first:
        by_end[edge.target].append(edge)
    last = dataset_of(target) if level == "table" else target
    frontier = [edge for edge in from_first if _enters(edge, last)]
    to_last: dict[EdgeAsOf, int] = dict.fromkeys(frontier, 1)
    while frontier:
        following = []
        for edge in frontier:
            for before in by_end[edge.source] + (by_end[dataset_of(edge.source)] if "#" in edge.source else []):
                if before not in to_last:
                    to_last[before] = to_last[edge] + 1
                    following.append(before)
        frontier = following
    on_path = {edge: (steps, to_last[edge]) for edge, steps in from_first.items() if edge in to_last}
    stored = {step.edge for step in walk.steps if not step.by_star}
    return Ways(on_path, walk.start[0], frozenset(on_path.keys() - stored))


def paths(
    view: Point, source: str, target: str, limit: int, longest: int | None, level: Level, direct_only: bool,
    where: Filter | None,
) -> Paths:  # fmt: skip
    """Return paths without repeated nodes, shortest first, then by name: up to ``limit`` paths of up to ``longest``."""
    if limit < 1:
        raise InvalidRequestError(f"limit is {limit}: give 1 or more")
    if longest is not None and longest < 1:
        raise InvalidRequestError(f"longest is {longest}: give 1 or more, or leave it out")
    connecting = ways(view, source, target, level, direct_only, where)
    if not connecting.edges:
        return Paths()
    least = min(before + after - 1 for before, after in connecting.edges.values())
    most = min(longest or 2**31, len(connecting.edges))
    search = _Search(connecting, limit)
    for length in range(least, most + 1):
        search.extend(length)
        if search.done:
            break
    search.paths.truncated = search.stopped
    return search.paths


class _Search:
    """A depth-first search, for one length after another, that skips edges from which the end is too far."""

    def __init__(self, connecting: Ways, limit: int) -> None:
        self.paths = Paths()
        self._ways, self._limit, self._left = connecting, limit, MAX_LOOKED_AT
        self._out: dict[str, list[EdgeAsOf]] = defaultdict(list)
        for edge in sorted(connecting.edges, key=lambda edge: edge[:8]):
            self._out[edge.source].append(edge)
            if "#" in edge.source:
                self._out[dataset_of(edge.source)].append(edge)
        start = connecting.start
        self._first = self._out[start]
        if is_star(start):  # also the edges of its columns
            self._first = [edge for edge in self._out[dataset_of(start)] if "#" in edge.source]

    @property
    def done(self) -> bool:
        return len(self.paths) >= self._limit or self._left <= 0

    @property
    def stopped(self) -> bool:
        """Whether it stopped after too many edges, and not because it had enough paths, or all."""
        return len(self.paths) < self._limit and self._left <= 0

    def extend(self, length: int) -> None:
        """Add the paths of exactly this length."""
        path: list[EdgeAsOf] = []
        stack = [iter(self._first)]
        while stack and not self.done:
            edge = next(stack[-1], None)
            if edge is None:
                stack.pop()
                if path:
                    path.pop()
                continue
            self._left -= 1
            after = self._ways.edges[edge][1]
            if len(path) + after > length or any(edge.target == other.target for other in path):
                continue
            if len(path) + 1 == length:
                if after == 1:
                    edges = (*path, edge)
                    marks = tuple(each in self._ways.by_star for each in edges)
                    self.paths.append(Path(self._ways.start, edges, marks))
                continue
            path.append(edge)
            stack.append(iter(self._out[edge.target]))


def _enters(edge: EdgeAsOf, node: str) -> bool:
    if is_star(node) and "#" in edge.target and dataset_of(edge.target) == dataset_of(node):
        return True
    return node in (edge.target, dataset_of(edge.target)) or edge.target == dataset_of(node)


def _keys(view: Point, part: Part, table: bool) -> list[tuple[int, ...]]:
    """Return the key of each edge of a part: its ends and payload, or at table level datasets and task."""
    numbers = decoded(view.state, part.edges, part.direction == "down").numbers[:, :3]
    if table:
        names = view.graph.names
        owners = names.datasets_from(0)
        numbers = np.stack(
            [owners[numbers[:, 0]], owners[numbers[:, 1]], names.payloads[numbers[:, 2] >> 1, 0]], axis=1
        )
    return list(map(tuple, numbers.tolist()))


def _far_ends(view: Point, part: Part, table: bool) -> npt.NDArray[np.int32]:
    ends = decoded(view.state, part.edges, True).numbers[:, 1]
    return view.graph.names.datasets_from(0)[ends] if table else ends
