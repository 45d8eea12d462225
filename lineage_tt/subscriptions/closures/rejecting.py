"""Who watches a change where people reject edges: found by walks from the watched nodes that leave out rejected edges.

A rejection is delivered to the subscriptions that would receive an edge between its two nodes: it removes lineage, or
restores it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

from lineage_tt.graph import Graph
from lineage_tt.graph.walks.chains import ENDLESS, own_instants, reach, starts_of
from lineage_tt.graph.walks.unnamed import Unnamed
from lineage_tt.model.completeness import rejections
from lineage_tt.model.edges import DIRECT, REJECTED, dataset_of, is_star
from lineage_tt.subscriptions.closures.watched import Watch

#: (ends with their steps, node) → the fewest steps from a watched node to one with which lineage continues.
Least = Callable[[str, dict[str, int]], int]


class Looked(NamedTuple):
    """A change to search for: the edge's task, ends, type, subtype and expression; a fact has no task."""

    task: str
    ends: tuple[str, ...]
    kind: tuple[Any, ...]
    stretch: tuple[int, int]
    version: int

    @property
    def is_edge(self) -> bool:
        """Whether a walk meets it as an edge, unlike a fact or a rejection."""
        return bool(self.task) and self.kind[1] != REJECTED


class WithoutRejected:
    """Walks from watched nodes without rejected edges; the walks of one version are cached."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self._walked: dict[tuple[Any, ...], tuple[list[Any], dict[str, int]]] = {}

    def forget(self) -> None:
        """Drop the cached walks, to start with another version."""
        self._walked.clear()

    def watching(
        self, possible: Iterable[Watch], change: Looked, instants: Sequence[int], down: bool, direct_only: bool,
        least: Least,
    ) -> set[int]:  # fmt: skip
        """Return the subscriptions of those watches that a change concerns at any valid time of its interval.

        ``instants`` are when edges on the way begin and end; ``down`` says that lineage leads from the change to the
        watched nodes.
        """
        moments = sorted({change.stretch[0], *instants, *self._own_instants(change, down)})
        result: set[int] = set()
        for watch in sorted(possible):
            if watch.subscription in result:
                continue
            for at in moments:
                rows, ends = self._walk(watch.node, "up" if down else "down", at, change.version, direct_only)
                if change.is_edge:
                    steps = min((row[1] for row in rows if _shows(row, change)), default=ENDLESS + 1)
                else:
                    steps = least(watch.node, ends) + (1 if change.task else 0)
                if steps <= watch.most:
                    result.add(watch.subscription)
                    break
        return result

    def _own_instants(self, change: Looked, down: bool) -> list[int]:
        """Return when edges at the far end of a change begin and end, including rejections of the change."""
        if not change.is_edge:
            return []
        state, names = self._graph.state, self._graph.names
        number = names.nodes.find(change.ends[0] if down else change.ends[-1])
        if not 0 <= number < state.nodes:
            return []
        met = reach(
            self._graph, state, number, down=down, stretch=change.stretch, version=change.version, depth=1,
            direct_only=False,
        )  # fmt: skip
        whole = names.nodes.find(dataset_of(change.ends[-1]))
        if not is_star(change.ends[-1]) or not 0 <= whole < state.nodes:
            return met.instants
        return [*met.instants, *own_instants(state, whole, change.stretch, change.version)]

    def _walk(self, node: str, way: str, at: int, version: int, direct_only: bool) -> tuple[list[Any], dict[str, int]]:
        """Return the edges that a walk meets, and the nodes that it reaches with their steps."""
        key = node, way, at, version, direct_only
        if key not in self._walked:
            starts = self._starts(node, way)
            rows = self._rows(starts, way, at, version, direct_only) if starts else []
            ends = dict.fromkeys((node, *starts), 0)
            for row in rows:
                end = row[3] if way == "up" else row[4]
                ends[end] = min(row[1], ends.get(end, row[1]))
            self._walked[key] = rows, ends
        return self._walked[key]

    def _starts(self, node: str, way: str) -> tuple[str, ...]:
        """Return where to start a walk from a watched node, which perhaps no message has named yet."""
        unnamed = Unnamed(self._graph.names, self._graph.state)
        numbers = starts_of(self._graph, self._graph.state, node, way == "down", unnamed)
        return tuple(each for each in unnamed.take(numbers).to_pylist() if self._graph.knows(each))

    def _rows(self, starts: tuple[str, ...], way: str, at: int, version: int, direct_only: bool) -> list[Any]:
        view = self._graph.as_of(at, version=version)

        def one_step(nodes: tuple[str, ...], direction: Any) -> list[Any]:
            return [row for row in view.beside(nodes, direction) if not direct_only or row[5] == DIRECT]

        return rejections.walk(one_step, starts, (way,), None)[0]


def _shows(row: Sequence[Any], change: Looked) -> bool:
    """Return whether a walk's row is the changed edge, or one of the columns that a changed star edge joins."""
    return (row[2], *row[5:8]) == (change.task, *change.kind) and all(
        shown == stored or (is_star(stored) and dataset_of(shown) == dataset_of(stored))
        for shown, stored in zip(row[3:5], change.ends, strict=True)
    )
