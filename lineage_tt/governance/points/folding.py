"""The tables of a point, as numbers: which task makes which dataset from which, derived from the edges of columns."""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from lineage_tt.governance.ports import Bools, PointGraph
from lineage_tt.graph.arrays.names import Ints, Longs
from lineage_tt.graph.arrays.rows import keys_of

_KEY: Final = "folded"


class Folded(NamedTuple):
    """A task makes a dataset from another: each once, ordered by source, target and task. Aliases are left out."""

    source: Ints
    target: Ints
    task: Ints


def folded(point: PointGraph) -> Folded:
    """Return the tables of a point; computed once and kept with it."""
    if _KEY not in point.derived:
        mask = ~point.alias
        ends = point.dataset[point.source[mask]], point.dataset[point.target[mask]]
        point.derived[_KEY] = fold(*ends, point.task[mask], point.nodes)
    result: Folded = point.derived[_KEY]
    return result


def fold(source: Ints, target: Ints, task: Ints, nodes: int) -> Folded:
    """Return each of the given triples once, in order. ``nodes`` is greater than any number of a dataset."""
    pair = source.astype(np.int64) * nodes + target
    count = int(task.max()) + 1 if len(task) else 1
    if nodes * nodes < (2**63 - 1) // count:  # one key holds all three numbers: sorting it is many times as fast
        pair, last = sorted_once(pair * count + task), np.int64(count)
        return Folded(*(part.astype(np.int32) for part in (*_ends(pair // last, nodes), pair % last)))
    places = places_once(pair, task)
    return Folded(*(part.astype(np.int32) for part in (*_ends(pair[places], nodes), task[places])))


def _ends(pair: Longs, nodes: int) -> tuple[Longs, Longs]:
    return pair // nodes, pair % nodes


def sorted_once(values: Longs) -> Longs:
    """Return the distinct values in order; ``numpy.unique`` finds them by hash, which takes many times as long."""
    ordered = np.sort(values)
    first = np.ones(len(ordered), np.bool_)
    first[1:] = ordered[1:] != ordered[:-1]
    result: Longs = ordered[first]
    return result


def places_once(one: Longs, other: Longs | Ints) -> Longs:
    """Return the place of each distinct pair of values, in the order of the pairs."""
    order = np.lexsort((other, one))
    first = np.ones(len(order), np.bool_)
    one, other = one[order], other[order]
    first[1:] = (one[1:] != one[:-1]) | (other[1:] != other[:-1])
    result: Longs = order[first]
    return result


def writers(point: PointGraph) -> Longs:
    """Return how many tasks write each dataset, by node."""
    tables = folded(point)
    pairs = sorted_once(keys_of(tables.target, tables.task))
    return np.bincount(pairs >> 32, minlength=point.nodes)


def tasks_before(point: PointGraph, same: Longs | None, datasets: Bools, tasks: Bools) -> Bools:
    """Return flags by task: those given, those that write any of these datasets, and all tasks before them.

    ``same`` maps each node to the node that represents all names of its thing (None: nothing has two names).
    """
    source, target, task = folded(point)
    return _closure(target, source, task, same, datasets, tasks)


def tasks_after(point: PointGraph, same: Longs | None, datasets: Bools, tasks: Bools) -> Bools:
    """Return flags by task: those given, those that read any of these datasets, and all tasks after them."""
    source, target, task = folded(point)
    return _closure(source, target, task, same, datasets, tasks)


def _closure(near: Ints, far: Ints, task: Ints, same: Longs | None, datasets: Bools, tasks: Bools) -> Bools:
    """Follow tables from near to far ends: a task with a near end among the datasets adds its far ends."""
    seen, reached, count = datasets.copy(), tasks.copy(), -1
    while count != (count := int(np.count_nonzero(reached)) + int(np.count_nonzero(seen))):
        seen[far[reached[task]]] = True
        if same is not None:
            groups = np.zeros(len(seen), np.bool_)
            groups[same[seen]] = True
            seen = groups[same]
        reached[task[seen[near]]] = True
    return reached


def merged(nodes: int, one: Longs, other: Longs) -> Longs:
    """Return for each node the least node that is the same thing, where pairs of nodes are one thing."""
    least = np.arange(nodes, dtype=np.int64)
    while len(one):
        low = np.minimum(least[one], least[other])
        before = least.copy()
        np.minimum.at(least, least[one], low)
        np.minimum.at(least, least[other], low)
        least = least[least]
        if np.array_equal(before, least):
            break
    return least
