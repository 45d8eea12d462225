"""Who is downstream of what changes: every column reached, over which nodes, and in which datasets.

A walk over the edges as they are after the release. An edge that ends at a column goes on with the edges out of that
column, one that ends at a whole dataset with the edges out of any of its columns, as every walk of the store does.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

from lineage_tt.edges import DIRECT, TaskEdge, dataset_of

EdgesFrom = Callable[[Iterable[str]], Sequence[TaskEdge]]


class Reached(NamedTuple):
    """A node that a walk came to: after how many steps, from which node, by which task."""

    steps: int
    before: str | None
    task: str | None


def walk(starts: Iterable[str], edges_from: EdgesFrom, *, direct_only: bool = False) -> dict[str, Reached]:
    """Return every node downstream of the starts, these included (0 steps), by shortest path."""
    found = {node: Reached(0, None, None) for node in sorted(set(starts), key=_columns_first)}
    frontier = set(found)
    by_source: dict[str, list[TaskEdge]] = defaultdict(list)
    whole: dict[str, list[TaskEdge]] = {}
    steps = 0
    while frontier:
        steps += 1
        missing = {dataset_of(node) for node in frontier} - whole.keys()
        if missing:
            whole.update({dataset: [] for dataset in missing})
            for edge in edges_from(missing):
                if not direct_only or edge.type == DIRECT:
                    by_source[edge.source].append(edge)
                    whole[dataset_of(edge.source)].append(edge)
        following: set[str] = set()
        for node in sorted(frontier, key=_columns_first):
            for edge in by_source.get(node, ()) if "#" in node else whole.get(node, ()):
                if edge.target not in found:
                    found[edge.target] = Reached(steps, node, edge.task_id)
                    following.add(edge.target)
        frontier = following
    return found


def _columns_first(node: str) -> tuple[bool, str]:
    """Order nodes so that a way over columns is found before one over whole datasets."""
    return "#" not in node, node


def path_to(node: str, reached: Mapping[str, Reached]) -> tuple[str, ...]:
    """Return the nodes from a start to this one."""
    path = [node]
    while (before := reached[path[-1]].before) is not None:
        path.append(before)
    return tuple(reversed(path))


def by_dataset(reached: Mapping[str, Reached]) -> dict[str, list[str]]:
    """Return the nodes reached in one step or more, by dataset, nearest first."""
    found: dict[str, list[str]] = defaultdict(list)
    for node, at in sorted(reached.items(), key=lambda item: (item[1].steps, item[0])):
        if at.steps:
            found[dataset_of(node)].append(node)
    return dict(found)
