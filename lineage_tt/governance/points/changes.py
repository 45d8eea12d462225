"""The differences between two points of the graph, as numbers: no text is made for edges that are not shown."""

from __future__ import annotations

from lineage_tt.governance.ports import ChangedEdges
from lineage_tt.graph import Graph
from lineage_tt.graph.arrays.differences import changed_edges
from lineage_tt.model.answers import Basis


def changed(graph: Graph, first: Basis, second: Basis) -> ChangedEdges | None:
    """Return the edges in force at one of two points only; None in a store with star edges, which have to be joined."""
    state = graph.view(max(first, second, key=lambda basis: basis.version)).state
    if state.stars.total:
        return None
    edges = changed_edges(state, first[:2], second[:2])
    _, kind, expression = graph.names.payloads[edges[:, 3] >> 1].T
    return ChangedEdges(edges[:, 0] == 1, edges[:, 1], edges[:, 2], kind, expression)
