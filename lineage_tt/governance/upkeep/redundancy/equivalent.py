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
from lineage_tt.model.edges import DIRECT, column_of, dataset_of, is_column, name_of

_COPY: Final = (DIRECT, "IDENTITY")


class Alike(NamedTuple):
    """Columns of several datasets of which the edges say the same."""

    columns: tuple[str, ...]


class _Into(NamedTuple):
    """The edges into a node, as (source, kind, expression), and the tasks that state them."""

    edges: frozenset[tuple[str, tuple[str, str], str]]
    tasks: frozenset[int]


def alike(graph: PointGraph, doubtful: Collection[str]) -> list[Alike]:
    """Return groups of columns that look alike; tasks in ``doubtful`` (not complete) say nothing."""
    into, tasks_of = _into(graph)
    numbers = {graph.task_number(task) for task in doubtful}
    roots: dict[str, str] = {}
    groups: dict[Any, set[str]] = defaultdict(set)
    for node, found in into.items():
        if is_column(node) and not found.tasks & numbers and len(tasks_of[dataset_of(node)]) == 1:
            key = _key(node, into, tasks_of, roots)
            if key is not None:
                groups[key].add(node)
    named = (tuple(sorted(nodes)) for nodes in groups.values())
    return sorted(Alike(nodes) for nodes in named if len({dataset_of(node) for node in nodes}) > 1)


def _into(graph: PointGraph) -> tuple[dict[str, _Into], dict[str, set[int]]]:
    kept = np.flatnonzero(~graph.alias)
    names = graph.node_texts(np.arange(graph.nodes))
    numbers, place = np.unique(graph.expression[kept], return_inverse=True)
    expressions = graph.expression_texts(numbers)
    edges: dict[int, set[tuple[str, tuple[str, str], str]]] = defaultdict(set)
    tasks: dict[int, set[int]] = defaultdict(set)
    stated = np.where(graph.by_star[kept], -1, graph.task[kept])
    rows = zip(
        graph.source[kept].tolist(), graph.target[kept].tolist(), stated.tolist(), graph.kind[kept].tolist(),
        place.tolist(), strict=True,
    )  # fmt: skip
    for source, target, task, kind, expression in rows:
        tasks[target].add(task)
        edges[target].add((names[source], graph.kinds[kind], expressions[expression]))
    by_dataset: dict[str, set[int]] = defaultdict(set)
    pairs = np.unique(graph.dataset[graph.target[kept]].astype(np.int64) << 32 | graph.task[kept])
    for dataset, task in zip((pairs >> 32).tolist(), (pairs & 0xFFFFFFFF).tolist(), strict=True):
        by_dataset[names[dataset]].add(task)
    return {names[n]: _Into(frozenset(found), frozenset(tasks[n])) for n, found in edges.items()}, by_dataset


def _key(node: str, into: dict[str, _Into], tasks_of: dict[str, set[int]], roots: dict[str, str]) -> Any:
    """Return what the edges say of a column; None where no value flows into it."""
    own = into[node].edges
    direct = [edge for edge in own if edge[1][0] == DIRECT]
    if not direct:
        return None
    rows = into.get(dataset_of(node))
    deciding = [*(edge for edge in own if edge[1][0] != DIRECT), *(rows.edges if rows else ())]
    values = frozenset(
        (root := _root(source, into, tasks_of, roots), kind, _renamed(expression, source, root, direct, into, tasks_of,
                                                                      roots))
        for source, kind, expression in direct
    )  # fmt: skip
    return values, frozenset((_root(source, into, tasks_of, roots), kind, text) for source, kind, text in deciding)


def _renamed(
    expression: str, source: str, root: str, direct: list[Any], into: dict[str, _Into], tasks_of: dict[str, set[int]],
    roots: dict[str, str],
) -> str:  # fmt: skip
    """Return an expression with the names of copies replaced by those of what they are copies of."""
    if not expression:
        return expression
    for other, _, _ in sorted(direct, key=lambda edge: -len(edge[0])):
        first = _root(other, into, tasks_of, roots)
        if first != other:
            expression = expression.replace(_written(other), _written(first))
    return expression


def _written(node: str) -> str:
    return f"{name_of(dataset_of(node))}.{column_of(node)}"


def _root(node: str, into: dict[str, _Into], tasks_of: dict[str, set[int]], roots: dict[str, str]) -> str:
    """Return the column that a column is a copy of, through all copies that no row decision lies on."""
    way = [node]
    while (known := roots.get(way[-1])) is None:
        at = way[-1]
        found, dataset = into.get(at), dataset_of(at)
        only = next(iter(found.edges)) if found and len(found.edges) == 1 else None
        copies = only is not None and only[1] == _COPY and not only[2] and len(tasks_of[dataset]) == 1
        if not copies or dataset in into or only is None or only[0] in way or not is_column(only[0]):
            known = at
            break
        way.append(only[0])
    for each in way:
        roots[each] = known
    return known
