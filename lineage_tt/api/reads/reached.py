"""Walks from many nodes at many points in one compiled call, as names; each name's text is made only once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from lineage_tt.model.answers import Basis, Direction
from lineage_tt.model.completeness.summary import COMPLETE, Completeness
from lineage_tt.model.edges import dataset_of

if TYPE_CHECKING:
    from lineage_tt.graph import Graph, GraphView


class Reached(NamedTuple):
    """The nodes that a walk reached, except its start, with the minimum steps to each; ordered by steps and name."""

    basis: Basis
    start: tuple[str, ...]
    nodes: list[tuple[str, int]]
    completeness: Completeness = COMPLETE


def reached_at_once(
    graph: Graph, nodes: Sequence[str], bases: Sequence[Basis], walk: dict[str, Any]
) -> Iterator[Reached]:
    """Yield the nodes reached from each node at each basis, ordered by basis."""
    import numpy as np
    import pyarrow.compute as pc

    direction: Direction = walk.pop("direction")
    ways: tuple[Direction, ...] = ("down", "up") if direction == "both" else (direction,)
    batches = [graph.batch(nodes, bases, direction=way, **walk) for way in ways]
    walks, ids, steps = (np.concatenate(parts) for parts in zip(*(each.rows() for each in batches), strict=True))

    distinct, places = np.unique(ids, return_inverse=True)
    names = graph.names.nodes.take(distinct)
    by_name = pc.array_sort_indices(names).to_numpy()
    rank = np.empty_like(by_name)
    rank[by_name] = np.arange(len(by_name))
    ranks = rank[places]

    order = np.lexsort((ranks, steps, walks))
    if len(ways) > 1:  # if both directions reach a node, the smaller number of steps counts
        pairs = walks[order] * len(distinct) + ranks[order]
        order = order[np.sort(np.unique(pairs, return_index=True)[1])]
    texts = names.take(by_name).to_pylist()
    nodes_and_steps = list(zip(map(texts.__getitem__, ranks[order].tolist()), steps[order].tolist(), strict=True))
    ends = np.searchsorted(walks[order], np.arange(len(nodes) * len(bases)), side="right").tolist()
    for j, basis in enumerate(bases):
        for i, node in enumerate(nodes):
            at = i * len(bases) + j
            start = dataset_of(node) if walk["level"] == "table" else node
            yield Reached(basis, (start,), nodes_and_steps[ends[at - 1] if at else 0 : ends[at]])


def reached_from(view: GraphView, nodes: Sequence[str], walk: dict[str, Any]) -> Reached:
    """Return the nodes reached from some nodes together."""
    direction: Direction = walk.pop("direction")
    ways: tuple[Literal["down", "up"], ...] = ("down", "up") if direction == "both" else (direction,)
    start = tuple(dict.fromkeys(dataset_of(node) if walk["level"] == "table" else node for node in nodes))
    fewest: dict[str, int] = {}
    for way in ways:
        one = view.reach(*nodes, direction=way, **walk)
        for name, steps in zip(one.names, one.steps.tolist(), strict=True):
            if name not in start:
                fewest[name] = min(steps, fewest.get(name, steps))
    return Reached(view.basis, start, sorted(fewest.items(), key=lambda item: (item[1], item[0])))
