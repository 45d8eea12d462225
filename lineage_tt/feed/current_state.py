"""What is in force in a store, kept by adding up its feed: the cost of a version is that of what it changed.

Only what may still be in force at the system time of a later version is kept, since valid time that ended before is
never queried again. So the size is that of current and future lineage, whatever the length of the log.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Protocol

from lineage_tt.feed.changes import stretches
from lineage_tt.model.answers import Basis, FeedEntry
from lineage_tt.model.completeness.rejections import Rejections
from lineage_tt.model.edges import REJECTED, EdgeTuple, dataset_of
from lineage_tt.model.facts import FactTuple
from lineage_tt.model.names import CURATED

#: sign, valid from, valid to (None: unbounded)
Stretch = tuple[int, int, int | None]


class Believed(Protocol):
    """A store that returns what it believed at a version."""

    def basis(self, *, version: int | None = None) -> Basis:
        """Return the point of a version."""

    def rectangles(self, version: int | None = None) -> Iterator[tuple[Any, ...]]:
        """Yield (task_id, source, target, type, subtype, expression, valid_from, valid_to) as known at a version."""

    def fact_rectangles(self, version: int | None = None) -> Iterator[tuple[Any, ...]]:
        """Yield (node, key, value, valid_from, valid_to) as known at a version, once for each subject that says so."""


class CurrentState:
    """Edges by task and facts by dataset (or task node), with the intervals of valid time in which they hold."""

    def __init__(self, store: Believed) -> None:
        self._store = store
        self._at: int | None = None
        self._edges: dict[str, dict[EdgeTuple, list[Stretch]]] = {}
        self._facts: dict[str, dict[FactTuple, list[Stretch]]] = {}
        self._rejecting: set[str] = set()

    def move(self, entry: FeedEntry) -> None:
        """Move to a version of the feed; unless the state is at its previous version, read the store once."""
        if self._at is None or not entry.previous_version <= self._at < entry.version:
            self._load(entry.version - 1)
        now = entry.system_time
        if entry.task_id is not None:
            for sign, source, target, kind, subtype, expression, since, until in entry.changes:
                edge = (source, target, kind, subtype, expression)
                _add(self._edges.setdefault(entry.task_id, {}), edge, (sign, since, until), now)
                if subtype == REJECTED:
                    self._rejecting.add(entry.task_id)
        for sign, node, key, value, since, until in entry.facts:
            _add(self._facts.setdefault(dataset_of(node), {}), (node, key, value), (sign, since, until), now)
        self._at = entry.version

    def _load(self, version: int) -> None:
        self._edges, self._facts, self._rejecting = {}, {}, set()
        self._at = version
        if not version:
            return
        now = self._store.basis(version=version).system_time
        for task, *edge, since, until in self._store.rectangles(version):
            _add(self._edges.setdefault(task, {}), tuple(edge), (1, since, until), now)
            if edge[3] == REJECTED:
                self._rejecting.add(task)
        for node, key, value, since, until in self._store.fact_rectangles(version):
            _add(self._facts.setdefault(dataset_of(node), {}), (node, key, value), (1, since, until), now)

    def edges(self, task: str, at: int) -> list[EdgeTuple]:
        """Return the edges of a task at a valid time (UTC microseconds), in order, without those rejected then."""
        rejected = Rejections((task, edge[0], edge[1]) for task in self._rejecting for edge in self._rejects(task, at))
        return sorted(
            edge
            for edge, parts in self._edges.get(task, {}).items()
            if edge[3] != REJECTED and _holds(parts, at) and edge[:2] not in rejected
        )

    def _rejects(self, task: str, at: int) -> Iterator[EdgeTuple]:
        for edge, parts in self._edges.get(task, {}).items():
            if edge[3] == REJECTED and _holds(parts, at):
                yield edge

    def parted(self, one: str, other: str, at: int) -> bool:
        """Return whether people reject, at a valid time, that two datasets are one thing, in either direction."""
        marks = [(task, *edge[:2]) for task in self._rejecting for edge in self._rejects(task, at)]
        rejected = Rejections(marks)
        return (one, other) in rejected or (other, one) in rejected

    def aliased(self, ends: Iterable[tuple[str, str]], key: str) -> list[str]:
        """Return the datasets that have a fact under ``key``, now or later, whose value is the other end of a pair."""
        pairs = {pair for one, other in ends for pair in ((one, other), (other, one))}
        return sorted({one for one, other in pairs if (one, key, other) in self._facts.get(dataset_of(one), {})})

    def facts(self, dataset: str, at: int) -> list[FactTuple]:
        """Return the facts of a dataset and its columns, or of a task's node, at a valid time, in order."""
        return sorted(fact for fact, parts in self._facts.get(dataset, {}).items() if _holds(parts, at))

    def touched(self, ends: Iterable[tuple[str, str]]) -> list[str]:
        """Return the tasks that have an edge, now or later, between nodes whose edges people rejected."""
        result = {(dataset_of(source), dataset_of(target)) for source, target in ends}
        return sorted(
            task
            for task, edges in self._edges.items()
            if not task.startswith(CURATED)
            and any((dataset_of(edge[0]), dataset_of(edge[1])) in result for edge in edges)
        )


def _add(stretches_of: dict[Any, list[Stretch]], item: Any, part: Stretch, now: int) -> None:
    """Add a signed interval to those of an item; intervals that ended by ``now`` are dropped."""
    parts = stretches([*stretches_of.get(item, ()), part])
    lasting = [each for each in parts if each[2] is None or each[2] > now]
    if lasting:
        stretches_of[item] = lasting
    else:
        stretches_of.pop(item, None)


def _holds(parts: list[Stretch], at: int) -> bool:
    return any(total > 0 and since <= at and (until is None or at < until) for total, since, until in parts)
