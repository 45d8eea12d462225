"""Names reached from many nodes at many points: one compiled call, each name's text made once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from lineage_tt.answers import Basis, Direction
from lineage_tt.edges import dataset_of

if TYPE_CHECKING:
    from lineage_tt.graph import Graph


class Reached(NamedTuple):
    """The nodes that a walk reached, start nodes left out, each with its least number of steps; by steps and name."""

    basis: Basis
    start: tuple[str, ...]
    nodes: list[tuple[str, int]]


def reached_at_once(
    graph: Graph, nodes: Sequence[str], bases: Sequence[Basis], walk: dict[str, Any]
) -> Iterator[Reached]:
    """Yield what is reached from each node at each basis, basis by basis."""
    import numpy as np

    direction: Direction = walk.pop("direction")
    ways: tuple[Direction, ...] = ("down", "up") if direction == "both" else (direction,)
    batches = [graph.batch(nodes, bases, direction=way, **walk) for way in ways]
    found = [
        [[(one.ids, one.steps.tolist()) for one in (batch[i, j] for batch in batches)] for i in range(len(nodes))]
        for j in range(len(bases))
    ]
    parts = [ids for row in found for answers in row for ids, _ in answers]
    distinct = np.unique(np.concatenate(parts)) if parts else np.zeros(0, np.int32)
    texts = dict(zip(distinct.tolist(), graph.names.nodes.take(distinct).to_pylist(), strict=True))
    table = walk["level"] == "table"
    for basis, row in zip(bases, found, strict=True):
        for node, answers in zip(nodes, row, strict=True):
            start = dataset_of(node) if table else node
            least: dict[str, int] = {}
            for ids, steps in answers:
                for number, step in zip(ids.tolist(), steps, strict=True):
                    name = texts[number]
                    if step < least.get(name, step + 1):
                        least[name] = step
            least.pop(start, None)
            yield Reached(basis, (start,), sorted(least.items(), key=_place))


def _place(item: tuple[str, int]) -> tuple[int, str]:
    return item[1], item[0]
