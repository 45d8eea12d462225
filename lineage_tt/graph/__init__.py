"""The temporal graph: walks as of any two times, from memory. Needs ``pip install 'lineage-tt[graph]'``.

Names are imported when they are first used, since numba is slow to load.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from lineage_tt.graph.answers.pages import basis_of
    from lineage_tt.graph.answers.paths import Path
    from lineage_tt.graph.answers.results import Reached, Walk
    from lineage_tt.graph.answers.stats import GraphStats
    from lineage_tt.graph.asof.batch import Batch
    from lineage_tt.graph.asof.view import GraphView
    from lineage_tt.graph.graph import Graph
    from lineage_tt.graph.walks.filters import Filter

__all__ = ["Batch", "Filter", "Graph", "GraphStats", "GraphView", "Path", "Reached", "Walk", "basis_of"]
_PLACES = {
    "Batch": "asof.batch", "Filter": "walks.filters", "Graph": "graph", "GraphStats": "answers.stats",
    "GraphView": "asof.view", "Path": "answers.paths", "Reached": "answers.results", "Walk": "answers.results",
    "basis_of": "answers.pages",
}  # fmt: skip


def __getattr__(name: str) -> Any:
    if name not in _PLACES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_PLACES[name]}"), name)
