"""A store at a pinned basis as a base whose edges come from the graph in memory: milliseconds instead of a scan."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Future
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final, Literal

from lineage_tt.impact.base.from_store import StoreBase, in_background
from lineage_tt.model.answers import Basis, ColumnAsOf
from lineage_tt.model.edges import TaskEdge, dataset_of
from lineage_tt.read.view import View

if TYPE_CHECKING:
    from lineage_tt.graph import Graph
    from lineage_tt.read.questions import Questions

#: Only tasks with a message that takes effect later can have later edges, so the lists of all others are not unnested.
_LATER: Final = """
    SELECT task_id, source, target, "type", subtype, expression, epoch_us(valid_from)
    FROM (SELECT task_id, change.* FROM (SELECT task_id, unnest(changes) AS change FROM log
        WHERE version <= $version AND task_id IN (
            SELECT task_id FROM log WHERE version <= $version AND effective_at > make_timestamptz($at))))
    WHERE valid_from > make_timestamptz($at) AND split_part(source, '#', 1) IN (SELECT unnest($wanted))
    GROUP BY task_id, source, target, "type", subtype, expression, valid_from, valid_to
    HAVING sum(sign) = 1 ORDER BY ALL
"""
#: The tasks with a message that takes effect later, and the instants at which anything of theirs can begin.
_COMING: Final = """
    SELECT DISTINCT task_id, epoch_us(effective_at) FROM log
    WHERE version <= $version AND task_id IS NOT NULL AND effective_at > make_timestamptz($at)
"""
#: Reading the graph at one instant costs a tenth of querying the log for all instants.
_MAX_LOOKED_AT: Final = 4
#: Nothing changes between the last instant at which a message takes effect and the next.
_AROUND: Final = """
    SELECT epoch_us(max(effective_at) FILTER (effective_at <= make_timestamptz($at))),
        epoch_us(min(effective_at) FILTER (effective_at > make_timestamptz($at)))
    FROM log WHERE version <= $version
"""


class ColumnCache:
    """All columns as of the last point, reused by the next question if its point has the same columns."""

    def __init__(self) -> None:
        self._last: tuple[tuple[int | None, ...], list[ColumnAsOf]] | None = None

    def get(self, key: tuple[int | None, ...], read: Callable[[], list[ColumnAsOf]]) -> list[ColumnAsOf]:
        """Return the columns cached under ``key``: a version and the instants around the valid time; else read them."""
        last = self._last
        if last is None or last[0] != key:
            self._last = last = key, read()
        return last[1]


class GraphBase(StoreBase):
    """As ``StoreBase``, with the same answers; for one thread at a time."""

    def __init__(self, store: Questions, basis: Basis, graph: Graph, cache: ColumnCache | None = None) -> None:
        super().__init__(store, basis)
        self._column_cache = cache or ColumnCache()
        self._graph = graph
        self._now = graph.view(basis)
        self._columns_read: Future[list[ColumnAsOf]] | None = None

    def prepare(self) -> None:
        """Start to read the columns, in a thread of its own: this is the slowest query of the files."""
        if self._columns_read is None:
            self._columns_read = in_background(self._read_columns)

    def _read_columns(self) -> list[ColumnAsOf]:
        with self._database.another() as connection:
            view = View(lambda query, **known: self._database.fetch_on(connection, query, known), self.basis, _anybody)
            point = {"at": self.basis.valid_at, "version": self.basis.version}
            ((since, until),) = self._database.fetch_on(connection, _AROUND, point)
            return self._column_cache.get((self.basis.version, since, until), lambda: view.columns(inferred=False))

    def _all_columns(self) -> list[ColumnAsOf]:
        self.prepare()
        assert self._columns_read is not None
        return self._columns_read.result()

    def close(self) -> None:
        """Close the connection."""
        if self._columns_read is not None:
            self._columns_read.exception()
        super().close()

    def edges_of(self, task_ids: Iterable[str]) -> Sequence[TaskEdge]:
        """Return the edges of these tasks."""
        return self._once("task", task_ids, self._of_tasks, lambda edge: edge.task_id)

    def edges_from(self, datasets: Iterable[str]) -> Sequence[TaskEdge]:
        """Return the edges that leave these datasets or any of their columns."""
        return self._once("from", datasets, lambda d: self._beside(d, "down"), lambda edge: dataset_of(edge.source))

    def edges_into(self, datasets: Iterable[str]) -> Sequence[TaskEdge]:
        """Return the edges that end at these datasets or any of their columns."""
        return self._once("into", datasets, lambda d: self._beside(d, "up"), lambda edge: dataset_of(edge.target))

    def is_closed(self, namespace: str) -> bool:
        """Return whether a namespace has sources in force, and each is written by some task or has known columns."""
        sources = {dataset_of(edge.source) for edge in self._now.edges() if edge.source.startswith(f"{namespace}:")}
        written = {dataset_of(edge.target) for edge in self._now.edges()}
        return bool(sources) and all(dataset in written or dataset in self._columns for dataset in sources)

    def ever_named(self, datasets: Iterable[str]) -> set[str]:
        """Return those of these datasets that any edge ever named, in force or not."""
        return {dataset for dataset in datasets if self._graph.knows(dataset)}

    @cached_property
    def _coming(self) -> list[tuple[Any, ...]]:
        return self._fetch(_COMING, at=self.basis.valid_at, version=self.basis.version)

    @cached_property
    def _has_later(self) -> bool:
        """Whether any message at all takes effect after the basis."""
        return bool(self._coming)

    def _later(self, names: list[str]) -> list[tuple[Any, ...]]:
        instants = {at for _, at in self._coming}
        if len(instants) > _MAX_LOOKED_AT:
            return self._fetch(_LATER, wanted=names, at=self.basis.valid_at, version=self.basis.version)
        tasks, datasets = {task for task, _ in self._coming}, set(names)
        begun = {
            (*edge[:6], edge.valid_from)
            for at in instants
            for edge in self._graph.view(self.basis._replace(valid_at=at)).edges(tasks)
            if edge.valid_from > self.basis.valid_at and dataset_of(edge.source) in datasets
        }
        return sorted(begun)

    def _of_tasks(self, tasks: list[str]) -> list[TaskEdge]:
        return [TaskEdge(*edge[:6]) for edge in self._now.edges(tasks)]

    def _beside(self, datasets: list[str], direction: Literal["up", "down"]) -> list[TaskEdge]:
        """Return the edges one step from these datasets, in the order in which the store gives them."""
        known = [dataset for dataset in datasets if self._graph.knows(dataset)]
        if not known:
            return []
        return sorted(TaskEdge(*row[2:8]) for row in self._now.beside(known, direction))


def _anybody(nodes: Iterable[str]) -> None:
    """Take every node as known: no column is queried by name."""
