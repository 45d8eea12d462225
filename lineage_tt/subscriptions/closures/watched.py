"""The nodes that subscriptions watch in one direction."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import Any, Final, NamedTuple

import numpy as np

from lineage_tt.graph import Graph
from lineage_tt.graph.walks.chains import ENDLESS, Reach
from lineage_tt.model.edges import dataset_of, is_column, is_star, star_of


class Watch(NamedTuple):
    """A node that a subscription watches, within a number of edges."""

    subscription: int
    most: int
    node: str


class WatchedNodes:
    """The nodes watched in one direction: subscriptions by node, and which nodes have to be checked."""

    def __init__(self, down: bool) -> None:
        self._down = down
        self.watches: dict[str, list[Watch]] = defaultdict(list)
        self.columns: dict[str, list[str]] = defaultdict(list)  # dataset → its watched columns
        self.depth = 0
        self._mask: Any = np.zeros(0, np.uint8)
        self._known = 0

    def add(self, number: int, nodes: Iterable[str], hops: int | None) -> None:
        """Watch nodes for a subscription."""
        most = ENDLESS if hops is None else hops
        self.depth = max(self.depth, most)
        for node in nodes:
            self.watches[node].append(Watch(number, most, node))
            if "#" in node:
                self.columns[dataset_of(node)].append(node)

    def hits(self, reach: Reach, graph: Graph) -> Iterator[tuple[Watch, int]]:
        """Yield the watches of nodes that were reached, with the steps."""
        mask = self._looked_at(graph)
        for place in np.flatnonzero(mask[reach.ids]):
            node, steps = graph.names.nodes[int(reach.ids[place])], int(reach.steps[place])
            yield from ((watch, steps) for watch in self.of(node))

    def of(self, node: str) -> Iterator[Watch]:
        """Yield the watches that an edge into (or out of) a node triggers.

        An edge of a column is also an edge of its dataset and of its star node; an edge that ends at a whole dataset
        enters each of its columns; an edge of a star node may be one of any column.
        """
        dataset = dataset_of(node)
        yield from self.watches.get(node, ())
        if dataset != node:
            yield from self.watches.get(dataset, ())
        if is_column(node):
            yield from self.watches.get(star_of(node), ())
        elif self._down or dataset != node:
            for column in self.columns.get(dataset, ()):
                yield from self.watches[column] if column != node else ()

    def _looked_at(self, graph: Graph) -> Any:
        """Return which nodes have to be checked, by number; the array grows with the graph."""
        names, count = graph.names.nodes, len(graph.names.nodes)
        if count > self._known:
            grown = np.zeros(count, np.uint8)
            grown[: self._known] = self._mask[: self._known]
            for number in range(self._known, count) if count - self._known < _FEW else ():
                grown[number] = self._is_watched(names[number])
            if count - self._known >= _FEW:
                self._mark_all(graph, grown)
            self._mask, self._known = grown, count
        return self._mask

    def _mark_all(self, graph: Graph, grown: Any) -> None:
        names = graph.names.nodes
        nodes = [*self.watches, *self.columns, *map(star_of, self.columns)]
        nodes += [dataset_of(node) for node in self.watches if is_star(node)]
        ids = names.find_all(nodes) if nodes else np.zeros(0, np.int32)
        wide = {node for node in self.watches if "#" not in node} | {dataset_of(n) for n in self.watches if is_star(n)}
        whole = {number for number, node in zip(ids.tolist(), nodes, strict=True) if number >= 0 and node in wide}
        owner = graph.state.record[: graph.state.nodes, 2]
        grown[: len(owner)] |= np.isin(owner, np.fromiter(whole, np.int32, len(whole))).astype(np.uint8)
        grown[ids[ids >= 0]] = 1
        for number in range(len(owner), len(grown)):
            grown[number] = self._is_watched(names[number])

    def _is_watched(self, node: str) -> bool:
        beside = star_of(node) in self.watches or (is_star(node) and dataset_of(node) in self.columns)
        return node in self.watches or dataset_of(node) in self.watches or node in self.columns or beside


#: The most new nodes that are checked one by one.
_FEW: Final = 2_000
