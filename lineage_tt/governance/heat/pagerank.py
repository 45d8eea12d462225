"""PageRank over plain arrays, by powers.

Heat flows against the data: a column is worth what is made of it, so that each edge counts from its target to its
source. Two names of one thing (aliases) are one node; otherwise the rank would go round between them. Source: Page,
Brin, Motwani, Winograd: The PageRank Citation Ranking (1999).
"""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from lineage_tt.model.errors import InvalidRequestError

Places = npt.NDArray[np.int64]
Ranks = npt.NDArray[np.float64]

#: The share of the rank that follows an edge; the rest starts again.
DAMPING: Final = 0.85
#: The sum of all moves of one step at which the ranks stand.
STANDS: Final = 1e-13
#: Each step leaves ``DAMPING`` of the error: 200 steps leave less than can be told.
_MOST_STEPS: Final = 400


def pagerank(source: Places, target: Places, nodes: int, start: Ranks | None = None) -> Ranks:
    """Return the rank of each of ``nodes`` nodes, one in sum, over edges from ``source`` to ``target``.

    An edge that is given twice counts twice: give each once. A node without an edge out hands its rank to where walks
    start: all nodes alike, or as ``start`` says (weights, not below 0). Raises InvalidRequestError for weights that are
    all 0.
    """
    if nodes == 0:
        return np.zeros(0)
    begins = np.full(nodes, 1.0 / nodes)
    if start is not None:
        total = float(start.sum())
        if not total > 0 or bool((start < 0).any()):
            raise InvalidRequestError("the ranks start nowhere", hint="name a node that has a DIRECT edge at the point")
        begins = start / total
    order = np.argsort(target, kind="stable")
    source, target = source[order], target[order]
    degree = np.bincount(source, minlength=nodes)
    share = np.divide(DAMPING, degree, out=np.zeros(nodes), where=degree > 0)
    ends = np.flatnonzero(degree == 0)
    into, first = np.unique(target, return_index=True)
    ranks = begins.copy() if start is None else np.full(nodes, 1.0 / nodes)
    for _ in range(_MOST_STEPS):
        fresh = begins * (1.0 - DAMPING + DAMPING * float(ranks[ends].sum()))
        if len(source):
            fresh[into] += np.add.reduceat((ranks * share)[source], first)
        moved = float(np.abs(fresh - ranks).sum())
        ranks = fresh
        if moved < STANDS:
            break
    return ranks


def merged(nodes: int, one: Places, other: Places) -> Places:
    """Return for each node the least node that is the same thing, where pairs of nodes are one thing."""
    found = np.arange(nodes, dtype=np.int64)
    while len(one):
        low = np.minimum(found[one], found[other])
        before = found.copy()
        np.minimum.at(found, found[one], low)
        np.minimum.at(found, found[other], low)
        found = found[found]
        if np.array_equal(before, found):
            break
    return found


def distinct(source: Places, target: Places) -> tuple[Places, Places]:
    """Return each pair once, those of a node with itself left out."""
    kept = source != target
    if not kept.any():
        return np.zeros(0, np.int64), np.zeros(0, np.int64)
    source, target = source[kept].astype(np.int64), target[kept].astype(np.int64)
    width = int(target.max()) + 1
    keys = np.unique(source * width + target)
    return keys // width, keys % width
