"""PageRank over plain arrays: node by node until the ranks converge, or as a series where edges are stored elsewhere.

Heat flows against the data: the worth of a column comes from what is made from it, so each edge counts from its target
to its source. Two names of one thing (aliases) are one node; otherwise the rank would circulate between them. Source:
Page, Brin, Motwani, Winograd: The PageRank Citation Ranking (1999).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from lineage_tt.graph.arrays.compiled import jit
from lineage_tt.graph.arrays.rows import grouped
from lineage_tt.model.errors import InvalidRequestError

Numbers = npt.NDArray[np.signedinteger[Any]]
Ranks = npt.NDArray[np.float64]

#: The share of the rank that follows an edge; the rest starts again.
DAMPING: Final = 0.85
#: The ranks count as converged when at most this part of all rank still moves.
STANDS: Final = 1e-14
#: Each step leaves at most ``DAMPING`` of what still moves: after 400 steps the rest is below the precision of a float.
_MAX_STEPS: Final = 400
#: Passes values on: returns for each node the sum of what the nodes with an edge to it have.
HandOn = Callable[[Ranks], Ranks]


def pagerank(source: Numbers, target: Numbers, nodes: int, start: Ranks | None = None) -> Ranks:
    """Return the rank of each of ``nodes`` nodes over edges from ``source`` to ``target``; the sum of all ranks is 1.

    An edge that is given twice counts twice: give each once. A node without an edge out passes its rank to where walks
    start: to all nodes equally, or by the weights ``start`` (not below 0). Raises InvalidRequestError for weights that
    are all 0. It is faster if the edges are ordered by ``target``.
    """
    share = np.zeros(nodes)
    count_out(source, share)
    begins = _begun(share, start)
    target, (source,) = in_order(target, nodes, source)
    ranks, handed = begins.copy(), begins * share
    for _ in range(_MAX_STEPS):
        if settle(source, target, begins, share, ranks, handed) <= STANDS * float(ranks.sum()):
            break
    ranks /= ranks.sum() if nodes else 1.0
    return ranks


@jit
def count_out(source: Numbers, degree: Ranks) -> None:
    """Count the edges out of each node."""
    for at in range(len(source)):
        degree[source[at]] += 1.0


@jit
def settle(source: Numbers, target: Numbers, begins: Ranks, share: Ranks, ranks: Ranks, handed: Ranks) -> Any:
    """Give each node with edges into it what these pass on now; return by how much ranks changed in total.

    Edges are ordered by ``target`` and visited from the last to the first. Names are numbered as they are met, the
    sources of a column before the column, so most of what a node gets is already computed when it is visited.
    ``handed`` is what each node passes to each of its edges.
    """
    moved, at = 0.0, len(target) - 1
    while at >= 0:
        node = target[at]
        total = begins[node]
        while at >= 0 and target[at] == node:
            total += handed[source[at]]
            at -= 1
        moved += abs(total - ranks[node])
        ranks[node] = total
        handed[node] = total * share[node]
    return moved


def ranked(hand_on: HandOn, degree: Numbers, start: Ranks | None = None) -> Ranks:
    """Return the ranks of nodes with these out-degrees; each call of ``hand_on`` visits all edges once.

    With ``P`` the shares that edges carry and ``v`` where walks start, the ranks are ``r = d·P·r + c·v``: a walk that
    ends starts again like all others, which only makes ``c`` greater. So ``r`` is ``v + d·P·v + d²·P²·v + …``, divided
    by its sum. Without cycles the series ends with the longest path, and so do the steps.
    """
    share = degree.astype(np.float64)
    begins = _begun(share, start)
    ranks, moving = begins.copy(), begins
    for _ in range(_MAX_STEPS):
        moving = hand_on(moving * share)
        ranks += moving
        if float(moving.sum()) <= STANDS * float(ranks.sum()):
            break
    scaled: Ranks = ranks / ranks.sum() if len(degree) else ranks
    return scaled


def _begun(share: Ranks, start: Ranks | None) -> Ranks:
    """Return the share of walks that start at each node; replace degrees by the part of a rank that each edge gets."""
    nodes = len(share)
    begins = np.full(nodes, 1.0 / max(nodes, 1))
    if start is not None:
        total = float(start.sum())
        if not total > 0 or bool((start < 0).any()):
            raise InvalidRequestError("the ranks start nowhere", hint="name a node that has a DIRECT edge at the point")
        begins = start / total
    np.divide(DAMPING, share, out=share, where=share > 0)
    return begins


def in_order(by: Numbers, count: int, *beside: Numbers) -> tuple[Numbers, list[Numbers]]:
    """Return numbers below ``count`` sorted, and what belongs to each; unchanged if they are already sorted."""
    if bool((by[1:] >= by[:-1]).all()):
        return by, [*beside]
    _, order = grouped(by.astype(np.int32), count)
    return by[order], [each[order] for each in beside]


def distinct(source: Numbers, target: Numbers, nodes: int) -> tuple[Numbers, Numbers]:
    """Return each pair of different nodes, of ``nodes`` nodes, once, ordered by source."""
    source, (target,) = in_order(source, nodes, target)
    near, far = np.empty(len(source), np.int32), np.empty(len(source), np.int32)
    count = keep_once(source, target, np.full(nodes, -1, np.int32), near, far)
    return near[:count], far[:count]


@jit
def keep_once(source: Numbers, target: Numbers, last: Numbers, near: Numbers, far: Numbers) -> Any:
    """Write each pair once, sources in order; return how many were written. ``last`` is -1 for each node at first."""
    count = 0
    for at in range(len(source)):
        one, other = source[at], target[at]
        if one != other and last[other] != one:
            last[other] = one
            near[count], far[count] = one, other
            count += 1
    return count
