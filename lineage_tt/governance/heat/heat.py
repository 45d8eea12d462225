"""Heat as of a point, and its trend between two points, as rows."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from lineage_tt.governance.heat.asked import Asked
from lineage_tt.governance.heat.pagerank import Numbers, Ranks
from lineage_tt.governance.heat.pairing import Pair
from lineage_tt.governance.heat.reach import Reach, reached
from lineage_tt.governance.heat.scores import CLASSES, Scores, scores
from lineage_tt.governance.ports import PointGraph
from lineage_tt.graph.arrays.compiled import both
from lineage_tt.model.answers import Basis
from lineage_tt.model.completeness.summary import Completeness, of_both
from lineage_tt.model.errors import InvalidRequestError, UnknownNodeError


class Heat(NamedTuple):
    """How much a column or table is worth to others at a point.

    ``place`` counts from 1 in the order asked for. ``rank`` is its share of all rank, between 0 and 1; ``personal`` is
    the same, seen from the nodes asked for. ``direct`` is what refers to it in one step, ``transitive`` what refers to
    it at any distance. ``reads`` are observed runs of tasks that read it, None where no run was ever observed.
    ``heat`` is ``hot``, ``warm`` or ``cold``.
    """

    place: int
    node: str
    heat: str
    rank: float
    personal: float | None
    direct: Reach
    transitive: Reach
    reads: int | None


class HeatAnswer(NamedTuple):
    """Rows of heat, how many exist in total, and how many are in each class."""

    basis: Basis
    rows: tuple[Heat, ...]
    total: int
    classes: dict[str, int]
    completeness: Completeness


class Trend(NamedTuple):
    """One column or table at two points; None where it did not exist. ``change`` is the difference of its rank."""

    node: str
    change: float
    rank_before: float | None
    rank: float | None
    references_before: int | None
    references: int | None
    reads_before: int | None
    reads: int | None
    heat_before: str | None
    heat: str | None


class TrendAnswer(NamedTuple):
    """What gained or lost worth between two points, the greatest changes of rank first."""

    first: Basis
    second: Basis
    rows: tuple[Trend, ...]
    total: int
    completeness: Completeness


def heat(graph: PointGraph, asked: Asked, runs: Mapping[str, int] | None = None) -> HeatAnswer:
    """Return the heat of columns or tables at a point; ``runs`` are observed runs by task, None where none were.

    Raises InvalidRequestError, and UnknownNodeError for a node that no edge in force names.
    """
    asked.check()
    _known(graph, (*asked.seeds, *asked.nodes))
    scored = scores(graph, asked.level, asked.seeds, runs)
    shown, total = _shown(scored, asked, {int(scored.one[graph.number(node)]) for node in asked.nodes})
    names = scored.names(shown)
    starts = [scored.members(at) for at in shown]
    own = scored.ways.dataset[scored.nodes[np.array(shown, np.int64)]]
    _ = scored.ways.people  # asks the store for owners
    far, near = both(
        lambda: list(reached(scored.ways, starts, own, far=True)),
        lambda: list(reached(scored.ways, starts, own, far=False)),
        graph.nodes,
    )  # fmt: skip
    rows = tuple(
        Heat(
            asked.offset + i + 1, names[i], CLASSES[scored.heat[at]], float(scored.rank[at]),
            None if scored.personal is None else float(scored.personal[at]), near[i], far[i],
            None if scored.reads is None else int(scored.reads[at]),
        )
        for i, at in enumerate(shown)
    )  # fmt: skip
    counts = np.bincount(scored.heat, minlength=len(CLASSES)).tolist()
    classes = dict(zip(reversed(CLASSES), reversed(counts), strict=True))
    return HeatAnswer(graph.basis, rows, total, classes, graph.completeness())


def trend(
    first: PointGraph, second: PointGraph, asked: Asked, runs: tuple[Mapping[str, int] | None, ...] = (None, None)
) -> TrendAnswer:
    """Return what gained or lost worth from one point to another.

    The rows are those of either point; columns and tables with the same name are the same.
    """
    asked.check()
    sides = scores(first, asked.level, (), runs[0]), scores(second, asked.level, (), runs[1])
    both = Pair(*sides)
    change = both.rank(1) - both.rank(0)
    chosen = np.arange(len(both.every))
    if asked.nodes:
        chosen = np.flatnonzero(np.isin(both.names(chosen), asked.nodes))
    shown = _rows(-np.abs(change[chosen]), lambda places: both.names(chosen[places]), asked)
    rows = tuple(_trend(both, int(chosen[at]), float(change[chosen[at]])) for at in shown)
    known = of_both(first.completeness(), second.completeness())
    return TrendAnswer(first.basis, second.basis, rows, len(chosen), known)


def _trend(both: Pair, at: int, change: float) -> Trend:
    sides = [_side(*both.row(side, at)) for side in (0, 1)]
    return Trend(both.names([at])[0], change, *(value for pair in zip(*sides, strict=True) for value in pair))


def _side(of: Scores, at: int) -> tuple[float | None, int | None, int | None, str | None]:
    if at < 0:
        return None, None, None, None
    reads = None if of.reads is None else int(of.reads[at])
    return float(of.rank[at]), int(of.references[at]), reads, CLASSES[of.heat[at]]


def _known(graph: PointGraph, nodes: Sequence[str]) -> None:
    for node in nodes:
        if graph.number(node) < 0:
            raise UnknownNodeError(node, ())


def _shown(scored: Scores, asked: Asked, only: set[int]) -> tuple[list[int], int]:
    """Return the places of the rows asked for, of some nodes if given, and how many rows exist.

    Rows of equal worth are ordered by name; names are read only around the rows asked for.
    """
    by = {"rank": scored.rank, "references": scored.references, "reads": scored.reads, "personal": scored.personal}
    values = by[asked.sort]
    if values is None:
        raise InvalidRequestError("no run was ever observed", hint="sort by rank or references")
    chosen = np.flatnonzero(np.isin(scored.nodes, [*only])) if only else np.arange(len(scored.nodes))
    worth = -np.round(values[chosen].astype(float), 12)  # smaller differences only come from another order of summation
    shown = _rows(worth, lambda places: scored.names(chosen[places]), asked)
    return chosen[shown].tolist(), len(chosen)


def _rows(worth: Ranks, names_of: Callable[[Numbers], list[str]], asked: Asked) -> Numbers:
    """Return the places of the rows asked for, by ascending worth; rows of equal worth are ordered by name."""
    first, end = min(asked.offset, len(worth)), min(asked.offset + asked.limit, len(worth))
    if first == end:
        return np.zeros(0, np.int64)
    low, high = np.partition(worth, (first, end - 1))[[first, end - 1]]
    around = np.flatnonzero((worth >= low) & (worth <= high))
    before = int(np.count_nonzero(worth < low))
    listed = sorted(zip(worth[around].tolist(), names_of(around), around.tolist(), strict=True))
    return np.array([at for _, _, at in listed[first - before : end - before]], np.int64)
