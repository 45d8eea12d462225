"""A walk that left out rejected edges: its rows were collected step by step before."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

from lineage_tt.graph.answers.pages import Page
from lineage_tt.graph.answers.results import Walk
from lineage_tt.model.completeness.summary import Completeness
from lineage_tt.model.edges import without_ways_back


class WalkWithout(Walk):
    """Like ``Walk``, but made from the rows of all edges met; ``hidden`` nodes are walked over but not shown."""

    def __init__(
        self, like: Walk, rows: Sequence[tuple[Any, ...]], left_out: int, hidden: frozenset[str] = frozenset()
    ) -> None:
        self.__dict__.update({name: value for name, value in vars(like).items() if name not in _CACHED})
        self._met = without_ways_back(rows, like.start)
        self._left_out, self._hidden = left_out, hidden

    def unordered_rows(self) -> list[tuple[Any, ...]]:
        """Return the edges as plain tuples of ``ROW``; those of a page lead to a node on the page, or to the start."""
        page: Page | None = self._page
        places = {(way, node): place for place, (_, way, node) in enumerate(self._ordered)}
        result = []
        for row in self._met:
            if not self._hidden.isdisjoint(row[3:5]):
                continue
            place = places.get((row[0], row[4] if row[0] == "down" else row[3]), 0)
            if page is None or page.first <= place < page.end:
                result.append(tuple(row))
        return result

    @cached_property
    def pairs(self) -> set[tuple[str, str]]:
        """Source and target of each edge."""
        return {row[3:5] for row in self.unordered_rows()}

    @cached_property
    def completeness(self) -> Completeness:
        """What the answer does not know, and how many edges were left out."""
        return super().completeness._replace(rejected=self._left_out)

    @cached_property
    def _ordered(self) -> list[tuple[int, str, str]]:
        steps: dict[tuple[str, str], int] = {}
        for row in self._met:
            key = row[0], row[4] if row[0] == "down" else row[3]
            steps[key] = min(row[1], steps.get(key, row[1]))
        left = {*self.start, *self._hidden}
        return sorted((count, way, node) for (way, node), count in steps.items() if node not in left)


#: The parts of its answer that a walk caches.
_CACHED = frozenset({"rows", "steps", "pairs", "node_steps", "completeness", "truncated", "_ordered"})
