"""Shares one ``Governance`` between threads, so that they share its points and labels."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lineage_tt.api.reads.reading import Reading
    from lineage_tt.governance.config import Config
    from lineage_tt.governance.governance import Governance
    from lineage_tt.graph import Graph


class Governing:
    """One ``Governance`` for a graph and its rules; it caches the last few points, by valid time and version."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._governance: Governance | None = None

    def over(self, reading: Reading, graph: Graph, rules: Config) -> Governance:
        """Return the governance for this thread; it reads what is not in the graph from the thread's ``reading``."""
        from lineage_tt.governance.governance import Governance  # numba: not needed without a graph

        with self._lock:
            governance = self._governance
            if governance is None or governance.points.graph is not graph or governance.config is not rules:
                self._governance = governance = Governance(reading, graph, rules)
        governance.points.ask(reading)
        return governance
