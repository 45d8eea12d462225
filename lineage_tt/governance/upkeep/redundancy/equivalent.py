"""Columns with equal edges: the same sources, expressions and row decisions, after copies are followed.

Edges keep no literals and no conditions, so this is a hint and not a proof: ``WHERE x > 1`` and ``WHERE x > 2`` look
alike here. ``pairs`` gives the proof where texts could be read completely. What edges say is compared in full only if
the fingerprints (``copies``) of columns agree: most columns have no match.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection
from itertools import islice
from typing import Any, Final, NamedTuple

import numpy as np

from lineage_tt.governance.points.folding import places_once, writers
from lineage_tt.governance.ports import Bools, PointGraph
from lineage_tt.governance.upkeep.redundancy.copies import EdgesInto, fingerprints, roots, several
from lineage_tt.graph.arrays.names import Ints
from lineage_tt.graph.arrays.rows import keys_of
from lineage_tt.model.edges import DIRECT, column_of, dataset_of, name_of

_COPY: Final = (DIRECT, "IDENTITY")


class Alike(NamedTuple):
    """Columns of several datasets with equal edges."""

    columns: tuple[str, ...]


def alike(graph: PointGraph, doubtful: Collection[str]) -> list[Alike]:
    """Return groups of columns that look alike; columns of tasks in ``doubtful`` (not complete) are left out."""
    into = _Into(graph, {graph.task_number(task) for task in doubtful})
    groups: dict[Any, list[int]] = defaultdict(list)
    for node in into.candidates():
        groups[into.key(node)].append(node)
    several = [nodes for nodes in groups.values() if len(nodes) > 1 and len({*graph.dataset[nodes].tolist()}) > 1]
    texts = iter(graph.node_texts([node for nodes in several for node in nodes]))
    return sorted(Alike(tuple(sorted(islice(texts, len(nodes))))) for nodes in several)


#: An edge into a node: its source, its kind, and its expression, as numbers.
_Edge = tuple[int, int, int]


class _Into:
    """The edges into each node of a point, as numbers, with what they say once copies are followed."""

    def __init__(self, graph: PointGraph, doubtful: set[int]) -> None:
        flows = np.flatnonzero(~graph.alias).astype(np.int32)
        numbers, place = np.unique(graph.expression[flows], return_inverse=True)
        self._graph, self._texts = graph, graph.expression_texts(numbers)
        self._numbers = {text: number for number, text in enumerate(self._texts)}
        text = np.array([self._numbers[each] for each in self._texts], np.int32)[place] if len(place) else place
        self._edges = _once(graph, flows, text.astype(np.int32))
        self._direct = np.array([kind == DIRECT for kind, _ in graph.kinds] + [False])
        #: by dataset: whether one task writes it
        self._alone: Bools = writers(graph) == 1
        self._roots = roots(self._copied())
        self._flows, self._doubtful = flows, doubtful
        self._names: dict[int, str] = {}

    def _copied(self) -> Ints:
        """Return for each node the column of which it is a copy without row decisions; else the node itself."""
        edges, dataset = self._edges, self._graph.dataset
        counts = np.diff(edges.starts)
        origin = np.arange(len(dataset), dtype=np.int32)
        nodes = np.flatnonzero((counts == 1) & self._alone[dataset] & (counts[dataset] == 0))
        at = edges.starts[nodes]
        copies = np.array([kind == _COPY for kind in self._graph.kinds] + [False])[edges.kind[at]]
        copies &= np.array([not text for text in self._texts] + [False])[edges.text[at]]
        copies &= dataset[edges.source[at]] != edges.source[at]
        origin[nodes[copies]] = edges.source[at[copies]]
        return origin

    def _judged(self) -> Ints:
        """Return the columns of datasets that one task writes, into which no doubtful task states an edge."""
        graph, flows = self._graph, self._flows
        nodes = np.flatnonzero(np.diff(self._edges.starts))
        stated = np.where(graph.by_star[flows], -1, graph.task[flows])
        out = np.zeros(graph.nodes, np.bool_)
        out[graph.target[flows[np.isin(stated, list(self._doubtful))]]] = True
        own = graph.dataset[nodes]
        result: Ints = nodes[(own != nodes) & ~out[nodes] & self._alone[own]].astype(np.int32)
        return result

    def candidates(self) -> list[int]:
        """Return the columns whose fingerprint a column of another dataset also has; they include all equal columns."""
        nodes = self._judged()
        prints, has_value = fingerprints(self._edges, self._direct, self._roots, self._graph.dataset, nodes)
        nodes, prints = nodes[has_value], prints[has_value]
        shared = nodes[several(prints, self._graph.dataset[nodes])]
        self._names = self._moved(shared)
        result: list[int] = shared.tolist()
        return result

    def _moved(self, nodes: Ints) -> dict[int, str]:
        """Return the names of the copies that some columns' expressions may use, and of their roots."""
        edges, flags = self._edges, np.zeros(self._graph.nodes, np.bool_)
        flags[nodes] = True
        mask = np.repeat(flags, np.diff(edges.starts)) & np.array([*map(bool, self._texts), False])[edges.text]
        sources = np.unique(edges.source[mask])
        moved = sources[self._roots[sources] != sources]
        named = np.union1d(moved, self._roots[moved])
        return dict(zip(named.tolist(), self._graph.node_texts(named), strict=True))

    def at(self, node: int) -> list[_Edge]:
        """Return the edges into a node, each once."""
        edges, (start, end) = self._edges, self._edges.starts[node : node + 2].tolist()
        columns = [each[start:end].tolist() for each in (edges.source, edges.kind, edges.text)]
        return list(zip(*columns, strict=True))

    def key(self, node: int) -> Any:
        """Return what the edges say about a column: the values that flow into it, and what decides its rows."""
        own, dataset = self.at(node), int(self._graph.dataset[node])
        direct = [edge for edge in own if self._direct[edge[1]]]
        deciding = [*(edge for edge in own if not self._direct[edge[1]]), *self.at(dataset)]
        values = frozenset((self.root(each[0]), each[1], self._renamed(each[2], direct)) for each in direct)
        return values, frozenset((self.root(source), kind, text) for source, kind, text in deciding)

    def _renamed(self, expression: int, direct: list[_Edge]) -> int | str:
        """Return an expression with the names of copies replaced by the names of their roots."""
        text = self._texts[expression]
        moved = [(source, root) for source, _, _ in direct if (root := self.root(source)) != source] if text else []
        if not moved:
            return expression
        names = self._names
        for other, first in sorted(moved, key=lambda pair: -len(names[pair[0]])):
            text = text.replace(_written(names[other]), _written(names[first]))
        return self._numbers.get(text, text)

    def root(self, node: int) -> int:
        """Return the column of which a column is a copy, through all copies without row decisions."""
        return int(self._roots[node])


def _once(graph: PointGraph, flows: Ints, text: Ints) -> EdgesInto:
    """Return the kept edges by target, each once, whatever task states it; ``text`` is by kept edge."""
    places = places_once(keys_of(graph.target[flows], graph.source[flows]), keys_of(graph.kind[flows], text))
    once = flows[places]
    starts = np.zeros(graph.nodes + 1, np.int64)
    np.cumsum(np.bincount(graph.target[once], minlength=graph.nodes), out=starts[1:])
    return EdgesInto(starts, graph.source[once], graph.kind[once].astype(np.int32), text[places])


def _written(node: str) -> str:
    return f"{name_of(dataset_of(node))}.{column_of(node)}"
