"""Star edges joined to columns: what a walk does at each column that it reaches, done for all columns of a point.

The columns of a dataset are those that an edge or a fact names, and those that joining adds: names spread down and up
over star edges until no column is new. A star edge does not make a column that its own task makes from something else,
and leaves out the columns that its expression excludes (``read.macros.lineage`` does the same in SQL).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Final, Protocol

import numpy as np

from lineage_tt.governance.ports import Edges, PointGraph, Texts
from lineage_tt.graph.arrays.names import Ints
from lineage_tt.graph.arrays.rows import keys_of
from lineage_tt.model.edges import DIRECT, EXCEPT, column_node, column_of, dataset_of, is_star, left_out

_KEY: Final = "stars"


class Table(Protocol):
    """The nodes of a point."""

    def texts(self, numbers: list[int]) -> list[str]:
        """Return the names of nodes."""

    def add(self, name: str) -> int:
        """Return the number of a node; a new node is added."""

    def datasets(self) -> Ints:
        """Return the number of each node's dataset."""


class _Star:
    """A star edge: its ends, and the columns that it does not represent."""

    __slots__ = ("into", "left", "own", "place", "source", "start", "target", "wide_source", "wide_target")

    def __init__(self, place: int, source: str, target: str, expression: str, own: set[str]) -> None:
        self.place, self.source, self.target = place, source, target
        self.start, self.into = dataset_of(source), dataset_of(target)
        self.wide_source, self.wide_target = source.endswith("#*"), target.endswith("#*")
        self.left = set(left_out(expression)) if expression.startswith(EXCEPT) else set()
        self.own = own if self.wide_target else set()

    def names_column(self, column: str) -> bool:
        """Return whether a column of this name is among those of the star."""
        return column not in self.left and column not in self.own


def joined(
    edges: Edges, table: Table, named: Sequence[int], kinds: Sequence[tuple[str, str]], expressions: Texts
) -> Edges:
    """Return the edges, then the star edges joined to each known column; new columns are added to the table."""
    stars = _stars(edges, table, kinds, expressions)
    if not stars:
        return edges
    columns = _columns(edges, table, named, {each for star in stars for each in (star.start, star.into)})
    waiting = list(stars)
    beside: dict[str, list[_Star]] = defaultdict(list)
    for star in stars:
        beside[star.start].append(star)
        beside[star.into].append(star)
    while waiting:  # names spread over edges between two star nodes, both ways
        star = waiting.pop()
        if not (star.wide_source and star.wide_target):
            continue
        one, other = columns[star.start], columns[star.into]
        over = {name for name in one ^ other if star.names_column(name)}
        for dataset, own_names in ((star.start, one), (star.into, other)):
            if over - own_names:
                own_names |= over
                waiting += beside[dataset]
    rows: list[tuple[int, int, int]] = []
    for star in stars:
        names = columns[star.start] if star.wide_source else columns[star.into]
        for name in sorted(filter(star.names_column, names)):
            source = column_node(star.start, name) if star.wide_source else star.source
            target = column_node(star.into, name) if star.wide_target else star.target
            rows.append((star.place, table.add(source), table.add(target)))
    if not rows:
        return edges
    places, sources, targets = np.array(rows, np.int64).T
    more = edges.take(places)._replace(
        source=sources.astype(np.int32), target=targets.astype(np.int32), by_star=np.ones(len(rows), np.bool_)
    )
    return edges.joined(more)


def _stars(edges: Edges, table: Table, kinds: Sequence[tuple[str, str]], expressions: Texts) -> list[_Star]:
    nodes = np.unique(np.concatenate([edges.source, edges.target]))
    texts = table.texts(nodes.tolist())
    wide = nodes[[text.partition("#")[2] == "*" for text in texts]]
    places = np.flatnonzero(np.isin(edges.source, wide) | np.isin(edges.target, wide))
    if not len(places):
        return []
    owners = table.datasets()
    targets = np.flatnonzero(np.isin(edges.target, wide))
    keys = np.unique(keys_of(edges.task[targets], owners[edges.target[targets]]))
    direct = np.array([kind == DIRECT for kind, _ in kinds] + [False])[edges.kind]
    own: dict[tuple[int, str], set[str]] = defaultdict(set)
    direct_places = np.flatnonzero(np.isin(keys_of(edges.task, owners[edges.target]), keys) & direct)
    for task, target in zip(
        edges.task[direct_places].tolist(), table.texts(edges.target[direct_places].tolist()), strict=True
    ):
        own[task, dataset_of(target)].add(column_of(target) or "")
    stars = []
    expression_texts = expressions.texts(edges.expression[places].tolist())
    ends = (table.texts(column[places].tolist()) for column in (edges.source, edges.target))
    for place, source, target, expression in zip(places.tolist(), *ends, expression_texts, strict=True):
        task = int(edges.task[place])
        stars.append(_Star(place, source, target, expression, own[task, dataset_of(target)] - {"*", ""}))
    return stars


def _columns(edges: Edges, table: Table, named: Sequence[int], datasets: set[str]) -> dict[str, set[str]]:
    """Return the names of the columns that edges and facts give these datasets."""
    columns: dict[str, set[str]] = {dataset: set() for dataset in datasets}
    nodes = np.unique(np.concatenate([edges.source, edges.target, np.array(named, np.int32)]))
    for text in table.texts(nodes.tolist()):
        dataset, mark, column = text.partition("#")
        if mark and column != "*" and dataset in columns:
            columns[dataset].add(column)
    return columns


def star_nodes(point: PointGraph) -> Ints:
    """Return the star nodes, each for all columns of a dataset; computed once and kept with the point."""
    if _KEY not in point.derived:
        keep_star_nodes(point, np.zeros(0, np.int32), 0)
    numbers: Ints = point.derived[_KEY]
    return numbers


def keep_star_nodes(point: PointGraph, known: Ints, first: int) -> None:
    """Keep a point's star nodes with the point; ``known`` are those below ``first``."""
    beyond = enumerate(point.node_texts(range(first, point.nodes)), first)
    more = [number for number, name in beyond if is_star(name)]
    point.derived[_KEY] = np.concatenate([known, np.array(more, np.int32)])
