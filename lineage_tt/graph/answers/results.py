"""What walks return: numbers immediately, texts when they are first used."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from itertools import repeat
from typing import Any

import numpy as np
import pyarrow as pa

from lineage_tt.graph.answers import export
from lineage_tt.graph.answers.pages import Page
from lineage_tt.graph.answers.ports import Point
from lineage_tt.graph.answers.tables import ahead, at_table_level, merged_rows
from lineage_tt.graph.arrays.dictionary import Dictionary
from lineage_tt.graph.arrays.names import Bytes, Ints, Longs, NodeNames, NodeTexts
from lineage_tt.graph.arrays.rows import FOREVER
from lineage_tt.graph.arrays.state import edge_texts
from lineage_tt.graph.walks.edges import Edges, Part, decoded
from lineage_tt.graph.walks.unnamed import Unnamed
from lineage_tt.model.answers import Basis, Direction, EdgeAsOf, Level, Lineage, Step
from lineage_tt.model.completeness.rules import of_walk
from lineage_tt.model.completeness.summary import Completeness
from lineage_tt.model.times import format_instant

#: the columns of ``Walk.rows``
ROW: tuple[str, ...] = ("direction", "steps", *EdgeAsOf._fields, "by_star")


def attributed(view: Point, noted: Ints, down: bool) -> Edges:
    """Return the edges that a walk noted, with the versions of the messages that began them."""
    edges = decoded(view.state, noted, down)
    state, graph = view.state, view.graph
    graph.statements.attribute(edges.numbers, edges.valid, graph.names.all_payloads, state.supposed, view.basis.version)
    return edges


def texts(edges: Edges, names: Dictionary, unnamed: NodeTexts | None = None) -> list[list[Any]]:
    """Return the columns of ``EdgeAsOf`` as lists."""
    columns: list[list[Any]] = [*edge_texts(edges.numbers, names, unnamed)]
    if edges.subtypes is not None:
        columns[4:6] = list(edges.subtypes), [""] * len(edges.subtypes)
    since, until = edges.valid.T.tolist()
    if FOREVER in until:
        until = [None if at == FOREVER else at for at in until]
    return [*columns, edges.numbers[:, 3].tolist(), since, until]


def edges_as_of(edges: Edges, names: Dictionary) -> list[EdgeAsOf]:
    """Return edges as answers."""
    return list(map(EdgeAsOf, *texts(edges, names)))


class Reached:
    """The nodes that a walk reached, as numbers in order of their steps, without the start nodes.

    Numbers beyond those of the graph's nodes are columns that no message named, reached by star: ``names`` has them.
    """

    __slots__ = ("ids", "nodes", "steps")

    def __init__(self, ids: Ints, steps: Ints, nodes: NodeNames) -> None:
        self.ids = ids
        self.steps = steps
        self.nodes = nodes

    def __len__(self) -> int:
        return len(self.ids)

    @property
    def names(self) -> list[str]:
        """The nodes' names, in the order of ``ids``."""
        return list(self.nodes.take(self.ids).to_pylist())

    def __repr__(self) -> str:
        return f"<Reached {len(self)} nodes in {int(self.steps.max(initial=0))} steps>"


class Walk:
    """What a walk from ``start`` reached; its texts are made when they are first used."""

    def __init__(
        self,
        view: Point,
        start: tuple[str, ...],
        numbers: Ints,
        direction: Direction,
        level: Level,
        parts: tuple[Part, ...],
        unnamed: Unnamed,
        visible: Bytes | None = None,
        page: Page | None = None,
        depth: int | None = None,
    ) -> None:
        self._view, self._depth = view, depth
        self.basis: Basis = view.basis
        self.start = start
        self.direction = direction
        self.level = level
        self._state, self._names = view.state, view.graph.names
        self._numbers = numbers
        self._parts = parts
        self._unnamed = unnamed
        self._visible = visible
        self._page = page

    # --- the answer -----------------------------------------------------------------------------------------------

    @cached_property
    def node_steps(self) -> list[tuple[int, str, str]]:
        """(steps, direction, name) of the nodes reached, or of the page, in this order, without the start nodes."""
        first, end = (self._page.first, self._page.end) if self._page else (0, None)
        return self._ordered[first:end]

    @cached_property
    def rows(self) -> list[tuple[Any, ...]]:
        """The edges as plain tuples of ``ROW``, in order."""
        rows = self.unordered_rows()
        if self._state.stars.total:  # an edge may occur twice, as stored and by star
            return sorted(rows, key=lambda row: (row[:8], row[11]))
        return sorted(rows)  # no edge is in force twice at one point, so an end is never compared with None

    def unordered_rows(self) -> list[tuple[Any, ...]]:
        """Return the edges as plain tuples of ``ROW``, ordered by steps and otherwise in no fixed order."""
        result: list[tuple[Any, ...]] = []
        for part in self._parts:
            steps, edges = self._edges_of(part)
            columns = texts(edges, self._names, self._unnamed)
            way, stars = repeat(part.direction), repeat(False) if edges.by_star is None else edges.by_star.tolist()
            rows = zip(way, steps.tolist(), *columns, stars, strict=False)  # the first iterator is endless
            result += rows if edges.by_star is None else merged_rows(rows)
        return result

    @cached_property
    def pairs(self) -> set[tuple[str, str]]:
        """Source and target of each edge, without the texts of the edges themselves."""
        ends = np.concatenate([self._edges_of(part)[1].numbers[:, :2] for part in self._parts])
        names = self._unnamed.take(np.unique(ends, axis=0).ravel().astype(np.int32)).to_pylist()
        return set(zip(names[::2], names[1::2], strict=True))

    @cached_property
    def steps(self) -> tuple[Step, ...]:
        """The edges reached, each with direction and number of steps, in order."""
        new = tuple.__new__  # what a named tuple's own constructor ends in, without a call of Python for each
        return tuple([new(Step, (row[0], row[1], new(EdgeAsOf, row[2:11]), row[11])) for row in self.rows])

    @property
    def lineage(self) -> Lineage:
        """The same as ``View.lineage`` returns."""
        return Lineage(self.basis, self.start, self.steps, self.completeness)

    @cached_property
    def completeness(self) -> Completeness:
        """What the answer does not know; for a page, what the page does not know."""
        later = self._page is not None and self._page.first > 0  # the edges at the start are on the first page
        absent = None if later else self._view.absent
        return of_walk(self._view.gaps, self.start, self.steps, self.direction, self._depth, absent)

    @property
    def nodes(self) -> dict[str, int]:
        """The nodes reached, without the start nodes, each with the least number of steps to it."""
        steps_of: dict[str, int] = {}
        for steps, _, node in self.node_steps:
            steps_of.setdefault(node, steps)
        return dict(sorted(steps_of.items(), key=lambda item: (item[1], item[0])))

    @cached_property
    def truncated(self) -> bool:
        """Whether the limit left out nodes."""
        return self._page is not None and len(self._ordered) > self._page.end

    @property
    def cursor(self) -> str | None:
        """The cursor with which the same call continues, None at the end."""
        return self._page.next_cursor(self.basis) if self._page and self.truncated else None

    def __len__(self) -> int:
        return len(self.rows)

    def __iter__(self) -> Iterator[Step]:
        return iter(self.steps)

    def to_json(self) -> dict[str, Any]:
        """Return the walk as plain objects, instants in ISO 8601."""
        edges = [
            dict(zip(ROW, (*row[:9], format_instant(row[9]), format_instant(row[10]), row[11]), strict=True))
            for row in self.rows
        ]
        nodes = [{"node": node, "direction": way, "steps": steps} for steps, way, node in self.node_steps]
        return {
            "basis": self.basis.to_json(),
            "completeness": self.completeness.to_json(),
            "start": list(self.start),
            "nodes": nodes,
            "edges": edges,
            "truncated": self.truncated,
            "cursor": self.cursor,
        }

    def edges_arrow(self) -> pa.Table:
        """Return the edges as an Arrow table: direction, steps, and the fields of ``EdgeAsOf``."""
        return export.edges_arrow(self.rows)

    def nodes_arrow(self) -> pa.Table:
        """Return the nodes reached as an Arrow table: node, direction, steps."""
        return export.nodes_arrow(self.node_steps)

    def edges_polars(self) -> Any:
        """Return the edges as a polars frame."""
        return export.polars_frame(self.edges_arrow())

    def nodes_polars(self) -> Any:
        """Return the nodes reached as a polars frame."""
        return export.polars_frame(self.nodes_arrow())

    def to_networkx(self) -> Any:
        """Return a networkx ``MultiDiGraph`` of the edges, keyed by their task; start nodes have 0 steps."""
        return export.networkx_graph(self)

    def _repr_html_(self) -> str:
        return export.html(self)

    def __repr__(self) -> str:
        more = ", more after its cursor" if self.truncated else ""
        return f"<Walk {self.direction} from {', '.join(self.start[:3])}: {len(self.nodes)} nodes{more}>"

    @cached_property
    def _ordered(self) -> list[tuple[int, str, str]]:
        reached: list[tuple[int, str, str]] = []
        for part in self._parts:
            ids, steps = part.ids, part.steps
            if self._visible is not None:
                shown = self._visible[ids] != 0
                ids, steps = ids[shown], steps[shown]
            names = self._unnamed.take(ids).to_pylist()
            reached += zip(steps.tolist(), [part.direction] * len(names), names, strict=True)
        reached.sort()
        return reached

    def _edges_of(self, part: Part) -> tuple[Ints, Edges]:
        """Return the edges of a part that this answer shows, with their steps."""
        steps = part.edges[:, 2]
        edges = attributed(self._view, part.edges, part.direction == "down")
        if self.level == "table":
            steps, edges = at_table_level(steps, edges, self._names)
        start = self._unnamed.owners()[self._numbers] if self.level == "table" else self._numbers
        leads_on = ahead(steps, edges, self._names, start, down=part.direction == "down")
        if leads_on is not None:
            steps, edges = steps[leads_on], edges.take(leads_on)
        if self._visible is not None:
            ends = edges.numbers[:, :2]
            shown = ((self._visible[ends] != 0) | np.isin(ends, self._numbers)).all(axis=1)
            steps, edges = steps[shown], edges.take(shown)
        if self._page is not None and len(steps):
            place = self._places(part, edges)
            on_page = (place >= self._page.first) & (place < self._page.end)
            steps, edges = steps[on_page], edges.take(on_page)
        return steps, edges

    def _places(self, part: Part, edges: Edges) -> Longs:
        """Return, for each edge, the position in the order of pages from which both of its ends are known.

        The far end is a reached node, or the start, which is known from the beginning. The near end is known from the
        first node from which the walk continues with it: the node itself; downstream, also its dataset; upstream, for a
        dataset, any of its columns, and from the beginning all columns of a start dataset. A dataset's star node
        continues with all of its columns; an edge joined to a column is known only from that column on.
        """
        source, target = edges.numbers[:, 0], edges.numbers[:, 1]
        near, far = (source, target) if part.direction == "down" else (target, source)
        mine = [(i, name) for i, (_, way, name) in enumerate(self._ordered) if way == part.direction]
        owners = self._unnamed.owners()
        start = owners[self._numbers] if self.level == "table" else self._numbers
        reached_ids = np.array([self._unnamed.number(name) for _, name in mine], np.int32)
        ids = np.concatenate([start, reached_ids])
        places = np.array([-1] * len(start) + [i for i, _ in mine], np.int64)
        reached = _least_places(ids, places, far)
        if part.direction == "down":
            known = np.minimum(_least_places(ids, places, near), _least_places(ids, places, owners[near]))
        else:
            known = _least_places(np.concatenate([ids, owners[ids]]), np.concatenate([places, places]), near)
            known = np.where(np.isin(owners[near], start), -1, known)
        if edges.by_star is not None:
            stars = self._unnamed.star_of(near)
            wide = (stars >= 0) & (owners[near] != near)
            known = np.where(wide, np.minimum(known, _least_places(ids, places, stars)), known)
            known = np.where(edges.by_star, _least_places(ids, places, near), known)
        return np.maximum(np.maximum(known, reached), 0)


_NOWHERE = 2**62


def _least_places(ids: Ints, places: Longs, numbers: Ints) -> Longs:
    """Return the least position of each of ``numbers``, ``_NOWHERE`` where it has none."""
    order = np.lexsort((places, ids))
    ids, places = ids[order], places[order]
    at = np.minimum(np.searchsorted(ids, numbers), len(ids) - 1)
    return np.where(ids[at] == numbers, places[at], _NOWHERE)
