"""All questions of governance about one store, as of any two times.

>>> store.governance().labels("hive:ads.report#email")                           # doctest: +SKIP
"""

from __future__ import annotations

from lineage_tt.governance.backfill.questions import Running
from lineage_tt.governance.config import Config
from lineage_tt.governance.heat.asked import TOP, Asked
from lineage_tt.governance.heat.heat import HeatAnswer, TrendAnswer, heat, trend
from lineage_tt.governance.heat.observed import WINDOW, checked_days, last_runs, runs
from lineage_tt.governance.labels.feed import LabelFeed
from lineage_tt.governance.labels.following import Changed
from lineage_tt.governance.labels.labelled import Labelled
from lineage_tt.governance.labels.moving import difference, moved_to
from lineage_tt.governance.labels.scan import Falls, scan
from lineage_tt.governance.labels.scene import Scene, scene_of
from lineage_tt.governance.labels.why import Why, why
from lineage_tt.governance.permissions.grants import Denied, Grants
from lineage_tt.governance.permissions.notices import Notice, notices
from lineage_tt.governance.points.graphed import CACHED_POINTS, Points
from lineage_tt.governance.ports import PointGraph
from lineage_tt.governance.rules.engine import Checked, check
from lineage_tt.governance.upkeep.quality.groups import By
from lineage_tt.governance.upkeep.quality.measures import WINDOW_DAYS
from lineage_tt.governance.upkeep.quality.quality import Quality, quality
from lineage_tt.governance.upkeep.redundancy.redundancy import Redundancy, redundancy
from lineage_tt.governance.upkeep.redundancy.statements import Define
from lineage_tt.governance.upkeep.redundancy.unused import DAYS
from lineage_tt.graph import Graph
from lineage_tt.model.answers import Basis
from lineage_tt.model.completeness.summary import Completeness, of_both
from lineage_tt.model.edges import dataset_of
from lineage_tt.read.observations import delivered
from lineage_tt.read.questions import Instant, Questions


class Governance(Running):
    """The questions of governance; ``config`` is what ``governance.toml`` says."""

    def __init__(self, store: Questions, graph: Graph, config: Config | None = None) -> None:
        self.points = Points(store, graph)
        self.config = config or Config()
        self._labelled: tuple[Labelled, ...] = ()

    def basis(
        self, valid_at: Instant | None = None, system_at: Instant | None = None, version: int | None = None
    ) -> Basis:
        """Return the point for a valid time and a system time or version (default: now, as known now)."""
        return self.points.basis(valid_at, system_at, version)

    def point(
        self, valid_at: Instant | None = None, system_at: Instant | None = None, *, version: int | None = None
    ) -> PointGraph:
        """Return the lineage as of a point as arrays, which all questions use."""
        return self.points.at(self.basis(valid_at, system_at, version))

    def completeness_of(self, first: Basis, second: Basis) -> Completeness:
        """Return how complete an answer about two points is: what is not known at either of them."""
        return of_both(self.points.at(first).completeness(), self.points.at(second).completeness())

    # --- heat -------------------------------------------------------------------------------------------------

    def heat(self, basis: Basis | None = None, asked: Asked = TOP, days: int = WINDOW) -> HeatAnswer:
        """Return how much others use tables or columns at a point (now); runs of the last ``days`` count."""
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
        """Return which tables or columns gained or lost worth from one point to another."""
        seen = tuple(runs(self.store.log_path.parent, basis.valid_at, days) for basis in (first, second))
        return trend(self.points.at(first), self.points.at(second), asked, seen)

    def completeness_above(self, node: str, basis: Basis) -> Completeness:
        """Return how complete the lineage above a node is: what is not known about where its values come from."""
        view = self.points.graph.view(basis)
        return view.upstream(node, direct_only=True).completeness

    # --- labels -----------------------------------------------------------------------------------------------

    def labelled(self, basis: Basis | None = None, scene: str | None = None) -> Labelled:
        """Return the labels of all nodes at a point (now), in a scene of the configuration; the last few are kept."""
        return self.labelled_in(basis or self.basis(), scene_of(self.config, scene))

    def labelled_in(self, basis: Basis, rules: Scene) -> Labelled:
        """Return the labels of all nodes at a point under the rules of a scene; those of the last points are kept."""
        point, cached = self.points.at(basis), self._labelled
        labelled = next((each for each in cached if each.point is point and each.scene == rules), None)
        if labelled is None:
            labelled = Labelled(point, rules)
            self._labelled = (labelled, *cached[: CACHED_POINTS - 1])
        return labelled

    def labels(self, node: str, basis: Basis | None = None, scene: str | None = None) -> list[Why]:
        """Return the labels of a node at a point, each with its path, since when, and what brought it.

        Raises UnknownNodeError for a node that nothing ever named.
        """
        labelled = self.labelled(basis, scene)
        if labelled.point.number(node) < 0:
            self.store.check_nodes([node])
        subject = node if labelled.point.number(node) >= 0 else dataset_of(node)
        reasons = (why(self.points, labelled, subject, label) for label in labelled.of(subject))
        return [each for each in reasons if each is not None]

    def labels_diff(self, first: Basis, second: Basis, scene: str | None = None) -> list[Changed]:
        """Return the nodes whose labels differ between two points."""
        labelled = self.labelled(first, scene)
        changed = moved_to(self.points, labelled, second, self.points.facts(second))
        return difference(labelled.point, self.points.at(second), labelled.scene) if changed is None else changed

    def label_feed(self, store_id: str, scene: str | None = None) -> LabelFeed:
        """Return the feed that makes events of the changes that versions of a store's log make to labels."""
        return LabelFeed(self.points, self.labelled_in, store_id, scene_of(self.config, scene))

    def labels_scan(self, basis: Basis | None = None, scene: str | None = None) -> list[Falls]:
        """Return the edges over which a level falls: a node has a lower level than what it is made from."""
        return scan(self.points, self.labelled(basis, scene))

    # --- rules ------------------------------------------------------------------------------------------------

    def rules(self, basis: Basis | None = None, since: Basis | None = None) -> Checked:
        """Return what violates the rules at a point (now); with ``since`` only what did not violate them then."""
        before = None if since is None else self.points.at(since)
        return check(self.points.at(basis or self.basis()), self.config, before)

    # --- permissions ------------------------------------------------------------------------------------------

    def grants(self, basis: Basis | None = None) -> Grants:
        """Return who may read, write and own what at a point (now)."""
        return Grants(self.points.facts(basis or self.basis()), self.config)

    def may_read(self, principal: str, node: str, basis: Basis | None = None) -> bool:
        """Return whether a principal may read a node at a point (now)."""
        return self.grants(basis).may(principal, "read", node)

    def sources_denied(self, principal: str, node: str, basis: Basis | None = None) -> list[Denied]:
        """Return the sources of a node's values and rows that a principal may not read."""
        basis = basis or self.basis()
        steps = self.points.graph.view(basis).upstream(node).steps
        return self.grants(basis).denied(principal, "read", {step.edge.source for step in steps})

    # --- quality ----------------------------------------------------------------------------------------------

    def quality(self, basis: Basis | None = None, by: By = "all", days: int = WINDOW_DAYS) -> Quality:
        """Return how good the lineage itself is at a point (now), by namespace, layer or owner."""
        checked_days(days)
        seen = delivered(self.store.log_path.parent)
        return quality(self.points, self.points.at(basis or self.basis()), by, days, seen)

    # --- redundancy -------------------------------------------------------------------------------------------

    def redundancy(self, basis: Basis | None = None, define: Define | None = None, days: int = DAYS) -> Redundancy:
        """Return what is redundant, and what was not read, fed or used in the ``days`` before a point (now).

        ``define`` reads texts: that of an ``ingest.resolve.comparing.SqlAnalyst``, or, in this process,
        ``ingest.sql.compare.meaning.definitions``. Without it nothing is proven equal.
        """
        checked_days(days)
        basis = basis or self.basis()
        seen = last_runs(self.store.log_path.parent, basis.valid_at)
        return redundancy(self.points, self.points.at(basis), define, days, seen)

    def notices(self, basis: Basis, since: Basis, scene: str | None = None) -> tuple[list[Notice], int]:
        """Return the notices for owners since a point, one per person, and the number of items without an owner."""
        violations = self.rules(basis, since).violations
        labels = self.labels_diff(since, basis, scene)
        return notices(self.points.at(basis), self.points.at(since), violations, labels)
