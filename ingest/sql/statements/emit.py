"""From what a statement writes to edges: values to columns, decisions to the dataset or to the column they are in."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from operator import itemgetter
from typing import Final

from ingest.sql.binder.relations.flow import DIRECT_KINDS, IDENTITY, KIND_NAMES, Column, Flow, Part
from ingest.sql.binder.relations.relations import Effects
from lineage_tt.model.edges import DIRECT, Edge, column_node, dataset_of, is_star, star_expression

#: The kinds of edge in their order, and those that show their expression.
_SORTED: Final = sorted(((bit, *names) for bit, names in KIND_NAMES.items()), key=itemgetter(1, 2))
_SHOWN: Final = DIRECT_KINDS & ~IDENTITY


@dataclass(slots=True)
class Write:
    """What one statement writes into one dataset: columns by name, and the effects of making them."""

    dataset: str
    columns: list[tuple[str, Column]] = field(default_factory=list)
    effects: Effects = field(default_factory=Effects)


def edges_of(write: Write) -> list[Edge]:
    """Return the edges of a write, some perhaps twice.

    A dataset that is read but gives no other edge keeps one to the dataset.
    """
    edges: list[Edge] = []
    sources: set[str] = set()
    # by name, so that the edges of each source are in order nearly as they come
    named = [(column_node(write.dataset, name), column) for name, column in write.columns]
    for target, column in sorted(named, key=itemgetter(0)):
        for part in column.parts:
            sources.update(part.flow)
            _add(edges, part.flow, target, part)
    sources.update(write.effects.predicates)
    _add(edges, write.effects.predicates, write.dataset, None)
    for dataset in write.effects.reads - {dataset_of(source) for source in sources}:
        edges.append(Edge(dataset, write.dataset, DIRECT, "TRANSFORMATION", ""))
    return edges


def _add(edges: list[Edge], flow: Flow, target: str, part: Part | None) -> None:
    """Add the edges of one derivation, kind by kind; a value unchanged shows no expression, nor does a decision.

    A star that leaves columns out shows which.
    """
    together = 0
    for kinds in set(flow.values()):
        together |= kinds
    new = tuple.__new__  # a wide statement has a hundred thousand: half the time of a call of Edge
    for bit, edge_type, subtype in _SORTED:
        if together & bit:
            text = part.text if part is not None and bit & _SHOWN else ""
            if part is not None and part.left_out and bit == IDENTITY and is_star(target):
                text = star_expression(part.left_out)
            edges += [
                new(Edge, (source, target, edge_type, subtype, text)) for source, kinds in flow.items() if kinds & bit
            ]


def in_order(edges: Iterable[Edge]) -> tuple[Edge, ...]:
    """Return the distinct edges in their order: source by source, which compares far fewer texts."""
    by_source: dict[str, list[Edge]] = {}
    for edge in edges:
        by_source.setdefault(edge[0], []).append(edge)
    result: list[Edge] = []
    for source in sorted(by_source):
        group = by_source[source]
        result += group if len(group) == 1 else sorted(dict.fromkeys(group))
    return tuple(result)
