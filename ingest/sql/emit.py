"""From what a statement writes to edges: values to columns, decisions to the dataset or to the column they stand in."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cache
from operator import itemgetter

from ingest.sql.flow import DIRECT_KINDS, IDENTITY, KIND_NAMES, Column, Part
from ingest.sql.relations import Effects
from lineage_tt.edges import DIRECT, Edge, column_node, dataset_of


@dataclass(slots=True)
class Write:
    """What one statement writes into one dataset: columns by name, and the effects of making them."""

    dataset: str
    columns: list[tuple[str, Column]] = field(default_factory=list)
    effects: Effects = field(default_factory=Effects)


def edges_of(write: Write) -> list[Edge]:
    """Return the edges of a write, some perhaps twice.

    A dataset that is read but gives no edge of its own keeps one to the dataset.
    """
    new = tuple.__new__  # a wide statement has a hundred thousand: half the time of a call of Edge
    edges: list[Edge] = []
    sources: set[str] = set()
    # by name, so that the edges of each source are in order nearly as they come
    named = [(column_node(write.dataset, name), column) for name, column in write.columns]
    for target, column in sorted(named, key=itemgetter(0)):
        for part in column.parts:
            flow = part.flow
            sources.update(flow)
            shown = {kinds: _ways(kinds, part) for kinds in set(flow.values())}
            edges += [new(Edge, (source, target, *way)) for source, kinds in flow.items() for way in shown[kinds]]
    sources.update(write.effects.predicates)
    for source, kinds in write.effects.predicates.items():
        edges += [new(Edge, (source, write.dataset, *way)) for way in _ways(kinds, None)]
    for dataset in write.effects.reads - {dataset_of(source) for source in sources}:
        edges.append(Edge(dataset, write.dataset, DIRECT, "TRANSFORMATION", ""))
    return edges


def in_order(edges: Iterable[Edge]) -> tuple[Edge, ...]:
    """Return the distinct edges in their order: source by source, which compares far fewer texts."""
    by_source: dict[str, list[Edge]] = {}
    for edge in edges:
        by_source.setdefault(edge[0], []).append(edge)
    found: list[Edge] = []
    for source in sorted(by_source):
        group = by_source[source]
        found += group if len(group) == 1 else sorted(dict.fromkeys(group))
    return tuple(found)


def _ways(kinds: int, part: Part | None) -> list[tuple[str, str, str]]:
    """Return type, subtype and expression of the edge for each of the kinds; a value unchanged shows none."""
    return [
        (edge_type, subtype, part.text if part is not None and is_shown else "")
        for edge_type, subtype, is_shown in _told(kinds)
    ]


@cache
def _told(kinds: int) -> list[tuple[str, str, bool]]:
    """Return type and subtype of each kind, and whether the expression is shown."""
    shown = DIRECT_KINDS & ~IDENTITY
    return [(*names, bool(bit & shown)) for bit, names in KIND_NAMES.items() if kinds & bit]
