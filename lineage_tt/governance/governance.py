"""All questions of governance about one store, as of any two times.

>>> store.governance().labels("hive:ads.report#email")                           # doctest: +SKIP
"""

from __future__ import annotations

from lineage_tt.governance.config import Config
from lineage_tt.governance.heat.heat import TOP, Asked, HeatAnswer, TrendAnswer, heat, trend
from lineage_tt.governance.heat.observed import WINDOW, runs
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

    # --- heat -------------------------------------------------------------------------------------------------

    def heat(self, basis: Basis | None = None, asked: Asked = TOP, days: int = WINDOW) -> HeatAnswer:
        """Return how much tables or columns are worth to others at a point (now); runs of so many days count."""
        basis = basis or self.basis()
        self.store.check_nodes([*asked.seeds, *asked.nodes])
        return heat(self.points.at(basis), asked, runs(self.store.log_path.parent, basis.valid_at, days))

    def heat_trend(
        self,
        first: Basis,
        second: Basis,
        asked: Asked = TOP,
        days: int = WINDOW,
    ) -> TrendAnswer:
        """Return which tables or columns became more or less worth from one point to another."""
        seen = tuple(runs(self.store.log_path.parent, basis.valid_at, days) for basis in (first, second))
        return trend(self.points.at(first), self.points.at(second), asked, seen)
