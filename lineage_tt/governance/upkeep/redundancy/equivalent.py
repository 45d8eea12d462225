"""Columns of which the edges say the same: the same sources, expressions and row decisions, after copies are followed.

Edges keep no literals and no conditions, so that this is a hint and no proof: ``WHERE x > 1`` and ``WHERE x > 2`` look
alike here. ``pairs`` is the proof, where texts are read whole.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection
from typing import Any, Final, NamedTuple

import numpy as np

from lineage_tt.governance.ports import PointGraph
from lineage_tt.model.edges import DIRECT, column_of, dataset_of, name_of

_COPY: Final = (DIRECT, "IDENTITY")


class Alike(NamedTuple):
    """Columns of several datasets of which the edges say the same."""

    columns: tuple[str, ...]


def alike(graph: PointGraph, doubtful: Collection[str]) -> list[Alike]:
    """Return groups of columns that look alike; tasks in ``doubtful`` (not complete) say nothing."""
    into = _Into(graph, {graph.task_number(task) for task in doubtful})
    groups: dict[Any, list[int]] = defaultdict(list)
    for node in into.judged:
        key = into.key(node)
        if key is not None:
            groups[key].append(node)
    dataset = into.dataset
    found = [nodes for nodes in groups.values() if len({dataset[node] for node in nodes}) > 1]
    return sorted(Alike(tuple(sorted(graph.node_texts(nodes)))) for nodes in found)


#: An edge into a node: its source, its kind, and its expression, as numbers.
_Edge = tuple[int, int, int]


class _Into:
    """The edges into each node of a point, as numbers, with what they say once copies are followed."""

    def __init__(self, graph: PointGraph, doubtful: set[int]) -> None:
        kept = np.flatnonzero(~graph.alias)
        numbers, place = np.unique(graph.expression[kept], return_inverse=True)
        self._texts = graph.expression_texts(numbers)
        self._numbers = {text: number for number, text in enumerate(self._texts)}
        place = np.array([self._numbers[text] for text in self._texts], np.int64)[place] if len(place) else place
        self._graph = graph
        target, source, kind = graph.target[kept], graph.source[kept], graph.kind[kept]
        order = np.lexsort((place, kind, source, target))
        columns = [column[order] for column in (target, source, kind, place)]
        fresh = np.ones(len(order), np.bool_)
        fresh[1:] = np.logical_or.reduce([column[1:] != column[:-1] for column in columns])
        targets, *others = [column[fresh] for column in columns]
        self._edges: list[_Edge] = list(zip(*(column.tolist() for column in others), strict=True))
        nodes, starts = np.unique(targets, return_index=True)
        ends = np.append(starts, len(targets))[1:].tolist()
        self._places = dict(zip(nodes.tolist(), zip(starts.tolist(), ends, strict=True), strict=True))
        self._direct = [each[0] == DIRECT for each in graph.kinds]
        self._copies = [each == _COPY for each in graph.kinds]
        self._roots: dict[int, int] = {}
        #: by node: the number of its dataset
        self.dataset = graph.dataset.tolist()
        pairs = np.unique(graph.dataset[graph.target[kept]].astype(np.int64) << 32 | graph.task[kept])
        written, counts = np.unique(pairs >> 32, return_counts=True)
        self._alone = set(written[counts == 1].tolist())
        #: the columns of datasets that one task writes, into which no doubtful task states an edge
        self.judged = self._judged(graph, kept, nodes, doubtful)

    def _judged(self, graph: PointGraph, kept: Any, nodes: Any, doubtful: set[int]) -> list[int]:
        stated = np.where(graph.by_star[kept], -1, graph.task[kept])
        out = np.zeros(graph.nodes, np.bool_)
        out[graph.target[kept[np.isin(stated, list(doubtful))]]] = True
        alone = np.zeros(graph.nodes, np.bool_)
        alone[list(self._alone)] = True
        found: list[int] = nodes[(graph.dataset[nodes] != nodes) & ~out[nodes] & alone[graph.dataset[nodes]]].tolist()
        return found

    def at(self, node: int) -> list[_Edge]:
        """Return the edges into a node, each once."""
        start, end = self._places.get(node, (0, 0))
        return self._edges[start:end]

    def key(self, node: int) -> Any:
        """Return what the edges say of a column; None where no value flows into it."""
        own = self.at(node)
        direct = [edge for edge in own if self._direct[edge[1]]]
        if not direct:
            return None
        deciding = [*(edge for edge in own if not self._direct[edge[1]]), *self.at(self.dataset[node])]
        values = frozenset((self.root(each[0]), each[1], self._renamed(each[2], direct)) for each in direct)
        return values, frozenset((self.root(source), kind, text) for source, kind, text in deciding)

    def _renamed(self, expression: int, direct: list[_Edge]) -> int | str:
        """Return an expression with the names of copies replaced by those of what they are copies of."""
        text = self._texts[expression]
        moved = [(source, root) for source, _, _ in direct if (root := self.root(source)) != source] if text else []
        if not moved:
            return expression
        names = dict(zip(each := [*{n for pair in moved for n in pair}], self._graph.node_texts(each), strict=True))
        for other, first in sorted(moved, key=lambda pair: -len(names[pair[0]])):
            text = text.replace(_written(names[other]), _written(names[first]))
        return self._numbers.get(text, text)

    def root(self, node: int) -> int:
        """Return the column that a column is a copy of, through all copies that no row decision lies on."""
        way = [node]
        while (known := self._roots.get(way[-1])) is None:
            at = way[-1]
            found, dataset = self.at(at), self.dataset[at]
            source, kind, text = found[0] if len(found) == 1 else (-1, 0, 0)
            copies = source >= 0 and self._copies[kind] and not self._texts[text] and dataset in self._alone
            if not copies or dataset in self._places or source in way or self.dataset[source] == source:
                known = at
                break
            way.append(source)
        for each in way:
            self._roots[each] = known
        return known


def _written(node: str) -> str:
    return f"{name_of(dataset_of(node))}.{column_of(node)}"
