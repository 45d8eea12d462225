"""What the service loads and compiles before it reaches full speed, so that no request waits for it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from lineage_tt.model.answers import Basis, EdgeAsOf, Lineage, Step
from lineage_tt.store import Store

if TYPE_CHECKING:
    from lineage_tt.graph import Graph

_BEFORE_ALL: Final = "0001-01-01T00:00:00Z"


def load_graph(store: Store) -> Graph:
    """Load the graph, and ask each kind of question once."""
    from lineage_tt.graph import Graph

    graph = Graph.load(store)
    graph.gaps, graph.statements  # noqa: B018 (loaded on access, which no answer should wait for)
    names = graph.node_names()
    if len(names):  # compiles functions before a request waits for them
        basis, node = graph.basis(), names[0].as_py()
        for direction in ("up", "down"):
            graph.batch([node], [basis], direction=direction, depth=1)
        graph.view(basis).lineage(node, depth=1).lineage  # noqa: B018 (its texts are made on access)
        graph.diff(basis, basis)
        _govern_once(store, graph)
    return graph


def _govern_once(store: Store, graph: Graph) -> None:
    """Ask for rules, labels and heat at a point before all data, to compile functions before a request needs them."""
    from lineage_tt.governance.governance import Governance

    governance = Governance(store, graph)
    basis = graph.basis(_BEFORE_ALL)
    governance.rules(basis)
    list(governance.labelled(basis).all())
    governance.heat(basis)


def draw_once() -> None:
    """Compile the code that draws pictures, or read it from the cache, so that no request waits for it."""
    from lineage_tt.graph.pictures.picture import picture

    edge = EdgeAsOf("", "x:a#b", "x:c#d", "DIRECT", "IDENTITY", "", 1, 0, None)
    picture(Lineage(Basis(0, 1, 0), (edge.source,), (Step("down", 1, edge),)))
