"""From what a statement writes to edges: values to columns, decisions to the dataset or to the column they stand in."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache

from ingest.sql.flow import DIRECT_KINDS, IDENTITY, KIND_NAMES, Column, Effects
from lineage_tt.edges import DIRECT, Edge, column_node, dataset_of


@dataclass(slots=True)
class Write:
    """What one statement writes into one dataset: columns by name, and the effects of making them."""

    dataset: str
    columns: list[tuple[str, Column]] = field(default_factory=list)
    effects: Effects = field(default_factory=Effects)


def edges_of(write: Write) -> set[Edge]:
    """Return the edges of a write. A dataset that is read but gives no edge of its own keeps one to the dataset."""
    edges: set[Edge] = set()
    sources: set[str] = set()
    for name, column in write.columns:
        target = column_node(write.dataset, name)
        for part in column.parts:
            sources.update(part.flow)
            for source, kinds in part.flow.items():
                for edge_type, subtype, shown in _ways(kinds):
                    edges.add(Edge(source, target, edge_type, subtype, part.text if shown else ""))
    sources.update(write.effects.predicates)
    for source, kinds in write.effects.predicates.items():
        edges.update(Edge(source, write.dataset, edge_type, subtype, "") for edge_type, subtype, _ in _ways(kinds))
    for dataset in write.effects.reads - {dataset_of(source) for source in sources}:
        edges.add(Edge(dataset, write.dataset, DIRECT, "TRANSFORMATION", ""))
    return edges


@cache
def _ways(kinds: int) -> tuple[tuple[str, str, bool], ...]:
    """Return the type and subtype of an edge for each of the kinds, and whether it shows its expression."""
    return tuple((*KIND_NAMES[bit], bool(bit & DIRECT_KINDS & ~IDENTITY)) for bit in KIND_NAMES if kinds & bit)
