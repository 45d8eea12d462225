"""Answers questions about lineage, from the graph in memory if it is loaded, otherwise with DuckDB from the files.

Both give the same values in the same form, so an answer has the same bytes from either.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from lineage_tt.api.http.problems import Problem
from lineage_tt.api.reads.names import Names
from lineage_tt.api.reads.reached import Reached, reached_at_once, reached_from
from lineage_tt.api.reads.reading import Reading
from lineage_tt.graph.answers.pages import request_digest
from lineage_tt.levels.tasks import task_lineage
from lineage_tt.model.answers import (
    Answers,
    Basis,
    Belief,
    Blame,
    ChangePoint,
    ChangeVersion,
    Difference,
    Direction,
    EdgeAsOf,
    Lineage,
    LogEntry,
    ShownLevel,
    TaskAsOf,
)
from lineage_tt.model.completeness.gaps import GapsAtPoint
from lineage_tt.model.completeness.summary import COMPLETE, Completeness
from lineage_tt.model.edges import ALIAS, dataset_of, is_column, star_of
from lineage_tt.model.errors import UnknownNodeError
from lineage_tt.model.names import meaning
from lineage_tt.read import overtime, shapes
from lineage_tt.read.view import View

if TYPE_CHECKING:
    from lineage_tt.graph import Graph


class Walk(NamedTuple):
    """The parameters of a walk: everything in a lineage question except its nodes and its point."""

    direction: Direction = "both"
    depth: int | None = None
    level: ShownLevel = "column"
    direct_only: bool = False

    def to_json(self) -> dict[str, Any]:
        """Return the parameters in the form in which the answer repeats them."""
        return self._asdict()


class Page(NamedTuple):
    """A page of an answer: at most ``limit`` edges, starting at ``offset``; nodes if ``edges`` is false.

    ``asked`` is the question, and ``asked_at`` its point as the caller wrote it: a cursor belongs to both.
    """

    limit: int
    offset: int = 0
    edges: bool = True
    asked: tuple[Any, ...] = ()
    asked_at: tuple[Any, ...] = ()

    def marks(self, basis: Basis) -> tuple[str, str]:
        """Return the end of a cursor: digests of the question with its point, and of the point as written."""
        return request_digest(basis, *self.asked, self.edges), request_digest(basis, *self.asked_at)[:8]


class Engine:
    """Answers one thread from one reading and, if it is loaded, the graph."""

    def __init__(self, reading: Reading, graph: Graph | None, names: Names) -> None:
        self.reading = reading
        self.graph = graph
        self._names = names

    @property
    def name(self) -> str:
        """Where answers come from: ``graph`` or ``files``."""
        return "files" if self.graph is None else "graph"

    def lineage(self, nodes: Sequence[str], basis: Basis, walk: Walk) -> Lineage:
        """Walk from the nodes together."""
        if walk.level == "task":
            view = self.view(basis) if self.graph is None else self.graph.view(basis)
            return task_lineage(view, nodes, walk.direction, walk.depth, walk.direct_only)
        if self.graph is not None:
            self._check_at(nodes, basis, self.graph)
            return self.graph.view(basis).lineage(*nodes, **walk._asdict()).lineage
        return self.view(basis).lineage(*nodes, **walk._asdict())

    def pairs(self, node: str, basis: Basis, walk: Walk) -> tuple[set[tuple[str, str]], tuple[str, ...]]:
        """Return the source and target of each edge that a walk from a node meets, and the nodes it starts from."""
        if walk.level == "task" or self.graph is None:
            lineage = self.lineage([node], basis, walk)
            return {step.edge[1:3] for step in lineage.steps}, lineage.start
        self._check_at([node], basis, self.graph)
        walked = self.graph.view(basis).lineage(node, **walk._asdict())
        return walked.pairs, walked.start

    def reached(self, starts: Sequence[Sequence[str]], bases: Sequence[Basis], walk: Walk) -> Iterator[Reached]:
        """Yield the names of the nodes reached from each start at each basis, ordered by basis."""
        if (
            walk.level != "task"
            and self.graph is not None
            and all(self.graph.knows(node) for nodes in starts for node in nodes)
        ):
            if all(len(nodes) == 1 for nodes in starts) and not (self.graph.state.stars.total or self.graph.rejects):
                nodes = [node for (node,) in starts]
                for reached in reached_at_once(self.graph, nodes, bases, walk._asdict()):
                    yield reached._replace(completeness=self._completeness(reached, walk))
                return
            for basis in bases:
                for start in starts:
                    reached = reached_from(self.graph.view(basis), start, walk._asdict())
                    yield reached._replace(completeness=self._completeness(reached, walk))
            return
        for basis in bases:
            for start in starts:
                lineage = self.lineage(start, basis, walk)
                yield Reached(basis, lineage.start, list(lineage.nodes.items()), lineage.completeness)

    def _completeness(self, reached: Reached, walk: Walk) -> Completeness:
        """Return the completeness of an answer with names only; edges are read only if they may affect it."""
        assert self.graph is not None
        datasets = {dataset_of(node) for node in (*reached.start, *(node for node, _ in reached.nodes))}
        graph = self.graph
        stars = graph.state.stars.total and any(graph.knows(star_of(dataset)) for dataset in datasets)
        view = graph.view(reached.basis)
        if (
            not stars
            and not graph.rejects
            and not graph.gaps.concern(datasets)
            and not view.absent(list(filter(is_column, reached.start)))
        ):
            return COMPLETE
        return view.lineage(*reached.start, **walk._asdict()).completeness

    def diff(self, first: Basis, second: Basis, node: str | None) -> Difference:
        """Return the edges in force at one point and not at the other."""
        if node is not None:
            self.check([node])
        if self.graph is not None:
            return self.graph.diff(first, second, node)
        return overtime.diff(self.reading.fetch, self.reading.coverages(), first, second, node)

    def history(self, node: str, target: str | None) -> list[Belief]:
        """Return every rectangle at a node, or of the edges between two nodes."""
        self.check([node] if target is None else [node, target])
        return overtime.history(self.reading.fetch, node, target)

    def change_points(self, nodes: Collection[str], version: int, *, whole: bool) -> list[ChangePoint]:
        """Return when edges at these nodes, or these whole datasets, begin and end."""
        return overtime.change_points(self.reading.fetch, nodes, version, whole=whole)

    def change_versions(self, nodes: Collection[str], version: int, *, whole: bool) -> list[ChangeVersion]:
        """Return the versions, up to ``version``, that changed edges at these nodes, or these whole datasets."""
        return overtime.change_versions(self.reading.fetch, nodes, version, whole=whole)

    def blame(self, source: str, target: str, basis: Basis) -> Answers[Blame]:
        """Return the edges from ``source`` to ``target`` in force at a point, each with its message."""
        self.check([source, target])
        if self.graph is not None and self.graph.rejects:  # a walk leaves out rejected edges
            return overtime.blame(self.reading.fetch, source, target, self.view(basis))
        beside = [source, *(self._known([star_of(source)]) if is_column(source) else ())]
        steps = self.lineage(beside, basis, Walk("down", 1)).steps + self.lineage([target], basis, Walk("up", 1)).steps
        edges = sorted({step.edge for step in steps if not step.by_star}, key=lambda edge: edge[:6])
        return overtime.blame(self.reading.fetch, source, target, _Edges(basis, edges, self.view(basis).gaps))

    def tasks(self, basis: Basis) -> Answers[TaskAsOf]:
        """Return the tasks in force at a point."""
        return self.view(basis).tasks()

    def versions(self, task_id: str) -> list[LogEntry]:
        """Return every message of a task."""
        result = overtime.log(self.reading.fetch, 0, self.reading.version, task_id, None)
        if not result:
            near = [hit.name for hit in self._names.search(task_id, "task", 3)[0]]
            hint = meaning(near, "") or "list the tasks with: GET /v1/tasks"
            raise Problem(404, "unknown-task", f"unknown task {task_id!r}", hint=hint, near=near)
        return result

    def check(self, nodes: Iterable[str]) -> None:
        """Raise UnknownNodeError, with similar names, for an unknown node."""
        listed = list(nodes)
        known = set(self._known(listed))
        missing = [node for node in listed if node not in known]
        if missing and self.graph is not None:
            missing = [node for node in missing if not self.graph.is_only_touched(dataset_of(node))]
            missing = self.reading.unknown_nodes(missing)
        if missing:
            raise UnknownNodeError(missing[0], self._names.near(missing[0]))

    def _check_at(self, nodes: Sequence[str], basis: Basis, graph: Graph) -> None:
        """Raise UnknownNodeError for an unknown node, unless it is a column that is known at a point."""
        try:
            self.check(nodes)
        except UnknownNodeError:
            columns = graph.known_columns(basis, nodes)
            if not columns:
                raise
            self.check([node for node in nodes if node not in columns])

    def _known(self, nodes: Sequence[str]) -> list[str]:
        """Return the nodes that are known."""
        if self.graph is not None:
            return [node for node in nodes if self.graph.knows(node)]
        missing = set(self.reading.unknown_nodes(nodes))
        return [node for node in nodes if node not in missing]

    def view(self, basis: Basis) -> View:
        """Return the lineage as of a point, read from the files."""
        reading, graph = self.reading, self.graph
        coverages = reading.coverages if graph is None else lambda: graph.gaps.tasks
        return View(reading.fetch, basis, self.check, reading.walk, coverages)


class _Edges(NamedTuple):
    """The edges that a blame searches: those around its two nodes instead of all edges."""

    basis: Basis
    outgoing: list[EdgeAsOf]
    gaps: GapsAtPoint

    def edges(self, *, marks: bool = False) -> list[EdgeAsOf]:
        """Return the edges, in order."""
        return [edge for edge in self.outgoing if marks or edge.subtype != ALIAS]


def lineage_answer(lineage: Lineage, walk: Walk, page: Page) -> dict[str, Any]:
    """Return the answer for a lineage: what ``lineage --format json`` prints, with the cursor of the next page."""
    cut = len(lineage.steps) > page.offset + page.limit
    whole = lineage.completeness  # each page has the completeness of the whole answer
    if page.offset or cut:
        lineage = lineage._replace(steps=lineage.steps[page.offset : page.offset + page.limit])
    return page_answer(lineage.basis, walk.to_json() | shapes.lineage_result(lineage), page, cut, whole)


def reached_answer(reached: Reached, walk: Walk, page: Page) -> dict[str, Any]:
    """Return the answer for a lineage without edges; its pages count nodes."""
    end = page.offset + page.limit
    nodes = [{"node": node, "steps": steps} for node, steps in reached.nodes[page.offset : end]]
    result = walk.to_json() | {"start": list(reached.start), "nodes": nodes}
    return page_answer(reached.basis, result, page, len(reached.nodes) > end, reached.completeness)


def page_answer(
    basis: Basis, result: dict[str, Any], page: Page, cut: bool, completeness: Completeness
) -> dict[str, Any]:  # fmt: skip
    """Return a page of an answer, with the cursor of the next page if it was cut."""
    end = page.offset + page.limit
    cursor = f"{basis.valid_at}.{basis.version}.{end}.{''.join(page.marks(basis))}" if cut else None
    return shapes.answer(_basis_object(basis), result | {"truncated": cut, "cursor": cursor}, completeness)


@lru_cache(64)
def _basis_object(basis: Basis) -> dict[str, Any]:
    """Return a basis in the form of answers; cached, because a call may have a thousand answers at few points."""
    return basis.to_json()
