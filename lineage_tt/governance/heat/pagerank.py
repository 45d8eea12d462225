"""PageRank over plain arrays, as a series.

Heat flows against the data: a column is worth what is made of it, so that each edge counts from its target to its
source. Two names of one thing (aliases) are one node; otherwise the rank would go round between them. Source: Page,
Brin, Motwani, Winograd: The PageRank Citation Ranking (1999).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import numpy as np
import numpy.typing as npt

from lineage_tt.governance.points.folding import sorted_once
from lineage_tt.graph.arrays.rows import grouped
from lineage_tt.model.errors import InvalidRequestError

Places = npt.NDArray[np.int64]
Ranks = npt.NDArray[np.float64]

#: The share of the rank that follows an edge; the rest starts again.
DAMPING: Final = 0.85
#: The part of all rank that is still on its way at which the ranks stand.
STANDS: Final = 1e-14
#: Each step leaves at most ``DAMPING`` of what is on its way: 400 steps leave less than a float shows.
_MAX_STEPS: Final = 400
#: Hands values on: for each node the sum of what the nodes with an edge to it have.
HandOn = Callable[[Ranks], Ranks]


def pagerank(source: Places, target: Places, nodes: int, start: Ranks | None = None) -> Ranks:
    """Return the rank of each of ``nodes`` nodes, one in sum, over edges from ``source`` to ``target``.

    An edge that is given twice counts twice: give each once. A node without an edge out hands its rank to where walks
    start: all nodes alike, or as ``start`` says (weights, not below 0). Raises InvalidRequestError for weights that are
    all 0.
    """
    starts, order = grouped(target.astype(np.int32), nodes)
    near = source[order]
    into = np.flatnonzero(np.diff(starts))
    first = starts[into]

    def hand_on(values: Ranks) -> Ranks:
        found = np.zeros(nodes)
        if len(near):
            found[into] = np.add.reduceat(values[near], first)
        return found

    return ranked(hand_on, np.bincount(source, minlength=nodes), start)


def ranked(hand_on: HandOn, degree: Places, start: Ranks | None = None) -> Ranks:
    """Return the ranks of nodes with so many edges out each, wherever the edges are: ``hand_on`` goes over them once.

    With ``P`` the shares that edges carry and ``v`` where walks start, the ranks are ``r = d·P·r + c·v``: a walk that
    ends starts again as all do, which only makes ``c`` greater. So ``r`` is ``v + d·P·v + d²·P²·v + …``, divided by its
    sum. Where edges make no circles the series ends with the longest way; there are no more steps than that.
    """
    nodes = len(degree)
    if nodes == 0:
        return np.zeros(0)
    begins = np.full(nodes, 1.0 / nodes)
    if start is not None:
        total = float(start.sum())
        if not total > 0 or bool((start < 0).any()):
            raise InvalidRequestError("the ranks start nowhere", hint="name a node that has a DIRECT edge at the point")
        begins = start / total
    share = np.divide(DAMPING, degree, out=np.zeros(nodes), where=degree > 0)
    ranks, moving = begins.copy(), begins
    for _ in range(_MAX_STEPS):
        moving = hand_on(moving * share)
        ranks += moving
        if float(moving.sum()) <= STANDS * float(ranks.sum()):
            break
    found: Ranks = ranks / ranks.sum()
    return found


def distinct(source: Places, target: Places) -> tuple[Places, Places]:
    """Return each pair once, those of a node with itself left out."""
    kept = source != target
    if not kept.any():
        return np.zeros(0, np.int64), np.zeros(0, np.int64)
    source, target = source[kept].astype(np.int64), target[kept].astype(np.int64)
    width = int(target.max()) + 1
    keys = sorted_once(source * width + target)
    return keys // width, keys % width
