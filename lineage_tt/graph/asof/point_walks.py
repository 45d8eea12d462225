"""Turns a question about one point into a walk of the kernel: its options, its start numbers, and its result."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Literal

import numpy as np

from lineage_tt.graph.answers.ports import AnsweringGraph, Request
from lineage_tt.graph.arrays.names import Bytes, Ints
from lineage_tt.graph.arrays.state import State
from lineage_tt.graph.arrays.walking import HIDE, NO_MASK, PRUNE, walk
from lineage_tt.graph.walks.edges import Part
from lineage_tt.graph.walks.filters import Filter
from lineage_tt.graph.walks.joining import StarWalk, walk_through_stars
from lineage_tt.graph.walks.unnamed import Unnamed, knows_star
from lineage_tt.model.answers import Basis, Level, check_level
from lineage_tt.model.edges import ALIAS, DIRECT, REJECTED, dataset_of
from lineage_tt.model.errors import InvalidRequestError

_ENDLESS = 2**31 - 1
_ALIAS, _REJECTED = (DIRECT, ALIAS), (DIRECT, REJECTED)
EMPTY_MASK: Bytes = np.zeros(1, np.uint8)


@lru_cache(maxsize=256)
def _unfiltered(depth: int | None, level: Level, direct_only: bool) -> Request:
    """Check the options of a walk without a filter; raises InvalidRequestError. Cached, as most walks share options."""
    if depth is not None and depth < 0:
        raise InvalidRequestError(f"depth is {depth}: give 0 or more, or leave it out")
    check_level(level)
    steps = _ENDLESS if depth is None else min(depth, _ENDLESS)
    return Request(steps, level == "table", direct_only, NO_MASK, EMPTY_MASK, None)


class PointWalks:
    """The walks over the state of a graph as of a basis."""

    def __init__(self, graph: AnsweringGraph, state: State, basis: Basis) -> None:
        self.basis = basis
        self.graph = graph
        self.state = state

    def request(self, depth: int | None, level: Level, direct_only: bool, where: Filter | None) -> Request:
        """Check the options of a walk; raises InvalidRequestError."""
        plain = _unfiltered(depth, level, direct_only)
        if where is None:
            return plain
        mask = self.graph.mask(where.checked(), self.state, self.basis)
        return plain._replace(use=HIDE if where.hide else PRUNE, mask=mask, where=where)

    def start(self, nodes: Sequence[str], level: Level) -> tuple[str, ...]:
        """Return the nodes to start from, each once; InvalidRequestError for none."""
        if not nodes:
            raise InvalidRequestError("give at least one node")
        if level == "table":
            return tuple(dict.fromkeys(map(dataset_of, nodes)))
        return tuple(dict.fromkeys(nodes)) if len(nodes) > 1 else tuple(nodes)

    def begin(self, start: tuple[str, ...]) -> tuple[Unnamed, Ints]:
        """Return the nodes of an answer, and the numbers of those it starts from.

        Nodes that are known but have no edges are left out (``numbered``). Raises UnknownNodeError.
        """
        if len(start) == 1:  # the usual case, and a walk from one node takes only a few microseconds
            number = self.graph.names.nodes.find(start[0])
            if 0 <= number < self.state.nodes:
                numbers = np.empty(1, np.int32)
                numbers[0] = number
                return self.graph.unnamed(self.state), numbers
        unnamed, numbers = self.numbered(start)
        return unnamed, numbers if int(numbers.min()) >= 0 else numbers[numbers >= 0]

    def numbered(self, start: tuple[str, ...]) -> tuple[Unnamed, Ints]:
        """Return the nodes of an answer, and a number for each node of ``start``: -1 where it has no edges.

        A column that no edge named is known if its dataset has a star node, if a statement writes it, or if it is
        declared. A dataset that only incomplete tasks read or write is known too, with its columns: it has no edges and
        so no number. Raises UnknownNodeError.
        """
        known, unnamed = self.graph.names.nodes, self.graph.unnamed(self.state)
        if len(start) == 1:
            lowest = highest = known.find(start[0])
            numbers = np.array((lowest,), np.int32)
        else:
            numbers = known.find_all(start)
            lowest, highest = int(numbers.min()), int(numbers.max())
        if lowest < 0 or highest >= self.state.nodes:
            numbers = np.array([unnamed.number(node) for node in start], np.int32)
            if int(numbers.min()) < 0:
                newest = self.graph.state_at(self.basis)
                if newest is not self.state:  # newer arrays may know the node, and give the same answers
                    self.state = newest
                    return self.numbered(start)
                unnamed, numbers = self._numbered_beside(start, numbers, unnamed)
        return unnamed, numbers

    def _numbered_beside(self, start: tuple[str, ...], numbers: Ints, unnamed: Unnamed) -> tuple[Unnamed, Ints]:
        """Number known columns that no edge named; datasets that tasks read or write without an edge keep -1."""
        graph, left = self.graph, [node for node, number in zip(start, numbers.tolist(), strict=True) if number < 0]
        unknown = [node for node in left if not graph.is_only_touched(dataset_of(node))]
        columns = graph.known_columns(self.basis, unknown) if unknown else set[str]()
        graph.check_nodes([node for node in unknown if node not in columns])
        if columns and not self.state.stars.total:
            unnamed = Unnamed(graph.names, self.state)
        for node in sorted(columns):
            dataset = graph.names.nodes.find(dataset_of(node))
            if 0 <= dataset < self.state.nodes:  # otherwise no edge ever named its dataset
                numbers[start.index(node)] = unnamed.add(dataset, node.partition("#")[2])
        return unnamed, numbers

    def note_labelled(self, request: Request, unnamed: Unnamed) -> None:
        """Number the unnamed columns that themselves have a label of the filter, which decides whether they pass."""
        where = request.where
        if where is None or not where.labels or not self.state.stars.total:
            return
        names, beside = self.graph.names, where._replace(labels=(), exclude=False)
        for node in sorted(self.graph.labelled(self.basis, where.labels)):
            if knows_star(names, self.state, node) and (number := unnamed.number(node)) >= unnamed.base:
                owner = names.nodes.find(dataset_of(node))
                prunes = bool(beside.namespaces or beside.datasets)
                inside = not prunes or bool(self.graph.mask(beside, self.state, self.basis)[owner])
                unnamed.passes[number - unnamed.base] = inside != where.exclude

    def part(self, numbers: Ints, way: Literal["down", "up"], request: Request, enough: int, unnamed: Unnamed) -> Part:
        """Walk in one direction, and note the edges."""
        return Part(way, *self.run(numbers, way == "down", request, True, enough, unnamed))

    def run(
        self, numbers: Ints, down: bool, request: Request, collect: bool, enough: int, unnamed: Unnamed
    ) -> tuple[Ints, Ints, Ints]:
        """Run the kernel; return the nodes reached, their steps, and the edges noted."""
        state = self.state
        graph = self.graph
        if (state.stars.total or (len(unnamed.pairs) and unnamed.holds_any(numbers))) and not request.table:
            star_walk = StarWalk(
                down, self.basis.valid_at, self.basis.version, request.depth, request.direct_only, request.use,
                request.mask, enough, collect,
            )  # fmt: skip
            return walk_through_stars(graph, state, numbers, star_walk, unnamed)
        scratch = graph.scratches.take(state)
        tell = scratch.tell
        first = walk(
            numbers, down, self.basis.valid_at, self.basis.version, request.depth, 1 if request.table else 0,
            request.direct_only, collect, request.use, enough, state.out if down else state.into, state.record,
            state.instants, state.heads, state.tail, state.times, state.tails, state.hidden, request.mask,
            scratch.mark, scratch.next_walks(), scratch.queue, scratch.steps, scratch.edges, tell,
        )  # fmt: skip
        end = tell[0]
        result = (
            scratch.queue[first:end].copy(),
            scratch.steps[first:end].copy(),
            scratch.edges[: tell[1]].copy(),
        )
        graph.scratches.give_back(scratch)
        return result
