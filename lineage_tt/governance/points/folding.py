"""The tables of a point: which task makes which dataset of which, folded from the edges of columns, as numbers."""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from lineage_tt.governance.ports import Bools, PointGraph
from lineage_tt.graph.arrays.names import Ints, Longs
from lineage_tt.graph.arrays.rows import keys_of

_KEPT: Final = "folded"


class Folded(NamedTuple):
    """A task makes a dataset of another one: each once, in order of source, target and task. Aliases are left out."""

    source: Ints
    target: Ints
    task: Ints


def folded(point: PointGraph) -> Folded:
    """Return the tables of a point; worked out once and kept with it."""
    if _KEPT not in point.derived:
        kept = ~point.alias
        ends = point.dataset[point.source[kept]], point.dataset[point.target[kept]]
        point.derived[_KEPT] = fold(*ends, point.task[kept], point.nodes)
    result: Folded = point.derived[_KEPT]
    return result


def fold(source: Ints, target: Ints, task: Ints, nodes: int) -> Folded:
    """Return each triple of some that are given once, in order. ``nodes`` is more than any number of a dataset."""
    pair = source.astype(np.int64) * nodes + target
    count = int(task.max()) + 1 if len(task) else 1
    if nodes * nodes < (2**63 - 1) // count:  # one key holds all three: it is sorted many times as fast as three are
        pair, last = sorted_once(pair * count + task), np.int64(count)
        return Folded(*(part.astype(np.int32) for part in (*_ends(pair // last, nodes), pair % last)))
    places = places_once(pair, task)
    return Folded(*(part.astype(np.int32) for part in (*_ends(pair[places], nodes), task[places])))


def _ends(pair: Longs, nodes: int) -> tuple[Longs, Longs]:
    return pair // nodes, pair % nodes


def sorted_once(values: Longs) -> Longs:
    """Return the different values in order; ``numpy.unique`` looks for them by hash, which takes many times as long."""
    found = np.sort(values)
    kept = np.ones(len(found), np.bool_)
    kept[1:] = found[1:] != found[:-1]
    result: Longs = found[kept]
    return result


def places_once(one: Longs, other: Longs | Ints) -> Longs:
    """Return the places of different pairs of values, each once, in the order of the pairs."""
    order = np.lexsort((other, one))
    kept = np.ones(len(order), np.bool_)
    one, other = one[order], other[order]
    kept[1:] = (one[1:] != one[:-1]) | (other[1:] != other[:-1])
    result: Longs = order[kept]
    return result


def writers(point: PointGraph) -> Longs:
    """Return how many tasks write each dataset, by node."""
    tables = folded(point)
    pairs = sorted_once(keys_of(tables.target, tables.task))
    return np.bincount(pairs >> 32, minlength=point.nodes)


def tasks_before(point: PointGraph, same: Longs | None, datasets: Bools, tasks: Bools) -> Bools:
    """Return flags by task: those given, those that write any of these datasets, and all that come before them.

    ``same`` gives each node the one that all names of its thing stand under (None: nothing has two names).
    """
    source, target, task = folded(point)
    return _closure(target, source, task, same, datasets, tasks)


def tasks_after(point: PointGraph, same: Longs | None, datasets: Bools, tasks: Bools) -> Bools:
    """Return flags by task: those given, those that read any of these datasets, and all that come after them."""
    source, target, task = folded(point)
    return _closure(source, target, task, same, datasets, tasks)


def _closure(near: Ints, far: Ints, task: Ints, same: Longs | None, datasets: Bools, tasks: Bools) -> Bools:
    """Follow tables from far to near: a task that has a near end among the datasets brings its far ends."""
    seen, kept, count = datasets.copy(), tasks.copy(), -1
    while count != (count := int(np.count_nonzero(kept)) + int(np.count_nonzero(seen))):
        seen[far[kept[task]]] = True
        if same is not None:
            groups = np.zeros(len(seen), np.bool_)
            groups[same[seen]] = True
            seen = groups[same]
        kept[task[seen[near]]] = True
    return kept


def merged(nodes: int, one: Longs, other: Longs) -> Longs:
    """Return for each node the least node that is the same thing, where pairs of nodes are one thing."""
    found = np.arange(nodes, dtype=np.int64)
    while len(one):
        low = np.minimum(found[one], found[other])
        before = found.copy()
        np.minimum.at(found, found[one], low)
        np.minimum.at(found, found[other], low)
        found = found[found]
        if np.array_equal(before, found):
            break
    return found
