"""All questions of governance about one store, as of any two times.

>>> store.governance().labels("hive:ads.report#email")                           # doctest: +SKIP
"""

from __future__ import annotations

from lineage_tt.governance.config import Config
from lineage_tt.governance.points.graphed import Points
from lineage_tt.governance.ports import PointGraph
from lineage_tt.graph import Graph
from lineage_tt.model.answers import Basis
from lineage_tt.read.questions import Instant, Questions


class Governance:
    """The questions of governance; ``config`` is what ``governance.toml`` says."""

    def __init__(self, store: Questions, graph: Graph, config: Config | None = None) -> None:
        self.store = store
        self.points = Points(store, graph)
        self.config = config or Config()

    def basis(
        self, valid_at: Instant | None = None, system_at: Instant | None = None, version: int | None = None
    ) -> Basis:
        """Return the point for a valid time and a system time or version (default: now, as known now)."""
        return self.points.basis(valid_at, system_at, version)

    def point(
        self, valid_at: Instant | None = None, system_at: Instant | None = None, *, version: int | None = None
    ) -> PointGraph:
        """Return the lineage as of a point as arrays: what all questions are asked of."""
        return self.points.at(self.basis(valid_at, system_at, version))
