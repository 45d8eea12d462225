"""What is computed for all columns or tables at once: rank, references, reads and class of each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, Final, NamedTuple

import numpy as np

from lineage_tt.governance.heat.pagerank import Numbers, Ranks, distinct, pagerank
from lineage_tt.governance.heat.reach import Members, Ways
from lineage_tt.governance.points.folding import merged, sorted_once
from lineage_tt.governance.points.stars import star_nodes
from lineage_tt.governance.ports import Bools, PointGraph
from lineage_tt.graph.arrays.compiled import both
from lineage_tt.model.answers import Level
from lineage_tt.model.edges import dataset_of
from lineage_tt.model.facts import OWNER, task_node

#: The first rows by rank that together hold this share of all rank are hot.
HOT: Final = 0.5
CLASSES: Final = ("cold", "warm", "hot")
_NOBODY: Final = np.zeros(0, np.int64)


class Scores(NamedTuple):
    """The columns or tables that edges in force touch, as node numbers in order, and what is known about each.

    The sum of ``rank`` is 1. ``references`` counts the columns of other tables that, in one step, are made from it or
    have rows that it decides. ``reads`` counts runs of tasks that read it, None where no run was observed. ``heat`` are
    places in ``CLASSES``.
    """

    graph: PointGraph
    nodes: Numbers
    rank: Ranks
    personal: Ranks | None
    references: Numbers
    reads: Numbers | None
    heat: Numbers
    ways: Ways
    one: Numbers

    def names(self, places: Numbers | list[int]) -> list[str]:
        """Return the names of rows by their places."""
        return self.graph.node_texts(self.nodes[np.asarray(places, np.int64)])

    def members(self, at: int) -> Numbers:
        """Return the nodes of a row: a column, or a table with its columns."""
        node = int(self.nodes[at])
        return np.flatnonzero(self.ways.dataset == node) if self.ways.dataset[node] == node else np.array([node])


def scores(graph: PointGraph, level: Level, seeds: Sequence[str] = (), runs: Mapping[str, int] | None = None) -> Scores:
    """Return what each column or table is worth at a point.

    ``seeds`` are nodes for which a personal rank is also computed. ``runs`` are observed runs by task.
    Raises InvalidRequestError where no DIRECT edge touches any of the seeds.
    """
    ways, one, direct = _ways(graph)
    nodes = ways.columns.group
    if level == "table":
        nodes = np.flatnonzero(_flags(graph.nodes, ways.dataset[one[np.flatnonzero(graph.live)]])).astype(np.int32)
    (references, reads, used, personal), rank = both(
        lambda: (
            *_used(graph, ways, one, nodes, level, runs),
            _ranked(ways, direct, _starts(graph, ways, one, seeds), nodes, level) if seeds else None,
        ),
        lambda: _ranked(ways, direct, None, nodes, level),
        graph.nodes,
    )
    heat = classes_of(rank, used)
    return Scores(graph, nodes, rank, personal, references, reads, heat, ways, one)


def _used(
    graph: PointGraph, ways: Ways, one: Numbers, nodes: Numbers, level: Level, runs: Mapping[str, int] | None
) -> tuple[Numbers, Numbers | None, Bools]:
    """Return the references and the reads of each node shown, and whether anything uses it."""
    owner = ways.dataset[ways.source]
    outside = owner != ways.dataset[ways.target]
    by = owner if level == "table" else ways.source
    counted = outside & _flags(graph.nodes, ways.columns.group)[ways.target]
    near, _ = distinct(by[counted], ways.target[counted], graph.nodes)
    references = np.bincount(near, minlength=graph.nodes)[nodes]
    reads = None if runs is None else _reads(graph, ways, by, runs, nodes)
    used = _flags(graph.nodes, by[outside])[nodes]
    used |= _flags(graph.nodes, one[_untraced(graph, level)])[ways.dataset[nodes]]
    if reads is not None:
        used |= reads > 0
    return references, reads, used


def classes_of(rank: Ranks, used: Bools) -> Numbers:
    """Return the place in ``CLASSES`` of each row: the first rows by rank are hot, rows that nothing uses are cold."""
    classes: Numbers = np.where(used, np.where(_hottest(rank), 2, 1), 0)
    return classes


def _flags(nodes: int, some: Numbers) -> Bools:
    """Return a flag for each node, set for the given ones."""
    flags = np.zeros(nodes, np.bool_)
    flags[some] = True
    return flags


def _untraced(graph: PointGraph, level: Level) -> Numbers:
    """Return the datasets that tasks with gaps read; for columns, the datasets whose columns such a task may use."""
    gaps = graph.gaps.all() if graph.gaps else []
    names = {dataset for gap in gaps for dataset in (gap.reads if level == "table" else gap.unknown_reads)}
    numbers = graph.numbers(sorted(names))
    return numbers[numbers >= 0].astype(np.int64)


def one_names(graph: PointGraph) -> Numbers:
    """Return for each node the node that represents all names of its thing."""
    alias = np.asarray(graph.alias)
    source, target = np.asarray(graph.source)[alias], np.asarray(graph.target)[alias]
    return _named(graph, merged(graph.nodes, source.astype(np.int64), target.astype(np.int64)))


def _ways(graph: PointGraph) -> tuple[Ways, Numbers, Bools]:
    """Return the edges without aliases, where all names of one thing are one node, and the node of each name."""
    source, target = np.asarray(graph.source), np.asarray(graph.target)
    dataset, task = np.asarray(graph.dataset), np.asarray(graph.task)
    itself = one = np.arange(graph.nodes, dtype=np.int32)
    direct = np.asarray(graph.direct)
    if graph.alias.any():
        one = one_names(graph).astype(np.int32)
        mask = ~np.asarray(graph.alias)
        source, target, task, direct = one[source[mask]], one[target[mask]], task[mask], direct[mask]
        dataset = one[dataset[one]]
    shown = graph.live & (dataset != itself) & (one == itself)
    shown[star_nodes(graph)] = False
    columns = np.flatnonzero(shown).astype(np.int32)
    return Ways(source, target, dataset, task, columns, partial(_people, graph, one)), one, direct


def _named(graph: PointGraph, one: Numbers) -> Numbers:
    """Return for each node the first name of its thing in alphabetical order, independent of the numbers."""
    several = np.flatnonzero(one != np.arange(len(one)))
    if not len(several):
        return one
    several = np.union1d(several, one[several])
    least: dict[int, int] = {}
    for _, number in sorted(zip(graph.node_texts(several), several.tolist(), strict=True)):
        least.setdefault(int(one[number]), number)
    result = one.copy()
    result[several] = [least[group] for group in one[several].tolist()]
    return result


def _people(graph: PointGraph, one: Numbers, ways: Ways) -> Members:
    """Return the owners as groups: of datasets by node, of tasks by edge after the nodes."""
    owned = graph.facts(OWNER)
    if not owned:
        return Members(_NOBODY, _NOBODY)
    tasks = np.unique(ways.task)
    task_of = dict(zip(map(task_node, graph.task_texts(tasks.astype(np.int32))), tasks.tolist(), strict=True))
    people: dict[str, int] = {}
    groups: list[Any] = []
    places: list[Any] = []
    for fact in owned:
        person = people.setdefault(fact.value, len(people))
        if fact.node in task_of:
            own = graph.nodes + _of(ways.tasks, task_of[fact.node])
        else:
            number = graph.number(dataset_of(fact.node))
            own = _of(ways.tables, int(one[number])) if number >= 0 else _NOBODY
        groups.append(np.full(len(own), person, np.int64))
        places.append(own)
    return Members.of(np.concatenate(groups), np.concatenate(places))


def _of(members: Members, group: int) -> Numbers:
    first, end = np.searchsorted(members.group, [group, group + 1])
    return members.place[first:end]


def _ranked(ways: Ways, direct: Bools, start: Ranks | None, nodes: Numbers, level: Level) -> Ranks:
    """Return the rank of each node shown."""
    return _summed(_ranks(ways, direct, start), ways, nodes, level)


def _ranks(ways: Ways, direct: Bools, start: Ranks | None) -> Ranks:
    """Return the rank of each node over the reversed DIRECT edges; 0 for nodes without one."""
    source, target = distinct(ways.source[direct], ways.target[direct], len(ways.dataset))
    if not len(source):
        return np.zeros(len(ways.dataset))
    touched = _flags(len(ways.dataset), source)
    touched[target] = True
    own = touched.astype(np.float64) if start is None else np.where(touched, start, 0.0)
    return pagerank(target, source, len(ways.dataset), own)


def _starts(graph: PointGraph, ways: Ways, one: Numbers, seeds: Sequence[str]) -> Ranks:
    start = np.zeros(graph.nodes)
    for seed in seeds:
        number = graph.number(seed)
        if number >= 0:
            node = int(one[number])
            start[ways.dataset == node if ways.dataset[node] == node else [node]] = 1.0
    return start


def _summed(rank: Ranks, ways: Ways, nodes: Numbers, level: Level) -> Ranks:
    by_table: Ranks = np.bincount(ways.dataset, rank, len(rank)).astype(np.float64)
    return by_table[nodes] if level == "table" else rank[nodes]


def _reads(graph: PointGraph, ways: Ways, by: Numbers, runs: Mapping[str, int], nodes: Numbers) -> Numbers:
    """Return how many runs read each node: all runs of each task that reads it."""
    numbers, inverse = np.unique(ways.task, return_inverse=True)
    counts = np.array([runs.get(text, 0) for text in graph.task_texts(numbers.astype(np.int32))], np.int64)
    if not len(by):
        return np.zeros(len(nodes), np.int64)
    pairs = sorted_once(by.astype(np.int64) * len(numbers) + inverse)
    groups, first = np.unique(pairs // len(numbers), return_index=True)
    return _placed(groups, np.add.reduceat(counts[pairs % len(numbers)], first), nodes)


def _placed(groups: Numbers, values: Numbers, nodes: Numbers) -> Numbers:
    result = np.zeros(len(nodes), np.int64)
    at = np.searchsorted(nodes, groups)
    there = at < len(nodes)
    there[there] = nodes[at[there]] == groups[there]
    result[at[there]] = values[there]
    return result


def _hottest(rank: Ranks) -> Bools:
    """Return which rows are the first by rank that together hold ``HOT`` of all rank; equal ranks stay together."""
    if not len(rank):
        return np.zeros(0, bool)
    falling = np.sort(rank)[::-1]
    least = falling[min(int(np.searchsorted(np.cumsum(falling), HOT * falling.sum())), len(falling) - 1)]
    hottest: Bools = rank >= least
    return hottest
