"""From what a statement writes to edges: values to columns, decisions to the dataset or to the column they stand in."""

from __future__ import annotations

from dataclasses import dataclass, field

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
    for name, column in write.columns:
        target = column_node(write.dataset, name)
        for part in column.parts:
            for source, kinds in part.flow.items():
                _add(edges, source, target, kinds, part.text if kinds & DIRECT_KINDS & ~IDENTITY else "")
    for source, kinds in write.effects.predicates.items():
        _add(edges, source, write.dataset, kinds, "")
    told = {dataset_of(edge.source) for edge in edges}
    for dataset in write.effects.reads - told:
        edges.add(Edge(dataset, write.dataset, DIRECT, "TRANSFORMATION", ""))
    return edges


def _add(edges: set[Edge], source: str, target: str, kinds: int, text: str) -> None:
    bit = IDENTITY
    while bit <= kinds:
        if kinds & bit:
            edge_type, subtype = KIND_NAMES[bit]
            told = text if edge_type == DIRECT and bit != IDENTITY else ""
            edges.add(Edge(source, target, edge_type, subtype, told))
        bit <<= 1
