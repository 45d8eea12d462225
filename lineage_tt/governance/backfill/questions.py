"""Questions about when tasks run: core links, root cause, backfill; ``Governance`` has them as methods."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from lineage_tt.governance.backfill.partitions import PARTITION, Grain, Span, read_grain
from lineage_tt.governance.backfill.plan import Plan, backfill
from lineage_tt.governance.backfill.timeline import GraphTimeline
from lineage_tt.governance.cause.checks import Check, checks_of
from lineage_tt.governance.cause.past import GraphPast
from lineage_tt.governance.cause.ports import Comparing
from lineage_tt.governance.cause.root_cause import SHOWN, RootCause, root_cause
from lineage_tt.governance.core.questions import CoreAnswer, LateAnswer, core_chain, core_late, core_list
from lineage_tt.governance.points.graphed import Points
from lineage_tt.model.answers import Basis
from lineage_tt.model.completeness.summary import Completeness, summed
from lineage_tt.model.edges import dataset_of
from lineage_tt.model.errors import InvalidRequestError, UnknownNodeError
from lineage_tt.model.facts import CHECK, task_node
from lineage_tt.model.times import FIRST, LAST
from lineage_tt.read.observations import Observation, observations
from lineage_tt.read.questions import Instant, Questions

_TASK = task_node("")
#: Months before and after a window are dates, too: it keeps this far from the first and the last of them.
_MARGIN: Final = 400 * 86_400_000_000


class Running:
    """Questions about when tasks run, over a store and its graph."""

    points: Points

    @property
    def store(self) -> Questions:
        """The store that this thread reads in addition to the graph; ``points.ask`` sets another."""
        return self.points.store

    def core(self, node: str | None = None, basis: Basis | None = None, since: Basis | None = None) -> CoreAnswer:
        """Return the chain of every promised node, or of one, with what joined or left it since another point.

        Durations are those that people state, else those of observed runs. Raises UnknownNodeError.
        """
        point = self.points.at(basis or self.points.basis())
        if node is None:
            return core_list(point, self._observed())
        if not node.startswith(_TASK):
            self._check(node, point.basis)
        return core_chain(point, node, self._observed(), None if since is None else self.points.at(since))

    def late(self, task: str, by: int, basis: Basis | None = None) -> LateAnswer:
        """Return which promises break when a task takes ``by`` microseconds longer. Raises InvalidRequestError."""
        return core_late(self.points.at(basis or self.points.basis()), task, by, self._observed())

    def root_cause(
        self, node: str, basis: Basis | None = None, since: Instant | None = None, comparing: Comparing | None = None,
        shown: int = SHOWN,
    ) -> RootCause:  # fmt: skip
        """Return what changed upstream of a node in a window that ends at the basis (now), the likeliest first.

        ``comparing`` reads SQL (``lineage_tt.impact.causes``); without it texts are compared word by word. Raises
        UnknownNodeError, and InvalidRequestError for an empty window.
        """
        at = basis or self.points.basis()
        begin = None if since is None else self.store.instant(since)
        return root_cause(self._past(at), node, begin, comparing, shown)

    def failed_checks(self, basis: Basis | None = None) -> list[Check]:
        """Return the checks that fail at a point (now), ordered by node."""
        at = basis or self.points.basis()
        facts = self._past(at).facts(at.valid_at, [CHECK])
        return [check for check in checks_of(facts) if check.status == "failed"]

    def backfill(
        self, nodes: Collection[str], start: Instant, end: Instant, basis: Basis | None = None, grain: Grain = "day",
        *, remake: bool = True,
    ) -> Plan:  # fmt: skip
        """Return what to run again after nodes were wrong from ``start`` to ``end``; see ``backfill.plan``.

        ``grain`` applies to tasks without a fact ``partition``. A node is a column, a dataset, or ``task:ID``, which
        means what the task writes. Raises UnknownNodeError, and InvalidRequestError for an empty window.
        """
        at = basis or self.points.basis()
        window = Span(self.store.instant(start), self.store.instant(end))
        if window.start >= window.end:
            raise InvalidRequestError(
                "the window is empty: it ends before it begins", hint="give a beginning before the end"
            )
        if not FIRST + _MARGIN <= window.start <= window.end <= LAST - _MARGIN:
            raise InvalidRequestError("the window lies at an end of time", hint="give years from 1000 to 9000")
        if not nodes:
            raise InvalidRequestError("give at least one node")
        stated = {fact.node.removeprefix(_TASK): fact.value for fact in self.points.at(at).facts(PARTITION)}
        wrong = self._written(nodes, at, window)
        for node in wrong:
            self._check(node, at)
        plan = backfill(
            GraphTimeline(self.store, self.points.graph, at), wrong, window,
            lambda task: read_grain(stated[task]) if task in stated else grain, remake=remake,
        )  # fmt: skip
        return plan._replace(
            nodes=tuple(dict.fromkeys(nodes)), completeness=self._known(plan, wrong, at, remake=remake)
        )

    def _known(self, plan: Plan, wrong: Collection[str], basis: Basis, *, remake: bool) -> Completeness:
        """Return how complete a plan is: what is not known about its tasks, the nodes' readers and their writers."""
        view = self.points.graph.view(basis)
        below = view.lineage(*wrong, direction="down").completeness
        gaps = view.gaps.of(below.uncertain_tasks | {step.task_id for step in plan.steps})
        gaps += view.gaps.writing({dataset_of(node) for node in wrong}) if remake else []
        completeness = summed(gaps, below.ends, below.by_star)
        return completeness._replace(
            ends_omitted=below.ends_omitted, uncertain_nodes=below.uncertain_nodes, rejected=below.rejected
        )

    def _written(self, nodes: Collection[str], basis: Basis, window: Span) -> list[str]:
        """Return the nodes, each task replaced by what it writes at the end of the window and at the point."""
        result: dict[str, None] = {}
        for node in nodes:
            if not node.startswith(_TASK):
                result[node] = None
                continue
            task = node.removeprefix(_TASK)
            views = [self.points.graph.view(basis._replace(valid_at=at)) for at in (window.end - 1, basis.valid_at)]
            written = sorted({edge.target for view in views for edge in view.edges([task])})
            if not written:
                raise InvalidRequestError(
                    f"the task {task!r} has no edges in the window", hint="list the tasks with: lineage-tt tasks"
                )
            result |= dict.fromkeys(written)
        return list(result)

    def _check(self, node: str, basis: Basis) -> None:
        """Raise UnknownNodeError for a node that no edge ever named and that is not a column known at the point."""
        try:
            self.points.graph.check_nodes([node])
        except UnknownNodeError:
            if not self.points.graph.known_columns(basis, [node]):
                raise

    def _past(self, basis: Basis) -> GraphPast:
        return GraphPast(self.store, self.points.graph, basis, self.points)

    def _observed(self) -> list[Observation]:
        return observations(self.store.log_path.parent)
