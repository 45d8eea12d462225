"""A ``Timeline`` over a list of edges, each in force over its valid interval: plans without a store."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from lineage_tt.governance.backfill.ports import InForce
from lineage_tt.model.answers import Basis, EdgeAsOf
from lineage_tt.model.edges import ALIAS, DIRECT, dataset_of

DAY = 86_400_000_000
HOUR = DAY // 24


def made(task: str, source: str, target: str, since: int = -1000, until: int | None = None) -> EdgeAsOf:
    """An edge of a task from a day on, up to another; its version is the day plus 2000."""
    end = None if until is None else until * DAY
    return EdgeAsOf(task, source, target, DIRECT, "IDENTITY", "", since + 2000, since * DAY, end)


def alias(one: str, other: str) -> list[EdgeAsOf]:
    """Two names of one thing: an edge each way."""
    return [made("alias", a, b)._replace(subtype=ALIAS) for a, b in ((one, other), (other, one))]


class ListedTimeline:
    """The edges of a list; a task runs what its newest edge in force says."""

    def __init__(self, edges: Sequence[EdgeAsOf], now: int = 100, uncertain: Collection[str] = ()) -> None:
        self.basis = Basis(now * DAY, 1, 0)
        self.uncertain = uncertain
        self._edges = sorted(edges)

    def edges_out(self, nodes: Collection[str], valid_at: int) -> Sequence[EdgeAsOf]:
        """The edges out of nodes; of a dataset those of its columns, too."""
        return [edge for edge in self._at(valid_at) if edge.source in nodes or dataset_of(edge.source) in nodes]

    def edges_into(self, nodes: Collection[str], valid_at: int) -> Sequence[EdgeAsOf]:
        """The edges into nodes; of a dataset those into its columns, too."""
        return [edge for edge in self._at(valid_at) if edge.target in nodes or dataset_of(edge.target) in nodes]

    def _at(self, valid_at: int) -> list[EdgeAsOf]:
        return [e for e in self._edges if e.valid_from <= valid_at and (e.valid_to is None or valid_at < e.valid_to)]

    def change_times(self, datasets: Collection[str], since: int, until: int) -> Mapping[str, Sequence[int]]:
        """When edges at each dataset begin or end."""
        result: dict[str, set[int]] = {dataset: set() for dataset in datasets}
        for edge in self._edges:
            for dataset in {dataset_of(edge.source), dataset_of(edge.target)} & result.keys():
                result[dataset] |= {at for at in (edge.valid_from, edge.valid_to) if at is not None}
        return {dataset: sorted(at for at in times if since < at <= until) for dataset, times in result.items()}

    def read(self, tasks: Collection[str]) -> None:
        """Nothing: all is in memory."""

    def in_force(self, task: str, valid_at: int) -> InForce | None:
        """What the task's newest edge in force says."""
        found = [edge for edge in self._at(valid_at) if edge.task_id == task]
        newest = max(found, key=lambda edge: edge.version, default=None)
        return newest and InForce(newest.version, newest.valid_from, f"e{newest.version}", None)
