"""The lineage as of one point, from memory: what ``lineage_tt.read.view.View`` answers with DuckDB."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import cached_property
from typing import Any, Literal

import numpy as np

from lineage_tt.graph.answers.pages import page_of, request_digest
from lineage_tt.graph.answers.paths import Path, Paths, between, paths
from lineage_tt.graph.answers.ports import Request
from lineage_tt.graph.answers.rejected_walk import WalkWithout
from lineage_tt.graph.answers.results import Reached, Walk, attributed, edges_as_of
from lineage_tt.graph.arrays.walking import HIDE, NO_MASK, in_force
from lineage_tt.graph.asof.point_walks import EMPTY_MASK, PointWalks
from lineage_tt.graph.walks.filters import Filter
from lineage_tt.graph.walks.origins import lacks_origin
from lineage_tt.model.answers import Direction, EdgeAsOf, Level, check_direction, check_tasks
from lineage_tt.model.completeness import absent, rejections
from lineage_tt.model.completeness.gaps import GapsAtPoint
from lineage_tt.model.edges import ALIAS, DIRECT, REJECTED
from lineage_tt.model.errors import InvalidRequestError

_ALIAS, _REJECTED = (DIRECT, ALIAS), (DIRECT, REJECTED)


class GraphView(PointWalks):
    """What the graph says as of a basis. The same basis always gives the same answers.

    ``supposed`` are the tasks whose edges are hypothetical, not stored; they have no gaps.
    """

    supposed: frozenset[str] = frozenset()

    # --- walks ----------------------------------------------------------------------------------------------------

    def lineage(
        self,
        *nodes: str,
        direction: Direction = "both",
        depth: int | None = None,
        level: Level = "column",
        direct_only: bool = False,
        where: Filter | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> Walk:
        """Walk from one or more nodes, at most ``depth`` steps (None: to the end).

        ``where`` prunes or hides nodes. ``limit`` bounds the nodes of the answer; if its ``cursor`` is not None, the
        same call with that cursor returns more. Raises UnknownNodeError for a node that no edge ever named and that no
        incomplete task reads or writes, InvalidRequestError for a negative depth, a limit below 1, or a cursor from
        another question.
        """
        request = self.request(depth, level, direct_only, where)
        start = self.start(nodes, level)
        check_direction(direction)
        if limit is not None and limit < 1:
            raise InvalidRequestError(f"limit is {limit}: give 1 or more, or leave it out")
        page = None
        if limit is not None or cursor is not None:
            digest = request_digest(self.basis, start, direction, depth, level, direct_only, where)
            page = page_of(cursor, limit, digest, self.basis)
        unnamed, numbers = self.begin(start)
        ways: tuple[Literal["down", "up"], ...] = ("down", "up") if direction == "both" else (direction,)
        enough = page.end if page else -1
        if where is not None:
            self.note_labelled(request, unnamed)
        parts = tuple(self.part(numbers, way, request, enough, unnamed) for way in ways)
        mask = unnamed.passing(request.mask) if request.use == HIDE else None
        result = Walk(self, start, numbers, direction, level, parts, unnamed, mask, page, depth)
        if not self.graph.names.rejects:
            return result
        whole = result
        if page is not None:  # what a later page meets also counts for the first page
            parts = tuple(self.part(numbers, way, request, -1, unnamed) for way in ways)
            whole = Walk(self, start, numbers, direction, level, parts, unnamed, mask, None, depth)
        if rejections.meets(whole.rows):
            return self._without(result, start, ways, depth, level, direct_only, request)
        return result

    def _without(
        self, walk: Walk, start: tuple[str, ...], ways: Sequence[str], depth: int | None, level: Level,
        direct_only: bool, request: Request,
    ) -> Walk:  # fmt: skip
        """Repeat a walk without rejected edges."""
        one = request._replace(depth=1)
        if request.use == HIDE:  # hidden nodes are walked over
            one = one._replace(use=NO_MASK, mask=EMPTY_MASK)
        rows, left_out = rejections.walk(lambda nodes, way: self._one_step(nodes, way, level, one), start, ways, depth)
        hidden: frozenset[str] = frozenset()
        if request.use == HIDE:
            ends = sorted({end for row in rows for end in row[3:5]} - {*start})
            unnamed = self.graph.unnamed(self.state)
            numbers = np.array([unnamed.number(end) for end in ends], np.int64)
            hidden = frozenset(np.array(ends)[unnamed.passing(request.mask)[numbers] == 0].tolist())
        return WalkWithout(walk, rows, left_out, hidden)

    def _one_step(
        self, nodes: tuple[str, ...], way: Literal["down", "up"], level: Level, request: Request
    ) -> list[tuple[Any, ...]]:
        unnamed, numbers = self.begin(nodes)
        part = self.part(numbers, way, request, -1, unnamed)
        return Walk(self, nodes, numbers, way, level, (part,), unnamed).rows

    def beside(self, nodes: Sequence[str], direction: Literal["down", "up"]) -> list[tuple[Any, ...]]:
        """Return the edges one step from some nodes as rows of ``ROW``, including rejections and rejected edges."""
        return self._one_step(tuple(nodes), direction, "column", self.request(1, "column", False, None))

    def upstream(
        self, *nodes: str, depth: int | None = None, level: Level = "column", direct_only: bool = False,
        where: Filter | None = None, limit: int | None = None, cursor: str | None = None,
    ) -> Walk:  # fmt: skip
        """Return what feeds these nodes; options as for ``lineage``."""
        return self.lineage(
            *nodes, direction="up", depth=depth, level=level, direct_only=direct_only, where=where, limit=limit,
            cursor=cursor,
        )  # fmt: skip

    def downstream(
        self, *nodes: str, depth: int | None = None, level: Level = "column", direct_only: bool = False,
        where: Filter | None = None, limit: int | None = None, cursor: str | None = None,
    ) -> Walk:  # fmt: skip
        """Return what these nodes feed; options as for ``lineage``."""
        return self.lineage(
            *nodes, direction="down", depth=depth, level=level, direct_only=direct_only, where=where, limit=limit,
            cursor=cursor,
        )  # fmt: skip

    def reach(
        self,
        *nodes: str,
        direction: Literal["up", "down"] = "down",
        depth: int | None = None,
        level: Level = "column",
        direct_only: bool = False,
        where: Filter | None = None,
    ) -> Reached:
        """Return the numbers of the nodes reached, without the start nodes, with their steps: the fastest answer."""
        check_direction(direction, ("up", "down"))
        request = self.request(depth, level, direct_only, where)
        unnamed, numbers = self.begin(self.start(nodes, level))
        if self.graph.names.rejects:
            walked = self.lineage(
                *nodes, direction=direction, depth=depth, level=level, direct_only=direct_only, where=where
            )
            named = [unnamed.number(node) for _, _, node in walked.node_steps]
            counts = [count for count, _, _ in walked.node_steps]
            return Reached(np.array(named, np.int32), np.array(counts, np.int32), unnamed)
        if where is not None:
            self.note_labelled(request, unnamed)
        ids, steps, _ = self.run(numbers, direction == "down", request, False, -1, unnamed)
        if request.use == HIDE:
            shown = unnamed.passing(request.mask)[ids] != 0
            ids, steps = ids[shown], steps[shown]
        return Reached(ids, steps, unnamed)

    def edges(self, tasks: Collection[str] | None = None, *, marks: bool = False) -> list[EdgeAsOf]:
        """Return all edges in force, or those of some tasks, in order of task, source and target.

        With ``marks`` also alias edges, rejections, and rejected edges. Raises InvalidRequestError where ``tasks`` is
        one text.
        """
        check_tasks(tasks)
        noted = np.empty((self.state.rows, 3), np.int32)
        s = self.state
        count = in_force(
            self.basis.valid_at, self.basis.version, s.out, s.record, s.instants, s.tail, s.times, s.tails, s.hidden,
            s.nodes, noted,
        )  # fmt: skip
        names, edges = self.graph.names, attributed(self, noted[:count], True)
        if tasks is not None:
            task_ids = names.tasks.find_all(sorted(tasks))
            of_task = names.payloads[edges.numbers[:, 2] >> 1, 0]
            kinds = names.payloads[edges.numbers[:, 2] >> 1, 1]
            marks_of = [names.kind_words.index(_REJECTED)] if _REJECTED in names.kind_words and not marks else []
            edges = edges.take(np.isin(of_task, task_ids) | np.isin(kinds, marks_of))
        listed = sorted(edges_as_of(edges, names))
        if not marks and {_ALIAS, _REJECTED} & {*names.kind_words}:
            listed = [edge for edge in rejections.left_in(listed) if edge.subtype != ALIAS]
        return listed

    # --- paths ----------------------------------------------------------------------------------------------------

    def shortest_path(
        self, source: str, target: str, *, level: Level = "column", direct_only: bool = False,
        where: Filter | None = None,
    ) -> Path | None:  # fmt: skip
        """Return one of the shortest paths from a node to another, the first by name; None if there is none."""
        shortest = paths(self, source, target, 1, None, level, direct_only, where)
        return shortest[0] if shortest else None

    def paths(
        self, source: str, target: str, *, limit: int = 10, longest: int | None = None, level: Level = "column",
        direct_only: bool = False, where: Filter | None = None,
    ) -> Paths:  # fmt: skip
        """Return ways from a node to another that meet no edge twice, shortest first, at most ``limit``.

        ``truncated`` of the answer is true if the search stopped before it had as many: there may be more.
        """
        return paths(self, source, target, limit, longest, level, direct_only, where)

    def between(
        self, source: str, target: str, *, level: Level = "column", direct_only: bool = False,
        where: Filter | None = None,
    ) -> Walk:  # fmt: skip
        """Return every edge on a path from a node to another, with its steps from the first node."""
        return between(self, source, target, level=level, direct_only=direct_only, where=where)

    # --- inside ---------------------------------------------------------------------------------------------------

    @cached_property
    def gaps(self) -> GapsAtPoint:
        """The tasks in force whose lineage is not complete."""
        gaps = self.graph.gaps.without(self.supposed) if self.supposed else self.graph.gaps
        return gaps.at(self.basis.valid_at, self.basis.version)

    def absent(self, nodes: Collection[str]) -> set[str]:
        """Return those columns that are not known although their datasets are written; see ``absent``.

        Returns nothing for a hypothetical graph, since the columns that its tasks would write are not known.
        """
        if self.supposed:
            return set()
        unwritten = {node for node in nodes if lacks_origin(self.state, self.graph.names, self.basis, node)}
        return absent.not_among(self.graph.stated_columns(self.basis, unwritten), unwritten) if unwritten else unwritten

    def __repr__(self) -> str:
        return f"<GraphView {self.basis.to_json()}>"
